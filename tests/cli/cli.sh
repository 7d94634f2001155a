#!/bin/bash
# cli.sh - the program from outside: verbs, streams, exit codes, signals.
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
secret=0123456789abcdef0123456789abcdef

out_is_empty() { check "stdout is empty" test ! -s out; }
err_is_empty() { check "stderr is empty" test ! -s err; }
is() { check "$3" same "$1" "$2"; }

# json FILE EXPRESSION: of the object `o` in the file.
json() {
    python3 -c 'import json, sys
o = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$1" "$2"
}

# --- Help and mistakes ------------------------------------------------------

ends 0
out_has "footnote VERB --help"
err_is_empty
ends 0 --help
ends 0 help
ends 0 help serve
out_has "--jwt-secret-file FILE"
out_has "FOOTNOTE_CONFIG"
for verb in serve ask key config version help; do
    ends 0 $verb --help
    # The first thing after the title is an example.
    is "$(sed -n 3p out | cut -c1-11)" "  footnote " \
        "$verb --help begins with examples"
    ends 0 $verb -h
    err_is_empty
    awk 'length > 79 { exit 1 }' out
    result $? "$verb --help fits into 79 columns"
done
ends 2 srve
err_has "did you mean serve?"
out_is_empty
ends 2 --srve
ends 2 help srve
ends 2 serve --listn 127.0.0.1:0
err_has "did you mean --listen?"
ends 2 serve --jwt-secret=x
err_has "did you mean --jwt-secret-file?"
ends 2 serve extra
ends 2 serve --workers
ends 2 serve --workers many
err_has "--workers: it takes a number, from 1 to 256"
ends 2 serve --verbose=yes
ends 2 key
ends 2 key ad
ends 2 key add
ends 2 key list more
ends 2 key list --admin
ends 2 key add ada --tenant
ends 2 config
ends 2 config print
ends 2 version --jsn
err_has "did you mean --json?"

ends 0 --version
is "$(head -c 9 out)" "footnote " "--version says the name"
ends 0 version --json
is "$(json out 'sorted(o)')" "['compiler', 'git', 'schema', 'version']" \
    "version --json has its fields"

# --- Settings ---------------------------------------------------------------

ends 0 config show
out_has "listen = \"127.0.0.1:8080\""
out_has "data = \"$HOME/.local/share/footnote\""
cp out shown.toml
ends 0 config show --config shown.toml
cmp -s out shown.toml
result $? "what config show prints can be given back"
FOOTNOTE_WORKERS=7 ends 0 config show --origin --auth key,jwt
out_has "# FOOTNOTE_WORKERS"
out_has "# --auth"
out_has "# default"
FOOTNOTE_JWT_SECRET=$secret ends 0 config show --json
is "$(json out 'o["jwt-secret"]')" "(set)" "a secret is shown as (set)"
! grep -q "$secret" out
result $? "a secret is never shown"
ends 0 config show --origin --json
is "$(json out 'o["workers"]["origin"]')" default "the origin in JSON"

ends 0 config check
ends 7 config check --listen 0.0.0.0:80
err_has "can be reached from other machines"
ends 7 config check --listen 0.0.0.0:80 --json
is "$(json err 'o["code"]')" config_invalid "an error in JSON has a code"
echo "workres = 3" >wrong.toml
ends 7 serve --config wrong.toml
err_has "wrong.toml: line 1: workres is not a setting (did you mean workers?)"
FOOTNOTE_CONFIG=wrong.toml ends 7 key list
ends 7 config show --config missing.toml
FOOTNOTE_WORKERS=0 ends 7 config check
FOOTNOTE_CONFIG=wrong.toml ends 0 version

# --- What serve refuses -----------------------------------------------------

is_one_line() { is "$(wc -l <err)" 1 "it says so in one line"; }
ends 7 serve --listen 0.0.0.0:0
is_one_line
out_is_empty
ends 7 serve --auth jwt
echo short >weak
chmod 600 weak
ends 7 serve --auth jwt --jwt-secret-file weak
err_has "at least 32"
echo $secret >open
chmod 644 open
ends 7 serve --auth jwt --jwt-secret-file open
err_has "everybody can read or write it"
is_one_line
ends 7 serve --data open
ends 7 serve --database mysql://x
[ ! -e "$HOME/.local" ]
result $? "a refused start makes no folder"
mkdir foreign
echo "this is somebody's letter, not a database" >foreign/footnote.db
ends 8 serve --listen 127.0.0.1:0 --data foreign
ends 8 key list --data foreign
ends 8 key list --data foreign --json
is "$(json err 'o["code"]')" foreign "the code of the store in JSON"

# --- Keys -------------------------------------------------------------------

ends 0 key add ada --data keys
is "$(grep -cE '^fn_[0-9A-Za-z]{10}_[0-9A-Za-z]{43}$' out)" 1 "a key is printed"
is "$(wc -l <out)" 1 "and nothing else"
is "$(stat -c %a keys)" 700 "the folder is the owner's alone"
key=$(cat out)
ends 0 key add eve --data keys --tenant physics --admin --json
is "$(json out '(o["userId"], o["tenant"], o["admin"])')" \
    "('eve', 'physics', True)" "key add --json says whose it is"
ends 0 key list --data keys
out_has "default/ada"
out_has "physics/eve  admin"
! grep -q "$key" out
result $? "a key is shown only once"
ends 0 key revoke "$key" --data keys
ends 0 key revoke "${key:0:13}" --data keys
ends 0 key list --data keys --json
is "$(json out '[k["revokedAt"] is None for k in o["keys"]]')" \
    "[False, True]" "the revoked one is revoked"
