#!/bin/bash
# firefox.sh - the walk in Debian's Firefox: from a question to the page behind
# its answer and back.  Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
BROWSER=firefox exec tests/e2e/run.sh "the walk"
