/* history.h - reading messages back.  Any thread. */
#ifndef STORE_READ_HISTORY_H
#define STORE_READ_HISTORY_H
#include "store/session/message.h"
#include "store/session/session.h"

struct store;

/* What a history that was read depends on: while all three are the same, so is
 * the history, unless an answer is running. */
struct versions {
    struct str session;
    int64_t session_version, course_version, docs_version; /* out */
};
enum { VERSIONS_MAX = 64 };
struct version_ask {
    struct who who;
    struct versions versions;
    enum footnote_rc rc; /* out, with err: its own, others may be fine */
    struct footnote_err err;
};
/* One look-up each, asked for before every answer from a cache; all of them,
 * at most VERSIONS_MAX, share a round trip and a snapshot.  Without `wait` they
 * are BUSY when they would have to wait, always so on PostgreSQL. */
void store_versions(struct store *st, struct version_ask *asks, size_t n,
                    bool wait);

/* A session's messages, oldest first, with sources and their states: those of
 * the path that is shown. */
struct history {
    struct str session;
    struct str at;       /* the path through this message, not the shown one */
    struct str before;   /* only messages before this one */
    size_t limit;        /* at most so many, the newest; 0: all */
    bool light;          /* no previews */
    bool replaced;       /* of all branches */
    bool brief;          /* no doc refs, source ids, token counts */
    bool settled;        /* no text of an answer that still runs */
    bool stored;         /* as it is stored: nothing lent, nothing of events */
    struct session head; /* out */
    struct message *messages;
    size_t messages_n;
    bool more;                /* out: there are older ones */
    struct versions versions; /* out: what this was true at */
};
STORE_OP(history);

/* Messages by id, in the order asked; messages[i].id is absent when unknown. */
struct messages_by_id {
    const struct str *ids;
    size_t ids_n;
    bool light;               /* no previews */
    struct message *messages; /* out, ids_n of them */
};
STORE_OP(messages_by_id);

/* Documents that the answers of a session were given, most first. */
struct reference_count {
    struct str document, doc_ref, title;
    uint64_t given_n, cited_n; /* answers */
};
struct session_counts {
    struct str session;
    struct reference_count *counts; /* out */
    size_t counts_n;
};
STORE_OP(session_counts);

/* Page pictures that answers of the session rest on. */
struct session_images {
    struct str session;
    struct message *messages; /* out: those with an image, without sources */
    size_t messages_n;
};
STORE_OP(session_images);

#endif
