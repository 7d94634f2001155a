#!/bin/bash
# header.sh - footnote.h compiles alone, without warnings, as C99, C11 and C++,
# and its functions link from C++ by their C names.  Ends with the closing line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
out=${OUT:-build}
passed=0 failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/use.c" <<'END'
#include <footnote.h>
#include <footnote.h>
int main(void)
{
    return footnote_rc_status(FOOTNOTE_OK) == 200 ? 0 : 1;
}
END
cp "$scratch/use.c" "$scratch/use.cc"

check() {
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $*"
    fi
}
compile=(-Iinclude -Wall -Wextra -Wpedantic -Werror -o "$scratch/use")
link=(-L"$out" -lfootnote "-Wl,-rpath,$(realpath "$out")")
check "${CC:-gcc}" -std=c99 "${compile[@]}" "$scratch/use.c" "${link[@]}"
check clang -std=c11 "${compile[@]}" "$scratch/use.c" "${link[@]}"
check clang++ -std=c++11 "${compile[@]}" "$scratch/use.cc" "${link[@]}"
check "$scratch/use"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
