#!/bin/bash
# run.sh - the commands in README.md and docs/ do what they say.
#
# A block is run when the line before it is a comment:
#
#     <!-- run -->
#     ```sh
#     make
#     ```
#
# Each file's blocks run in order in one scratch copy of the tree, built as far
# as this one is; a block that fails is a failure.  Ends with the closing line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
# The copy is not part of the make that started this test.
build=${BUILD:-build}
unset MAKEFLAGS MFLAGS MAKELEVEL BUILD OUT MODE V T

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

copy_tree() {
    mkdir -p "$1/build"
    tar -c --exclude=./.git --exclude=./build --exclude=node_modules . | tar -x -C "$1"
    # Not the demo's data: `make run` may be writing there.
    tar -c -C "$build" --exclude=./demo --exclude=./asan --exclude=./tsan --exclude=./fuzz \
        --exclude='./clients-*' --exclude='./s3-*' \
        --exclude='./release/test-*' --exclude='./release/replay-*' . |
        tar -x -C "$1/build"
}

# Writes the blocks of file $1 to $2/1, $2/2, ...
extract() {
    awk -v folder="$2" '
        /^<!-- run -->$/ { wanted = 1; next }
        wanted && /^```sh$/ {
            inside = 1; wanted = 0; out = folder "/" ++n; next
        }
        inside && /^```$/ { inside = 0; close(out); next }
        inside { print > out; next }
        wanted { print FILENAME ":" FNR ": no ```sh block follows"; exit 1 }
    ' "$1"
}

run_file() {
    local blocks=$scratch/blocks tree=$scratch/tree n
    rm -rf "$blocks" "$tree"
    mkdir "$blocks"
    extract "$1" "$blocks" || failed=$((failed + 1))
    [ -e "$blocks/1" ] || return 0
    copy_tree "$tree"
    for ((n = 1; ; n++)); do
        [ -e "$blocks/$n" ] || break
        if (cd "$tree" && timeout 300 bash -euo pipefail "$blocks/$n") \
            >"$scratch/out" 2>&1 </dev/null; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL $1, block $n:"
            cat "$blocks/$n" "$scratch/out"
        fi
    done
}

for file in README.md CONTRIBUTING.md docs/*.md examples/*.md; do
    [ ! -f "$file" ] || run_file "$file"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
