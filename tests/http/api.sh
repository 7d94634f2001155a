#!/bin/bash
# api.sh - examples/api.sh walks the API of the program as it was built, as
# the user of mode none and as one with a key.  Ends with the closing line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
program=${OUT:-build}/footnote
scratch=$(mktemp -d)
server=
trap 'stop; rm -rf "$scratch"' EXIT
passed=0 failed=0

stop() {
    [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null
    server=
}

# start WORD...: leaves the server's address in $url.
start() {
    local out
    exec {out}< <(exec "$program" serve --listen 127.0.0.1:0 \
        --data "$scratch/data" "$@" 2>"$scratch/log")
    server=$!
    read -r -t 60 -u "$out" _ _ url
}

walk() {
    if timeout 120 examples/api.sh "$url" >"$scratch/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1:"
        cat "$scratch/out" "$scratch/log"
    fi
}

start && walk 'mode none'
stop
start --auth key &&
    KEY=$("$program" key add ada --data "$scratch/data") walk 'mode key'
stop
[ $((passed + failed)) -eq 2 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
