#!/bin/bash
# run.sh [KIND...] - cites each sentence of real documents verbatim, and prints
# the shares that are marked exactly and open at the right page.
#
# The documents are those of Debian packages, which are downloaded and unpacked
# below build/marks, not installed; the recording is a text of one of them, read
# by a speech synthesiser.  KINDs: slides prose columns recording.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=${OUT:-build}/marks
mkdir -p "$folder"

# unpack PACKAGE: its files, below $folder/PACKAGE.
unpack() {
    [ -d "$folder/$1" ] && return
    (cd "$folder" && apt-get -q download "$1" >/dev/null)
    dpkg-deb -x "$folder/$1"_*.deb "$folder/$1.part"
    mv "$folder/$1.part" "$folder/$1"
}

# pdf PACKAGE PATH: the document, unpacked.
pdf() {
    local file=$folder/$1/usr/$2
    unpack "$1"
    [ -f "$file" ] || gunzip -k "$file.gz"
    echo "$file"
}

recording() {
    local name=$folder/constitution
    unpack doc-debian
    if [ ! -f "$name.vtt" ]; then
        zcat "$folder/doc-debian/usr/share/doc/debian/constitution.txt.gz" |
            sed -n '20,200p' >"$name.txt"
        tools/node node bench/marks/spoken.mjs "$name.txt" "$name"
    fi
    echo "$name.vtt" "$name.wav"
}

want=" ${*:-slides prose columns recording} "
args=()
add() {
    case $want in *" $1 "*) ;; *) return 0 ;; esac
    local files
    files=$("${@:2}")
    # shellcheck disable=SC2206 # no name has a space
    args+=("$1" $files)
}
R=lib/R/site-library/Rcpp/doc
add slides pdf mk-configure share/doc/mk-configure/presentation.pdf
add slides pdf lisaac-doc share/doc/lisaac-doc/pdf/slides.pdf
add prose pdf gnuplot-doc share/doc/gnuplot/gnuplot.pdf
add prose pdf r-doc-pdf share/R/doc/manual/R-intro.pdf
add columns pdf r-cran-rcpp $R/Rcpp-introduction.pdf
add columns pdf r-cran-rcpp $R/Rcpp-FAQ.pdf
add recording recording
FOOTNOTE=${FOOTNOTE:-${OUT:-build}/footnote} \
    exec tools/node node bench/marks/main.mjs "${args[@]}"
