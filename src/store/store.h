/* store.h - what we keep, written once for every engine.  Any thread.
 *
 * An operation is a struct with inputs and outputs and two functions of it:
 * `prepare`, in the caller's thread, checks the input and does all that needs
 * no database; `run` works in a transaction (`struct tx`).  run() never
 * decides anything from outside the database, so it can be run again: a
 * writer batches it with others, undoes it alone, or repeats it after a lost
 * connection.
 *
 *     struct session_put op = {.id = STR("s1")};
 *     TRY(store_write(st, who, OP(session_put), &op, err));
 *
 * Operations that change something run by store_write() (waits for COMMIT) or
 * store_submit() (tells a callback); the others by store_read().  Outputs of a
 * write live in op's own fields; outputs of a read live in tx->out, the
 * arena that the caller gave.  Everything is seen as one user sees it: what is
 * not theirs is NOTFOUND, exactly as if it were not there.
 *
 * Documents are on a page of their own, document.h, which comes with this
 * one; reading them in is in job.h, search in search.h, API keys in access.h.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H
#include "base/arena.h"
#include "base/buf.h"
#include "base/uuid.h"
#include "cite/source.h"
#include "db/writer.h"

/* Limits that a request meets here whoever sends it (docs/api.md). */
enum {
    STORE_ID_BYTES_MAX = 200,
    STORE_CONTENT_BYTES_MAX = 2 * 1024 * 1024,
    STORE_QUESTION_BYTES_MAX = 64 * 1024,
    STORE_TITLE_BYTES_MAX = 4 * 1024,
    STORE_SOURCES_MAX = 200,
    STORE_IDS_MAX = 1000,
    STORE_NUMBER_MAX = 999999999,
    STORE_SEARCHED_MAX = 200, /* sessions that one search looks at */
    STORE_TITLE_CHARS = 80,   /* of a first question that becomes a title */
    STORE_LEASE_MS = 60 * 1000,
    STORE_KEY_KEPT_MS = 24 * 3600 * 1000
};

struct store;
struct message_ready; /* what an operation knows before it runs */

/* Who is asking.  Both at most 200 bytes. */
struct who {
    struct str tenant, user;
};

struct tx {
    struct store *store;
    struct db *db;           /* NULL while preparing */
    struct arena *out;       /* results of a read */
    struct arena *scratch;   /* gone after the operation */
    int64_t tenant, account; /* 0: never seen, so nothing is theirs */
    int64_t docs_version;    /* reading: of the tenant */
    struct who who;          /* reading: the names of both */
    bool by_name;            /* set by prepare: run finds out who asks */
    bool at_once;            /* likewise: BUSY rather than wait */
    int64_t now_ms;
    bool again; /* an earlier run of this operation may be committed */
};

typedef enum footnote_rc store_fn(struct tx *tx, void *op,
                                  struct footnote_err *err);
struct store_op {
    store_fn *prepare; /* may be NULL */
    store_fn *run;
};

/* Declares operation `name`: its struct is `struct name`. */
#define STORE_OP(name) extern const struct store_op name##_op
#define OP(name)       (&name##_op)

/* ---- The store itself --------------------------------------------------- */

/* Opens "sqlite:PATH[?durability=relaxed]" or "postgres://...", makes or
 * migrates the tables, and turns running answers of dead processes into
 * interrupted ones.  *out is yours: store_close(). */
enum footnote_rc store_open(const char *url, struct store **out,
                            struct footnote_err *err);
void store_close(struct store *st); /* waits for what is queued */
/* Text of running answers may be shown before it is committed. */
bool store_is_relaxed(const struct store *st);

enum footnote_rc store_write(struct store *st, struct who who,
                             const struct store_op *kind, void *op,
                             struct footnote_err *err);
enum footnote_rc store_read(struct store *st, struct who who, struct arena *out,
                            const struct store_op *kind, void *op,
                            struct footnote_err *err);

/* The same as store_write, without waiting: `done` is called in the writer's
 * thread when the outcome is known, and must be quick. */
