#!/bin/bash
# hardened.sh - the program was built with what makes a mistake of ours harder
# to use.  Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"

headers() { readelf -hldW "$program"; }
imports() { grep -qE " $1(@|\$)" imported; }
count() { objdump -d --no-show-raw-insn "$program" | grep -cE "$1"; }
at_least() { [ "$1" -ge "$2" ] || { echo "$1, not $2" && false; }; }
flag() { make -C "$tree" -pn MODE=release help 2>/dev/null |
    grep -E '^MODE_release' | grep -qF -- "$1"; }
unset MAKEFLAGS MFLAGS MAKELEVEL OUT MODE V T

headers >said
nm -D --undefined-only "$program" >imported
check 'its address is not fixed' grep -q 'Flags:.*PIE' said
check 'calls are resolved before it starts' grep -q 'BIND_NOW' said
check 'tables are read-only then' grep -q 'GNU_RELRO' said
check 'the stack is no program' grep -qE 'GNU_STACK.* RW  ' said
check 'nothing can be written and run' bash -c '! grep -qE "LOAD.* RWE" said'
check 'no code is patched at the start' bash -c '! grep -q TEXTREL said'
check 'frames have a canary' imports __stack_chk_fail
check 'copies are checked' imports __memcpy_chk
check 'so is printing' imports __snprintf_chk
# The program cannot tell 3 from 2, nor how it was told to.
check 'with the sizes of what is allocated' flag -D_FORTIFY_SOURCE=3
check 'large frames touch each page' flag -fstack-clash-protection
case $(uname -m) in
x86_64)
    check 'they do' at_least "$(count 'or[ql] +\$0x0,.*\(%rsp')" 20
    check 'jumps have targets' at_least "$(count 'endbr64')" 1000
    ;;
esac
closing
