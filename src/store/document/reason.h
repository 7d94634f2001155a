/* reason.h - why a document could not be read: a code beside the sentence, so
 * that a program can say it in its reader's language.  Constant; any thread.
 *
 * The code travels in err->field, which no other failure of reading sets; so
 * every refusal of a reader is made by refuse(). */
#ifndef STORE_DOCUMENT_REASON_H
#define STORE_DOCUMENT_REASON_H
#include "base/err.h"

/* Name, how the failing call returns, code.  docs/api.md explains the codes;
 * the app has words for each. */
// clang-format off
#define READ_REASONS(X)                                                        \
    X(EMPTY, INVALID, "empty")                                                 \
    X(NO_TEXT, INVALID, "no_text")                                             \
    X(SCANNED, INVALID, "scanned")                                             \
    X(UNKNOWN_KIND, INVALID, "unknown_kind")                                   \
    X(NOT_TEXT, INVALID, "not_text")                                           \
    X(NO_TRANSCRIPT, INVALID, "no_transcript")                                 \
    X(NO_CUES, INVALID, "no_cues")                                             \
    X(PASSWORD, INVALID, "password")                                           \
    X(ENCRYPTED, INVALID, "encrypted")                                         \
    X(NO_COPYING, INVALID, "no_copying")                                       \
    X(DAMAGED, INVALID, "damaged")                                             \
    X(HARMFUL, INVALID, "harmful")                                             \
    X(UNPACKS, TOOBIG, "unpacks_too_large")                                    \
    X(TOO_LARGE, TOOBIG, "too_large")                                          \
    X(TOO_MUCH_TEXT, TOOBIG, "too_much_text")                                  \
    X(TOO_MANY_PARTS, TOOBIG, "too_many_parts")                                \
    X(TOO_MANY_PAGES, TOOBIG, "too_many_pages")                                \
    X(TOO_SLOW, TOOBIG, "too_slow")                                            \
    X(TOO_MUCH_MEMORY, TOOBIG, "too_much_memory")                              \
    X(BAD_ADDRESS, INVALID, "bad_address")                                     \
    X(ADDRESS_LOGIN, INVALID, "address_login")                                 \
    X(ADDRESS_PORT, INVALID, "address_port")                                   \
    X(NOT_PUBLIC, INVALID, "not_public")                                       \
    X(NO_HOST, NOTFOUND, "no_host")                                            \
    X(NO_PAGE, NOTFOUND, "no_page")                                            \
    X(LOGIN_NEEDED, INVALID, "login_needed")                                   \
    X(PAGE_REFUSED, INVALID, "page_refused")                                   \
    X(NO_ANSWER, BUSY, "no_answer")                                            \
    X(NOT_A_PAGE, INVALID, "not_a_page")                                       \
    X(REDIRECTS, INVALID, "redirects")                                         \
    X(NO_FILE, INVALID, "no_file")                                             \
    X(FILE_CHANGED, DAMAGED, "file_changed")                                   \
    X(GAVE_UP, INVALID, "gave_up")                                             \
    X(UNREADABLE, INVALID, "unreadable")                                       \
    X(SERVER, INTERNAL, "server_error")
// clang-format on

#define READ_REASON_ENUM(name, rc, code) REASON_##name,
enum read_reason { READ_REASONS(READ_REASON_ENUM) REASONS_N };
#define READ_REASON_RC(name, rc, code) REASON_RC_##name = FOOTNOTE_##rc,
enum read_reason_rc { READ_REASONS(READ_REASON_RC) };

/* The failing line of a reader: `return refuse(err, EMPTY, "...")`. */
#define refuse(err, reason, ...)                                               \
    (err_put((err), (enum footnote_rc)REASON_RC_##reason, __VA_ARGS__),        \
     err_about((err), "%s", reason_code(REASON_##reason)),                     \
     (enum footnote_rc)REASON_RC_##reason)

const char *reason_code(enum read_reason r);
enum footnote_rc reason_rc(enum read_reason r);

/* The same for a reason that a table or another process names. */
enum footnote_rc refuse_as(struct footnote_err *err, enum read_reason r,
                           const char *sentence);

/* What a failure was made with.  One that is not a reader's own, such as a full
 * arena, has a general reason. */
enum read_reason reason_of(const struct footnote_err *err);

/* REASONS_N: there is no such code. */
enum read_reason reason_by_code(struct str code);

#endif
