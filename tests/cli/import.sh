#!/bin/bash
# import.sh - `footnote import`: what it says, its exit codes, and that people
# then read it over HTTP.
#
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
in_data() { ends "$@" --data data; }
mkdir tmp
export TMPDIR=$scratch/tmp

cat >threads.jsonl <<'END'
{"thread_id":"t1","user_id":"ann","title":"Waves","course_id":"physics","created_at":"2024-01-15T10:00:00Z","messages":[{"type":"human","content":"What is this?","id":"q1"},{"type":"ai","content":"A wave [^Page].","id":"a1","image_source":{"s3key":"snapshots/slide-123/page-42.png","slide_id":"slide-123","page_number":"42"},"timestamp":"2024-01-15T10:30:00Z"}]}
{"thread_id":"t2","user_id":"bob","course_id":"physics","messages":[{"type":"human","content":"Hello","id":"q2"}]}
{"thread_id":"t3","user_id":"eve","messages":[{"type":"human","content":"Hello","id":"q3"}]}
END
echo '{"ann": "local", "bob": "robert"}' >users.json

in_data 2 import state
in_data 2 import other threads.jsonl
err_has "ui, openwebui, anythingllm, librechat, onyx, chatgpt or footnote"
in_data 3 import state nowhere.jsonl
err_has "nowhere.jsonl: No such file"
in_data 3 import state threads.jsonl --user-map nowhere.json
err_has "user map: nowhere.json"
in_data 1 import state threads.jsonl --texts threads.jsonl
err_has "state takes no --texts"
in_data 75 import v1 "postgres:///x?host=$scratch"

in_data 4 import state threads.jsonl --user-map users.json --dry-run
out_has "2 sessions (0 were there), 3 messages"
out_has "1 left out, 0 changed; nothing was written"
err_has "left out: session t3: user eve is not in the user map"
in_data 4 import state threads.jsonl --user-map users.json
out_has "2 sessions (0 were there), 3 messages"
cp out first
in_data 4 import state threads.jsonl --user-map users.json --json
out_has '{"event":"leftOut","row":"session t3","reason":"user eve'
out_has '{"event":"session","id":"t1","user":"local","messages":2,"references":0,"new":false,"digest":"sha256:'
out_has '{"event":"end","sessions":2,"unchanged":2,"messages":3,"sources":0,"references":0,"retrievals":0,"leftOut":1,"changed":0}'
digest=$(sed -n 's/^t1  //p' first)
out_has "\"digest\":\"$digest\""
check "nothing is left of rows on their way" same "$(ls tmp)" ""

# The source is as it was, and everybody reads their own.
start --data data
curl -s "$url/api/sessions/t1/messages?as=state" >out
out_has '"s3key":"snapshots/slide-123/page-42.png","slide_id":"slide-123","page_number":42'
out_has '"timestamp":"2024-01-15T10:30:00.000Z"'
curl -s "$url/api/sessions/t2/messages" >out
out_has "not_found"
curl -s "$url/api/sessions" >out
out_has '"title":"Waves"'
out_has '"courseId":"physics"'
stop

# Branches, numbers and every field of a source, as they are read over HTTP.
cat >chat.json <<'END'
[{"id":"owui","user_id":"local","title":"Heat","created_at":1717200000,"updated_at":1717200009,"chat":{"history":{
"currentId":"w1","messages":{
"wq":{"id":"wq","parentId":null,"role":"user","content":"Why?","timestamp":1717200000},
"w1":{"id":"w1","parentId":"wq","role":"assistant","content":"Heat [1], work [2#x].","timestamp":1717200001,"sources":[
{"source":{"id":"kb"},"document":["Heat flows.","It sorts."],"metadata":[
{"source":"heat.pdf","name":"heat.pdf","file_id":"f1","page":6},
{"source":"https://example.org/","title":"Demon"}],"distances":[0.75,0.5]}]},
"w2":{"id":"w2","parentId":"wq","role":"assistant","content":"Other.","timestamp":1717200002}}}}}]
END
in_data 0 import openwebui chat.json -q
out_has "1 sessions (0 were there), 3 messages, 2 sources, 2 references"
start --data data
curl -s "$url/api/sessions/owui/messages" >out
out_has '"content":"Heat [1], work [2]."'
out_has '"sourceType":"slide"'
out_has '"chunkNumber":1'
out_has '"contentPreview":"Heat flows.","documentId":"f1","slideNumber":7'
out_has '"title":"heat.pdf"'
out_has '"chunkNumber":2'
out_has '"contentPreview":"It sorts."'
out_has '"url":"https://example.org/"'
out_has '"createdAt":"2024-06-01T00:00:01.000Z"'
check "the other answer is not on the path" bash -c "! grep -q Other out"
curl -s "$url/api/sessions/owui/messages?versions=all" >out
out_has '"content":"Other."'
out_has '"parentId":"wq"'
stop

# What is on its way needs room, and a failure leaves nothing behind.
seq 4000 | sed 's/.*/{"thread_id":"x&","messages":[{"type":"human","content":"Hello","id":"m&"}]}/' >many.jsonl
check "without room it fails" bash -c "ulimit -f 64; trap '' XFSZ
    ! '$program' import state many.jsonl --data full >out 2>err"
err_has "footnote import: "
check "and leaves nothing behind" same "$(ls tmp)" ""
in_data 0 import state many.jsonl -q
out_has "4000 sessions (0 were there)"

closing
