#!/bin/bash
# watching.sh - what Prometheus gets is what it takes; alerts and dashboard ask
# for numbers that are there; the log has the true time of streams.
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
ops=$tree/ops

start --data data --demo --backup-every 24h --backup-to "$scratch/backups"
curl -sS "$url/metrics" >metrics
check "promtool takes /metrics" promtool check metrics <metrics
names() { sed -n 's/^# TYPE \([a-z_]*\) .*/\1/p' metrics; }
for name in process_cpu_seconds_total process_resident_memory_bytes \
    process_start_time_seconds process_open_fds process_max_fds \
    footnote_disk_free_bytes footnote_disk_reserve_bytes footnote_db_up \
    footnote_db_answer_seconds footnote_model_calls_total; do
    check "there is $name" bash -c "grep -q '^$name[ {]' metrics"
done
value() { sed -n "s/^$1 //p" metrics; }
check "the database is up" same "$(value footnote_db_up)" 1
check "it has files open" test "$(value process_open_fds)" -gt 5
now=$(date +%s)
began=$(value process_start_time_seconds)
check "it was started just now" test $((now - ${began%.*})) -lt 300

# Every number is in the documentation, and every one there is a number.
undocumented() {
    local name bad=0
    for name in $(names); do
        grep -q "\`$name[\`{]" "$tree/docs/operations.md" ||
            { echo "$name" && bad=1; }
    done
    return $bad
}
check "docs/operations.md has every number" undocumented

# ---- Alerts, dashboard -------------------------------------------------------

cp "$ops"/prometheus-rules*.yml .
check "promtool takes the alerts" promtool check rules prometheus-rules.yml
check "they are raised when they should be" \
    promtool test rules prometheus-rules-test.yml
# The questions of the dashboard, as rules, so that promtool reads them.
python3 - "$ops/grafana.json" >dashboard.yml <<'PY'
import json, sys
board = json.load(open(sys.argv[1]))
print("groups:\n  - name: board\n    rules:")
n = 0
for panel in board["panels"]:
    for target in panel["targets"]:
        n += 1
        print(f"      - record: board:{n}\n        expr: '{target['expr']}'")
PY
check "promtool takes what the dashboard asks" promtool check rules dashboard.yml
# What is counted only once it happens is known by the documentation.
unknown() {
    local name bad=0
    for name in $(cat prometheus-rules.yml dashboard.yml |
        grep -oE '(footnote|process)_[a-z_]+' | sort -u); do
        name=${name%_bucket}
        grep -q "^# TYPE $name " metrics ||
            grep -q "\`$name[\`{]" "$tree/docs/operations.md" ||
            { echo "$name" && bad=1; }
    done
    return $bad
}
check "both ask for numbers that there are" unknown
stop

# ---- Streams -----------------------------------------------------------------

# A model that says a word, and the rest when there is a file "go".
cat >model.py <<'PY'
import http.server, json, os, time
class Model(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"{}")
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        def say(delta, end=None):
            self.wfile.write(b"data: " + json.dumps({"choices": [
                {"index": 0, "delta": delta, "finish_reason": end}]}).encode()
                + b"\n\n")
            self.wfile.flush()
        say({"content": "Heat "})
        while not os.path.exists("go"):
            time.sleep(0.01)
        say({"content": "flows."}); say({}, "stop")
        self.wfile.write(b"data: [DONE]\n\n")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
PY
listening python3 model.py
model=$server
: >log
start --data data --model-url "$url/v1" --model m
# wait_for COMMAND...: until it succeeds.
wait_for() {
    local end=$((SECONDS + 60))
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        read -r -t 0.02 <> <(:) || true
    done
}
line_of_stream() { grep '"route":"/api/chat"' log; }
begun() { grep -q Heat stream; }
later() { [ "$(date +%s%3N)" -ge $((began + 300)) ]; }
curl -sN -o stream --no-buffer -H 'Content-Type: application/json' \
    -H 'X-Request-Id: the-stream' "$url/api/chat" -d '{"id": "s-1", "messages":
    [{"id": "q-1", "role": "user", "parts": [{"type": "text", "text": "Why?"}]}]}' &
reader=$!
check "an answer streams" wait_for begun
began=$(date +%s%3N)
wait_for later
check "while it does, it has no line" bash -c "$(declare -f line_of_stream)
    ! line_of_stream"
touch go
wait $reader
check "when it has ended, it has" wait_for line_of_stream
number() { line_of_stream | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }
check "the line has how long it took, to the end" \
    test "$(number ms)" -ge $(($(number first_ms) + 300))
check "and its id" bash -c "$(declare -f line_of_stream)
    line_of_stream | grep -q '\"req_id\":\"the-stream\"'"
stop
kill $model
closing
