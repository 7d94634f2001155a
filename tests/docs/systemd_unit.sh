#!/bin/bash
# systemd_unit.sh - systemd takes the unit of docs/operations.md, where there is one to
# ask.  Ends with the closing line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unit=$scratch/footnote.service

# The program need not be installed here.
awk '/^\[Unit\]/ { on = 1 } /^```/ && on { exit } on' docs/operations.md |
    sed 's|/usr/local/bin/footnote|/bin/true|' >"$unit"
if ! grep -q '^WatchdogSec=' "$unit"; then
    echo "FAIL docs/operations.md has no unit with a watchdog"
    echo "0 passed, 1 failed"
    exit 1
fi
if ! command -v systemd-analyze >/dev/null; then
    echo "skipped: there is no systemd-analyze"
    echo "1 passed, 0 failed"
    exit 0
fi
said=$(systemd-analyze verify "$unit" 2>&1)
if [ -n "$said" ]; then
    echo "FAIL the unit: $said"
    echo "0 passed, 1 failed"
    exit 1
fi
echo "1 passed, 0 failed"
