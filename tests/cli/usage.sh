#!/bin/bash
# usage.sh - `footnote usage`: what everybody keeps, and counters that are wrong;
# and `footnote impact`: what rests on a document.
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

# What rests on it: an answer that ann asks for.
id=$(sqlite3 data/footnote.db "SELECT id FROM document")
in_data 0 impact "$id" --user ann
out_has "No answer rests on it."
in_data 0 ask "where does heat flow?" --course c --user ann --session s
in_data 0 impact "$id" --user ann
out_has "1 answer of 1 session rests on it."
out_has 'if it is deleted:      1 answer reads "deleted", and 1 of them cites it'
out_has "  s  "
in_data 0 impact "$id" --user ann --json
out_has '"ifDeleted":{"answers":1,"cited":1},"ifReplaced":{"answers":1,"cited":1}'
out_has '"complete":true,"answers":[{"sessionId":"s",'
in_data 3 impact "$id" --user eve # the same as what never was
in_data 3 impact none --user ann
in_data 2 impact
in_data 2 impact "$id" --limit 0

closing
