#!/bin/bash
# example.sh - examples/embed.c prints what example.txt says, finds it again in
# a second run, and stays a page of at most 60 lines.  Ends with the closing
# line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
program=${OUT:-build}/examples/embed
want=tests/lib/example.txt
passed=0 failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

check() { # name, command
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name"
    fi
}
run() { # the expected output on stdin
    diff -u --label expected --label "$program" - \
        <(timeout 60 "$program" "sqlite:$scratch/embed.db" 2>&1)
}
check "the first run" run <"$want"
check "the second run finds the first" run < <(cat "$want" "$want")
check "at most 60 lines" test "$(wc -l <examples/embed.c)" -le 60
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
