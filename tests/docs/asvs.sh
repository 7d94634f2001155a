#!/bin/bash
# asvs.sh - docs/asvs.md has a line for each requirement of ASVS 5.0 up to
# level 2, once and in order, and every test and file that it, security.md and
# SECURITY.md name is there.  Ends with the closing line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
passed=0 failed=0

result() { # name, what is wrong
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s\n%s\n' "$1" "$2"
    fi
}

# Sections and how many of their requirements level 2 has.  Where level 3 has
# some in between there would be a gap here; up to 5.0.0 they come last.
wanted='1.1 2 1.2 9 1.3 11 1.4 3 1.5 2 2.1 3 2.2 3 2.3 4 2.4 1 3.2 2 3.3 4 3.4 6
    3.5 5 3.7 2 4.1 3 4.2 1 4.3 2 4.4 4 5.1 1 5.2 3 5.3 2 5.4 3 6.1 3 6.2 12
    6.3 4 6.4 4 6.5 5 6.6 3 6.8 4 7.1 3 7.2 4 7.3 2 7.4 5 7.5 2 7.6 2 8.1 2
    8.2 3 8.3 1 8.4 1 9.1 3 9.2 4 10.1 2 10.2 2 10.3 4 10.4 11 10.5 5 10.6 2
    10.7 3 11.1 2 11.2 3 11.3 3 11.4 4 11.5 1 11.6 1 12.1 3 12.2 2 12.3 4
    13.1 1 13.2 5 13.3 2 13.4 5 14.1 2 14.2 4 14.3 3 15.1 3 15.2 3 15.3 7
    16.1 1 16.2 5 16.3 4 16.4 3 16.5 3 17.1 1 17.2 4 17.3 2'
requirements() {
    local section n i
    xargs -n 2 <<<"$wanted" | while read -r section n; do
        for ((i = 1; i <= n; i++)); do echo "$section.$i"; done
    done
}
lines() {
    local from to end i
    sed -nE 's/^\| ([0-9.]+)(-([0-9.]+))? \| .*/\1 \3/p' docs/asvs.md |
        while read -r from to; do
            end=${to:-$from}
            for ((i = ${from##*.}; i <= ${end##*.}; i++)); do
                echo "${from%.*}.$i"
            done
        done
}
states() {
    grep -E '^\| [0-9]' docs/asvs.md |
        grep -vE '^\| [0-9.-]+ \| (yes|rule|operator|no part|\*\*no\*\*) \| .+ \|$'
}
# What stands in backquotes and looks like a test or a file.
named() {
    # shellcheck disable=SC2016 # these are backticks of Markdown
    grep -ohE '`[^`]+`' "$@" | tr -d '`' | sort -u
}
tests=$(grep -rhoE '^[A-Z_]+\([a-z0-9_]+' tests --include='*_test.c' |
    sed 's/.*(//')
missing() {
    local name
    named "$@" | while read -r name; do
        case $name in
        *[!a-z0-9_]* | src | *\(*) ;;
        *_*_*_*) grep -qxE "([a-z]+_)*$name" <<<"$tests" ||
            echo "there is no test $name" ;;
        esac
        case $name in
        tests/* | web/* | tools/* | src/*) [ -e "$name" ] ||
            echo "there is no $name" ;;
        esac
    done
}

result 'every requirement has a line' \
    "$(diff <(requirements) <(lines) | grep '^[<>]')"
result 'every line has a state and a reason' "$(states)"
result 'a line that says yes names a test' "$(grep -E '\| yes \|' docs/asvs.md |
    grep -vE '`[a-z0-9_]{12,}`|`(tests|web)/' | grep -vE '^\| yes \|')"
result 'what is named is there' \
    "$(missing docs/asvs.md docs/security.md SECURITY.md)"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
