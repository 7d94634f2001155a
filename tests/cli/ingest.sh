#!/bin/bash
# ingest.sh - `footnote ingest` as people and scripts run it: into a data folder,
# again, changed, killed, and to a running server.  Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
files=$tree/tests/ingest/files
# Runs the verb: what it says and its code are kept for the checks.
ingest() {
    "$program" ingest "$@" >out 2>err
    code=$?
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
check 'a dry run ends well' same "$code" 0
check 'a dry run says what is new' said 'new or changed 4'
check 'a dry run writes nothing' same "$(ask 'SELECT count(*) FROM course')" 0

ingest notes --course physics --data data
check 'a folder goes in' same "$code" 0
check 'and is summed up' said 'added 4, unchanged 0, failed 0, passed over 2'
check 'what it cannot read is named' warned 'notes/program: passed over'
check 'and a link that leads out' warned 'notes/loop: passed over'
check 'all is ready' same "$(ask 'SELECT count(*) FROM document
    WHERE status = 2 AND searchable_version = 1')" 4
check 'dated Markdown is a journal entry' same "$(ask "SELECT date || title
    FROM document WHERE kind = 3")" '2026-02-12Cooling'
check 'a transcript has its recording' same "$(ask "SELECT recording_name
    FROM document_version WHERE filename = 'notes/deep/talk.vtt'")" talk.mp4

ingest notes --course physics --data data --json
check 'again, nothing is new' said '"added":0,"unchanged":4,"failed":0'
check 'events are one object a line' bash -c "
    grep -vc '^{\"event\":\"[a-z_]*\".*}\$' out | grep -qx 0"
check 'no object is left over' same "$(find data/objects/?? -type f | wc -l)" \
    "$(ask 'SELECT count(*) FROM object')"

echo 'Nobody saw it turn back.' >>notes/heat.md
ingest notes --course physics --data data --json
check 'a changed file is a new version' said '"added":1,"unchanged":3'
check 'of the same document' same "$(ask "SELECT version FROM document
    WHERE title = 'Heat'")" 2

ingest diary.jsonl --course diary --data data
check 'some failed: code 4' same "$code" 4
check 'the others are in' said 'added 2, unchanged 0, failed 1'
check 'the line is named' warned 'diary.jsonl:3: failed'

ingest notes/program nowhere.pdf notes/heat.md --course physics --data data
check 'what was asked for by name fails' said 'unchanged 1, failed 2'
check 'with code 4' same "$code" 4

ingest notes --data data
check 'without a course it is a usage error' same "$code" 2
ingest --course physics --data data
check 'without a file too' same "$code" 2
ingest notes --course physics --server http://127.0.0.1:1
check 'a server that is not there is code 5' same "$code" 5

# Killed in the middle, and run again: the same documents, ready.
for i in $(seq 400); do
    printf '# Chapter %d\n\nHeat flows, for the %dth time.\n' "$i" "$i"
done >long.md
for i in $(seq 60); do
    sed "s/Heat/Steam $i/" long.md >"notes/deep/long$i.md"
done
: >out
"$program" ingest notes --course physics --data data --json >out 2>err &
victim=$!
timeout 60 tail -n +1 --pid="$victim" -f out | grep -q -m 20 file_start
kill -9 "$victim"
wait "$victim" 2>/dev/null
ingest notes --course physics --data data
check 'after a kill the rest goes in' same "$code" 0
check 'all is ready then' same "$(ask 'SELECT count(*) FROM document
    WHERE status <> 2')" 0
check 'and there is one of each' same "$(ask "SELECT count(*) FROM document
    JOIN course USING (course) WHERE course.id = 'physics'")" 64

# To the server that has the folder.
start --data data
check 'the server runs' test -n "$url"
ingest notes --course physics --data data --json
check 'the server knows it all' said '"added":0,"unchanged":64,"failed":0'
echo 'It never did.' >>notes/heat.md
cp "$files/broken.pdf" notes/broken.pdf
echo '# Ice' >notes/ice.md
echo 'Ice is water.' >>notes/ice.md
ingest notes --course physics --data data --json
check 'it reads what is new and changed' said '"added":2,"unchanged":63'
check 'and says what fails' grep -q '"event":"file_error".*damaged' out
check 'with code 4 again' same "$code" 4
ingest diary.jsonl --course letters --data data --json
check 'it takes journal entries' said '"added":2,"unchanged":0,"failed":1'
check 'it has the course' bash -c "
    curl -fsS $url/api/courses/letters/documents | grep -q 'On entropy'"
stop

# A folder that is watched: the first summary says that it is all in, and each
# change that has settled makes another one.
summaries() {
    timeout 60 tail -n +1 --pid="$watcher" -f watched |
        grep -m "$1" '"event":"summary"' | tail -n 1
}
mkdir -p inbox/old
echo 'Tea is warm.' >inbox/tea.txt
: >watched
"$program" ingest --watch inbox --course inbox --data data --json >watched \
    2>watched.log &
watcher=$!
check 'a watched folder goes in' same "$(summaries 1 | cut -d, -f2-3)" \
    '"files":1,"added":1'
echo 'It cools.' >>inbox/tea.txt
check 'a changed file is read again' same "$(summaries 2 | cut -d, -f2-4)" \
    '"files":1,"added":1,"unchanged":0'
mkdir -p new/deep
echo 'Coffee is warmer.' >new/deep/coffee.txt
echo 'Half of it' >inbox/.part.txt
mv new inbox/old/
check 'a folder that comes is read' same "$(summaries 3 | cut -d, -f2-4)" \
    '"files":1,"added":1,"unchanged":0'
mv inbox/.part.txt inbox/whole.txt
check 'what gets its name is read' same "$(summaries 4 | cut -d, -f2-3)" \
    '"files":1,"added":1'
echo 'And then some.' >inbox/old/new/deep/milk.txt
check 'new folders are watched' same "$(summaries 5 | cut -d, -f2-3)" \
    '"files":1,"added":1'
kill "$watcher"
wait "$watcher" 2>/dev/null
check 'a file in it is one document' same "$(ask "SELECT group_concat(document.version)
    FROM document JOIN course USING (course) WHERE course.id = 'inbox'")" \
    2,1,1,1
ingest --watch nowhere --course inbox --data data
check 'a folder that is not there is refused' warned 'nowhere: No such file'
check 'and ends it' same "$code" 1

closing
