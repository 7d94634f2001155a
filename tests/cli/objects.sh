#!/bin/bash
# objects.sh - `footnote objects`: every file checked, tidied up, taken to
# another place and back.  With TEST_S3 (tests/s3/run.sh) that is a bucket.
#
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
in_data() { ends "$@" --data data; }

for i in {1..5}; do echo "Heat flows from hot to cold $i." >"$i.md"; done
in_data 0 ingest ./*.md --course c
in_data 0 objects verify --json
out_has '{"objects":5,"bytes":155,"missing":0,"damaged":0,"removed":0,"aside":0,"put_back":0}'

# There and back, twice: what is there already is not copied again.
if [ -n "${TEST_S3:-}" ]; then
    export AWS_ACCESS_KEY_ID=S3RVER AWS_SECRET_ACCESS_KEY=S3RVER
    there="s3://bucket/moved-$$-$RANDOM"
    more=(--s3-endpoint "$TEST_S3")
else
    there="files:$scratch/there"
    more=()
fi
in_data 0 objects move "$there" "${more[@]}"
out_has "move: 5 files, 155 bytes, 0 missing, 0 damaged, 0 removed"
err_has "5 of 5 files"
in_data 0 objects move "$there" "${more[@]}" -q
in_data 0 objects verify --objects "$there" "${more[@]}"
in_data 0 objects move "files:$scratch/back" --objects "$there" --delete \
    "${more[@]}"
out_has "5 removed"
in_data 8 objects verify --objects "$there" "${more[@]}"
out_has "5 missing"
in_data 8 doctor objects storage --objects "$there" "${more[@]}"
out_has "of 5 files 5 are missing"
out_has "takes, gives back and deletes an object"
in_data 0 objects verify --objects "files:$scratch/back"
is_same=0
for f in data/objects/??/*; do
    cmp -s "$f" "back/${f#data/objects/}" || is_same=1
done
result $is_same "what came back is what went"

# One changed, one gone; and one that nothing names, a week old.
mapfile -t files < <(printf '%s\n' data/objects/??/*)
printf x >>"${files[0]}"
rm "${files[1]}"
in_data 8 objects verify
out_has "1 missing, 1 damaged"
err_has ": damaged"
in_data 8 objects move "files:$scratch/other"
result "$([ "$(find other/?? -type f | wc -l)" -eq 3 ]; echo $?)" \
    "what is damaged is not taken along"
stray=data/objects/00/00112233445566778899aabbccddeeff
mkdir -p data/objects/00
touch -d '7 days ago' $stray
in_data 0 objects gc
out_has "0 removed, 1 aside"
result "$([ ! -e $stray ]; echo $?)" "garbage is set aside"
touch -d '8 days ago' data/objects/trash/*
in_data 0 objects gc
out_has "1 removed, 0 aside"
result "$([ -z "$(ls data/objects/trash)" ]; echo $?)" "garbage is gone"

# A copy that has an id of its own does not touch the files of its original,
# until it is told that they are its own.
mkdir copy
sqlite3 data/footnote.db "VACUUM INTO 'copy/footnote.db'"
sqlite3 copy/footnote.db "UPDATE store_identity SET id = lower(hex(randomblob(16)));
    DELETE FROM object"
mapfile -t files < <(printf '%s\n' data/objects/??/* | sort)
touch -d '9 days ago' data/objects/??/*
of_copy() { ends "$@" --data copy --objects "files:$scratch/data/objects"; }
of_copy 8 objects gc
err_has "belongs to another store"
err_has "footnote objects adopt"
of_copy 8 objects move "files:$scratch/elsewhere" --delete
mapfile -t left < <(printf '%s\n' data/objects/??/* | sort)
result "$([ "${files[*]}" = "${left[*]}" ]; echo $?)" "a copy removes nothing"
of_copy 0 objects adopt
of_copy 0 objects gc
out_has "${#files[@]} aside"
in_data 8 objects gc
in_data 0 objects adopt
in_data 0 objects gc
out_has "${#files[@]} put back"

in_data 2 objects
in_data 2 objects look
err_has "verify, gc, move and adopt"
in_data 2 objects move
in_data 2 objects verify --delete
in_data 7 objects move "files:$scratch/data/objects" --objects \
    "files:$scratch/data/objects"
in_data 7 objects verify --objects ftp://x
err_has "s3://BUCKET"
env -u AWS_ACCESS_KEY_ID "$program" serve --objects s3://b --data data \
    --listen 127.0.0.1:0 >out 2>err </dev/null
result "$([ $? -eq 7 ]; echo $?)" "serve without keys refuses" "$(cat err)"
err_has AWS_ACCESS_KEY_ID

# A player jumps in a recording that lies there: the part comes, byte by byte
# what it is, and so does all of it.  Nothing of it stays here.
head -c 9000000 /dev/urandom >noise
{ printf '\0\0\0\030ftypmp42\0\0\0\0mp42isom'; cat noise; } >talk.mp4
printf 'WEBVTT\n\n00:01.000 --> 00:04.500\nHeat is not a thing.\n' >talk.vtt
in_data 0 ingest talk.vtt --course c --objects "$there" "${more[@]}"
start --data data --objects "$there" "${more[@]}"
id=$(curl -fsS "$url/api/courses/c/documents" | tr '{' '\n' |
    sed -n '/"kind":"lecture"/s/^"id":"\([^"]*\)".*/\1/p')
part() { # range: what came of it, and what it should be
    curl -fsS -r "$1" "$url/api/documents/$id/media" >came
    tail -c "+$((${1%-*} + 1))" talk.mp4 | head -c "$2" >should
    cmp came should
    result $? "the recording's bytes $1 are what they are"
}
part 5000000-5000099 100
part 8999000-9000023 1024
part 0-8999999 9000000
curl -fsS "$url/api/documents/$id/media" | cmp - talk.mp4
result $? "all of the recording is what it is"
result "$([ -z "$(find data -maxdepth 1 -size +1000k)" ]; echo $?)" \
    "none of it stays in the data folder"
stop
closing
