#!/bin/bash
# test.sh [client|react|app|types|lint]...: the tests of web/; default all.
#
# Needs Node 20 (tools/node) and `make packages`, no browser.  The hook is tested
# over versions 5, 6 and 7 of the AI SDK.  Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")" || exit
[ -n "${WEB_NODE-}" ] || WEB_NODE=1 exec ../tools/node ./test.sh "$@"

passed=0 failed=0

# Runs node's tests and adds up; shows the output only of those that failed.
count() {
    local name=$1 out
    shift
    out=$("$@" 2>&1)
    local ok bad
    ok=$(sed -n 's/^# pass //p' <<<"$out")
    bad=$(sed -n 's/^# fail //p' <<<"$out")
    if [ "${bad:-1}" -ne 0 ] || [ "${ok:-0}" -eq 0 ]; then
        grep -vE '^(ok |# Subtest|    ok )' <<<"$out"
        [ "${bad:-0}" -ne 0 ] || bad=1
    fi
    passed=$((passed + ${ok:-0}))
    failed=$((failed + bad))
    printf '%-12s %s passed, %s failed\n' "$name" "${ok:-0}" "$bad"
}

client() {
    count client node --test --test-reporter=tap client/test/*.test.js
}

react() {
    local version
    for version in 5 6 7; do
        count "react, ai $version" env SDK=$version \
            node --import ./react/test/use-sdk.js --test --test-reporter=tap \
            react/test/*.test.js
    done
}

app() {
    count app node --import ./app/test/use-typescript.js \
        --test --test-reporter=tap app/test/*.test.js
}

# Counts a check as one test: its exit status.
check() {
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}

# The declarations are written by hand: they hold when this compiles.
types() {
    check node_modules/.bin/tsc -p tsconfig.json
    check node_modules/.bin/tsc -p app
}

# How the hooks of React are used.
lint() {
    check node_modules/.bin/eslint app/src react/src
}

for part in "${@:-client react app types lint}"; do
    for name in $part; do
        case $name in
        client | react | app | types | lint) "$name" ;;
        *)
            echo "usage: web/test.sh [client|react|app|types|lint]..." >&2
            exit 2
            ;;
        esac
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
