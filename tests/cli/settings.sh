#!/bin/bash
# settings.sh - what an operator meets: settings that are wrong are named before
# a start, a start says what it runs, and no password is ever printed.
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
chmod 700 "$scratch"

# ---- A mistyped --data -------------------------------------------------------

for words in "search heat" "usage" "key list" "key revoke fn_x" \
    "objects verify" "objects gc" "backup here" "ask why"; do
    # shellcheck disable=SC2086 # several words
    ends 3 $words --data nowhere
    check "it names the database that is not there" \
        warned nowhere/footnote.db
    check "$words: nothing is made" test ! -e nowhere
done

# ---- config check ------------------------------------------------------------

FOOTNOTE_MODLE=x FOOTNOTE_PORT_8080_TCP=tcp://10.0.0.1:8080 \
    FOOTNOTE_SERVICE_HOST=10.0.0.1 ends 0 config check --data new
err_has "FOOTNOTE_MODLE is not a setting (did you mean FOOTNOTE_MODEL?)"
check "what Kubernetes sets is nothing unknown" \
    bash -c '! grep -q "FOOTNOTE_\(PORT\|SERVICE\)" err'
check "it makes no folder" test ! -e new

: >file
ends 7 config check --data file
err_has "data: file is not a folder"
# Whoever else may write there may put a database of his own in its place.
mkdir -m 777 open && mkdir -m 1777 sticky
for folder in open sticky; do
    for verb in "config check" "serve --listen 127.0.0.1:0"; do
        # shellcheck disable=SC2086 # several words
        ends 7 $verb --data $folder
        err_has "data: everybody on this machine may write to $folder; chmod"
    done
    check "nothing is put there" same "$(ls $folder)" ""
done
chmod 750 open
ends 0 config check --data open
ends 7 config check --data new --objects files:file/objects
err_has "objects: file"
ends 7 config check --data new --ui-dir nowhere
err_has "ui-dir: nowhere"
ends 7 config check --data new --poppler nowhere
err_has "poppler: there is no nowhere/pdftotext"
mkdir most && ln -s /usr/bin/{pdftotext,pdfinfo,pdftoppm} most
ends 7 config check --data new --poppler most
err_has "poppler: there is no most/pdftohtml"
ends 7 config check --data new --auth jwt --jwks nowhere.json \
    --jwt-issuer i --jwt-audience a
err_has nowhere.json
ends 75 config check --data new --database postgres://127.0.0.1:1/x
err_has "database: connect:"
check "it makes no folder then either" test ! -e new
mkdir fresh
echo "no database" >fresh/footnote.db
ends 8 config check --data fresh

(PATH=/nowhere exec "$program" config check --data new) >out 2>err
check "poppler is found in /usr/bin, too" \
    bash -c 'grep -qx ok out && ! grep -q poppler err'

# ---- Passwords ---------------------------------------------------------------

# A password at a place where none belongs is not printed either.
secret=hunter2
never() { check "$1: no password" bash -c "! grep -rq $secret out err log"; }
while read -r words; do
    for verb in "config show" "config show --json" "config show --origin" \
        "config check" "doctor settings database embeddings jwks" \
        "serve --listen 127.0.0.1:0"; do
        # shellcheck disable=SC2086
        timeout 60 "$program" $verb --data new $words >out 2>err </dev/null &&
            [ "${verb%% *}" = serve ] && result 1 "$verb $words goes on"
        never "$verb $words"
    done
done <<END
--database postgres://u:$secret@127.0.0.1:1/x
--database postgres://u:p@$secret@127.0.0.1:1/x
--database postgres://u:p/$secret@127.0.0.1:1/x
--database postgres://u:p?$secret@127.0.0.1:1/x
--database postgres://u:%zz$secret@127.0.0.1:1/x
--database postgres://127.0.0.1:1/x?password=$secret&sslpassword=$secret
--model-url https://u:$secret@127.0.0.1:1/v1 --model m
--embeddings-url https://u:$secret@127.0.0.1:1/v1 --embeddings-model m
--s3-endpoint https://u:$secret@127.0.0.1:1 --objects s3://x
--auth jwt --jwks https://u:$secret@127.0.0.1:1/k --jwt-issuer i --database postgres://127.0.0.1:1/x
--public-url https://u:$secret@x
END
ends 1 ask why --server "http://u:$secret@127.0.0.1:1"
never "ask --server"

