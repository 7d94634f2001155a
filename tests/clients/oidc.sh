#!/bin/bash
# oidc.sh - signing in at a real OpenID provider, on both engines; on PostgreSQL
# with two nodes.  Ends with the closing line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
scratch=$(mktemp -d)
chmod 755 "$scratch"
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAIL oidc: $1"
    echo "0 passed, 1 failed"
    exit 1
}

clients=$(tools/packages tests/clients) || fail "npm ci failed"
node=$(echo "$clients"/node_modules/node-linux-*/bin/node)
[ -x "$node" ] || fail "there is no Node for this machine"

# Node looks for packages beside the file, so the cases go to the packages.
cp tests/clients/*.mjs "$clients/" || exit
PROGRAM=$(realpath -m "${OUT:-${BUILD:-build}}/footnote") SCRATCH=$scratch \
    timeout 300 tools/cluster run "$node" "$clients/oidc.mjs" "$@"
