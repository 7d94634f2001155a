#!/bin/bash
# api.sh - examples/api.sh walks the API of the program as it was built, as
# the user of mode none and as one with a key.  Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"

walk() { timeout 120 "$tree/examples/api.sh" "$url"; }

start --data data
check 'mode none' walk
stop
start --data data --auth key
KEY=$("$program" key add ada --data data) check 'mode key' walk
stop
closing
