#!/bin/bash
# digest.sh - the worked example of docs/schema.md is right: its lines have the
# digests that stand behind them, and examples/embed, which stores just that,
# has the same ones in its database.  Ends with the closing line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
program=${OUT:-build}/examples/embed
passed=0 failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Writes each block behind "<!-- digest -->" to 1, 2, ... and the digest on the
# line behind the block to 1.hex, 2.hex, ...
awk -v folder="$scratch" '
    /^<!-- digest -->$/ { wanted = 1; next }
    wanted && /^```/ { wanted = 0; inside = 1; out = folder "/" ++n; next }
    inside && /^```$/ { inside = 0; after = 1; close(out); next }
    inside { print > out; next }
    after && match($0, /sha256:[0-9a-f]+/) && RLENGTH == 71 {
        print substr($0, RSTART + 7, 64) > (out ".hex"); after = 0
    }' docs/schema.md

check() { # what, got, want
    if [ -n "$2" ] && [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s\n  got : %s\n  want: %s\n' "$1" "$2" "$3"
    fi
}
for block in "$scratch"/[0-9]; do
    read -r got _ < <(sha256sum <"$block")
    check "example ${block##*/} of docs/schema.md" "$got" "$(<"$block.hex")"
done
"$program" "sqlite:$scratch/embed.db" >/dev/null
stored=$(sqlite3 "$scratch/embed.db" \
    'SELECT lower(hex(digest)) FROM source ORDER BY source;
     SELECT lower(hex(digest)) FROM message WHERE role = 2;')
check "what examples/embed stored" "$stored" "$(cat "$scratch"/*.hex)"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