struct store_job {
    struct writer_job job; /* the store's, as are the next two */
    struct store *store;
    struct arena arena;
    struct who who;
    const struct store_op *kind;
    void *op;
    bool no_wait; /* BUSY instead of waiting for room in the queue */
    bool patient; /* may wait a millisecond for company, see writer.h */
    bool own;     /* the store's: nobody asks, see store_own */
    void (*done)(struct store_job *job, enum footnote_rc rc,
                 const struct footnote_err *err);
};
enum footnote_rc store_submit(struct store *st, struct store_job *job,
                              struct footnote_err *err);

/* Operations of the server itself, which no user asks for: job.h has them.
 * `out` may be NULL for those that write. */
enum footnote_rc store_own(struct store *st, const struct store_op *kind,
                           void *op, struct footnote_err *err);
enum footnote_rc store_own_read(struct store *st, struct arena *out,
                                const struct store_op *kind, void *op,
                                struct footnote_err *err);

/* Bytes of the whole database, of all tenants. */
struct store_size {
    int64_t bytes; /* out */
};
STORE_OP(store_size);

/* ---- Things ------------------------------------------------------------- */

struct session {
    struct str id, course, title;
    int64_t created_ms, active_ms, version;
    bool running;
    int64_t key, pool; /* inner */
    int64_t last_seq;  /* inner, of a history's head: all its messages */
};

/* What a reader makes of a source, such as its JSON, with marks where goes what
 * is known of a reference alone.  The cache keeps it beside the source, so that
 * of all readers the second one finds it made, and lends it out: see
 * history_end(). */
enum { FACE_MARKS = 4 };
struct face {
    struct str text;            /* absent: none */
    uint32_t marks[FACE_MARKS]; /* places in it, as who made it wants */
};
/* One function for all that a store reads.  A face is lent to those alone who
 * see the source in this state. */
typedef void face_fn(struct buf *out, const struct source *s,
                     enum footnote_state state, uint32_t marks[FACE_MARKS]);

/* A source in a message: what [number] means there. */
struct reference {
    struct sha256 digest; /* of the source */
    uint32_t number;      /* saving, 0: the next free one */
    bool has_score;
    double score;
    /* Reading only. */
    bool cited;
    int support;               /* thousandths, -1: not measured */
    const uint32_t *spans;     /* pairs of UTF-16 offsets */
    size_t spans_n;            /* pairs */
    enum footnote_state state; /* withdrawn and redacted have no preview */
    bool late;                 /* it was found when text was there already */
    const struct face *face;   /* or NULL; with one there is no `source` */
    int64_t key;               /* inner */
    /* Behind all that is read of a reference with a face. */
    struct source source;
};

struct message {
    struct str id, session;
    enum footnote_role role;
    enum footnote_status status;
    struct str content; /* absent: bare, see message_save */
    int64_t created_ms; /* saving, 0: now */
    bool has_low_confidence, low_confidence;
    const struct str *doc_refs, *rag_source_ids, *web_source_ids;
    size_t doc_refs_n, rag_source_ids_n, web_source_ids_n;
    bool has_image, has_image_page;
    struct str image_s3key, image_slide;
    int64_t image_page;
    const struct reference *sources; /* by number */
    size_t sources_n;
    /* Reading only. */
    struct str replaced_by, failure;
    struct str model;              /* who wrote it, if we asked one */
    int64_t tokens_in, tokens_out; /* -1: nobody counted */
    bool has_digest;               /* running and bare messages have none */
    struct sha256 digest;
    /* Inner. */
    int64_t seq, replaced_seq, late_from;
    bool said_confidence, said_ids; /* by the caller, not by events */
};

/* ---- Sessions ----------------------------------------------------------- */

/* Makes the session, or sets title and course of the one that is there where
 * they are given.  An unknown course is made, owned by the asker; one that is
 * not theirs to read is NOTFOUND. */
struct session_put {
    struct str id; /* absent: one is made */
    struct str course, title;
    bool must_exist; /* NOTFOUND instead of making it */
    bool as_new;     /* CONFLICT when what is there says otherwise */
    bool made;       /* out */
    char id_text[STORE_ID_BYTES_MAX + 1]; /* out: the id */
};
STORE_OP(session_put);

