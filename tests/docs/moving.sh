#!/bin/bash
# moving.sh - the commands of docs/moving.md that need no other product do what
# the page says, in its order, on one store; each kind has a folder with a
# source of one session.  Those left out name a database of another product, or
# a document that nobody has here.
#
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"

# into FILE: its text is what comes in.
into() { mkdir -p "$(dirname "$1")" && cat >"$1"; }
into state/threads.jsonl <<'END'
{"thread_id":"st","messages":[{"type":"human","content":"Q","id":"stq"},{"type":"ai","content":"A [^Page]","id":"sta","image_source":{"s3key":"p/1.png","slide_id":"p","page_number":"1"}}]}
END
into journal/entries.jsonl <<'END'
{"date":"2024-02-29","title":"Leap","text":"I wrote this on a day that is rare."}
END
into journal/threads.jsonl <<'END'
{"thread_id":"jo","title":"Diary"}
END
into journal/messages.jsonl <<'END'
{"message_id":"joq","thread_id":"jo","role":"user","content":"Q","timestamp":"2024-03-01T08:00:00"}
{"message_id":"joa","thread_id":"jo","role":"assistant","content":"A [1]","timestamp":"2024-03-01T08:00:01","doc_refs":["2024-02-29:Leap"]}
END
into events/DIR/sessions.jsonl <<'END'
{"id":"ev","user_id":"ann"}
END
into events/DIR/messages.jsonl <<'END'
{"id":"evq","session_id":"ev","role":"user","content":"Q","created_at":"2026-02-26T20:15:00Z"}
{"id":"eva","session_id":"ev","role":"assistant","content":"A [1]","created_at":"2026-02-26T20:15:02Z"}
END
into events/DIR/retrieval_events.jsonl <<'END'
{"id":"eve","message_id":"evq","query":"w","created_at":"2026-02-26T20:15:01Z","citations":[{"chunkId":"k","documentId":"d","page":1,"excerpt":"w","score":0.5,"index":1}]}
END
into ui/chats.jsonl <<'END'
{"id":"ui","messages":[{"id":"uia","role":"assistant","parts":[{"type":"text","text":"A [1]"},{"type":"source-url","sourceId":"u","url":"https://example.org/"}]}]}
END
into ui/DIR/chats.jsonl <<'END'
{"id":"uj","userId":"ann"}
END
into ui/DIR/messages.jsonl <<'END'
{"id":"uja","chatId":"uj","role":"assistant","parts":[{"type":"text","text":"A"}]}
END
into openwebui/chat-export.json <<'END'
[{"id":"ow","user_id":"ann","title":"T","created_at":1717200000,"chat":{"history":{"currentId":"owa","messages":{"owa":{"id":"owa","parentId":null,"role":"assistant","content":"A [1]","timestamp":1717200001,"sources":[{"source":{"id":"kb"},"document":["w"],"metadata":[{"file_id":"f","page":6}]}]}}}}}]
END
into anythingllm/chats.json <<'END'
{"slug":"physics","history":[{"role":"user","content":"Q","sentAt":1700000000,"chatId":9},{"role":"assistant","content":"A","sentAt":1700000001,"chatId":9,"sources":[{"id":"v","title":"t","text":"w"}]}]}
END
echo '{"ann":"local"}' | into librechat/users.json
into librechat/conversations.jsonl <<'END'
{"conversationId":"lc","user":"ann","title":"T"}
END
into librechat/messages.jsonl <<'END'
{"messageId":"lcq","conversationId":"lc","isCreatedByUser":true,"text":"Q"}
END
into librechat/export.json <<'END'
{"conversationId":"ld","title":"T","messages":[{"messageId":"ldq","parentMessageId":"00000000-0000-0000-0000-000000000000","isCreatedByUser":true,"text":"Q"}]}
END
into onyx/sessions.jsonl <<'END'
{"chat_session_id":"on","description":"D","messages":[{"message_id":1,"message_type":"system","latest_child_message":2},{"message_id":2,"message":"Q","message_type":"user","parent_message":1,"time_sent":"2025-02-01T10:00:01Z"}]}
END
into chatgpt/conversations.json <<'END'
[{"conversation_id":"cg","current_node":"cgq","mapping":{"cgq":{"parent":null,"message":{"id":"cgq","author":{"role":"user"},"content":{"content_type":"text","parts":["Q"]}}}}}]
END
# session ID MESSAGE: a line of ours.
session() {
    printf '{"footnote":"session","version":1,"id":"%s","createdAt":"2026-02-26T20:15:00Z","updatedAt":"2026-02-26T20:15:00Z","messages":[{"id":"%s","shown":"yes","role":"user","status":"complete","createdAt":"2026-02-26T20:15:00Z","content":"Q"}]}\n' "$@"
}
session s-entropy m | into footnote/all.jsonl
session s-other m | into footnote/entropy.json

count=0
while read -ra words; do
    kind=${words[2]}
    case ${words[1]} in
    ingest) kind=journal ;;
    export) kind=footnote ;;
    esac
    cd "$scratch/$kind" || break
    ends 0 "${words[@]:1}"
    [ "${words[1]}" != import ] || out_has "1 sessions (0 were there)"
    [[ " ${words[*]} " != *" -o "* ]] || check "... it is there" test -s "${words[-1]}"
    count=$((count + 1))
done < <(sed -n '/^```sh$/,/^```$/s/^\(footnote [^#]*\).*/\1/p' "$tree/docs/moving.md" |
    grep -vE 'postgres://|/path/to/|^footnote impact| agno\.jsonl')
check "the page has commands" test $count -ge 18
check "all of the course" same "$(grep -c '"footnote":"session"' "$scratch/footnote/physics.jsonl")" 2
check "all of it" same "$(grep -c '"footnote":"session"' "$scratch/footnote/everything.jsonl")" 13
closing
