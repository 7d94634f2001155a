#!/bin/bash
# examples.sh - every example runs, in an empty folder, and says nothing wrong.
# Ends with the closing line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
out=$(realpath "${OUT:-build}")
passed=0 failed=0

for source in examples/*.c; do
    [ -f "$source" ] || continue
    program=$out/${source%.c}
    scratch=$(mktemp -d)
    if (cd "$scratch" && timeout 60 "$program") >"$scratch/.out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $source:"
        cat "$scratch/.out"
    fi
    rm -rf "$scratch"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