struct session_get {
    struct str id;
    struct session session; /* out */
};
STORE_OP(session_get);

/* Latest activity first. */
struct session_list {
    struct str course;        /* absent: all */
    int64_t before_active_ms; /* cursor: the last one's; 0: from the start */
    int64_t before_key;
    size_t limit;
    struct session *sessions; /* out */
    size_t sessions_n;
};
STORE_OP(session_list);

/* Those with all words of the query in one of their texts.  Looks at the
 * newest 200 and says where to go on; what the asker may not read is not
 * found. */
enum match_where { MATCH_TITLE, MATCH_QUESTION, MATCH_ANSWER, MATCH_QUOTE };
struct session_match {
    struct session session;
    enum match_where where;
    struct str message; /* absent: the title */
    struct str snippet;
};
struct session_search {
    struct str query;
    struct str course;        /* absent: all */
    int64_t before_active_ms; /* cursor, as in session_list */
    int64_t before_key;
    size_t limit;
    struct session_match *matches; /* out */
    size_t matches_n;
    bool more;                        /* out: there are older ones, ... */
    int64_t next_active_ms, next_key; /* ... from here on */
};
STORE_OP(session_search);

/* Messages, references and events go; pooled sources stay; the id is never
 * used again.  What is not there, or not theirs, is OK. */
struct session_delete {
    struct str id;
};
STORE_OP(session_delete);

/* References and events of the session go, messages stay. */
struct session_clear {
    struct str id;
};
STORE_OP(session_clear);

/* ---- Messages ----------------------------------------------------------- */

/* Saves a message with its sources, all or nothing; an unknown session is
 * made.  The same id with the same content again is OK and writes nothing,
 * with other content CONFLICT.  A repeated source is ignored, its first number
 * kept.  Finds the markers of an assistant's text and measures their support.
 * Status STREAMING opens an answer that answer_append and _finish go on with.
 */
struct message_save {
    struct message message; /* id absent: one is made */
    struct str course;      /* of a session that this call makes */
    bool made;              /* out: false when it was there */
    uint32_t *numbers;      /* out, may be NULL: one per source */
    char id_text[STORE_ID_BYTES_MAX + 1]; /* out: the id */
    struct message_ready *ready;          /* inner */
};
STORE_OP(message_save);

/* Adds sources.  A message that is not there is made bare, in `session`; a
 * later message_save fills it.  A running answer takes them as well. */
struct message_cite {
    struct str message, session; /* session: may be absent when it is there */
    const struct reference *sources;
    size_t sources_n;
    uint32_t *numbers;           /* out, may be NULL: one per source */
    struct message_ready *ready; /* inner */
};
STORE_OP(message_cite);

/* ---- The life of an answer ---------------------------------------------- */

/* streaming --> complete, stopped, failed or interrupted; one end, for ever.
 * The holder is whoever knows the epoch. */
struct answer {
    int64_t tenant, session, seq;
    int64_t epoch; /* made for this holder; a write with another is refused */
    int64_t parts; /* pieces of text so far */
    size_t bytes;  /* in all of them */
    char tail[4];  /* the beginning of a character whose rest is to come */
    size_t tail_n;
    bool unsure; /* the last call on it may have been committed */
};

enum answer_mode {
    ANSWER_NEW, /* question is saved; a repeat of it is CONFLICT */
    ANSWER_NEW_OR_EDIT,
    ANSWER_EDIT,       /* question's id has other text: it and all that follow
                          are replaced */
    ANSWER_REGENERATE, /* question is there: all that follow it are replaced */
    ANSWER_CONTINUE    /* question is there, nothing is replaced; numbers count
                          on from the last answer's */
};

/* Commits question and answer row.  A session with a running answer: RUNNING.
 */
struct answer_begin {
    struct message question;
    struct str answer_id; /* absent: one is made */
    enum answer_mode mode;
    struct str course;    /* of a session that this call makes */
    struct answer answer; /* out */
    char id_text[STORE_ID_BYTES_MAX + 1];       /* out: the answer's id */
    char question_text[STORE_ID_BYTES_MAX + 1]; /* out: the question's */
    int64_t epoch;                              /* inner */
    char old_text[STORE_ID_BYTES_MAX + 1]; /* inner: id of what is replaced */
    struct message_ready *ready;           /* inner */
};
STORE_OP(answer_begin);

