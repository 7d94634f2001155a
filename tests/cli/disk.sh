#!/bin/bash
# disk.sh - a server whose disk is full: it reads, says why it takes nothing
# new, and starts again.
#
# Runs itself in a mount namespace of its own.  Ends with the closing line.
if [ "${1-}" != mounted ]; then
    who=-r # who is not root becomes it there
    [ "$(id -u)" -ne 0 ] || who=-m
    exec unshare -m $who bash "$0" mounted
fi
. "$(dirname "$0")/../help/program.sh"
trap 'kill $(jobs -p) ${server:-} 2>/dev/null; cd /; wait
      umount "$scratch/data"; rm -rf "$scratch"' EXIT

# Whoever else uses the disk fills it, and makes room again.
fill() { dd if=/dev/zero of=data/ballast bs=4k status=none 2>err || true; }
make_room() { rm data/ballast; }
# becomes PATH TEXT: waits; the disk is looked at once a second.
becomes() {
    local end=$((SECONDS + 60))
    until curl -sf "$url$1" | tee out | grep -qF "$2"; do
        [ $SECONDS -lt $end ] || return 1
        read -r -t 0.05 <> <(:) || true
    done
}
save() {
    curl -s -o out -w '%{http_code}' "$url/api/sessions/s1/messages" \
        -H 'Content-Type: application/json' \
        -d '{"id":"'"$1"'","role":"user","content":"Is there room?"}'
}
# reads NAME: everything that people read still answers.
reads() {
    local path
    for path in / /healthz /api/sessions /api/sessions/s1/messages \
        /api/courses /api/courses/plants/documents /api/documents/leaves \
        '/api/search?q=sugar'; do
        check "$1: $path" curl -sf -o body "$url$path"
    done
    check "$1: it finds" grep -qF sugar body
    check "$1: a file" curl -sf -o body "$url/api/documents/leaves/download"
    check "$1: the file is whole" cmp body leaves.txt
}
# closed NAME: and nothing is taken.
closed() {
    check "$1: it is said" becomes /readyz '"writable":false,"why":"The disk is '
    check "$1: a save is 507" same "$(save "new-$1")" 507
    check "$1: with its cause" said '"code":"disk_full"'
}
# opens NAME: without a restart.
opens() {
    check "$1: it is open again" becomes /readyz '"writable":true'
    check "$1: a save is taken" same "$(save "after-$1")" 201
}

mkdir -m 700 data
mount -t tmpfs -o size=8m,mode=700 none data || exit
echo "Leaves make sugar from light." >leaves.txt
start --data data --disk-reserve 0
curl -sf -o out "$url/api/courses" -H 'Content-Type: application/json' \
    -d '{"id":"plants","title":"Plants"}'
curl -sf -o out -F id=leaves -F file=@leaves.txt \
    "$url/api/courses/plants/documents"
check "it is read in" becomes /api/documents/leaves '"ready"'
check "with room a save is taken" same "$(save first)" 201

fill
closed running
reads running
make_room
opens running

# What a stopped server keeps for its start is enough on a disk without a block.
stop
fill
start --data data --disk-reserve 0
reads started
closed started
make_room
opens started

fill
kill -9 "$server"
wait "$server" 2>/dev/null
start --data data --disk-reserve 0
reads killed
closed killed
make_room
opens killed
stop
closing
