#!/bin/bash
# ingest_links.sh - links in a folder that somebody else made: what leads out of
# it goes into no course, and is named.  Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
ingest() {
    "$program" ingest "$@" --data data >out 2>err
    code=$?
}
names() {
    sqlite3 "$scratch/data/footnote.db" "SELECT group_concat(name) FROM (
        SELECT filename || ':' || ifnull(recording_name, '-') AS name
        FROM document_version JOIN document USING (document)
        JOIN course USING (course) WHERE course.id = '$1' ORDER BY filename)"
}

mkdir -p outside notes/deep
echo 'The secret is out.' >outside/secret.txt
printf '\0\0\0\030ftypmp42\0\0\0\0mp42isom' >outside/secret.mp4
echo 'Heat flows from warm to cold.' >notes/heat.txt
ln -s ../heat.txt notes/deep/inside.txt
ln -s ../outside/secret.txt notes/up.txt
ln -s "$scratch/outside/secret.txt" notes/absolute.txt
ln -s deep/second.txt notes/first.txt
ln -s ../../outside/secret.txt notes/deep/second.txt
ln -s ../outside notes/folder
ln -s . notes/itself
ln -s round.txt notes/round.txt
ln -s /proc/self/environ notes/environ.txt
ln -s "$scratch/notes/heat.txt" notes/whole.txt
cp "$tree/tests/ingest/files/lecture.vtt" notes/talk.vtt
ln -s ../outside/secret.mp4 notes/talk.mp4
# heat.txt has the bytes of the link that is read before it.
took=notes/deep/inside.txt:-,notes/talk.vtt:-

# What the summary of a folder has to be, in the data folder and on a server.
check_folder() {
    check "$1: it ends well" same "$code" 0
    check "$1: what leads out is passed over" said \
        'added 2, unchanged 1, failed 0, passed over 9'
    for name in up absolute first deep/second environ whole; do
        check "$1: $name is named" warned \
            "notes/$name.txt: passed over: This link leads out of the folder"
    done
    check "$1: a folder is named" warned 'notes/folder: passed over: This link'
    check "$1: and a recording" warned 'notes/talk.mp4: passed over: This link'
    check "$1: a loop ends" warned 'notes/round.txt: passed over: Too many'
    check "$1: the rest is in" same "$(names "$2")" "$3"
}

ingest notes --course local
check_folder 'a data folder' local "$took"
ingest notes/ --course slash
check 'with a slash behind it, too' same "$(names slash)" "$took"
(cd notes && "$program" ingest . --data ../data --course dot) >out 2>err
check 'and as .' same "$(names dot)" "$took"

# Who names a link means it; what lies beside a file has no such word.
ln -s outside/secret.txt mine.txt
ingest mine.txt --course named
check 'a link that is named is followed' same "$(names named)" 'secret.txt:-'
ingest notes/talk.vtt --course beside
check 'the recording beside a file is not' same "$(names beside)" 'talk.vtt:-'
cp notes/talk.vtt alone.vtt
ln -s outside/secret.mp4 alone.mp4
ingest alone.vtt --course alone
check 'but inside of the folder it is' same "$(names alone)" \
    'alone.vtt:alone.mp4'
ln -s notes linked
ingest linked --course root
check 'a folder that is named may be a link' said 'added 2'

start --data data
ingest notes --course remote
check_folder 'a server' remote inside.txt:-,talk.vtt:-
ingest alone.vtt --course alone-remote
check 'a server gets a recording under its name' same "$(names alone-remote)" \
    'alone.vtt:alone.mp4'
stop
check 'nothing of it is anywhere' same \
    "$(grep -rlF 'secret is out' data/objects | wc -l)" 1

closing
