#!/bin/bash
# run.sh [WORD...] - the real clients against the server, with scripted models.
#
# The Node that the packages need is one of them (tools/packages).  Ends with
# the closing line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
build=$(realpath -m "${BUILD:-build}")
program=$(realpath -m "${OUT:-$build}/footnote")
scratch=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$scratch"' EXIT

fail() {
    echo "FAIL clients: $1"
    [ ! -s "${2-}" ] || tail -n 20 "$2"
    echo "0 passed, 1 failed"
    exit 1
}

clients=$(tools/packages tests/clients) || fail "npm ci failed"
node=$(echo "$clients"/node_modules/node-linux-*/bin/node)
[ -x "$node" ] || fail "there is no Node for this machine"

# start NAME COMMAND...: leaves the address that it prints in $url.
start() {
    local out name=$1
    shift
    exec {out}< <(exec "$@" 2>"$scratch/$name.log")
    pids+=($!)
    read -r -t 60 -u "$out" _ _ url || fail "$name does not start" \
        "$scratch/$name.log"
}
start upstream "$build/${MODE:-release}/upstream" tests/upstream/scripts
upstream=$url
start footnote "$program" serve --listen 127.0.0.1:0 --data "$scratch/data" \
    --model-url "$upstream/v1" --model scripted --model-retry-ms 1

# Node looks for packages beside the file, so the cases go to the packages.
cp tests/clients/*.mjs "$clients/" || exit
SERVER=$url UPSTREAM=$upstream timeout 600 "$node" "$clients/main.mjs" "$@" ||
    { tail -n 20 "$scratch/footnote.log"; exit 1; }
