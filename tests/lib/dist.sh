#!/bin/bash
# dist.sh - the tarball and the list of what is in the program (SBOM) are the
# same bytes each time.  Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
version=$(sed -n 's/^VERSION := //p' "$tree/Makefile")

list() { "$tree/tools/sbom" "$program" "$version" "$tree/web/package-lock.json"; }
sources() {
    git -C "$tree" archive --prefix="footnote-$version/" HEAD | gzip -9n
}
sql() { sqlite3 :memory: "$1"; }
has() { # how many components have a purl like that
    [ "$(sql "SELECT count(*) > 0 FROM json_each(readfile('one'), '\$.components')
        WHERE json_extract(value, '\$.purl') LIKE '$1'")" = 1 ]
}
# Of each library that the program names itself, some package is in the list.
names_what_is_linked() {
    local name
    for name in sqlite3 pq uv curl archive xml2 utf8proc seccomp http-parser \
        stemmer; do
        has "pkg:deb/debian/lib$name%" || { echo "not there: $name"; return 1; }
    done
}

list >one
check 'the list is JSON' same "$(sql "SELECT json_valid(readfile('one'))")" 1
check 'it has the libraries' names_what_is_linked
check 'it has the packages of the page' has 'pkg:npm/react@%'
check 'it has no tools of developers' bash -c '! grep -q "npm/typescript@" one'
list >two
check 'it is the same again' cmp one two
sources >one
sources >two
check 'the sources are packed' gzip -t one
check 'they are the same again' cmp one two
closing
