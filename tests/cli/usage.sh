#!/bin/bash
# usage.sh - `footnote usage`: what everybody keeps, and counters that are wrong.
#
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
in_data() { ends "$@" --data data; }

echo "Heat flows from hot to cold." >a.md
in_data 0 ingest a.md --course c --user ann
in_data 0 usage
out_has "default/ann  8221 bytes  1 documents  0 sessions"
in_data 0 usage --json
out_has '"userId":"ann","bytes":8221,"documents":1,"sessions":0,"counted":true'

sqlite3 data/footnote.db "UPDATE account_usage SET bytes = 7, documents = 9"
in_data 8 usage
out_has "8221 bytes  1 documents  0 sessions  counted as 7, 9, 0"
in_data 0 usage --mend
in_data 0 usage
out_has "default/ann  8221 bytes  1 documents  0 sessions"
in_data 2 usage ann

closing
