#!/bin/bash
# http_parser.sh - only the files that docs/http-parser.md names know
# libhttp-parser.  Ends with the closing line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit

others=$(grep -rlE 'http_parser\.h' src include tests examples bench tools \
    --include='*.[ch]' | grep -vxE 'src/http/core/parse.c|tests/fuzz/http_fuzz.c')
if [ -z "$others" ] && grep -q 'http_parser.h' src/http/core/parse.c; then
    echo "1 passed, 0 failed"
else
    echo "FAIL: these know libhttp-parser, too: $others"
    echo "0 passed, 1 failed"
    exit 1
fi
