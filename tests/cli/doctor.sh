#!/bin/bash
# doctor.sh - `footnote doctor`: a healthy server is told healthy, each kind of
# damage is found by its check with what mends it, and --repair mends what can be
# made again.  On both engines.
#
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
upstream=$build/${MODE:-release}/upstream
trap 'kill $(jobs -p) ${server:-} 2>/dev/null
    [ ! -d "$scratch/pg" ] || "$tree/tools/cluster" remove "$scratch/pg"
    rm -rf "$scratch"' EXIT

doctor() { ends "$1" doctor --data data "${@:2}"; }
lines() { grep -cE "^$1 " out; }
# ok CHECK: it has a line, and all of its lines are ok.
ok() { check "$1 is ok" bash -c "grep -qE '^ok +$1 ' out &&
    ! grep -E '^[a-z]+ +$1 ' out | grep -vqE '^ok'"; }
# is RESULT CHECK TEXT
is() { check "$2 is $1: $3" bash -c \
    'grep -E "^$1 +$2 " out | grep -qF -- "$3"' - "$1" "$2" "$3"; }
mended_by() { check "-> $1" bash -c 'grep -E "^ +-> " out | grep -qF -- "$1"' \
    - "$1"; }
sql() { sqlite3 data/footnote.db "$1"; }
# Each damage is done to a copy of what is healthy.
fresh() { rm -rf data && cp -a healthy data; }
wait_until() { timeout 60 bash -c "until $1; do sleep 0.02; done"; }

# --- Nothing is there yet ---------------------------------------------------

doctor 0
is skipped disk "data is not there yet"
is skipped database "there is no data folder"
is skipped rows "cannot be read"
result "$([ ! -e data ]; echo $?)" "looking makes no folder"

# --- Healthy: the demo, and documents of all kinds ------------------------

start --demo --data data
wait_until "[ -n \"\$(find data/index -name '*.index')\" ] &&
    ! curl -s '$url/metrics' | grep -q '^footnote_ingest_queue [1-9]'"
doctor 0 rows way-back usage objects storage
ok rows
ok way-back
ok usage
ok objects
stop
echo 'Take 15 milligrams of it a day, and no more.' >dose.md
ends 0 ingest "$tree"/tests/ingest/files/{paper.pdf,hebrew.md,report.docx} \
    dose.md --course papers --data data
start --data data # makes the index of what came
wait_until "'$program' doctor index --data data | grep -q '^ok  *index'"
stop
doctor 0
for name in settings disk clock database rows way-back usage objects index \
    storage jail pdf; do
    ok $name
done
result "$([ "$(lines bad)" = 0 ]; echo $?)" "nothing is bad" "$(cat out)"
is ok pdf "30 pages"
is ok rows " rows match their seals"
is ok rows " sources match their digests"
check 'there are references' bash -c "! grep -q ' 0 references' out"
cp -a data healthy

doctor 0 --json
out_has '{"ok":true,"exit":0,"checks":[{"name":"settings","result":"ok",'
check 'JSON is one object' python3 -c 'import json; json.load(open("out"))'
# The document and the help have the same checks.
python3 -c 'import json
for name in dict.fromkeys(c["name"] for c in json.load(open("out"))["checks"]):
    print(name)' >names
sed -n '/^## When something is wrong/,/^## Backup/s/^| `\([a-z-]*\)` |.*/\1/p' \
    "$tree/docs/operations.md" | diff names - >why2
result $? "docs/operations.md has every check" "$(cat why2)"
ends 0 doctor --help
missing=$(while read -r name; do grep -qw -- "$name" out || echo "$name"; done <names)
check 'the help has every check' same "$missing" ''
doctor 0 --quick
is skipped rows "--quick"
is ok database quick_check
doctor 0 objects
result "$([ "$(wc -l <out)" = 2 ]; echo $?)" "one check, and what it needs"
doctor 2 objcets
err_has "did you mean objects?"
doctor 7 --listen nowhere settings
is bad settings ADDR:PORT
mended_by "footnote config show --origin"
cat >bad.toml <<<'listne = "x"'
ends 7 doctor --config bad.toml
err_has "line 1: listne is not a setting"

# --- Rows -------------------------------------------------------------------

fresh
sql "UPDATE message SET content = replace(content, 'e', 'i')
     WHERE place = (SELECT max(place) FROM message WHERE role = 2)"
doctor 8
is bad rows "does not match its digest"
is bad rows "1 of "
mended_by "restore a backup"
fresh
sql "UPDATE source SET preview = preview || '.' WHERE source =
     (SELECT min(source) FROM source)"
doctor 8 rows --json
out_has '"exit":8'
out_has 'source '
fresh # a hostile name does not reach the terminal as it is
sql "UPDATE message SET content = 'x', id = 'm' || char(27) || '[2J' || char(10)
     || 'ok       rows' WHERE place = (SELECT max(place) FROM message)"
doctor 8 rows
is bad rows 'message m?[2J?ok'
check 'no control characters' bash -c "! grep -q $'\\033' out"
fresh
sql "DELETE FROM source WHERE source = (SELECT min(source) FROM source)"
doctor 8 rows
is bad rows "does not match its digest"

fresh # texts that no file can have end nothing
sql "UPDATE message SET content = CAST(x'ff' AS TEXT)
     WHERE place = (SELECT max(place) FROM message)"
doctor 8 rows
is bad rows "1 of"
is bad rows "rows of message do not match their seals"

fresh
sql "UPDATE session SET owner = owner + 1
     WHERE session = (SELECT min(session) FROM session)"
sql "UPDATE document SET title = title || 's'"
doctor 8 rows --repair
is bad rows "session 1/"
is bad rows "rows of session do not match their seals"
documents=$(sql "SELECT count(*) FROM document")
is bad rows "$documents of $documents rows of document do not match their seals"
mended_by "restore a backup"
result "$([ "$(grep -c ' document 1/.* its seal' out)" -le 10 ]; echo $?)" \
    "the first ten are named"
doctor 8 rows
mended_by "footnote restore BACKUP --data NEW"

fresh
sql "UPDATE passage SET text = replace(text, '15 milligrams', '55 milligrams')"
doctor 8 rows
is bad rows "passage 1/"
is bad rows "1 of "
is bad rows "rows of passage do not match their seals"
mended_by "footnote doctor --repair"
doctor 0 rows --repair
is mended rows "removed 1 damaged passages: a server reads them in again"
dose="sqlite3 data/footnote.db \"SELECT text FROM passage
    WHERE text LIKE '%5 milligrams%'\""
check 'it is gone' same "$(bash -c "$dose")" ''
doctor 0 rows
ok rows
start --data data
wait_until "$dose | grep -q 'Take 15 milligrams'"
stop
doctor 0 rows
ok rows
fresh # many of one document
sql "UPDATE passage SET text = text || '!' WHERE document =
     (SELECT document FROM document_version WHERE filename = 'paper.pdf')"
n=$(sql "SELECT count(*) FROM passage WHERE text LIKE '%!'")
result "$([ "$n" -gt 1 ]; echo $?)" "there are many"
doctor 0 rows --repair
is mended rows "removed $n damaged passages"
start --data data
wait_until "[ \"\$(sqlite3 data/footnote.db 'SELECT count(*) FROM ingest_job')\" = 0 ]"
stop
check 'they are as they were' same "$(sql "SELECT * FROM passage
    ORDER BY 1, 2, 3, 4" | md5sum)" "$(sqlite3 healthy/footnote.db "SELECT *
    FROM passage ORDER BY 1, 2, 3, 4" | md5sum)"
fresh # of a document that is damaged as well
sql "UPDATE passage SET text = replace(text, '15 milligrams', '55 milligrams')"
sql "UPDATE document SET version = version + 1"
doctor 8 rows --repair
is bad rows "passage 1/"
is bad rows "1 of "
check 'it stays' bash -c "$dose | grep -q '55 milligrams'"
mended_by "restore a backup"

fresh
sql "DELETE FROM source_reference WHERE number = 1"
sql "INSERT INTO source_reference SELECT source, tenant, session, 9999, number,
     cited FROM source_reference LIMIT 1"
doctor 8 rows way-back
ok rows
is bad way-back "1 rows have no reference"
mended_by "footnote doctor --repair"
doctor 0 way-back --repair
is mended way-back "removed 1"
doctor 0 way-back
ok way-back
sql "UPDATE source_reference SET cited = 1 - cited"
doctor 8 way-back
doctor 0 way-back --repair
same_rows() { # by their whole contents
    same "$(sqlite3 "$1/footnote.db" "SELECT * FROM source_reference
        ORDER BY 1, 2, 3, 4, 5")" "$(sqlite3 healthy/footnote.db \
        "SELECT * FROM source_reference ORDER BY 1, 2, 3, 4, 5")"
}
check 'the way back is made again as it was' same_rows data
sql "UPDATE message SET refs = x'ff' WHERE refs IS NOT NULL"
doctor 8 way-back --repair
is bad way-back "cannot be read"
check 'what cannot be read takes no row along' same_rows data

fresh
sql "UPDATE account_usage SET bytes = 7"
doctor 8 usage
mended_by "footnote usage --mend"
doctor 0 usage --repair
is mended usage "corrected"
doctor 0 usage
ok usage

# Beside a server that answers, too.
start --data data
sql "DELETE FROM source_reference"
doctor 0 way-back --repair
doctor 0 rows way-back usage database
ok way-back
ok database
stop

# --- The engine -------------------------------------------------------------

fresh
sql "PRAGMA writable_schema = on; UPDATE sqlite_schema SET rootpage =
    (SELECT rootpage FROM sqlite_schema WHERE name = 'source_unbound')
    WHERE name = 'source_by_document'" # an index of other rows
doctor 8 database
is bad database "malformed database schema"
mended_by "restore a backup"
fresh
page=$(sql "SELECT rootpage FROM sqlite_schema WHERE name = 'source_unbound'")
dd if=/dev/zero of=data/footnote.db bs=4096 seek=$((page - 1)) count=1 \
    conv=notrunc 2>/dev/null
doctor 8 database rows
is bad database "SQLite: "
ok rows # an index alone is damaged
fresh
sql "PRAGMA foreign_keys = off; DELETE FROM account"
doctor 8 database
is bad database "names one of account that is not there"
fresh
sql "PRAGMA user_version = 999"
doctor 8
is bad database "999"
is skipped rows "cannot be read"
ok pdf
fresh
head -c 20000 /dev/urandom >data/footnote.db
doctor 8 database
is bad database "not a database"
fresh
sql "PRAGMA application_id = 1"
doctor 8 database
is bad database "another program"

# --- Files ------------------------------------------------------------------

fresh
mapfile -t files < <(printf '%s\n' data/objects/??/*)
truncate -s -1 "${files[0]}"
rm "${files[1]}"
printf x | dd of="${files[2]}" bs=1 seek=3 conv=notrunc 2>/dev/null
mkdir -p data/objects/00
touch -d '7 days ago' data/objects/00/00112233445566778899aabbccddeeff
doctor 8 objects
is bad objects "1 are missing and 2 damaged"
is bad objects "$(basename "${files[1]}")"
is warning objects "1 files are of no document"
mended_by "footnote objects gc"
doctor 8 objects --quick # lengths are seen, flipped bytes are not
is bad objects "1 are missing and 1 damaged"

fresh
index=$(find data/index -name '*.index' | head -n 1)
printf 'x' | dd of="$index" bs=1 seek=4000 conv=notrunc 2>/dev/null
doctor 8 index
is bad index "damaged, such as $index"
mended_by "footnote doctor --repair"
start --data healthy # a server has another folder: this one is free
doctor 0 index --repair
stop
is mended index "removed 1 damaged"
result "$([ ! -e "$index" ]; echo $?)" "and it is gone"
doctor 0 index
is warning index "are in no file"
fresh
touch "$index.new"
doctor 0 index
is warning index "1 files that a killed process left"
doctor 0 index --repair
result "$([ ! -e "$index.new" ] && [ -e "$index" ]; echo $?)" \
    "only what is unfinished goes"
doctor 0 index
ok index
fresh
rm -r data/index
doctor 0 index
is warning index "are in no file"
fresh
printf 'x' | dd of="$index" bs=1 seek=4000 conv=notrunc 2>/dev/null
printf 'http://127.0.0.1:1' >data/footnote.lock # a server uses the folder
flock -x data/footnote.lock "$program" doctor index --repair --data data \
    >out 2>err
result "$([ $? -eq 8 ]; echo $?)" "damaged files of a server are not removed"
mended_by "restart the server"
check 'the file stays' test -e "$index"

# --- The machine ------------------------------------------------------------

fresh
doctor 1 disk --disk-reserve 1024G
is bad disk "nothing new is taken"
mended_by "make room"
chmod 777 data
doctor 1 disk
is bad disk "everybody on this machine can write there"
chmod 755 data
doctor 0 disk
is warning disk "everybody on this machine can read it"
chmod 700 data
touch -d '+2 days' data/footnote.db
doctor 1 clock
is bad clock "the database was written after that"
touch data/footnote.db
if [ "$(id -u)" -eq 0 ]; then # for any other user the folder is closed
    rm -rf closed && cp -a healthy closed && chown -R nobody closed
    chmod 755 "$scratch"
    chmod 500 closed
    ends 1 doctor disk storage rows --data closed
    is bad disk closed
    # Namespaces of our own: no poppler, and a jail that cannot start.
    touch nothing
    unshare -m bash -c "mount --bind nothing /usr/bin/pdftotext &&
        exec '$program' doctor pdf --data data" >out 2>err
    result "$([ $? -eq 1 ]; echo $?)" "without poppler it ends with 1"
    is bad pdf "pdftotext is not there"
    mended_by "poppler-utils"
    # Root without its rights may not make namespaces.
    setpriv --bounding-set=-all --inh-caps=-all "$program" doctor jail \
        --data data >out 2>err
    result $? "a jail that lacks layers is a warning"
    is warning jail "missing: namespaces, an empty root,"
    # A disk that is full can still be looked at.
    mkdir small
    unshare -m bash -c "mount -t tmpfs -o size=8m none small &&
        cp -a healthy/. small && chmod 700 small &&
        { dd if=/dev/zero of=small/full bs=64k 2>/dev/null || true; } &&
        exec '$program' doctor database rows way-back objects disk storage \
            --data small" >out 2>err
    result "$([ $? -eq 1 ]; echo $?)" "a full disk ends with 1" "$(cat out err)"
    ok rows
    ok way-back
    ok objects
    is bad disk "nothing new is taken"
    is bad storage "No space left on device"
fi
# Fewer addresses than the jail asks for: it cannot start.
(ulimit -v 700000 && exec "$program" doctor jail --data data) >out 2>err
result "$([ $? -eq 1 ]; echo $?)" "a jail that cannot start ends with 1"
is bad jail "its limits failed"

# --- Servers that this one asks ---------------------------------------------

mkdir scripts
cat >scripts/said.txt <<'END'
text Yes.
finish stop
done
END
printf 'status 401\njson {"error":{"message":"Bad key model-secret"}}\n' \
    >scripts/refused.txt
printf 'status 404\njson {"error":{"message":"no such model"}}\n' \
    >scripts/unknown.txt
printf 'raw data: {{{{\\n\\n\n' >scripts/garbage.txt
printf 'cut\n' >scripts/cut.txt
listening "$upstream" scripts
models=$url
model() { doctor "$1" model --model-url "$2" --model "${@:3}"; }
model 0 "$models/v1" said
is ok model "said answers"
echo model-secret >key
chmod 600 key
model 1 "$models/v1" refused --model-key-file key
is bad model "401: Bad key ****"
check 'no secret is told' bash -c "! grep -q model-secret out err"
model 1 "$models/v1" unknown
is bad model "404: no such model"
model 1 "$models/v1" garbage
is bad model "model_error"
model 1 "$models/v1" cut
is bad model "model_"
model 1 http://127.0.0.1:1/v1 said
is bad model "model_unavailable"
model 1 http://no-such-host.invalid/v1 said
is bad model "model_unavailable"
printf 'stall\n' >scripts/silent.txt
kill "$server"
listening "$upstream" scripts
model 1 "$url/v1" silent --model-first-ms 100
is bad model "model_timeout"
export AWS_ACCESS_KEY_ID=id AWS_SECRET_ACCESS_KEY=s3-secret
bucket() { doctor 1 storage --objects s3://bucket/p --s3-endpoint "$1"; }
bucket http://127.0.0.1:1
is bad storage "s3://bucket/p: writing: "
bucket "$url" # no server of S3
is bad storage "s3://bucket/p: writing: "
check 'no secret is told' bash -c "! grep -q s3-secret out err"
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
doctor 7 storage --objects s3://bucket
doctor 1 embeddings --embeddings-url "$url/v1" --embeddings-model said
is bad embeddings "$url"
doctor 1 jwks --jwks "$url/keys"
is bad jwks "jwks: the URL answers 404"
doctor 1 jwks --jwks http://127.0.0.1:1/keys
is bad jwks "connect"
echo '{"keys":[]}' >keys.json
doctor 1 jwks --jwks keys.json
is bad jwks "the set has no key"
doctor 5 public-url --public-url "$url"
is bad public-url "no Footnote server"
kill "$server"

# One that answers as each of them, but for the version.
cat >others.py <<'END'
from http.server import BaseHTTPRequestHandler, HTTPServer
KEY = (b'{"keys":[{"kty":"OKP","crv":"Ed25519","alg":"EdDSA","kid":"a",'
       b'"x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}')
GIVES = {"/keys": KEY, "/version": b'{"version":"0.0.0","git":"old"}',
         "/v1/embeddings": b'{"data":[{"index":0,"embedding":[0.6,0.8]}]}'}
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = GIVES[self.path]
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    do_POST = do_GET
    def log_message(self, *words):
        pass
server = HTTPServer(("127.0.0.1", 0), Handler)
print("listening on http://127.0.0.1:%d" % server.server_port, flush=True)
server.serve_forever()
END
listening python3 others.py
doctor 0 jwks embeddings --jwks "$url/keys" --embeddings-url "$url/v1" \
    --embeddings-model two
is ok jwks "has 1 keys"
is ok embeddings "vectors of 2 numbers"
doctor 1 public-url --public-url "$url"
is bad public-url "answers as footnote 0.0.0 (old)"
doctor 5 public-url --public-url "${url/http:/https:}"
is bad public-url SSL
kill "$server"

# --- This server, as others reach it ----------------------------------------

fresh
doctor 5 public-url --public-url http://127.0.0.1:1
is bad public-url "connect"
start --data data
doctor 0 public-url --public-url "$url"
is ok public-url "leads to footnote"
ends 0 doctor --healthz --data data --listen "${url#http://}"
result "$([ ! -s out ] && [ ! -s err ]; echo $?)" "--healthz says nothing"
ends 0 doctor --healthz --data data --listen 127.0.0.1:0
ends 0 doctor --healthz --data data --auth key \
    --listen "0.0.0.0:${url##*:}"
stop
ends 1 doctor --healthz --data data --listen "${url#http://}"
ends 1 doctor --healthz --data data --listen 127.0.0.1:0

# --- PostgreSQL -------------------------------------------------------------

chmod 755 "$scratch" # the server is another user
"$tree/tools/cluster" make "$scratch/pg" && "$tree/tools/cluster" start \
    "$scratch/pg" || result 1 "a PostgreSQL server"
psql() { command psql -qAt -h "$scratch/pg" -U postgres "${2:-postgres}" -c "$1"; }
db=postgres://postgres@/postgres?host=$scratch/pg
rm -rf data
in_pg() { doctor "$@" --database "$db"; }
start --demo --data data --database "$db"
wait_until "! curl -s '$url/metrics' | grep -q '^footnote_ingest_queue [1-9]'"
stop
ends 0 ingest dose.md --course papers --data data --database "$db"
in_pg 0
is warning database "amcheck is not installed"
ok rows
ok way-back
ok usage
psql "CREATE EXTENSION amcheck"
in_pg 0
is ok database "amcheck finds nothing"
result "$([ "$(lines bad)" = 0 ]; echo $?)" "nothing is bad" "$(cat out)"
psql "UPDATE footnote.source SET preview = preview || '.' WHERE source =
     (SELECT min(source) FROM footnote.source)"
in_pg 8 rows
is bad rows "does not match its digest"
psql "UPDATE footnote.source SET preview = substr(preview, 1,
    length(preview) - 1) WHERE source = (SELECT min(source) FROM footnote.source)"
in_pg 0 rows
owners() { psql "SET session_replication_role = replica; UPDATE footnote.session
    SET owner = owner $1 WHERE session = (SELECT min(session)
    FROM footnote.session)"; }
owners "+ 1"
psql "UPDATE footnote.document SET title = title || 's'"
in_pg 8 rows
is bad rows "session 1/"
is bad rows "rows of session do not match their seals"
is bad rows "rows of document do not match their seals"
mended_by "footnote restore BACKUP --data NEW"
owners "- 1"
psql "UPDATE footnote.document SET title = substr(title, 1, length(title) - 1)"
psql "UPDATE footnote.passage SET text = replace(text, '15 milligrams',
    '55 milligrams')"
in_pg 8 rows
is bad rows "passage 1/"
mended_by "footnote doctor --repair"
in_pg 0 rows --repair
is mended rows "removed 1 damaged passages"
in_pg 0 rows
start --data data --database "$db"
wait_until "[ \"\$(psql -qAt -h '$scratch/pg' -U postgres -c \"SELECT count(*) FROM
    footnote.passage WHERE text LIKE '%15 milligrams%'\")\" = 1 ]"
stop
in_pg 0 rows
ok rows
psql "DELETE FROM footnote.source_reference WHERE number = 1"
psql "INSERT INTO footnote.source_reference SELECT * FROM
     footnote.source_reference LIMIT 1"
psql "INSERT INTO footnote.source_reference SELECT source, tenant, session,
     9999, number, cited FROM footnote.source_reference LIMIT 1"
in_pg 8 way-back
is bad way-back "1 rows have no reference"
in_pg 0 way-back --repair
in_pg 0 way-back
ok way-back
check 'no row is there twice' same "$(psql "SELECT count(*) FROM (SELECT 1 FROM
    footnote.source_reference GROUP BY source, tenant, session, seq, number
    HAVING count(*) > 1) x")" 0
psql "UPDATE footnote.account_usage SET documents = 99"
in_pg 8 usage
in_pg 0 usage --repair
psql "ALTER SYSTEM SET fsync = off"
psql "SELECT pg_reload_conf()" >/dev/null
wait_until "[ \"\$(psql -qAt -h '$scratch/pg' -U postgres -c 'SHOW fsync')\" \
    = off ]"
in_pg 8 database
is bad database "fsync=off"
mended_by "ALTER SYSTEM SET fsync = on"
psql "INSERT INTO footnote.schema_version VALUES (999, 'x', 0)"
in_pg 8 database
is bad database 999
doctor 5 database --database "postgres://postgres:hunter2@127.0.0.1:1/none"
is bad database "connect"
check 'no password is told' bash -c "! grep -q hunter2 out err"

closing
