# Writes the tables of a journal in LanceDB as lines of JSON, for `footnote import journal FOLDER`.
import json, sys, lancedb
db = lancedb.connect(sys.argv[1])
for name in ("threads", "messages", "entries"):
    with open(f"{name}.jsonl", "w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, default=str) + "\n" for row in db.open_table(name).to_arrow().to_pylist())
