#!/bin/bash
# run.sh [WORD...] - our S3 against the AWS SDK and against a real server.
#
# Runs the tests in C that wait for TEST_S3 (where the server is) and
# TEST_S3_CASES (what the SDK made).  Words pick tests.  Ends with the closing
# line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
build=$(realpath -m "${BUILD:-build}")
programs=$build/${MODE:-release}
scratch=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$scratch"' EXIT

fail() {
    echo "FAIL s3: $1"
    [ ! -s "${2-}" ] || tail -n 20 "$2"
    echo "0 passed, 1 failed"
    exit 1
}

packages=$(tools/packages tests/s3) || fail "npm ci failed"
node=$(echo "$packages"/node_modules/node-linux-*/bin/node)
[ -x "$node" ] || fail "there is no Node for this machine"

# Node looks for packages beside the file, so the programs go to the packages.
cp tests/s3/*.mjs "$packages/" || exit
"$node" "$packages/cases.mjs" >"$scratch/cases" 2>"$scratch/cases.log" ||
    fail "the SDK makes no links" "$scratch/cases.log"
exec {out}< <(exec "$node" "$packages/server.mjs" 2>"$scratch/server.log")
pids+=($!)
read -r -t 60 -u "$out" _ _ url || fail "the server does not start" \
    "$scratch/server.log"

# One at a time: what goes wrong next is one for all.
export TEST_S3=$url TEST_S3_CASES=$scratch/cases
suites=("TEST_JOBS=1 $programs/test-object s3_ $*" "$programs/test-http snapshot $*")
[ $# -gt 0 ] || suites+=(tests/cli/objects.sh tests/cli/backup.sh)
tools/cluster run tools/tally "${suites[@]}"
