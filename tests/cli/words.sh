#!/bin/bash
# words.sh - what people and shells see of the command line: help, manual pages
# and completions from one table, colours, progress, standard input.
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
mapfile -t verbs < <("$program" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | sort -u |
    grep -vx footnote)
check "there are verbs" test ${#verbs[@]} -gt 10

# ---- Pages -------------------------------------------------------------------

# groff complains on stderr.
page() { groff -man -Tascii -P-cbou -rLL=200n -ww "$1" >page.txt 2>why && [ ! -s why ] ||
    { cat why && false; }; }
for verb in "${verbs[@]}"; do
    ends 0 help --man "$verb"
    mv out page.1
    check "the page of $verb is one" page page.1
    # Every option of the help is on the page.
    "$program" "$verb" --help | grep -oE '^ *--[a-z0-9-]+' | tr -d ' ' |
        sort -u >want
    check "it has every option of $verb" bash -c \
        "while read -r o; do grep -qF -- \"\$o\" page.txt || exit 1; done <want"
done
ends 0 help --man
mv out page.1
check "footnote(1) is a page" page page.1
ends 0 help --man footnote.toml
mv out page.5
check "footnote.toml(5) is a page" page page.5
check "it has every setting" bash -c "'$program' config show --data d |
    sed -n 's/^\(# \)\?\([a-z0-9-]*\) = .*/\2/p' | while read -r s; do
        grep -qF -- \"\$s\" page.txt || exit 1; done"
ends 2 help --man --toml
ends 2 help nonsense

# ---- Files -------------------------------------------------------------------

# All settings with their defaults are what is without the file.
"$program" help --toml | sed -E 's/^# ([a-z0-9-]+) = /\1 = /' |
    sed -E '/^(.*) = ""$/d; /\[\[models\]\]/,$d' >all.toml
check "the file of settings has most of them" test "$(grep -c ' = ' all.toml)" -gt 50
"$program" config show --data d >without
"$program" config show --data d --config all.toml >with
check "the defaults in the file are the defaults" cmp without with
ends 0 help --schema
check "the schema is JSON, and has the settings" python3 - out <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))
assert s["properties"]["auth"]["anyOf"][1]["items"]["enum"] == [
    "none", "key", "jwt", "proxy", "oidc"]
assert "jwt-secret-file" in s["properties"]
assert "jwt-secret" not in s["properties"]
assert s["properties"]["models"]["items"]["properties"]["key-env"]
PY
{
    sed '/<!-- table -->/q' "$tree/docs/settings.md"
    "$program" help --table
    printf '\n## Verbs\n\n'
    "$program" help --verbs
} >settings.md
check "docs/settings.md is made of the tables" diff "$tree/docs/settings.md" \
    settings.md

# ---- Completions -------------------------------------------------------------

for shell in bash zsh fish; do
    "$program" completion $shell >completion.$shell
    check "$shell reads its completion" $shell -n completion.$shell
done
ends 2 completion csh
# complete WORD...: what bash offers for the last.
complete() {
    bash -c '. ./completion.bash; COMP_WORDS=("$@")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _footnote; echo "${COMPREPLY[@]}"' \
        - "$@"
}
check "bash: a verb" same "$(complete footnote inge)" ingest
check "bash: an option" same "$(complete footnote ingest --dry)" --dry-run
check "bash: a setting" same "$(complete footnote serve --jwt-s)" --jwt-secret-file
check "bash: its words" same "$(complete footnote serve --auth k)" key
check "bash: colours" same "$(complete footnote usage --color a)" "auto always"
check "fish: a setting" same \
    "$(fish -c '. completion.fish; complete -C "footnote serve --jwt-sec"' |
        cut -f 1)" --jwt-secret-file
check "zsh: it defines its function" same "$(zsh -fc 'compdef() { echo $1 $2; }
    . ./completion.zsh')" "_footnote footnote"

# ---- -q, -v, --color ---------------------------------------------------------

for verb in "${verbs[@]}"; do
    case $verb in serve | help) continue ;; esac
    timeout 60 "$program" "$verb" -q -v --color never --data d \
        >out 2>err </dev/null
    check "$verb takes -q, -v and --color" \
        bash -c '! grep -Eq "(-q|-v|--color) is not an option" err'
done
ends 2 config show --color red
err_has "--color: auto, always or never"
red=$(printf '\033[31m')
ends 2 config nonsense --data d --color always
err_has "$red"
NO_COLOR=1 ends 2 config nonsense --data d
check "no colours in a file" bash -c "! grep -qF '$red' err"
# on_terminal COMMAND: what a terminal with 30 columns is sent.
cat >terminal.py <<'PY'
import fcntl, os, pty, struct, sys, termios
width, command = int(sys.argv[1]), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
try:
    while data := os.read(fd, 4096):
        sys.stdout.buffer.write(data)
except OSError:
    pass
os.waitpid(pid, 0)
PY
on_terminal() { python3 terminal.py 30 env TERM=xterm "$@"; }
check "colours on a terminal" bash -c \
    "$(declare -f on_terminal); on_terminal '$program' config x | grep -qF '$red'"
check "none with NO_COLOR" bash -c "$(declare -f on_terminal)
    ! on_terminal NO_COLOR=1 '$program' config x | grep -qF '$red'"

# ---- Progress ----------------------------------------------------------------

mkdir notes
for i in $(seq 60); do
    yes "Heat flows from hot to cold, note $i." | head -n $((i * 50)) \
        >"notes/a-name-that-is-far-too-long-for-a-narrow-terminal-$i.txt"
done
cat >lines.py <<'PY'
import re, sys
width, text = int(sys.argv[1]), sys.stdin.buffer.read().decode()
drawn = [re.sub(r"\x1b\[K", "", part) for part in re.findall(r"\r([^\r\n]+)", text)]
drawn = [d for d in drawn if "of 60" in d or d.startswith("[")]
assert drawn, text
assert max(map(len, drawn)) < width, max(drawn, key=len)
done = [int(n) for d in drawn for n in re.findall(r"(\d+) of 60 files", d)]
assert done == sorted(done), done
cells = [d.count("#") for d in drawn]
assert cells == sorted(cells), cells
PY
for width in 24 40 200; do
    python3 terminal.py $width "$program" ingest notes --course heat \
        --data "wide$width" >drawn
    check "one line at $width columns, never backwards" bash -c \
        "python3 lines.py $width <drawn"
done
ends 0 ingest notes --course heat --data quiet -q
check "-q says nothing" test ! -s out -a ! -s err

# ---- Words from elsewhere ----------------------------------------------------

echo "Where does heat flow?" >question
"$program" ask - --course heat --data quiet <question >out 2>err
out_has "Heat flows from hot to cold"
printf '\n' | "$program" ask - --course heat --data quiet >out 2>err
check "an empty question is refused" warned "the question is empty"
head -c 70000 /dev/zero | tr '\0' a |
    "$program" ask - --course heat --data quiet >out 2>err
check "a long one is refused" test $? -eq 2
ends 0 search heat --course heat --data quiet
out_has Heat
printf '# Cold\n\nIce melts.\n' >cold.md
start --data titled
curl -sS -o /dev/null -H 'Content-Type: application/json' \
    -d '{"id":"c-1","title":"The Cold"}' "$url/api/courses"
ends 0 ingest cold.md --course "The Cold" --data titled
ends 0 search ice --course "The Cold" --data titled
out_has Ice
ends 3 search ice --course "The Colt" --data titled
stop
closing
