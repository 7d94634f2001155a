#!/bin/bash
# symbols.sh - the libraries give their users footnote_* and no other name.
# Ends with the closing line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
out=${OUT:-build}
passed=0 failed=0

check() { # name, then the names that nm found
    local others
    others=$(grep -v '^footnote_' <<<"$2")
    if [ -n "$2" ] && [ -z "$others" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1 exports: ${others:-nothing}"
    fi
}
names() {
    nm --format=posix --defined-only "$@" | awk 'NF > 1 { print $1 }'
}
check libfootnote.a "$(names -g "$out/libfootnote.a")"
check libfootnote.so "$(names -D "$out/libfootnote.so")"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
