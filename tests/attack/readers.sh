#!/bin/bash
# readers.sh - SIGTERM ends a server whose reader hangs, and the document is read
# after the next start.  Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"

reader=none
# The reader of the server, stopped before its end; fails when there is none.
hold_reader() {
    local status
    for status in /proc/[0-9]*/status; do
        grep -qsx "PPid:[[:space:]]$server" "$status" || continue
        reader=${status//[^0-9]/}
        kill -STOP "$reader" 2>/dev/null
        while state=$(sed -n 's/^State:[[:space:]]*//p' "$status" 2>/dev/null) &&
            [[ $state == [RSD]* ]]; do :; done
        [[ $state != T* ]] || return 0
    done
    return 1
}
# A page that keeps its reader busy until it is found.
{
    echo '<!doctype html><title>Heat</title>'
    seq -f '<p>In paragraph %g it says that <b>heat</b> flows.' 60000
} >long.html
ask() { curl -sS --max-time 60 "$@"; }

start --data data
ask "$url/api/courses" -d '{"id":"c","title":"C"}' \
    -H 'Content-Type: application/json' >out
for n in $(seq 20); do # a reader may end before it is found: then the next one
    ask "$url/api/courses/c/documents?filename=long.html&id=d$n" >out \
        -H 'Content-Type: application/octet-stream' --data-binary @long.html
    until hold_reader && held=yes; do
        ask "$url/api/documents/d$n" | grep -q '"ready"' && break
    done
    [ -z "${held:-}" ] || break
done
check 'a reader is held' test "${held:-}"
check 'the server goes on' same "$(ask -o /dev/null -w '%{http_code}' \
    "$url/healthz")" 200
check 'the document is being read' bash -c "
    curl -s '$url/api/documents/d$n' | grep -q '\"status\":\"indexing\"'"
kill -TERM "$server"
check 'SIGTERM ends the server' timeout 30 tail --pid="$server" -f /dev/null
wait "$server"
check 'in good order' same $? 0
check 'and its reader' bash -c "! kill -0 $reader 2>/dev/null"
start --data data
check 'the next one reads it' bash -c "
    until curl -s '$url/api/documents/d$n?wait=20' | grep -q '\"ready\"'; do
        curl -s '$url/api/documents/d$n' | grep '\"failed\"' && exit 1
    done"
stop
closing
