#!/bin/bash
# schema.sh - docs/schema.md explains every table and column there is, and none
# that there is not.  Ends with the closing line, one count per table.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
program=${OUT:-build}/examples/embed
passed=0 failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$program" "sqlite:$scratch/embed.db" >/dev/null
ask() {
    sqlite3 "$scratch/embed.db" "$1"
}
# The names in the first column of the table whose heading is `$1`.  A tenant
# is in every table and is explained once.
explained() {
    awk -v first="| \`$1\` |" '
        /^\|---/ { inside = index(before, first) == 1; next }
        { before = $0 }
        !/^\|/ { inside = 0 }
        inside {
            split($0, cells, "|")
            n = split(cells[2], words, "`")
            for (i = 2; i <= n; i += 2)
                print words[i]
        }' docs/schema.md | sort -u
}
for table in $(ask "SELECT name FROM sqlite_schema WHERE type = 'table'
                    AND name <> 'schema_version'"); do
    skip=tenant
    [ "$table" != tenant ] || skip=
    if difference=$(diff <(explained "$table") \
        <(ask "SELECT name FROM pragma_table_info('$table')
               WHERE name <> '$skip' ORDER BY name")); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL docs/schema.md (<) against $table (>)"
        echo "$difference"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
