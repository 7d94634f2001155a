#!/bin/bash
# quotes.sh - what the documents say of other files is true of them.
#
# A block behind "<!-- quote FILE -->" is in FILE, byte for byte; a relative
# link leads to something; a function named as `name()` is in the sources, and
# so is a file named as `name.c` or `folder/name.h`.
# Ends with the closing line, one count per document and kind.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
passed=0 failed=0
mapfile -t documents < <(find . -name '*.md' -not -path './build*' \
    -not -path '*/node_modules/*' -not -path '*/files/*' \
    -not -path '*/corpus/*' | sort)

# Prints what is wrong with the quotes of document $1.
quotes() {
    awk '
        function whole(file,    text, line, got) {
            while ((got = (getline line < file)) > 0)
                text = text line "\n"
            close(file)
            if (got < 0)
                print FILENAME ": cannot read " file
            return text
        }
        /^<!-- quote [^ ]+ -->$/ { file = $3; next }
        file && !inside && /^```/ { inside = 1; block = ""; next }
        inside && /^```$/ {
            if (!index(whole(file), block))
                print FILENAME ":" FNR ": " file " does not have this block"
            inside = 0; file = ""; next
        }
        inside { block = block $0 "\n"; next }
        file { print FILENAME ":" FNR ": no block follows"; file = "" }
    ' "$1"
}
links() {
    local target
    grep -oE '\]\([^)]+\)' "$1" | sed -E 's/^\]\(//; s/\)$//; s/#.*//' |
        while read -r target; do
            case $target in '' | http*) continue ;; esac
            [ -e "$(dirname "$1")/$target" ] ||
                echo "$1: the link to $target leads nowhere"
        done
}
names() {
    local name
    # shellcheck disable=SC2016 # these are backticks of Markdown
    grep -oE '`[a-z_0-9]+\(\)`' "$1" | tr -d '`()' | sort -u |
        while read -r name; do
            grep -rqw --exclude-dir=node_modules "$name" src include tests \
                tools web ||
                echo "$1: there is no $name()"
        done
}

# A document may leave out folders in front of a file's name.
files() {
    local name
    # shellcheck disable=SC2016 # these are backticks of Markdown
    grep -oE '`[a-z_0-9/]+\.[ch]`' "$1" | tr -d '`' | sort -u |
        while read -r name; do
            case $name in sqlite3.h | libpq-fe.h) continue ;; esac
            grep -qE "(^|/)$name\$" <<<"$sources" ||
                echo "$1: there is no $name"
        done
}
sources=$(git ls-files -co --exclude-standard '*.c' '*.h'; echo build/gen/sql.h
    echo build/gen/sql.c)

for document in "${documents[@]}"; do
    for check in quotes links names files; do
        complaints=$($check "$document")
        if [ -z "$complaints" ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL $complaints"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
