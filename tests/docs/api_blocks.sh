#!/bin/bash
# api_blocks.sh - docs/api.md can be pasted into a shell, from its top to its
# end: every command of every block succeeds.  Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"

# What the page asks its reader to have.
demo=$build/demo-course
cp "$demo/slides.pdf" lecture-4.pdf
cp "$demo/lecture.vtt" lecture-4.vtt
cp "$demo/lecture.opus" lecture-4.opus
echo 'Entropy never decreases on its own.' >notes-4.txt
start --data data --demo
port=${url##*:}

# The same curl with the port that is free here, and without what would hide an
# error; a status of 400 or more fails.
mkdir bin
cat >bin/curl <<END
#!/bin/bash
words=()
for word; do words+=("\${word//localhost:8080/localhost:$port}"); done
exec $(command -v curl) -sS --fail-with-body "\${words[@]}"
END
chmod +x bin/curl
export PATH=$scratch/bin:$PATH

awk '/^```sh$/ { on = 1; out = "block" ++n; next }
     /^```$/ { on = 0 }
     /^### / { title = $0 }
     on { print > out; names[n] = title }
     END { for (i = 1; i <= n; i++) print names[i] >"titles" }' "$tree/docs/api.md"
n=0
while read -r title; do
    n=$((n + 1))
    timeout 60 bash -euo pipefail "block$n" >said 2>&1 </dev/null
    code=$?
    # There is no key to sign in with: a refusal is what the page promises.
    [[ $title != *api/login* ]] || ! grep -q '"unauthorized"' said || code=0
    result $code "block $n ${title#\#* }" "$(tail -c 600 said)"
done <titles
check 'blocks were there' test "$n" -gt 50
stop
closing
