#!/bin/bash
# ask.sh - `footnote ask` as people and scripts run it: on a data folder, and
# by a running server, with a model that plays scripts.  Ends with the closing
# line.
. "$(dirname "$0")/../help/program.sh"
upstream=$build/${MODE:-release}/upstream
mkdir scripts

ask() { ends "$1" ask --data data "${@:2}"; }

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
ends 0 ingest entropy.md talk.vtt diary.jsonl --course physics --data data

# --- Mistakes ---------------------------------------------------------------

ask 2
ask 2 ''
ask 2 '   '
ask 2 'Why?' --session ''
ask 3 'Why?' --course chemistry
check 'the missing course is named' warned chemistry
check 'and nothing is on stdout' same "$(cat out)" ''
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
o = json.load(open("out"))
assert o["sessionId"] == "s1"
assert o["message"]["status"] == "complete"
assert o["citations"][0]["chunkNumber"] == 1'
ask 0 'And the pendulum?' --course physics --session s1
check 'both turns are in the session' same "$(sqlite3 data/footnote.db \
    "SELECT count(*) FROM message m JOIN session s ON s.session = m.session
     WHERE s.id = 's1'")" 4

# --- With a model, then by a server -----------------------------------------

listening "$upstream" scripts
upstream_pid=$server
model=(--model said --model-url "$url/v1" --model-retries 0)
printf 'model = "said"\nmodel-url = "%s/v1"\n' "$url" >model.toml
ask 0 'Why does entropy grow?' --course physics --config model.toml
check 'its words come through' said 'It grows [1], [31mand stays [9].'
check 'what a terminal obeys does not' same "$(tr -d -c '\033' <out)" ''
check 'only what is cited is below' same "$(tail -n +2 out | grep -c '^\[')" 1

start --data data --log-level error "${model[@]}"
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
stop
ask 0 'Why does entropy grow?' --course physics
check 'and without it, the folder again' said 'outnumber ordered ones. [1]'

kill "$upstream_pid"
closing
