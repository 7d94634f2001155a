#!/bin/bash
# log.sh - SQLite's log: what ends well leaves the database alone, what was
# killed leaves it beside, and one wrong bit in it is told by every command.
#
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
in_data() { ends "$@" --data data; }
alone() { check "$1 leaves one file" same "$(cd data && echo footnote.db*)" footnote.db; }
ask() {
    curl -sS --max-time 60 "$url/api/chat" -H 'Content-Type: application/json' \
        -d "{\"id\": \"s$1\", \"messages\": [{\"role\": \"user\",
            \"content\": \"What is heat?\"}]}" >>log
}

echo "Heat flows from hot to cold." >a.md
in_data 0 ingest a.md --course c
alone ingest
in_data 0 key add ada
alone "key add"
in_data 0 key list
alone "key list"
start --data data
for i in 1 2 3; do ask "$i"; done
stop
alone "a stopped server"

start --data data
for i in 4 5 6; do ask "$i"; done
in_data 0 doctor database # beside a server there is a log as well
in_data 0 backup backups
kill -9 "$server" && wait "$server" 2>>log
check "a killed server leaves its log" test -s data/footnote.db-wal
at=$(($(stat -c %s data/footnote.db-wal) / 8 * 4)) # in the middle, where words begin
byte=$(od -An -tu1 -j $at -N 1 data/footnote.db-wal)
put() {
    printf "\\x$(printf %x "$1")" |
        dd of=data/footnote.db-wal bs=1 seek=$at conv=notrunc status=none
}
put $((byte ^ 1))
md5sum data/footnote.db data/footnote.db-wal >before
in_data 8 serve --listen 127.0.0.1:0
err_has "byte $at of footnote.db-wal was 0x$(printf %02x "$byte")"
err_has "docs/operations.md, A damaged log"
in_data 8 key list
in_data 8 doctor
check "doctor tells the byte" grep -qE \
    "^bad +database +byte $at of footnote.db-wal was" out
check "and what to do" grep -qE -- "-> stop the server, .* A damaged log" out
check "nothing behind it is read" grep -qE "^skipped +rows" out
in_data 8 doctor --repair
made=$(echo backups/*)
in_data 8 backup backups
err_has "byte $at of footnote.db-wal was"
check "no backup is made" same "$(echo backups/*)" "$made"
check "nothing is changed" md5sum --status -c before
put "$byte"
md5sum data/footnote.db data/footnote.db-wal >before
in_data 0 doctor
in_data 0 backup backups
check "looking leaves the log to a server" md5sum --status -c before
start --data data
check "and put right, it serves" curl -sSf "$url/api/sessions/s6/messages"
stop
alone "the server"

closing
