#!/bin/bash
# demo_course.sh - the demo course is whole: slides that can be read, made the same
# twice, and a tool that names what it does not understand.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
slides=${BUILD:-build}/release/slides
pdf=${BUILD:-build}/demo-course/slides.pdf
course=examples/demo-course
passed=0 failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

holds() {
    local what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $what"
    fi
}

thirty_pages() {
    [ "$(pdfinfo "$pdf" | sed -n 's/^Pages: *//p')" = 30 ]
}
# Letters from the Greek, small raised digits and all.
words_on_every_page() {
    pdftotext "$pdf" - | tr '\f' '\1' | awk 'BEGIN { RS = "\1" }
        length($0) > 40 { n++ } END { exit n != 30 }' &&
        pdftotext "$pdf" - | grep 'ΔS ≥ 0' >/dev/null
}
same_bytes() {
    "$slides" $course/slides.txt "$scratch/again.pdf" &&
        cmp "$pdf" "$scratch/again.pdf"
}
# Its source, its line and what is wrong, and no file.
refuses() {
    local text=$1 sentence=$2
    printf '%s\n' '# A slide' "$text" >"$scratch/bad.txt"
    ! "$slides" "$scratch/bad.txt" "$scratch/bad.pdf" 2>"$scratch/said" &&
        grep -q "bad.txt:2: $sentence" "$scratch/said" &&
        [ ! -e "$scratch/bad.pdf" ]
}
quarter_of_an_hour() {
    grep -qE '^00:1[45]:[0-9.]+ --> ' $course/lecture.vtt
}
six_questions() {
    [ "$(grep -cE '^[0-9]\. .*' $course/README.md)" = 6 ]
}

holds "the slides have thirty pages" thirty_pages
holds "every slide has words" words_on_every_page
holds "the same source gives the same bytes" same_bytes
holds "an unknown mark is named" refuses '* a star' 'a line begins with \*'
holds "an unknown shape is named" refuses '@ cube 1 2 3' 'there is no shape cube'
holds "missing numbers are named" refuses '@ box 1 2' 'box needs 4 numbers'
holds "the lecture takes fifteen minutes" quarter_of_an_hour
holds "the README has six questions" six_questions
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
