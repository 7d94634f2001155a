#!/bin/bash
# formats.sh - what people read: programs of others take it, and nothing that a
# text says gets out of its place.  hostile.json cites twelve sources, whose
# titles are braces, backslashes, tags, line breaks and ends of entries.
. "$(dirname "$0")/../help/program.sh"

id='s "<x>/é'
check "the session comes in" ends 0 import footnote "$tree/tests/export/hostile.json" --data d
for format in markdown html docx bibtex csl ris; do
    check "$format" ends 0 export "$id" --format $format --data d --public-url https://notes.example
    cp out "hostile.$format"
done
mv hostile.bibtex hostile.bib
packages=$(cd "$tree" && tools/packages tests/export)
cp "$tree/tests/export/read.mjs" "$tree/tests/export/docx.mjs" "$packages/"
# read FORMAT FILE: what citation-js makes of it is in `out`.
read_by() { (cd "$packages" && "$tree/tools/node" node read.mjs "$scratch/$2" "$1") >out 2>err; }
# A list each, one of all, and a title has a bracket.
entries() { same "$(tr -cd '[' <out | wc -c)" 14; }

# It knows the types of BibTeX alone; @online is biblatex's.
bibtool -- 'new.entry.type{Online}' <hostile.bib >tidy.bib 2>err
check "bibtool takes BibTeX" test ! -s err
check "... all of it" same "$(grep -c '^@' tidy.bib)" 12
# A source may have no date; its page stands in two fields, as one is not of
# @misc.  Anything else that biber says is an entry lost or misread.
check "biber takes BibTeX" bash -c \
    "biber --tool --validate-datamodel -O biber.bib hostile.bib >biber 2>&1"
check "... and misses nothing" bash -c "! grep -E '^(WARN|ERROR)' biber |
    grep -v \\
        -e \"Missing mandatory field - one of 'date, year' must be defined$\" \\
        -e \"Invalid field 'pages' for entrytype 'misc'$\""
check "... after it was judged" grep -q 'Datamodel validation complete' biber
check "... all of it" same "$(grep -c '^@' biber.bib)" 12
check "... braces and backslashes are text" grep -qF 'TITLE = {Braces \textbraceright{} and' biber.bib
check "... a page is printed" grep -qF 'HOWPUBLISHED = {slide 1}' biber.bib
check "... what has no address is no web page" same "$(grep -c '^@ONLINE' biber.bib)" 2
check "citation-js takes BibTeX" read_by bibtex hostile.bib
check "... all of it" entries
check "... braces and backslashes are text" said 'Braces } and { and {{'
check "... percent and others as well" said '100% $x_1^2$ & #tag ~ @misc{evil,'
check "citation-js takes CSL" read_by csl hostile.csl
check "... all of it" entries
check "... a recording" said '["motion_picture","Back\\slash \\input{/etc/passwd} \\"]'
check "... an entry" said '["entry","100%'
check "... a web page" said '["webpage",'
check "... a picture" said '["graphic","Ünïcödé 日本語 🔥 שלום"]'
check "citation-js takes RIS" read_by ris hostile.ris
check "... all of it" entries
check "... a line break ends no entry" said 'Line break ER - TY - EVIL'
check "RIS has an end for each" same "$(grep -c '^ER  - ' hostile.ris)" 12

for file in hostile.bib hostile.csl hostile.ris hostile.html hostile.markdown; do
    check "$file leads nowhere but to the web" bash -c \
        "! grep -nE '(href=\"|UR  - |url = \{|\"URL\":\"|[^\\]\(|> <)javascript:|x\.org' $file"
done
check "HTML has no tag of a text's" bash -c "! grep -nE '<(script|img|b>)' hostile.html"
check "... and loads nothing" bash -c "! grep -nE '(<[a-z]+ [^>]*src=|@import|url\()' hostile.html"
check "... each mark leads to its reference" same \
    "$(grep -oE 'href="#ref-[0-9-]+"' hostile.html | wc -l) $(grep -c 'id="ref-' hostile.html)" "12 12"
check "... which leads to the app" grep -qF 'href="https://notes.example/c/s%20%22%3Cx%3E%2F%C3%A9/m/a%2F1%22%3E#ref-1"' hostile.html
check "Markdown has a note for each" same "$(grep -c '^\[^2-[0-9]*\]: ' hostile.markdown)" 12
check "... a question makes no heading and no note" bash -c "! grep -nE '^(#+ What|\[1\]:)' hostile.markdown"
check "... the answer is as it was" grep -qF 'and [99] `[1]` # not' hostile.markdown
# docx FILE...: what mammoth makes of them is in `out`.
docx() { (cd "$packages" && "$tree/tools/node" node docx.mjs "${@/#/$scratch/}") >out 2>err; }
mv hostile.docx one.docx
check "mammoth takes DOCX" docx one.docx
check "... a footnote for each mark, none lost" said '[12,12,0]'
check "... texts are text" said '&lt;script&gt;'
check "... a footnote says where" said 'https://notes.example/c/'
if [ -n "${SOAK:-}" ] && command -v soffice >/dev/null; then
    check "LibreOffice takes DOCX" soffice "-env:UserInstallation=file://$scratch/office" \
        --headless --convert-to html --outdir "$scratch/lo" one.docx >/dev/null
    check "... a footnote for each mark" same \
        "$(grep -oE 'id="sdfootnote[0-9]+"' lo/one.html | sort -u | wc -l)" 12
    mkdir docx
    check "a thousand sessions are written" env DOCX_FOLDER="$scratch/docx" \
        "$tree/build/release/test-export" docx
    check "mammoth takes them all" docx docx/*.docx
    check "... none is lost" bash -c "! grep -vE '^\[([0-9]+),\1,0\]$' out"
fi
check "the same twice" ends 0 export "$id" --format ris --data d --public-url https://notes.example
check "... is the same" cmp out hostile.ris
check "many sessions are no page" ends 2 export --all --format html --data d
closing