/* Text, which may end inside a character.  ENDED when another holds it. */
struct answer_append {
    struct answer *answer; /* in and out */
    struct str text;
    struct answer next; /* inner: the answer after it */
};
STORE_OP(answer_append);
/* What the answer is after `text`; INVALID when that cannot be UTF-8.  For
 * holders that do not wait for answer_append. */
enum footnote_rc answer_advance(struct answer *a, struct str text,
                                struct footnote_err *err);

/* Retrieval events, new sources and references in one commit.  Numbers count
 * on; a source met again keeps its first.  The web pages that a search found
 * are an event of their own kind. */
struct answer_cite {
    struct answer *answer;
    const struct reference *sources;
    size_t sources_n;
    uint32_t *numbers;           /* out, may be NULL */
    struct str query;            /* absent: no event */
    bool low_confidence;         /* of the search */
    const double *coverage;      /* 0 to 1, one per source; NULL: not known */
    struct message_ready *ready; /* inner */
    char event_ids[2][UUID_BYTES + 1]; /* inner: of documents, of the web */
};
STORE_OP(answer_cite);

/* The end: content from the parts (trimmed), markers, support, digest. */
struct answer_finish {
    struct answer *answer;
    enum footnote_status status; /* any but STREAMING */
    bool has_low_confidence, low_confidence;
    struct str failure;            /* a code, when failed */
    struct str model;              /* who wrote it; absent: not said */
    int64_t tokens_in, tokens_out; /* -1 or, with no model, 0: not counted */
    const struct str *doc_refs;    /* every document given to the model */
    size_t doc_refs_n;
    struct str image_s3key, image_slide;
    bool has_image_page;
    int64_t image_page;
};
STORE_OP(answer_finish);
/* For a holder that goes without having been able to finish: the answer is
 * interrupted as soon as the database can be written. */
void store_abandon(struct store *st, const struct answer *a);

/* Whether this very question was asked before, or the answer `answer` is
 * there: after answer_begin said RUNNING or CONFLICT. */
struct answer_repeat {
    struct message question; /* as given to answer_begin */
    struct str answer;       /* absent: found by the question */
    bool same;               /* out: it was; the rest is set */
    struct str answer_id;
    enum footnote_status status;
    struct sha256 saved; /* inner */
};
STORE_OP(answer_repeat);

/* Ends the answer that runs in a session as `stopped`, with all it has,
 * whoever writes it: that one finds it ended.  None runs, or no session: OK. */
struct answer_stop {
    struct str session;
};
STORE_OP(answer_stop);

/* Changes a running answer that its caller writes, by its id: append, set the
 * confidence, end it, or only show that one is alive.  ENDED when it runs no
 * more, RUNNING when the server itself writes it. */
struct answer_patch {
    struct str id;
    struct str append;           /* absent: nothing */
    enum footnote_status status; /* STREAMING: it goes on */
    bool has_low_confidence, low_confidence;
    struct answer before; /* inner */
    bool tried;           /* inner */
};
STORE_OP(answer_patch);

/* ---- Reading ------------------------------------------------------------ */

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

/* A session's messages, oldest first, with sources and their states. */
struct history {
    struct str session;
    struct str before;   /* the ones that precede this message */
    size_t limit;        /* the newest so many; 0: all */
    bool light;          /* no previews */
    bool replaced;       /* also the replaced ones */
    bool brief;          /* no failures, doc refs, source ids, token counts */
    bool settled;        /* nor the text so far of an answer that runs */
    bool at_once;        /* a moment's work, or BUSY: see below */
    face_fn *face;       /* sources may come as that; NULL: as columns */
    struct session head; /* out */
    struct message *messages;
    size_t messages_n;
    bool more;                   /* out: there are older ones */
    size_t faces_n, faces_bytes; /* out: sources that came as faces */
    struct versions versions;    /* out: what this was true at */
    struct source_cache *lender; /* inner: of the faces; NULL: none */
    unsigned lent;               /* inner */
};
/* With `at_once` a thread may ask that others wait for.  It gets a history if
 * that was read before, in whole, was short, and all it needs was in memory. */
