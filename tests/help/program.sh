# shellcheck shell=bash
# program.sh - for tests that look at the program from outside: sourced first.
#
# Leaves the test in a folder of its own, with a home there and none of this
# machine's settings (the empty file hides those of /etc), and gives it
#
#   $tree $build $program      the sources, what is built, the program
#   $scratch                   that folder
#   result CODE NAME [WHY]     counts a code of 0 as passed
#   check NAME COMMAND...      counts; shows what was said when it fails
#   same GOT WANT              for check
#   said TEXT, warned TEXT     for check: what `out` and `err` hold
#   ends CODE WORD...          the program ends so; `out` and `err` are its words
#   out_has TEXT, err_has TEXT
#   start WORD...              serves: $server, $url; its words go to `log`
#   listening COMMAND...       the same for any program that says where
#   stop                       ends that server
#   closing                    the closing line, last in every test
set -uo pipefail
tree=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
cd "$tree" || exit
build=$(realpath -m "${BUILD:-build}")
program=$(realpath -m "${OUT:-$build}/footnote")
scratch=$(mktemp -d)
trap 'kill $(jobs -p) ${server:-} 2>/dev/null; rm -rf "$scratch"' EXIT
cd "$scratch" || exit
for name in "${!FOOTNOTE_@}"; do unset "$name"; done
unset XDG_DATA_HOME NOTIFY_SOCKET
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/config
mkdir -p "$HOME" "$XDG_CONFIG_HOME/footnote"
: >"$XDG_CONFIG_HOME/footnote/footnote.toml"
passed=0 failed=0 server=
: >out >err >log

result() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
        [ "${V:-0}" = 0 ] || echo "ok   $2"
    else
        failed=$((failed + 1))
        echo "FAIL $2"
        [ -z "${3:-}" ] || echo "$3"
    fi
}
check() {
    local name=$1
    shift
    if "$@" >"$scratch/why" 2>&1; then
        result 0 "$name"
    else
        result 1 "$name" "$(cd "$scratch" && tail -n 20 why out err log)"
    fi
}
same() { [ "$1" = "$2" ] || { echo "got \"$1\", want \"$2\"" && false; }; }
said() { grep -qF -- "$1" "$scratch/out"; }
warned() { grep -qF -- "$1" "$scratch/err"; }
ends() {
    local want=$1 code
    shift
    timeout 120 "$program" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    code=$?
    check "footnote $* ends with $want" same $code "$want"
}
out_has() { check "stdout has $1" said "$1"; }
err_has() { check "stderr has $1" warned "$1"; }

# The address comes through a pipe, so that waiting needs no clock.
listening() {
    exec {serving}< <(exec "$@" 2>>"$scratch/log" </dev/null)
    server=$!
    line=
    read -r -t 60 -u "$serving" line
    url=${line#listening on }
}
start() { listening "$program" serve --listen 127.0.0.1:0 "$@"; }
stop() {
    [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null
    server=
}
closing() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
