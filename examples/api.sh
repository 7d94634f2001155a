#!/bin/bash
# api.sh - the HTTP API with curl, from a course to an answer with its sources.
#
#     footnote serve &
#     examples/api.sh                          on http://127.0.0.1:8080
#     examples/api.sh http://127.0.0.1:9000
#     KEY=fn_... examples/api.sh https://notes.example.com
#
# Prints each request with its answer, and stops at the first status that is
# not the one it should be.  What it makes has ids of its own and is deleted
# in the end.
set -euo pipefail
base=${1:-http://127.0.0.1:8080}
id=example-$$-$(date +%s)
course=course-$id session=session-$id question=question-$id answer=answer-$id
answer_head=$(mktemp)
trap 'rm -f "$answer_head"' EXIT

# ask STATUS METHOD PATH [BODY] [HEADER...]: what came is left in $body.
ask() {
    local want=$1 method=$2 path=$3 data=${4-} got header
    local words=(-sS -X "$method" -D "$answer_head" -w '\n%{http_code}')
    shift $(($# < 4 ? $# : 4))
    [ -z "${KEY-}" ] || words+=(-H "Authorization: Bearer $KEY")
    [ -z "$data" ] || words+=(-H 'Content-Type: application/json' -d "$data")
    for header; do words+=(-H "$header"); done
    printf '\n> %s %s\n' "$method" "$path"
    [ -z "$data" ] || printf '> %s\n' "$data"
    body=$(curl "${words[@]}" "$base$path")
    got=${body##*$'\n'} body=${body%$'\n'*}
    printf '< %s %s\n' "$got" "$body"
    if [ "$got" != "$want" ]; then
        echo "api.sh: that should have been $want" >&2
        exit 1
    fi
}
say() { printf '\n# %s\n' "$*"; }
# has TEXT: the last body has it.
has() {
    case $body in
    *"$1"*) ;;
    *)
        echo "api.sh: there should be $1 in that" >&2
        exit 1
        ;;
    esac
}
# header NAME: of the last answer.
header() { sed -n "s/^$1: *//Ip" "$answer_head" | tr -d '\r'; }

say 'What is running, and who am I?'
ask 200 GET /version
ask 200 GET /api/me

say 'A course, and a session in it.'
ask 201 POST /api/courses "{\"id\":\"$course\",\"title\":\"Thermodynamics\"}"
ask 201 POST /api/sessions "{\"id\":\"$session\",\"courseId\":\"$course\"}"

say 'A question, and what a search found for it.'
ask 201 POST "/api/sessions/$session/messages" \
    "{\"id\":\"$question\",\"role\":\"user\",\"content\":\"What is entropy?\"}"
source_1="{\"sourceType\":\"slide\",\"documentId\":\"slides-4\",
 \"slideNumber\":14,\"courseId\":\"$course\",\"title\":\"Heat and work\",
 \"contentPreview\":\"Entropy is the logarithm of the number of arrangements.\"}"
source_2='{"sourceType":"web","url":"https://example.org/entropy",
 "title":"Entropy","contentPreview":"It never decreases in an isolated system."}'
ask 201 POST "/api/sessions/$session/retrievals" \
    "{\"userMessageId\":\"$question\",\"query\":\"entropy\",
 \"sources\":[$source_1,$source_2],\"lowConfidence\":false}"

say 'An answer with its sources, in one transaction.'
save="{\"id\":\"$answer\",\"role\":\"assistant\",
 \"content\":\"Entropy is the logarithm of the number of arrangements [1].\",
 \"sources\":[$source_1,$source_2]}"
ask 201 POST "/api/sessions/$session/messages" "$save"
has '"chunkNumber":1' && has '"cited":true' && has '"spans":[[55,58]]'

say 'The same again writes nothing; the id with another text is refused.'
ask 200 POST "/api/sessions/$session/messages" "$save"
[ "$(header Idempotent-Replayed)" = true ]
ask 409 POST "/api/sessions/$session/messages" \
    "{\"id\":\"$answer\",\"role\":\"assistant\",\"content\":\"Other.\"}"
has '"code":"id_taken"'

say 'Without an id of your own, a key does the same.'
note='{"role":"system","content":"Shown once."}'
key="Idempotency-Key: key-$id"
ask 201 POST "/api/sessions/$session/messages" "$note" "$key"
ask 200 POST "/api/sessions/$session/messages" "$note" "$key"
[ "$(header Idempotent-Replayed)" = true ]
ask 422 POST "/api/sessions/$session/messages" \
    '{"role":"system","content":"Another one."}' "$key"
has '"code":"key_reused"'

say 'Read it back in every shape.'
ask 200 GET "/api/sessions/$session"
ask 200 GET "/api/sessions/$session/messages"
tag=$(header ETag)
ask 200 GET "/api/sessions/$session/messages?fields=light"
ask 200 GET "/api/sessions/$session/messages?as=ui"
ask 200 GET "/api/sessions/$session/messages?as=rows"
ask 200 GET "/api/sessions/$session/messages?as=state"
ask 200 GET "/api/sessions/$session/messages?limit=1"
has '"nextCursor":"'

say 'You have it already.'
ask 304 GET "/api/sessions/$session/messages" '' "If-None-Match: $tag"

say 'An answer that is still being written.'
ask 201 POST "/api/sessions/$session/messages" \
    "{\"id\":\"more-$id\",\"role\":\"assistant\",\"status\":\"streaming\"}"
ask 200 POST "/api/messages/more-$id/sources" "{\"sources\":[$source_2]}"
ask 200 PATCH "/api/messages/more-$id" '{"append":"It never decreases [1]"}'
ask 200 PATCH "/api/messages/more-$id" '{"append":".","status":"complete"}'
has '"content":"It never decreases [1]."'
ask 409 PATCH "/api/messages/more-$id" '{"append":"!"}'
has '"code":"ended"'

say 'What the session rests on, and where its words are.'
ask 200 GET "/api/sessions/$session/retrievals"
ask 200 GET "/api/sessions/$session/references"
ask 200 POST /api/sources/by-message \
    "{\"messageIds\":[\"$answer\",\"unknown\"]}"
ask 200 GET "/api/sessions?q=logarithm&courseId=$course"
has '"where":"answer"'

say 'What is not there, and what makes no sense.'
ask 404 GET "/api/sessions/unknown-$id"
has '"code":"session_not_found"'
ask 400 POST /api/sessions '{"colour":"red"}'
has '"where":"/colour"'

say 'Clean up: gone is gone, also the second time.'
ask 204 DELETE "/api/sessions/$session"
ask 204 DELETE "/api/sessions/$session"
ask 404 GET "/api/sessions/$session/messages"
ask 204 DELETE "/api/courses/$course"
printf '\nAll of it worked.\n'
