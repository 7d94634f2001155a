/* messages.h - messages for readers: rows, sources, proof. */
#ifndef STORE_READ_MESSAGES_H
#define STORE_READ_MESSAGES_H
#include "base/err.h"

struct db_cur;
struct loader;
struct message;
struct tx;

/* A row of that session, checked, into *out; texts live in tx->out. */
enum footnote_rc message_read(struct tx *tx, struct db_cur *cur,
                              int64_t session, bool brief, struct message *out,
                              struct footnote_err *err);
/* The same with its references, of whose sources it has the keys alone. */
enum footnote_rc message_read_refs(struct tx *tx, struct db_cur *cur,
                                   int64_t session, bool brief,
                                   struct message *out,
                                   struct footnote_err *err);
/* In a list by ordinal: the message with this one, and the one that a message
 * speaks to, past those of the system.  NULL when it is not there. */
struct message *message_at(struct message *m, size_t n, int64_t seq);
struct message *message_front(struct message *m, size_t n,
                              const struct message *of);
/* Just those, from the packed form. */
enum footnote_rc refs_read(struct tx *tx, struct str packed,
                           struct message *out, struct footnote_err *err);
/* The sources of those. */
enum footnote_rc message_sources(struct loader *l, struct message *m,
                                 struct footnote_err *err);
/* The retrieval events and verdicts of a session, for messages_finish(): asked
 * for before the messages are read, they share their round trip. */
struct beside_messages {
    struct db_cur *events, *verdicts;
};
enum footnote_rc events_ask(struct tx *tx, int64_t session, struct db_cur **out,
                            struct footnote_err *err);
void beside_end(struct beside_messages *b); /* fit for AUTO */
enum footnote_rc beside_ask(struct tx *tx, int64_t session,
                            struct beside_messages *out,
                            struct footnote_err *err);
/* Completes messages whose rows are there: sources, digests checked, text of
 * running answers, verdicts, sources and confidence that come from retrieval
 * events.  The messages are of one session and by ordinal. */
enum footnote_rc messages_finish(struct loader *l, int64_t session,
                                 struct beside_messages *beside,
                                 struct message *m, size_t n,
                                 struct footnote_err *err);

#endif
