#!/bin/bash
# run.sh [WORDS] - the app in a real browser, against the real server.
#
# Starts the built program on ports of its own, a scripted model, and Debian's
# Chromium, or its Firefox when BROWSER is firefox.  With words, only the cases
# that have all of them in their names; CASES="walk link" takes them from
# walk_case.mjs and link_case.mjs.
# Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../.." || exit

fail() {
    echo "FAIL: $*"
    echo "0 passed, 1 failed"
    exit 1
}
browser=chromium-headless-shell
[ "${BROWSER-}" != firefox ] || browser=firefox-esr
[ -x "/usr/bin/$browser" ] || fail "there is no $browser: run tools/setup test"
[ -d web/node_modules ] || fail "there is no web/node_modules: make packages"
FOOTNOTE=${FOOTNOTE:-${OUT:-build}/footnote} \
    exec tools/node node tests/e2e/run.mjs "$@"
