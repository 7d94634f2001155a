#!/bin/bash
# unit.sh - the units in ops/ are taken by systemd, and the server reads a real
# PDF under exactly the filters that they name.  Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
confined=$build/release/confined
unit=$tree/ops/footnote.service
slides=$build/demo-course/slides.pdf

# The words of a line of the unit, also of one that is there several times.
words() { sed -n "s/^$1=//p" "$unit"; }

# ---- What systemd says -------------------------------------------------------

accepted() {
    local said
    mkdir -p units
    cp "$tree"/ops/footnote.{service,socket} units
    sed -i 's|/usr/local/bin/footnote|/bin/true|' units/footnote.service
    said=$(systemd-analyze verify --man=no units/footnote.* 2>&1) &&
        [ -z "$said" ] || { echo "$said" && false; }
}
check "systemd takes the units" accepted

# ---- The filter --------------------------------------------------------------

# Sets name other sets.
names() {
    local word
    for word; do
        case $word in
        @*)
            # shellcheck disable=SC2046 # one word a name
            names $(systemd-analyze syscall-filter "$word" 2>/dev/null |
                sed -n 's/^ *\([@a-z][a-z0-9_-]*\)$/\1/p' | grep -vx "$word")
            ;;
        *) echo "$word" ;;
        esac
    done
}
# @default is allowed in every unit.
# shellcheck disable=SC2046
names @default $(words SystemCallFilter) | sort -u >ours
names @default @system-service | sort -u >plain
check "the unit names over 300 calls" test "$(wc -l <ours)" -gt 300
check "the unit allows filters" grep -qx seccomp ours
check "@system-service alone does not" bash -c "! grep -qx seccomp plain"

flags=()
[ "$(words SystemCallErrorNumber)" != EPERM ] || flags+=(-e)
[ "$(words MemoryDenyWriteExecute)" != yes ] || flags+=(-w)
for family in $(words RestrictAddressFamilies); do flags+=(-f "$family"); done

# DynamicUser has no rights; as another user of this machine, when root asks.
nobody=()
if [ "$(id -u)" -eq 0 ]; then
    nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups
        --bounding-set=-all --no-new-privs)
    chmod 755 "$scratch"
    cp "$program" "$confined" "$scratch"
    program=$scratch/footnote confined=$scratch/confined
fi
data() {
    mkdir -m 700 "$1"
    [ ${#nobody[@]} -eq 0 ] || chown 65534:65534 "$1"
}

# confine FOLDER NAMES FLAG... -- WORD...: serves under that filter.
confine() {
    local folder=$1 list=$2
    shift 2
    listening "${nobody[@]}" "$confined" "$@" "$list" "$program" serve \
        --listen 127.0.0.1:0 --data "$folder"
}
upload() {
    curl -sS -o /dev/null -H 'Content-Type: application/json' \
        -d '{"id":"physics","title":"Physics"}' "$url/api/courses"
    curl -sS -o /dev/null -H 'Content-Type: application/pdf' \
        --data-binary "@$slides" \
        "$url/api/courses/physics/documents?id=slides&filename=slides.pdf"
    curl -sS --max-time 60 "$url/api/documents/slides?wait=30"
} 2>&1
read_in() {
    local told
    told=$(upload)
    grep -q '"status":"ready"' <<<"$told" &&
        grep -q '"pages":30' <<<"$told" || { echo "$told" && false; }
}

data good
confine good "$scratch/ours" "${flags[@]}"
check "it serves under the unit's filter" test -n "$url"
check "it reads a PDF under the unit's filter" read_in
check "a picture of a page is made there" bash -c \
    "curl -fsS '$url/api/documents/slides/pages/2.png' | head -c 4 | grep -q PNG"
check "the jail has all its walls there" bash -c \
    "${nobody[*]:-env} '$confined' ${flags[*]} ours '$program' doctor jail \
    --data good | grep -E '^ok +jail'"
check "another call fails" bash -c \
    "! '$confined' -e '$scratch/ours' /usr/sbin/chroot / /bin/true"
stop

# As the unit was before: no seccomp(), no Landlock, no mounts.
data old
confine old "$scratch/plain" -w -f AF_UNIX -f AF_INET -f AF_INET6
check "it starts under @system-service" test -n "$url"
check "@system-service kills it at the first PDF" bash -c "! $(declare -f \
    upload read_in); slides='$slides' url='$url'; ! read_in"
check "it is dead" bash -c "! curl -fsS --max-time 5 '$url/healthz'"
server=

# ---- A socket that is there before us ----------------------------------------

data given
confine given "$scratch/ours" "${flags[@]}" -l 127.0.0.1:0
port=$(sed -n 's/^confined: //p' "$scratch/log" | tail -n 1)
check "it says the address of the socket it was given" \
    same "$url" "http://127.0.0.1:$port"
check "it serves there" curl -fsS -o /dev/null "$url/healthz"
stop

# refused FDS WORDS: what is no socket of ours is an error of the settings.
refused() {
    FDS=$1 timeout 60 bash -c "LISTEN_PID=\$\$ LISTEN_FDS=\$FDS exec '$program' \
        serve --data refused" >out 2>err 3</dev/null
    [ $? -eq 7 ] && grep -qF -- "$2" err
}
check "two sockets are one too many" refused 2 "systemd opened 2 sockets"
check "a file is no socket" refused 1 "is not one of TCP"
closing
