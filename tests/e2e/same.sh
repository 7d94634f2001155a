#!/bin/bash
# same.sh - what is committed in web/dist is what web/ builds.  Vite wants a
# newer Node than Debian 12 has; where there is none, this is not counted.
cd "$(dirname "$0")/../.." || exit
if ! node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null
then
    echo "skipped: same.sh needs Node 20 or newer"
    echo "0 passed, 0 failed"
elif tools/web_same; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
