#!/bin/bash
# backup.sh - `footnote backup` and `footnote restore`: made beside a busy
# server, checked, restored; and what somebody else put into a backup.
#
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
newest() { find "$1" -maxdepth 1 -name '????-*' | sort | tail -n 1; }
holds() { # a command that must say nothing
    [ -z "$("$@")" ]
}

for i in {1..3}; do echo "Heat flows from hot to cold, number $i." >"$i.md"; done
ends 0 ingest ./*.md --course c --data data
ends 0 ask "why does heat flow" --course c --data data

# Beside a server that writes all the time: each backup ends, and all that the
# client was told before is in it.
start --data data
save() {
    curl -fsS "$url/api/sessions/s/messages" -H 'Content-Type: application/json' \
        -d "{\"id\":\"m$1\",\"role\":\"user\",\"content\":\"number $1\"}" >/dev/null
}
curl -fsS "$url/api/sessions" -H 'Content-Type: application/json' \
    -d '{"id":"s"}' >/dev/null
save 0
(n=1; while save $n; do
    echo $n >saved.new && mv saved.new saved
    n=$((n + 1))
done) 2>/dev/null &
writer=$!
until [ -s saved ] && [ "$(cat saved)" -ge 20 ]; do :; done
before=$(cat saved)
ends 0 backup backups --data data
out_has "1 answers, "
out_has "3 files (3 new"
ends 0 backup backups --data data --json
out_has '"newFiles":0'
ends 0 backup one.tar --data data
kill $writer
wait $writer 2>/dev/null
stop

# Nobody else may read it.
check "a backup is its owner's alone" holds find backups one.tar -perm /077
ends 0 backup --verify backups
out_has "1 answers, "
out_has "all equal"
ends 0 backup --verify one.tar
out_has "all equal"
ends 0 restore "$(newest backups)" --data restored
out_has "all equal"
check "a restored database has no log beside it" \
    holds find restored -name 'footnote.db-*'
id() { sqlite3 "$1/footnote.db" 'SELECT id FROM store_identity'; }
result "$([ "$(id data)" != "$(id restored)" ]; echo $?)" \
    "a restored store has an id of its own"
start --data restored
has() { curl -fsS "$url/api/sessions/s/messages" | grep -qF "\"number $1\""; }
check "what was acknowledged before is there" has "$before"
stop
ends 0 objects verify --data restored
out_has "3 files"

# Only into an empty place.
ends 1 restore backups --data data
err_has "footnote.db is there already"
mkdir old && : >old/footnote.db-wal
ends 1 restore backups --data old
err_has "footnote.db-wal is there already"
ends 1 restore backups --data new --objects "files:$scratch/data/objects"
err_has "the place for files has some already"
start --data busy
ends 75 restore backups --data busy
stop

# A restore that was cut off is run again; with another backup it is not.
first=$(find backups -maxdepth 1 -name '????-*' | sort | head -n 1)
"$program" restore "$first" --data cut >out 2>err
mv cut/footnote.db cut/footnote.db.restoring
sha256sum "$first/footnote.db" | cut -c 1-64 | tr -d '\n' >cut/restoring
ends 1 restore one.tar --data cut
err_has "another backup was being restored"
ends 0 restore "$first" --data cut
out_has "all equal"

# Which backups stay, and files with them.
rm 1.md && echo "Cold is the absence of heat." >4.md
id1=$(sqlite3 data/footnote.db "SELECT id FROM document ORDER BY document" | head -n 1)
start --data data
curl -fsS -X DELETE "$url/api/documents/$id1" >/dev/null
stop
ends 0 ingest 4.md --course c --data data
ends 0 backup backups --data data --backup-keep 1
out_has "3 files (1 new"
out_has "2 old backups removed"
same "$(find backups -name manifest.json | wc -l)" 1 >/dev/null
result $? "one backup stays"
result "$([ "$(find backups/objects -type f | wc -l)" -eq 3 ]; echo $?)" \
    "files that no backup names are gone"
ends 0 backup --verify backups

# A killed backup leaves no backup, and the next one tidies up.
mkdir -p backups/2099-01-01T00-00-00.000 backups/new
: >backups/2099-01-01T00-00-00.000/footnote.db
: >backups/new/file
ends 0 backup --verify backups
ends 0 backup backups --data data
check "what was never finished is gone" \
    holds find backups -name '2099-*' -o -path 'backups/new/*'

# A disk that is full: it is said, and what was there stays.
limited() { (trap '' XFSZ; ulimit -f "$1"; shift; "$program" "$@" >out 2>err); }
find backups -type f -exec sha256sum {} + | sort >before
limited 100 backup backups --data data
result "$([ $? -ne 0 ]; echo $?)" "a backup that does not fit fails"
err_has "footnote backup: "
find backups -type f ! -path '*/new/*' -exec sha256sum {} + | sort >after
check "earlier backups are as they were" cmp before after
ends 0 backup --verify backups
limited 100 restore backups --data no-room
result "$([ $? -ne 0 ]; echo $?)" "a restore that does not fit fails"
check "and leaves no database" [ ! -e no-room/footnote.db ]
ends 0 restore backups --data no-room
out_has "all equal"

# A folder with other things in it is left alone.
mkdir mine && : >mine/thesis.txt
ends 1 backup mine --data data
err_has thesis.txt
ends 1 backup data --data data
err_has "backups want one of their own"

# Damage: of the store, then of the backup.  Each is named.
cp -R data hurt
for file in hurt/objects/??/*; do
    printf X | dd of="$file" conv=notrunc status=none
done
ends 8 backup hurt-backups --data hurt
err_has "is damaged"
rm hurt/objects/??/*
ends 8 backup hurt-backups --data hurt
err_has "is missing"
broken() { # name, what is to be said, the file
    rm -rf broken && cp -R backups broken
    b=$(newest broken)
    shift
    said_so=$1
    shift
    (cd "$b" && "$@")
    ends 8 backup --verify broken
    err_has "$said_so"
    ends 8 restore broken --data broken-restored
    check "nothing is restored" [ ! -e broken-restored/footnote.db ]
    rm -rf broken-restored
}
broken "a flipped byte" "is not what was backed up" \
    sh -c 'printf X | dd of=footnote.db bs=1 seek=20000 conv=notrunc status=none'
broken "a database cut short" "is not what was backed up" \
    truncate -s 8192 footnote.db
broken "no database" "footnote.db" sh -c 'rm footnote.db && ln -s /etc/passwd footnote.db'
broken "no manifest of ours" "is no manifest" sh -c 'echo "{}" >manifest.json'
broken "a huge manifest" "too long" truncate -s 100M manifest.json
broken "a newer program" "newer program" \
    sed -i 's/"format":1/"format":2/' manifest.json
broken "a newer schema" "newer program" \
    sed -i 's/"schema":1/"schema":99/' manifest.json

rm -rf broken && cp -R backups broken
printf X | dd of="$(find broken/objects -type f | head -n 1)" conv=notrunc status=none
ends 8 backup --verify broken
err_has "is damaged"
out_has "1 damaged"
rm "$(find broken/objects -type f | head -n 1)"
ends 8 restore broken --data broken-restored
err_has "is missing"
out_has "1 damaged"

# Rows that were changed behind our back: a backup has them as they are, and
# whoever looks is told which.
rotten() { # SQL, what it is about
    rm -rf rotten rotten-backups rotten-restored && cp -R data rotten
    sqlite3 rotten/footnote.db "$1"
    ends 0 backup rotten-backups --data rotten
    ends 8 backup --verify rotten-backups
    err_has "$2"
    ends 8 restore rotten-backups --data rotten-restored
    err_has "$2"
    ends 0 objects verify --data rotten-restored
}
rotten "UPDATE message SET content = replace(content, 'hot', 'not')
        WHERE role = 2" "message 1/"
rotten "UPDATE source SET preview = replace(preview, 'hot', 'not')" "source 1/"
rotten "UPDATE source SET digest = randomblob(32)" "message 1/"
rotten "DELETE FROM source" "a source is missing"
rotten "UPDATE passage SET text = replace(text, 'hot', 'not')" "passage 1/"
rotten "UPDATE session SET title = 'mine'" "session 1/"
rotten "UPDATE document SET title = 'mine'" "document 1/"
rotten "UPDATE message SET refs = x'ff' WHERE role = 2" "message 1/"

# Tars that others made.
tar_of() { rm -f bad.tar; tar -c -f bad.tar "$@" 2>/dev/null; }
bad_tar() {
    ends 8 restore bad.tar --data bad-restored
    err_has "that no backup has"
    check "nothing is left of it" holds find bad-restored -name 'backup-*'
    rm -rf bad-restored
}
echo evil >evil
tar_of --transform 's,^,../../,' -P evil
bad_tar
tar_of -P "$scratch/evil"
bad_tar
mkdir -p 2026-01-01T00-00-00.000
ln -sf /etc 2026-01-01T00-00-00.000/footnote.db
tar_of 2026-01-01T00-00-00.000/footnote.db
bad_tar
ln -s / objects && tar_of objects
bad_tar
head -c 100000 one.tar >short.tar
ends 8 backup --verify short.tar

# The server makes them by itself, and tells how old the newest is.
ends 7 serve --data data --backup-every 24h
err_has "--backup-to is missing"
start --data data --backup-every 1s --backup-to "$scratch/own" --backup-keep 2
made() { grep -c '"msg":"made a backup"' log; }
until [ "$(made)" -ge 4 ]; do :; done
metrics=$(curl -fsS "$url/metrics")
stop
result "$(echo "$metrics" | grep -q '^footnote_backup_age_seconds [0-9]*$'; echo $?)" \
    "metrics have the age of the newest backup"
result "$(echo "$metrics" | grep -q '^footnote_backup_failed 0$'; echo $?)" \
    "and that it did not fail"
result "$([ "$(find own -name manifest.json | wc -l)" -eq 2 ]; echo $?)" \
    "so many backups stay as are wanted"
ends 0 backup --verify own
mkdir taken && : >taken/thesis.txt
start --data data --backup-every 24h --backup-to "$scratch/taken"
until grep -q 'no backup was made' log; do :; done
metrics=$(curl -fsS "$url/metrics")
until echo "$metrics" | grep -q '^footnote_backup_failed 1$'; do
    metrics=$(curl -fsS "$url/metrics")
done
check "the log says why there is none" grep -q thesis.txt log
stop

# In a bucket, when there is one (tests/s3/run.sh).
if [ -n "${TEST_S3:-}" ]; then
    export AWS_ACCESS_KEY_ID=S3RVER AWS_SECRET_ACCESS_KEY=S3RVER
    export FOOTNOTE_S3_ENDPOINT=$TEST_S3
    there="s3://bucket/backups-$$-$RANDOM"
    ends 0 backup "$there" --data data
    out_has "3 files (3 new"
    ends 0 backup "$there" --data data --json
    out_has '"newFiles":0'
    name=$(sed 's/^{"backup":"\([^"]*\)".*/\1/' out)
    ends 0 backup --verify "$there"
    out_has "all equal"
    ends 0 restore "$there/$name" --data from-bucket
    out_has "$name: "
    out_has "all equal"
    ends 0 objects verify --data from-bucket
    ends 0 backup "$there" --data data --backup-keep 1
    out_has "2 old backups removed"
    ends 3 backup --verify "$there/$name"
    ends 0 backup --verify "$there"
    check "nothing of it stays in the data folder" \
        holds find data from-bucket -name 'backup-*'
    unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY FOOTNOTE_S3_ENDPOINT
fi
ends 1 backup s3://bucket/x --data data
err_has AWS_ACCESS_KEY_ID

ends 2 backup
err_has "where to"
ends 2 restore
ends 3 backup --verify nowhere
ends 3 restore nowhere.tar --data x
mkdir empty
ends 3 restore empty --data x
err_has "there is no backup"
closing
