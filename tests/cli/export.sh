#!/bin/bash
# export.sh - `footnote export`, and `footnote import footnote`.
. "$(dirname "$0")/../help/program.sh"

time='"createdAt":"2026-02-26T20:15:00.123Z"'
course='{"footnote":"course","version":1,"id":"c","userId":"ann","title":"Heat \"4\"",'$time',"members":[{"userId":"*","role":"reader"},{"userId":"ben","role":"editor"}]}'
# session ID USER: two versions of an answer, one of them shown.
session() {
    printf '%s' '{"footnote":"session","version":1,"id":"'"$1"'","userId":"'"$2"'","title":"T '"$2"'","courseId":"c","courseTitle":"Heat \"4\"",'$time',"updatedAt":"2026-02-27T00:00:00.000Z","messages":[{"id":"q","shown":"yes","role":"user","status":"complete",'$time',"content":"Why?"},{"id":"a","parentId":"q","shown":"no","role":"assistant","status":"stopped",'$time',"content":"No"},{"id":"b","parentId":"q","shown":"yes","role":"assistant","status":"complete",'$time',"content":"So [1].","model":"m","tokensIn":3,"sources":[{"sourceId":"web_x","sourceType":"web","chunkNumber":1,"contentPreview":"so","url":"https://example.org/","cited":true,"support":0.5,"spans":[[3,6]]}]}],"retrievals":[]}'
    echo
}
without_digests() { sed -E 's/,"verdicts":\[[^{}]*(\{[^}]*\})?\]//g; s/,"digest":"sha256:[0-9a-f]{64}"//g' "$1"; }

{ echo "$course"; session s ann; session s ben; session t eve; } >all.jsonl
check "three users' sessions come in" ends 0 import footnote all.jsonl --data a
check "... and are counted" said '3 sessions (0 were there), 9 messages, 1 sources, 3 references'
check "again, nothing is new" ends 0 import footnote all.jsonl --data a
check "... and that is said" said '3 sessions (3 were there)'
check "they go out" ends 0 export --all --data a
without_digests out >plain.jsonl
check "... as they came" cmp plain.jsonl all.jsonl
cp out whole.jsonl
check "to a file" ends 0 export --course c -o file.jsonl --data a
check "... the same" cmp file.jsonl whole.jsonl
check "... and nothing beside it" test ! -e file.jsonl.part
check "into another store" ends 0 import footnote file.jsonl --data b -q
check "and out of it" ends 0 export --all --data b
check "... the same to the byte" cmp out whole.jsonl
check "only one user's" ends 0 export --all --user ben --data a
check "... and nobody else's" same "$(grep -c '"footnote":"session"' out)" 1
check "one session" ends 0 export s --user ben --data a -o one.json
check "... without whose it was" same "$(grep -c userId one.json)" 0
check "... comes in as somebody else's" ends 0 import footnote one.json --user zoe --data c
check "one that is not there" ends 3 export none --data a
check "a course that is not there" ends 3 export --course none --data a
check "... leaves no file" ends 3 export --course none --data a -o none.jsonl
check "... none" test ! -e none.jsonl -a ! -e none.jsonl.part
check "nothing said" ends 2 export --data a
check "two things said" ends 2 export s --all --data a
check "a format that is none" ends 2 export s --format doc --data a

echo '{"ann":"anna","ben":"bo","eve":"eva"}' >users.json
check "users get other names" ends 0 import footnote all.jsonl --user-map users.json --data d -q
check "... all of them" ends 0 export --all --data d
check "... also the members" same "$(grep -oE '"userId":"[a-z*]+"' out | sort | uniq -c | tr -s ' \n' ' ')" \
    ' 1 "userId":"*" 2 "userId":"anna" 2 "userId":"bo" 1 "userId":"eva" '
echo '{"ann":"anna","ben":"bo"}' >users.json
check "one whom the map lacks" ends 4 import footnote all.jsonl --user-map users.json --data e
check "... is named" warned 'eve is not in the user map'
check "a rehearsal" ends 0 import footnote all.jsonl --dry-run --data f
check "... says all of it" said '3 sessions (0 were there)'
check "... and keeps nothing" ends 0 export --all --data f
check "... nothing" test ! -s out

# What cannot come in is left out, with its line; the others come.
{ session s ann; session t ann | sed 's/"version":1/"version":2/'
  session u ann | sed 's/"parentId":"q"/"parentId":"x"/'
  echo '{"footnote":"document","version":1,"id":"d"}'; echo '{"other":1}'
  session v ann | sed 's/"id":"[qab]"/"id":"other"/g'; } >bad.jsonl
session w ann | head -c 300 >>bad.jsonl
check "bad lines" ends 4 import footnote bad.jsonl --data g
check "... the good one is there" said '1 sessions (0 were there)'
check "... a newer version" warned 'left out: 2 t: /version: Version 2 is newer'
check "... a parent that is not there" warned 'messages/1: parentId names no message before this one'
check "... a document" warned 'left out: 4 d: its file is not in it'
check "... no session" warned 'left out: 5: /footnote'
check "... ids twice" warned 'left out: 6 v'
check "... cut off" warned 'left out: 7:'
check "... and nothing else came" ends 0 export --all --data g
check "... nothing" same "$(wc -l <out)" 2
session s ann | sed 's/T ann/Other/' >other.jsonl
check "another session with its id" ends 4 import footnote other.jsonl --data g
check "... stays out" warned 'is there, and is not the same'

# Beside a running server.
start serve --listen 127.0.0.1:0 --data a
check "while a server runs" ends 0 export --all --data a
check "... the same" cmp out whole.jsonl
stop
check "the disk is full" bash -c "! '$program' export --all --data a >/dev/full 2>err"
closing