# ---- Secrets of containers ---------------------------------------------------

# A secret that everybody may read is refused in a folder, and taken where a
# container has it: on a file system in memory that cannot be written.
secret_text=0123456789012345678901234567890123456789
echo "$secret_text" >open.secret
chmod 444 open.secret
ends 7 config check --data new --auth jwt --jwt-secret-file open.secret
err_has "everybody can read or write it"
mounted() {
    mkdir -p mount
    unshare -rm bash -c "mount -t tmpfs none mount &&
        cp open.secret mount/jwt && chmod 444 mount/jwt && $1 &&
        '$program' config check --data new --auth jwt --jwt-issuer i \
            --jwt-audience a --jwt-secret-file mount/jwt" >out 2>err
}
refused_mounted() { ! mounted "$@" && warned "everybody can read"; }
check "0444 on a mount of its own is taken" \
    mounted "mount -o remount,ro mount"
check "one that can be written is not" refused_mounted true
check "a secret comes by the environment" env \
    FOOTNOTE_JWT_SECRET=$secret_text "$program" config check --data new \
    --auth jwt --jwt-issuer i --jwt-audience a
printf '%s\n' '[[models]]' 'url = "http://127.0.0.1:1/v1"' 'model = "m"' \
    'key-env = "MODEL_KEY"' >models.toml
ends 7 config check --data new --config models.toml
err_has "the variable MODEL_KEY is not set"
MODEL_KEY=$secret ends 0 config check --data new --config models.toml
MODEL_KEY=$secret ends 0 config show --data new --config models.toml
never "a model's key"

# ---- A start says what it runs -----------------------------------------------

# Waits for a line of the log that has all the words.
has_line() {
    local word line
    while read -r line; do
        for word; do [[ $line == *"$word"* ]] || continue 2; done
        return 0
    done <log
    return 1
}
logged() {
    local end=$((SECONDS + 60))
    until has_line "$@"; do
        [ $SECONDS -lt $end ] || return 1
        read -r -t 0.05 <> <(:) || true
    done
}
: >log
FOOTNOTE_MODLE=x start --data data --model-url http://127.0.0.1:1/v1 \
    --model wise --drain-delay 1h
check "a variable that names nothing is warned of" logged FOOTNOTE_MODLE
check "one line says what was started" logged '"msg":"started"' \
    '"version":' '"data":"data"' '"database":"sqlite:data/footnote.db"' none \
    '"model":"wise"' '"model_answers":"no"'
check "a model that is away is told with its URL and the cause" logged \
    '"the model does not answer"' http://127.0.0.1:1/v1 "connect to server"
curl -sS "$url/readyz?full" >out
check "/readyz?full has the URL" said '"url":"http://127.0.0.1:1/v1'
check "/readyz?full has the cause" said connect
check "the same folder can be checked beside it" \
    "$program" config check --data data --listen "${url#http://}"
ends 75 config check --data other --listen "${url#http://}"
err_has "port ${url##*:}: Address already in use"
ends 75 serve --data other --listen "${url#http://}"
err_has "port ${url##*:}: Address already in use"

# ---- Draining ----------------------------------------------------------------

kill -TERM "$server"
check "it says that it will stop" logged '"stopping"'
same_code() { [ "$(curl -s -o /dev/null -w '%{http_code}' "$url$1")" = "$2" ]; }
check "balancers are told" same_code /readyz 503
check "requests are answered as before" same_code /api/sessions 200
kill -TERM "$server"
wait "$server"
check "a second signal ends it at once" same $? 143
server=

# ---- PostgreSQL goes away ----------------------------------------------------

cluster=$tree/tools/cluster
chmod 755 "$scratch"
"$cluster" make "$scratch/pg" && "$cluster" start "$scratch/pg"
database="postgres:///postgres?host=$scratch/pg&user=postgres"
ends 0 config check --data data --database "$database"
start --data data --database "$database"
"$cluster" crash "$scratch/pg" 2>err
away() {
    curl -s -d '{"id":"c1","title":"x"}' -H 'content-type: application/json' \
        "$url/api/courses" >out
    said store_busy && ! grep -q disk out || { cat out && false; }
}
check "PostgreSQL away is no full disk" away
check "its cause is in the log" logged '"the database cannot be' connect
stop
"$cluster" remove "$scratch/pg" 2>/dev/null
closing
