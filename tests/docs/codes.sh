#!/bin/bash
# codes.sh - docs/api.md has every code of an error, and no other.
#
# Codes are written where errors are made: as `.code = STR("x")`, as an
# argument of intake_refuse(), and in the table of include/footnote.h.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit

made() {
    find src/http -name '*.c' -exec cat {} + | tr '\n' ' ' |
        grep -oE '(\.code =|intake_refuse\([^;"]*) *(STR\(|\{)"[a-z_]+"' |
        grep -oE '[a-z_]+"$' | tr -d '"'
    # Out of memory is told as store_busy; foreign ends a start.
    grep -oE 'X\([A-Z]+, [0-9]+, "[a-z_]+"' include/footnote.h |
        grep -vE '\((OK|NOMEM|FOREIGN),' | grep -oE '[a-z_]+"$' | tr -d '"'
    printf '%s_not_found\n' session message course document
}
# shellcheck disable=SC2016 # these are backticks of Markdown
told() {
    sed -n '/^### Errors/,/^### /p' docs/api.md | grep -E '^\| [0-9]' |
        grep -oE '`[a-z_]+`' | tr -d '`'
}
wrong=$(diff <(made | sort -u) <(told | sort -u) | grep '^[<>]' |
    sed 's/^</only in the sources: /; s/^>/only in docs\/api.md: /')
if [ -n "$wrong" ]; then
    echo "FAIL $wrong"
    echo "0 passed, 1 failed"
    exit 1
fi
echo "1 passed, 0 failed"
