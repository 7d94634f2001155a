#!/bin/bash
# installed.sh - what `make install` puts below DESTDIR is whole: programs of
# others link it, shared and as an archive; the unit names the program; manual
# pages and completions are there; and `make uninstall` leaves nothing.  Ends
# with the closing line.
. "$(dirname "$0")/../help/program.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL OUT MODE V T
stage=$scratch/stage top=$scratch/stage/opt/footnote

# The stage must be there at its final address for programs that are linked.
make_it() { make -C "$tree" BUILD="$build" DESTDIR="$stage" \
    PREFIX=/opt/footnote "$@"; }
flags() {
    PKG_CONFIG_PATH=$top/lib/pkgconfig pkg-config \
        --define-variable=prefix="$top" "$@" footnote
}
embeds() { # flags...
    cc "$tree/examples/embed.c" -o embed "$@" &&
        LD_LIBRARY_PATH=$top/lib ./embed "sqlite:$scratch/embed.db" |
        grep -q 'It counts'
}
archive_alone() {
    local all
    mapfile -t all < <(flags --static --cflags --libs | xargs -n 1)
    rm "$top"/lib/libfootnote.so* &&
        embeds "${all[@]}" && ! ldd embed | grep -q libfootnote
}

check 'make install' make_it install
check 'the program runs' "$top/bin/footnote" version
check 'the licence is there' cmp "$tree/LICENSE" "$top/share/doc/footnote/LICENSE"
check 'the unit runs what was installed' \
    grep -q '^ExecStart=/opt/footnote/bin/footnote ' \
    "$top/lib/systemd/system/footnote.service"
pages() { # all verbs have one, and the settings; each names what it is about
    local verb
    "$program" help | sed -nE 's/^  ([a-z]+)  +.*/\1/p' >verbs
    test -s verbs && grep -q '^\.TH' "$top/share/man/man1/footnote.1" &&
        grep -q '^\.TH' "$top/share/man/man5/footnote.toml.5" || return
    while read -r verb; do
        grep -qi "^\.TH.*footnote-$verb" "$top/share/man/man1/footnote-$verb.1" ||
            { echo "no page: $verb"; return 1; }
    done <verbs
}
completes() {
    bash -n "$top/share/bash-completion/completions/footnote" &&
        grep -q '#compdef footnote' "$top/share/zsh/site-functions/_footnote" &&
        grep -q 'complete -c footnote' \
            "$top/share/fish/vendor_completions.d/footnote.fish"
}
check 'every verb has a manual page' pages
check 'three shells complete words' completes
mapfile -t shared < <(flags --cflags --libs | xargs -n 1)
check 'a program links the shared library' embeds "${shared[@]}"
check 'pkg-config --static links the archive' archive_alone
check 'make install, again' make_it install
: >"$top/lib/of-others"
check 'make uninstall' make_it uninstall
check 'leaves what is of others, and nothing else' \
    same "$(cd "$top" && find . ! -type d)" ./lib/of-others
closing