ends 3 key revoke fn_nosuchkey0 --data keys
ends 0 key add ada --data keys --label "the build" --courses physics,heat \
    --read-only --days 90
ends 0 key list --data keys
check "a key says what it is for" grep -qE \
    '"the build"  read only  for physics, heat  expires 20' out
ends 2 key add ada --data keys --days 0
ends 2 key add ada --data keys --label $'two\nlines'
ends 2 key add ada --data keys --admin --read-only
ends 2 key add ada --data keys --courses ,
ends 2 key list --data keys --read-only
ends 2 key add '' --data keys
ends 2 key add '*' --data keys
ends 0 key add --data keys -- --ada
ends 0 key list --data keys
out_has "default/--ada"

# --- Serving ----------------------------------------------------------------

# start WORDS...: a server; returns when it has said where it listens.
start() {
    rm -f ready
    mkfifo ready
    "$program" serve --listen 127.0.0.1:0 "$@" >ready 2>log </dev/null &
    server=$!
    exec 3<ready
    line=
    read -r -t 60 -u 3 line
}
# stopped CODE WHAT: it ends with that code and has said nothing more.
stopped() {
    local code
    wait $server
    code=$?
    is $code "$1" "$2"
    is "$(cat <&3)" "" "one line on stdout"
    exec 3<&-
}

start --data data --demo
[[ $line =~ ^listening\ on\ http://127\.0\.0\.1:[1-9][0-9]*$ ]]
result $? "it says where it listens" "$line $(cat log)"
url=${line#listening on }
is "$(cat data/footnote.lock)" "$url" "the lock file holds the address"
ends 75 serve --listen 127.0.0.1:0 --data data
err_has "in use by another server, $url"
ends 0 key add ada --data data
kill -HUP $server
kill -TERM $server
stopped 0 "SIGTERM ends with 0"
is "$(cat data/footnote.lock)" "" "the lock file is empty afterwards"

start --data data --demo
kill -INT $server
stopped 0 "SIGINT ends with 0, and a folder can be served again"

start --data deep/er/data -q
is "$(stat -c %a deep/er/data)" 700 "the data folder is made"
! grep -vE '"msg":"(unsafe: |the jail )' log # what is unsafe here is said
result $? "-q is quiet" "$(cat log)"
{ kill -KILL $server; wait $server; } 2>/dev/null
exec 3<&-
start --data deep/er/data
[ -n "$line" ]
result $? "a killed server leaves no lock behind" "$(cat log)"
kill -TERM $server
stopped 0 "it ends with 0"

# logged TEXT: waits until the server has said so.
logged() {
    # shellcheck disable=SC2016 # that shell expands it
    timeout 60 bash -c 'until grep -qF "$1" log; do sleep 0.02; done' - "$1"
    result $? "it logs $1" "$(tail -3 log)"
}

echo 'log-level = "error"' >level.toml
start --data data --config level.toml
echo 'log-level = "info"' >level.toml
kill -HUP $server
logged "read the log level again"
echo 'log-level = "loud"' >level.toml
kill -HUP $server
logged "the settings are not read again"

# A request whose body never comes holds the server until its grace is over.
exec 5<>"/dev/tcp/127.0.0.1/${line##*:}"
printf '%s\r\n' "POST /api/sessions HTTP/1.1" "Host: ${line##*/}" \
    "Content-Type: application/json" "Content-Length: 20" \
    "Expect: 100-continue" "" >&5
read -r -t 60 -u 5 answer
is "${answer:9:3}" 100 "the server waits for the body"
kill -TERM $server
logged stopping
kill -TERM $server
stopped 143 "a second SIGTERM ends at once"
exec 5>&-

# As systemd does: a socket that takes datagrams.
cat >listen.py <<'PY'
import socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("notify.sock")
print("bound", flush=True)
text = ""
while "STOPPING=1" not in text:
    text = s.recv(4096).decode()
    print(text.replace("\n", ";"), flush=True)
PY
exec 4< <(timeout 120 python3 listen.py)
read -r -u 4 _
NOTIFY_SOCKET=$scratch/notify.sock start --data data
kill -TERM $server
stopped 0 "it ends with 0"
read -r -u 4 told
is "$told" "READY=1;STATUS=$line" "systemd hears that it is ready"
read -r -u 4 told
is "${told%%;*}" STOPPING=1 "and that it stops"
exec 4<&-

# While its loops turn, the watchdog hears of it.
rm notify.sock
exec 4< <(timeout 120 python3 listen.py)
read -r -u 4 _
export WATCHDOG_USEC=400000
NOTIFY_SOCKET=$scratch/notify.sock start --data data
unset WATCHDOG_USEC
read -r -u 4 _
read -r -u 4 told
is "$told" WATCHDOG=1 "the watchdog hears of it"
read -r -u 4 told
is "$told" WATCHDOG=1 "and again"
kill -TERM $server
stopped 0 "it ends with 0"
exec 4<&-

# Root works on a folder of somebody's as that somebody.
if [ "$(id -u)" -eq 0 ]; then
    chmod 755 "$scratch"
    mkdir theirs
    chown 65534:65534 theirs
    ends 0 key add ada --data theirs
    is "$(find theirs ! -uid 65534)" "" "files belong to the folder's owner"
fi

closing
