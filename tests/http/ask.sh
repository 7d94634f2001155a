#!/bin/bash
# ask.sh - `footnote ask` as people and scripts run it: on a data folder, and
# by a running server, with a model that plays scripts.  Ends with the closing
# line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
program=$(realpath "${OUT:-build}/footnote")
upstream=$(realpath "${BUILD:-build}/${MODE:-release}/upstream")
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$scratch"' EXIT
cd "$scratch" || exit
passed=0 failed=0

for name in "${!FOOTNOTE_@}"; do unset "$name"; done
unset XDG_DATA_HOME NOTIFY_SOCKET
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/config
mkdir -p "$HOME" "$XDG_CONFIG_HOME/footnote" scripts
: >"$XDG_CONFIG_HOME/footnote/footnote.toml"

check() {
    local name=$1
    shift
    if "$@" >why 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name:"
        tail -n 20 why said err
    fi
}
is() {
    [ "$1" = "$2" ] || { echo "is $1, not $2"; false; }
}
said() { grep -qF -- "$1" said; }
warned() { grep -qF -- "$1" err; }
# ask CODE WORDS...: what it says is kept for the checks.
ask() {
    local want=$1
    shift
    timeout 60 "$program" ask --data data "$@" >said 2>err </dev/null
    check "ask $* ends with $want" is $? "$want"
}
# started FILE: waits for the address of a server that writes there.
started() {
    local i
    url=
    for ((i = 0; i < 1000 && ${#url} == 0; i++)); do
        url=$(sed -n 's/^listening on //p' "$1" 2>/dev/null)
        [ -n "$url" ] || read -r -t 0.02 <> <(:) || true
    done
}

cat >scripts/said.txt <<'END'
text It grows [1], \x1b[31mand
text  stays [9].
finish stop
done
END
cat >scripts/cut.txt <<'END'
text It grows
cut
END
cat >entropy.md <<'END'
# Entropy
Entropy grows because disordered states outnumber ordered ones.
END
cat >talk.vtt <<'END'
WEBVTT

00:01:05.000 --> 00:01:15.000
A pendulum swings because gravity pulls it back to the middle.
END
echo '{"date":"2026-02-12","title":"Ice","text":"The ice melted overnight."}' \
    >diary.jsonl
"$program" ingest entropy.md talk.vtt diary.jsonl --course physics \
    --data data >said 2>err
check 'a course is made' is $? 0

# --- Mistakes ---------------------------------------------------------------

ask 2
ask 2 ''
ask 2 '   '
ask 2 'Why?' --session ''
ask 3 'Why?' --course chemistry
check 'the missing course is named' warned chemistry
check 'and nothing is on stdout' is "$(cat said)" ''
ask 2 'Why?' --cuorse physics
ask 7 'Why?' --key-file nowhere
ask 5 'Why?' --server http://127.0.0.1:1
ask 1 'Why?' --model none-such
check 'the missing model is named' warned none-such

# --- On the data folder -----------------------------------------------------

ask 0 'Why does entropy grow?' --course physics
check 'the answer has its number' said 'outnumber ordered ones. [1]'
check 'its reference is below' said '[1] Entropy'
ask 0 'Why does a pendulum swing?' --course physics
check 'a lecture has its time' said ', 1:05'
ask 0 'What became of the ice that melted?' --course physics
check 'an entry has its date' said 'Ice, 2026-02-12'

ask 0 'Why does entropy grow?' --course physics --session s1 --json
check 'JSON is one object' \
    python3 -c 'import json
o = json.load(open("said"))
assert o["sessionId"] == "s1"
assert o["message"]["status"] == "complete"
assert o["citations"][0]["chunkNumber"] == 1'
ask 0 'And the pendulum?' --course physics --session s1
check 'both turns are in the session' is "$(sqlite3 data/footnote.db \
    "SELECT count(*) FROM message m JOIN session s ON s.session = m.session
     WHERE s.id = 's1'")" 4

# --- With a model, then by a server -----------------------------------------

"$upstream" scripts >upstream.log &
started upstream.log
model=(--model said --model-url "$url/v1" --model-retries 0)
timeout 60 "$program" ask 'Why does entropy grow?' --course physics \
    --data data >said 2>err </dev/null \
    --config <(printf 'model = "said"\nmodel-url = "%s/v1"\n' "$url")
check 'a model answers' is $? 0
check 'its words come through' said 'It grows [1], [31mand stays [9].'
check 'what a terminal obeys does not' is "$(tr -d -c '\033' <said)" ''
check 'only what is cited is below' is "$(tail -n +2 said | grep -c '^\[')" 1

"$program" serve --data data --listen 127.0.0.1:0 --log-level error \
    "${model[@]}" >serve.log 2>&1 &
server=$!
started serve.log
ask 0 'Why does entropy grow?' --course physics
check 'the server answers' said 'It grows [1]'
check 'with its reference' said '[1] Entropy'
ask 0 'Again?' --course physics --server "$url/"
ask 3 'Why?' --course chemistry
ask 1 'Why?' --model none-such
ask 0 'Why does entropy grow?' --json --model=extractive --course physics
check 'a model is picked' said 'outnumber ordered ones. [1]'
ask 1 'Say script:cut' --course physics
check 'what there was is shown' said 'It grows'
check 'and why it ended' warned 'footnote ask: '
kill "$server"
wait "$server"
ask 0 'Why does entropy grow?' --course physics
check 'and without it, the folder again' said 'outnumber ordered ones. [1]'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
