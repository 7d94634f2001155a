#!/bin/bash
# verb.sh - `footnote ingest` as people and scripts run it: into a data folder,
# again, changed, killed, and to a running server.  Ends with the closing line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
program=$(realpath "${OUT:-build}/footnote")
files=$(realpath tests/ingest/files)
scratch=$(mktemp -d)
server=''
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
passed=0 failed=0
cd "$scratch" || exit

check() {
    local name=$1
    shift
    if "$@" >"$scratch/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name:"
        tail -n 20 "$scratch/out" "$scratch/said" "$scratch/err"
    fi
}
# Runs the verb: what it says and its code are kept for the checks.
ingest() {
    "$program" ingest "$@" >"$scratch/said" 2>"$scratch/err"
    code=$?
}
said() {
    grep -q -- "$1" "$scratch/said"
}
warned() {
    grep -q -- "$1" "$scratch/err"
}
is() {
    [ "$1" = "$2" ] || { echo "is $1, not $2"; false; }
}
ask() {
    sqlite3 "$scratch/data/footnote.db" "$1"
}

mkdir -p notes/deep notes/.hidden
echo '# Heat' >notes/heat.md
echo 'Heat flows from warm to cold.' >>notes/heat.md
printf '# Cooling\n\nThe block cooled.\n' >'notes/2026-02-12 cooling.md'
cp "$files/slides.pdf" notes/deep/slides.pdf
cp "$files/lecture.vtt" notes/deep/talk.vtt
printf '\0\0\0\030ftypmp42\0\0\0\0mp42isom' >notes/deep/talk.mp4
printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0' >notes/program
echo 'secret' >notes/.hidden/secret.txt
ln -s .. notes/loop
cat >diary.jsonl <<'END'
{"date":"2024-01-15","title":"On entropy","text":"It grows."}
{"date":"2024-01-16","title":"On ice","text":"It melts."}
{"date":"yesterday","title":"On time","text":"It passes."}
END

ingest notes --course physics --data data --dry-run
check 'a dry run ends well' is "$code" 0
check 'a dry run says what is new' said '^new or changed 4'
check 'a dry run writes nothing' is "$(ask 'SELECT count(*) FROM course')" 0

ingest notes --course physics --data data
check 'a folder goes in' is "$code" 0
check 'and is summed up' said '^added 4, unchanged 0, failed 0, passed over 1'
check 'what it cannot read is named' warned '^notes/program: passed over'
check 'all is ready' is "$(ask 'SELECT count(*) FROM document
    WHERE status = 2 AND searchable_version = 1')" 4
check 'dated Markdown is a journal entry' is "$(ask "SELECT date || title
    FROM document WHERE kind = 3")" '2026-02-12Cooling'
check 'a transcript has its recording' is "$(ask "SELECT recording_name
    FROM document_version WHERE filename = 'notes/deep/talk.vtt'")" talk.mp4

ingest notes --course physics --data data --json
check 'again, nothing is new' said '"added":0,"unchanged":4,"failed":0'
check 'events are one object a line' bash -c "
    grep -vc '^{\"event\":\"[a-z_]*\".*}\$' '$scratch/said' | grep -qx 0"
check 'no object is left over' is "$(find data/objects/?? -type f | wc -l)" \
    "$(ask 'SELECT count(*) FROM object')"

echo 'Nobody saw it turn back.' >>notes/heat.md
ingest notes --course physics --data data --json
check 'a changed file is a new version' said '"added":1,"unchanged":3'
check 'of the same document' is "$(ask "SELECT version FROM document
    WHERE title = 'Heat'")" 2

ingest diary.jsonl --course diary --data data
check 'some failed: code 4' is "$code" 4
check 'the others are in' said '^added 2, unchanged 0, failed 1'
check 'the line is named' warned '^diary.jsonl:3: failed'

ingest notes/program nowhere.pdf notes/heat.md --course physics --data data
check 'what was asked for by name fails' said 'unchanged 1, failed 2'
check 'with code 4' is "$code" 4

ingest notes --data data
check 'without a course it is a usage error' is "$code" 2
ingest --course physics --data data
check 'without a file too' is "$code" 2
ingest notes --course physics --server http://127.0.0.1:1
check 'a server that is not there is code 5' is "$code" 5

# Killed in the middle, and run again: the same documents, ready.
for i in $(seq 400); do
    printf '# Chapter %d\n\nHeat flows, for the %dth time.\n' "$i" "$i"
done >long.md
for i in $(seq 60); do
    sed "s/Heat/Steam $i/" long.md >"notes/deep/long$i.md"
done
: >said
"$program" ingest notes --course physics --data data --json >said 2>err &
victim=$!
timeout 60 tail -n +1 --pid="$victim" -f said | grep -q -m 20 file_start
kill -9 "$victim"
wait "$victim" 2>/dev/null
ingest notes --course physics --data data
check 'after a kill the rest goes in' is "$code" 0
check 'all is ready then' is "$(ask 'SELECT count(*) FROM document
    WHERE status <> 2')" 0
check 'and there is one of each' is "$(ask "SELECT count(*) FROM document
    JOIN course USING (course) WHERE course.id = 'physics'")" 64

# To the server that has the folder.
: >serving # so that tail finds it
"$program" serve --data data --listen 127.0.0.1:0 >serving 2>serving.log &
server=$!
url=$(timeout 60 tail -n +1 --pid="$server" -f serving |
    sed -n 's/^listening on //p;T;q')
check 'the server runs' test -n "$url"
ingest notes --course physics --data data --json
check 'the server knows it all' said '"added":0,"unchanged":64,"failed":0'
echo 'It never did.' >>notes/heat.md
cp "$files/broken.pdf" notes/broken.pdf
echo '# Ice' >notes/ice.md
echo 'Ice is water.' >>notes/ice.md
ingest notes --course physics --data data --json
check 'it reads what is new and changed' said '"added":2,"unchanged":63'
check 'and says what fails' said '"event":"file_error".*damaged'
check 'with code 4 again' is "$code" 4
ingest diary.jsonl --course letters --data data --json
check 'it takes journal entries' said '"added":2,"unchanged":0,"failed":1'
check 'it has the course' bash -c "
    curl -fsS $url/api/courses/letters/documents | grep -q 'On entropy'"
kill "$server"
wait "$server"
server=''

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
