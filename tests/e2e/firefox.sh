#!/bin/bash
# firefox.sh - in Debian's Firefox: the walk, and what must hold of versions,
# search, branches, marks, links and layout.  Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
BROWSER=firefox CASES="walk version search branch marks link export layout" exec tests/e2e/run.sh
