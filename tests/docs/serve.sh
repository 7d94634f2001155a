#!/bin/bash
# serve.sh - `make run` gives a newcomer something to click: it builds, says
# where it listens, shows its page and the demo, and ends when told to.
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
cd "$tree" || exit
unset MAKEFLAGS MFLAGS MAKELEVEL OUT MODE V T
run=''
trap '[ -z "$run" ] || kill -- "-$run" 2>/dev/null; rm -rf "$scratch"' EXIT

# Only the port and the folder differ from what a newcomer types: a newcomer's
# own `make run` may be running.  A pipe gives lines as they come, so that
# waiting needs no clock of ours.
set -m
FOOTNOTE_LISTEN=127.0.0.1:0 make BUILD="$build" DATA="$scratch/demo" run \
    2>"$scratch/err" >"$scratch/out" </dev/null &
run=$!
set +m
url=$(timeout 300 tail -n +1 --pid="$run" -f "$scratch/out" |
    sed -n 's/^listening on //p;T;q')

shows() {
    curl -fsS "$url$1" | grep -q "$2"
}
check 'says where it listens' test -n "$url"
check 'shows a page' shows / Footnote
check 'has the demo' shows /api/sessions demo-entropy
check 'shows cited answers' shows /api/sessions/demo-entropy/messages \
    '"cited":true'
kill -- "-$run" 2>/dev/null
wait "$run" 2>/dev/null
check 'ends when told to' bash -c "! curl -fsS --max-time 5 '$url/healthz'"
run=''
closing