STORE_OP(history);
/* Its faces are not looked at any more.  For every history that was asked for
 * with `face`, whether it could be read or not. */
void history_end(struct history *h);

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

/* ---- Retrieval events --------------------------------------------------- */

struct event {
    struct str id, user_message, answer, query; /* answer absent: caller's */
    struct str coverage; /* JSON: of the question, by each source; or absent */
    bool web, has_low_confidence, low_confidence;
    int64_t created_ms;
    const struct reference *sources;
    size_t sources_n;
    /* Inner. */
    int64_t seq; /* of the message that has the sources */
    struct str numbers;
};

/* A caller's own event.  Shown on the answer that follows the user's message
 * when that has no sources of its own.  An unknown user message is made bare.
 */
struct event_add {
    struct str session, user_message, query;
    bool web, has_low_confidence, low_confidence;
    const struct reference *sources;
    size_t sources_n;
    char id_text[STORE_ID_BYTES_MAX + 1]; /* out: the event's id */
    struct message_ready *ready;          /* inner */
};
STORE_OP(event_add);

struct event_list {
    struct str session;
    struct str only;      /* the event with that id; absent: all */
    struct event *events; /* out, oldest first */
    size_t events_n;
};
STORE_OP(event_list);

/* ---- Courses and members ------------------------------------------------ */

enum member_role { MEMBER_NONE, MEMBER_READER, MEMBER_EDITOR, MEMBER_OWNER };

struct course {
    struct str id, title, owner;
    enum member_role role; /* of the asker */
    int64_t created_ms, version, key;
};

struct course_put {
    struct str id;    /* absent: one is made */
    struct str title; /* absent: kept */
    bool must_exist;  /* rename */
    bool as_new;      /* CONFLICT when it has another title */
    bool made;        /* out */
    char id_text[STORE_ID_BYTES_MAX + 1];
};
STORE_OP(course_put);

struct course_get {
    struct str id;
    struct course course; /* out */
};
STORE_OP(course_get);

struct course_list {
    int64_t after_key; /* cursor */
    size_t limit;
    struct course *courses; /* out */
    size_t courses_n;
};
STORE_OP(course_list);

/* With its documents; sessions stay, their sources then read deleted, or
 * redacted.  Already gone is OK. */
struct course_delete {
    struct str id;
    bool redact;
    int64_t key; /* inner, for watchers */
};
STORE_OP(course_delete);

struct member {
    struct str user; /* "*": everybody in the tenant */
    enum member_role role;
};
struct member_put {
    struct str course, user;
    enum member_role role; /* MEMBER_NONE removes */
};
STORE_OP(member_put);

struct member_list {
    struct str course;
    struct member *members; /* out */
    size_t members_n;
};
STORE_OP(member_list);

/* ---- Idempotency keys --------------------------------------------------- */

/* Claims the key for a request.  The first gets `first`; a repeat of the same
 * request gets the stored response, or RUNNING while there is none; another
 * request REUSED.  Keys are kept 24 hours. */
struct key_claim {
    struct str scope, key;
    struct sha256 request;
    bool first;          /* out */
    int64_t status;      /* out, when not first */
    struct str response; /* out, yours: free((void *)response.p) */
};
STORE_OP(key_claim);

struct key_finish {
    struct str scope, key;
    int64_t status; /* 0: the request failed; the key is free again */
    struct str response;
};
STORE_OP(key_finish);

/* Another write under a key, in one transaction: the key is claimed, the write
 * done and the key finished, or none of it.  A repeat does nothing and gets
 * the first one's result. */
struct keyed_write {
    struct str scope, key;
    struct sha256 request;
    const struct store_op *kind;
    void *op;
    const char *result; /* in op: a text that its run() has made */
    bool first;         /* out */
    char result_text[STORE_ID_BYTES_MAX + 1]; /* out: the first one's */
};
STORE_OP(keyed_write);

#include "store/document/document.h"

#endif
