#!/bin/bash
# same.sh - the committed web/dist is what web/ builds.
cd "$(dirname "$0")/../.." || exit
if tools/node tools/web_same; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
