#!/bin/bash
# operations.sh - every command of docs/operations.md does what the page says.
#
# Folders, addresses and databases of the page become those of the test; the
# words stay.  A line that no rule knows fails, so that a new command on the
# page comes with a way to run it.  Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
page=$tree/docs/operations.md
trap 'stop; "$tree/tools/cluster" remove "$scratch/pg" 2>/dev/null
    rm -rf "$scratch"' EXIT
mkdir bin notes lib srv backups base wal etc
ln -s "$program" bin/footnote
PATH=$scratch/bin:/usr/lib/postgresql/15/bin:$PATH
chmod 755 "$scratch"

# The lines of all blocks for a shell, but those that tests/docs/run.sh runs.
commands() {
    awk '/^<!-- run -->$/ { skip = 1 }
        /^```sh$/ { on = !skip; skip = 0; next }
        /^```/ { on = 0 }
        on && sub(/\\$/, "") { begun = begun $0; next }
        on && NF { print begun $0; begun = "" }' "$page"
}

# What the page takes for granted.
cp "$build/demo-course/slides.pdf" .
cp -r "$tree/ops" .
printf '# Heat\n\nHeat flows from hot to cold.\n' >notes/heat.md
printf 'model-key' >etc/model.key
chmod 600 etc/model.key
export AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=y XDG_DATA_HOME=$scratch/share
quietly() { timeout 120 "$@" >out 2>err </dev/null; }
quietly footnote ingest notes slides.pdf --course physics --data lib/footnote
quietly footnote ingest notes --course physics
quietly footnote key add root --admin --data lib/footnote
admin=$(sed -n 's/^\(fn_.*\)$/\1/p' out | head -n 1)

"$tree/tools/cluster" make "$scratch/pg" && "$tree/tools/cluster" start "$scratch/pg"
export PGHOST=$scratch/pg PGUSER=postgres
psql -qc 'CREATE DATABASE footnote' postgres

# here LINE: with the folders of the test.
here() {
    sed -e "s|/var/lib/footnote|$scratch/lib/footnote|g" \
        -e "s|/var/backups|$scratch/backups|g" -e "s|/srv/|$scratch/srv/|g" \
        -e "s|/etc/footnote|$scratch/etc|g" -e "s|/etc/prometheus|$scratch/etc|g" \
        -e "s|postgres://\.\.\.|'postgres:///footnote'|" \
        -e 's/ *#.*//' <<<"$1"
}
works() { quietly bash -c "$(here "$1")" || { cat out err && false; }; }
# A server says where it listens, and ends well.
serves() {
    local words
    words=$(here "$1")
    # shellcheck disable=SC2086 # words of a command
    eval "listening ${words/footnote serve/$program serve --listen 127.0.0.1:0}"
    [ -n "$url" ] && [[ $line == listening* ]] || { tail -n 5 log && false; }
    stop
}
# A bucket that is not there: the words are taken, and it is asked for.
asks_a_bucket() {
    local words
    words=$(here "$1 --s3-endpoint http://127.0.0.1:1")
    timeout 60 bash -c "${words/footnote serve/footnote config check}" \
        >out 2>err </dev/null
    case $? in 1 | 75) ;; *) cat out err && return 1 ;; esac
    grep -qiE 'connect|bucket|s3' err || { cat out err && false; }
}
# Reads what is there, and stays.
watches() {
    local pid
    bash -c "exec $(here "$1")" >out 2>err </dev/null &
    pid=$!
    until grep -q '^added' out || ! kill -0 $pid; do
        read -r -t 0.05 <> <(:) || true
    done
    kill -TERM $pid
    wait $pid
    [ $? -eq 143 ] || { cat out err && false; }
}
# As an admin, at a server that has keys.
audits() {
    local words
    start --auth key --data lib/footnote
    words=${1//https:\/\/notes.example.com/$url}
    KEY=$admin works "${words/curl/curl -fsS}"
    set -- $?
    stop
    return "$1"
}
revokes() {
    local prefix
    prefix=$(footnote key list --data lib/footnote | grep -oE 'fn_[A-Za-z0-9]+' |
        tail -n 1)
    works "${1/fn_x7Kd09aQzP/$prefix}"
}
# Systemd has no machine here: the units are verified by tests/systemd.
is_verified() { grep -q 'systemd-analyze verify' "$tree/tests/systemd/unit.sh"; }
is_tested_by() { grep -q -- "$1" "$tree/$2" || { echo "not in $2" && false; }; }

run_line() {
    case $1 in
    "systemctl "* | "cp ops/footnote."*) is_verified ;;
    "printf '"*"| dd "*) is_tested_by "dd of=data/footnote.db-wal" tests/cli/log.sh ;;
    "truncate "*)
        head -c 40000 /dev/zero >footnote.db-wal
        works "$1" && [ "$(stat -c %s footnote.db-wal)" -eq 37112 ]
        ;;
    "footnote restore move "*) # an empty place
        rm -rf srv/footnote
        works "$1"
        ;;
    "export AWS_"*) works "$1" ;;
    *"s3://"*) asks_a_bucket "$1" ;;
    "footnote serve "*) serves "$1" ;;
    "footnote ingest --watch "*) watches "$1" ;;
    "footnote doctor"*) works "$1" ||
        { [ -s out ] && ! grep -q '^bad' out && grep -q '^[a-z]* *jail' out; } ;;
    "footnote key revoke "*) revokes "$1" ;;
    "curl "*) audits "$1" ;;
    "15 3 * * * "*) works "${1#15 3 \* \* \* }" ;;
    "pg_basebackup "*) works "$1" ;;
    "footnote "* | "cp "* | "promtool "* | "rsync "*) works "$1" ;;
    *) echo "no rule for this line" && false ;;
    esac
}

n=0
while IFS= read -r line_of_page; do
    n=$((n + 1))
    check "$line_of_page" run_line "$line_of_page"
done < <(commands)
check "the page has commands" test "$n" -gt 40
closing
