#!/bin/bash
# lives.sh - a server that is killed in a container, and started anew.
#
# What another pid namespace held is told by the names in its leases.  Ends with
# the closing line.
. "$(dirname "$0")/../help/program.sh"

sql() { sqlite3 -cmd '.timeout 10000' data/footnote.db "$1"; }
# An answer that runs, held by pid 1 of a container of this machine for another
# fifty seconds: as the server was killed there.
kill_in_container() {
    curl -sf -o out "$url/api/sessions/$1/messages" \
        -H 'Content-Type: application/json' \
        -d '{"id":"'"$1-a"'","role":"assistant","status":"streaming"}'
    kill -9 "$server"
    wait "$server" 2>/dev/null
    sql "UPDATE answer_lease
         SET node = '$(cat /proc/sys/kernel/random/boot_id) pid:[1] 1 1 1',
             until_ms = $(awk '{print int($1 * 1000) + 50000}' /proc/uptime)"
}
status() { sql "SELECT status FROM message WHERE id = '$1-a'"; }

start --data data
kill_in_container s1
ends 0 usage --data data # it has no lock, and so cannot know
check "who has not the lock leaves it" same "$(status s1)" 4
start --data data
check "who has the lock ends it at once" same "$(status s1)" 3
kill_in_container s2
start --data data --database "sqlite:$scratch/data/footnote.db?durability=strict"
check "also when the file is named" same "$(status s2)" 3
kill_in_container s3
start --data elsewhere --database "sqlite:$scratch/data/footnote.db"
check "another folder's lock says nothing of it" same "$(status s3)" 4
stop

start --data data --node-name one
ends 75 serve --listen 127.0.0.1:0 --data elsewhere --node-name one \
    --database "sqlite:$scratch/data/footnote.db"
err_has "node-name: another server lives as one"
err_has "waiting to see whether another server lives"
stop
ends 7 serve --listen 127.0.0.1:0 --data data \
    --node-name "$(printf 'n%.0s' {1..101})"
err_has "node-name: over 100 bytes"

closing
