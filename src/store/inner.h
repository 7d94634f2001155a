/* inner.h - what the files of store/ share, and nobody else sees.
 *
 * Two threads of control.  The writer's state (known, keys, pool, tape) is
 * touched by the writer's thread alone and holds only what can be read back:
 * any rollback empties it.  The source cache is for readers and has its lock
 * inside. */
#ifndef STORE_INNER_H
#define STORE_INNER_H
#include <pthread.h>

#include "base/json.h"
#include "cite/marks.h"
#include "db/reader.h"
#include "store/document/job.h"
#include "store/source/refs.h"
#include "store/store.h"

struct known;        /* names of tenants and users -> keys: id_cache.c */
struct pool;         /* digests of pooled sources -> keys: pool.c */
struct tape;         /* the newest words of our answers: word_log.c */
struct source_cache; /* keys of sources -> their fields: source_cache.c */
struct hints;        /* names of sessions -> perhaps their keys: hint.c */
struct proven;       /* messages whose digest was checked: verified.c */

enum { NODE_BYTES = 160, ORPHANS_MAX = 64, WATCHERS_MAX = 4 };

struct orphans { /* leases that nobody holds: unsure.c */
    pthread_mutex_t lock;
    struct orphan {
        int64_t epoch;  /* 0: none */
        int64_t due_ms; /* when it is ended, by the monotonic clock */
    } items[ORPHANS_MAX];
    unsigned n;
};

struct store {
    struct writer *writer;
    struct readers *readers;
    struct source_cache *cache;
    struct hints *hints;
    struct proven *proven;
    struct known *known;       /* writer's thread */
    struct pool *pool;         /* writer's thread */
    struct tape *tape;         /* writer's thread */
    struct sha256_ctx *hasher; /* writer's thread */
    struct arena scratch;      /* writer's thread */
    struct writer_job tick;
    int64_t renewed_ms, expired_ms; /* sweep.c */
    bool relaxed;
    _Atomic bool closing; /* the sweep ends our own answers as well */
    char node[NODE_BYTES];
    struct orphans orphans;
    pthread_mutex_t watch_lock;
    struct watcher {
        store_watch_fn *fn;
        void *arg;
    } watchers[WATCHERS_MAX];
    size_t watchers_n;
};

/* ---- unsure.c: an answer after a call on it ----------------------------- */

/* Called once for every write, when its outcome is known. */
void answer_settle(struct store *st, const struct store_op *kind, void *op,
                   enum footnote_rc rc);
/* Whether nobody holds this epoch, and from when on it may be ended. */
bool orphan_find(struct store *st, int64_t epoch, int64_t *due_ms);
void orphan_adopt(struct store *st, int64_t epoch);

/* ---- id_cache.c: who is asking, and new keys -------------------------------
 */

enum footnote_rc known_open(struct known **out, struct footnote_err *err);
void known_close(struct known *k);
void known_forget(struct known *k);
/* Fills tx->tenant and tx->account; writing, unknown names are made. */
enum footnote_rc known_make(struct tx *tx, struct who who,
                            struct footnote_err *err);
enum footnote_rc known_read(struct tx *tx, struct who who,
                            struct footnote_err *err);
/* A key that was never used in this tenant. */
enum footnote_rc key_new(struct tx *tx, int64_t *out, struct footnote_err *err);
/* The account of a user, made when unknown.  "*" is 0. */
enum footnote_rc account_of(struct tx *tx, struct str user, int64_t *out,
                            struct footnote_err *err);

/* ---- check.c: bad input ------------------------------------------------- */

/* Valid UTF-8 without NUL, within max; `what` names it in the sentence.
 * Absent is fine. */
enum footnote_rc check_text(struct str s, size_t max, const char *what,
                            struct footnote_err *err);
/* As check_text, and 1 to 200 bytes when it is there. */
enum footnote_rc check_id(struct str s, const char *what,
                          struct footnote_err *err);
/* False for what nothing can have as its id: it is not looked for, because
 * databases disagree about such text. */
bool id_can_be(struct str s);
enum footnote_rc check_message(const struct message *m,
                               struct footnote_err *err);
/* The id to use: as brought, or a new UUIDv7, in `buffer`. */
struct str id_or_new(struct str brought, char buffer[STORE_ID_BYTES_MAX + 1]);

/* ---- pool.c: one row per source ----------------------------------------- */

enum footnote_rc pool_open(struct pool **out, struct footnote_err *err);
void pool_close(struct pool *p);
void pool_forget(struct pool *p);
struct ready; /* below */
/* Sets r->source, the key of the pooled source, which is inserted when it is
 * new.  In two steps: ask for all of a message before putting the first, and
 * they share a round trip.  pool_drop() ends a question that was not used. */
enum footnote_rc pool_ask(struct tx *tx, int64_t pool, struct ready *r,
                          struct footnote_err *err);
enum footnote_rc pool_put(struct tx *tx, int64_t pool, struct ready *r,
                          struct footnote_err *err);
void pool_drop(struct ready *r);
/* The version of its document that a source cites now; 0: not kept here. */
enum footnote_rc document_version_now(struct tx *tx, const struct source *s,
                                      int64_t *version,
                                      struct footnote_err *err);

/* ---- reference.c: the sources of one message ---------------------------- */

/* A reference ready to be stored. */
struct ready {
    const struct reference *ref;
    struct str key;       /* source key */
    struct sha256 digest; /* of the source */
    uint32_t number;
    int64_t version;      /* of its document */
    int64_t source;       /* pooled key, once known */
    struct db_cur *asked; /* for that key; NULL: it is known */
    struct str preview;   /* what support is measured on */
    bool is_image;        /* cited by [^Page] too */
    bool has_score;
    double score;
    int support;      /* thousandths, -1: none */
    struct str spans; /* as stored */
    bool stored;      /* it was there before this change */
    bool was_cited;   /* so it is in the way back */
};
struct ready_list {
    struct ready *items;
    size_t n;
};

/* Checks, keys and digests; needs no database.  Numbers are as given. */
enum footnote_rc ready_make(struct tx *tx, struct sha256_ctx *c,
                            const struct reference *refs, size_t n,
                            struct ready_list *out, struct footnote_err *err);
/* Puts the fresh ones to those that are there: a source met again keeps its
 * first number, given numbers are kept, the others count on, at least from
 * `from`.  `out` is both lists by number; fresh->items[i].number is what the
 * i-th given source got. */
enum footnote_rc ready_number(struct tx *tx, const struct ready_list *there,
                              const struct ready_list *fresh, uint32_t from,
                              struct ready_list *out, struct footnote_err *err);
/* Copies those numbers out; `numbers` may be NULL. */
void ready_numbers(const struct ready_list *fresh, uint32_t *numbers);
/* Finds the markers of `content` and gives each its spans and support. */
enum footnote_rc ready_mark(struct tx *tx, struct str content,
                            struct ready_list *list, struct footnote_err *err);
/* The references of a message that are stored, for a change to it.  They are
 * read, changed and written as one: whoever does that has touched the session
 * before, whose row keeps others from it until the commit. */
enum footnote_rc ready_load(struct tx *tx, int64_t session, int64_t seq,
                            struct ready_list *out, struct footnote_err *err);
/* The same for the end of an answer, which must not fail for ever: references
 * that cannot be read count as none.  They stay as they are, and readers are
 * told. */
enum footnote_rc ready_load_sound(struct tx *tx, int64_t session, int64_t seq,
                                  struct ready_list *out,
                                  struct footnote_err *err);
/* Writes the whole list to the message that is there, and the way back of what
 * is new or marked otherwise.  An empty list changes nothing. */
enum footnote_rc ready_write(struct tx *tx, int64_t session, int64_t seq,
                             const struct ready_list *list,
                             struct footnote_err *err);
/* The same once what is not stored yet is pooled. */
enum footnote_rc ready_store(struct tx *tx, int64_t session, int64_t seq,
                             int64_t pool, const struct ready_list *list,
                             struct footnote_err *err);
/* Its steps, for a message that is inserted with its references and questions
 * that share a round trip: ask, put, pack, insert.  Once asked, ready_drop()
 * ends it, put or not. */
enum footnote_rc ready_ask(struct tx *tx, int64_t pool,
                           const struct ready_list *list,
                           struct footnote_err *err);
enum footnote_rc ready_put(struct tx *tx, int64_t pool,
                           const struct ready_list *list,
                           struct footnote_err *err);
enum footnote_rc ready_pack(struct tx *tx, const struct ready_list *list,
                            struct str *out, struct footnote_err *err);
enum footnote_rc ready_insert(struct tx *tx, int64_t session, int64_t seq,
                              const struct ready_list *list,
                              struct footnote_err *err);
void ready_drop(const struct ready_list *list);

/* spans.c: pairs of UTF-16 offsets as a blob of varints. */
struct str spans_pack(struct arena *a, const uint32_t *pairs, size_t n);
/* pairs: room for as many numbers as the blob has bytes. */
enum footnote_rc spans_unpack(struct str blob, uint32_t *pairs, size_t *n,
                              struct footnote_err *err);

/* ---- digest.c ----------------------------------------------------------- */

struct digest_line { /* without gaps: verified.c takes it as bytes */
    struct sha256 source;
    double score; /* 0: it has none */
    uint32_t number;
    uint32_t has_score;
};
struct digest_line digest_line(uint32_t number, const struct sha256 *source,
                               bool has_score, double score);
/* The published digest of a message: docs/schema.md. */
void message_digest(struct sha256_ctx *c, enum footnote_role role,
                    struct str content, struct sha256 *out,
                    const struct digest_line *lines, size_t n);
enum footnote_rc ready_digest(struct tx *tx, struct sha256_ctx *c,
                              enum footnote_role role, struct str content,
                              const struct ready_list *list, struct sha256 *out,
                              struct footnote_err *err);
/* What a request to save said: equal requests are repeats. */
void request_digest(struct sha256_ctx *c, const struct message *m,
                    const struct ready_list *refs, struct sha256 *out);

/* ---- session.c ---------------------------------------------------------- */

struct session_row {
    int64_t key, pool, last_seq;
    bool found, deleted;
};
enum footnote_rc session_find(struct tx *tx, struct str id,
                              struct session_row *out,
                              struct footnote_err *err);
/* The same in two steps, for questions that share a round trip. */
enum footnote_rc session_ask(struct tx *tx, struct str id, struct db_cur **cur,
                             struct footnote_err *err);
enum footnote_rc session_answer(struct tx *tx, struct db_cur *cur,
                                struct session_row *out,
                                struct footnote_err *err);
/* The same by its inner key. */
enum footnote_rc session_of(struct tx *tx, int64_t key, struct session_row *out,
                            struct footnote_err *err);
enum footnote_rc session_make(struct tx *tx, struct str id, struct str course,
                              struct str title, struct session_row *out,
                              struct footnote_err *err);
/* The session to write to: made when unknown, NOTFOUND when deleted. */
enum footnote_rc session_need(struct tx *tx, struct str id, struct str course,
                              struct session_row *out,
                              struct footnote_err *err);
/* Whoever lost the right to read the session's course keeps the session, and
 * asks nothing more in it: NOTFOUND, as for a course that is not there. */
enum footnote_rc session_may_ask(struct tx *tx, const struct session_row *s,
                                 struct footnote_err *err);
/* The next ordinal; activity and version move on.  `title` becomes the
 * session's when it has none. */
enum footnote_rc session_next(struct tx *tx, struct session_row *s,
                              struct str title, int64_t *seq,
                              struct footnote_err *err);
/* The same in two steps. */
enum footnote_rc session_next_ask(struct tx *tx, const struct session_row *s,
                                  struct str title, struct db_cur **cur,
                                  struct footnote_err *err);
enum footnote_rc session_next_answer(struct tx *tx, struct db_cur *cur,
                                     struct session_row *s, int64_t *seq,
                                     struct footnote_err *err);
/* Activity and version move on, no ordinal is taken. */
enum footnote_rc session_touch(struct tx *tx, int64_t session,
                               struct footnote_err *err);
/* `title` becomes the session's when it has none. */
enum footnote_rc session_title(struct tx *tx, int64_t session, struct str title,
                               struct footnote_err *err);
/* The title that a first question gives: its first line that is not blank, 80
 * characters. */
struct str title_of(const struct message *m);
/* By the names in tx->who: fills head and versions, and tx with who asks.
 * NOTFOUND when it is not there, or not the asker's.  `role` is the asker's in
 * its course; asked and answered apart, as above. */
enum footnote_rc session_open_ask(struct tx *tx, struct str id,
                                  struct db_cur **cur,
                                  struct footnote_err *err);
enum footnote_rc session_open_answer(struct tx *tx, struct db_cur *cur,
                                     struct history *op, enum member_role *role,
                                     struct footnote_err *err);
/* NOTFOUND when it is not there, or not the asker's. */
enum footnote_rc session_read(struct tx *tx, struct str id, struct session *out,
                              struct footnote_err *err);

/* ---- message.c ---------------------------------------------------------- */

/* What is known of a message before the database is asked. */
struct message_ready {
    struct ready_list fresh; /* as given */
    struct ready_list whole; /* numbered and marked, as if it stood alone */
    struct sha256 digest, saved;
};

struct message_row {
    int64_t session, seq, replaced_by;
    enum footnote_role role;
    enum footnote_status status;
    bool found, has_content;
    bool has_saved; /* else it is bare: its sources came first */
    struct sha256 saved;
};
enum footnote_rc message_find(struct tx *tx, struct str id,
                              struct message_row *out,
                              struct footnote_err *err);
/* Inserts the row; the caller has the ordinal. */
struct message_new {
    const struct message *m;
    struct str id;
    int64_t session, seq;
    const struct sha256 *digest, *saved; /* NULL: none yet */
    struct str refs;                     /* packed; absent: none */
};
enum footnote_rc message_insert(struct tx *tx, const struct message_new *n,
                                struct footnote_err *err);
/* Gives a bare one its content; a question may give the session its title. */
enum footnote_rc message_fill(struct tx *tx, const struct message_new *n,
                              struct footnote_err *err);
/* The message to add sources to: made bare in `session` when unknown. */
enum footnote_rc message_need(struct tx *tx, struct str session, struct str id,
                              enum footnote_role role, struct session_row *s,
                              struct message_row *row,
                              struct footnote_err *err);
/* Markers, not written yet, and digest of a saved answer whose sources have
 * changed. */
enum footnote_rc message_remark(struct tx *tx, int64_t session, int64_t seq,
                                struct ready_list *whole,
                                struct footnote_err *err);
/* An answer without sources of its own shows those that were retrieved for
 * the question in front of it: marks those. */
enum footnote_rc mark_borrowed(struct tx *tx, int64_t session, int64_t seq,
                               struct str content, struct footnote_err *err);

/* ---- strings.c ---------------------------------------------------------- */

/* A JSON array of strings in scratch; absent when n is 0. */
enum footnote_rc strings_pack(struct tx *tx, const struct str *s, size_t n,
                              struct str *out, struct footnote_err *err);
enum footnote_rc strings_unpack(struct arena *a, struct str json,
                                const struct str **out, size_t *n,
                                struct footnote_err *err);
/* A JSON array of keys, in `a`. */
enum footnote_rc keys_pack(struct arena *a, const int64_t *keys, size_t n,
                           struct str *out, struct footnote_err *err);

/* ---- word_log.c: the newest words of answers --------------------------------
 */

/* With its key it fits into a page of SQLite's four times: a row that is over a
 * quarter of a page gets one of its own besides. */
enum { STRIP_BYTES = 896 };

/* What the tape has of an answer of ours; the store's. */
struct strip {
    struct strip *next;
    int64_t tenant, session, seq, epoch;
    int64_t parts, moved; /* all so far; those that are in answer_text */
    int64_t since;        /* the stretch of the tape in which it began */
    size_t n;
    char text[STRIP_BYTES];
};

enum footnote_rc tape_open(struct tape **out, struct footnote_err *err);
void tape_close(struct tape *t); /* NULL is fine */
/* What it remembers may be wrong: after a rollback, or when leases went. */
void tape_forget(struct tape *t);
/* For the writer: the strip of an answer that runs, and is ours; NULL says
 * nothing, its lease does.  Where others may end it that is proven by
 * tape_prove(), without which the transaction must not be committed. */
enum footnote_rc tape_held(struct tx *tx, int64_t epoch, struct strip **out,
                           struct footnote_err *err);
/* Before a commit.  ENDED: of one of the answers, whichever. */
enum footnote_rc tape_prove(struct store *st, struct db *db,
                            struct footnote_err *err);
/* For the writer, of an answer of ours whose lease counts `moved`: its strip,
 * to add a part (STRIP_BYTES at most in all), or to empty it once its text has
 * moved on. */
enum footnote_rc tape_find(struct tx *tx, const struct answer *a, int64_t moved,
                           struct strip **out, struct footnote_err *err);
enum footnote_rc tape_add(struct tx *tx, struct strip *s, struct str text,
                          struct footnote_err *err);
/* Its text should move on though there is room: the tape is kept for it. */
bool tape_is_old(const struct tape *t, const struct strip *s);
/* What an answer of ours has there when its lease, which counted `after` parts,
 * was just closed. */
enum footnote_rc tape_take(struct tx *tx, int64_t epoch, int64_t after,
                           struct buf *out, struct footnote_err *err);
/* Before a commit, or a read within the transaction: what was added. */
enum footnote_rc tape_write(struct store *st, struct db *db,
                            struct footnote_err *err);
/* Anybody's: what is stored of an answer behind so many parts. */
enum footnote_rc tape_read(struct tx *tx, int64_t epoch, int64_t after,
                           struct buf *out, struct footnote_err *err);
/* Housekeeping: drops our old rows once what they hold has moved on, and all of
 * them if no answer of ours runs. */
enum footnote_rc tape_trim(struct tx *tx, bool runs, struct footnote_err *err);

/* ---- answer.c ----------------------------------------------------------- */

/* What the lease of an answer says. */
struct held {
    int64_t epoch; /* 0: it has none */
    int64_t parts; /* in answer_text */
    bool bare;     /* nobody holds it but who knows its id: see patch.c */
    bool ours;     /* held by this process, its newest words are on our tape */
};
/* What is on the tape of an answer goes to answer_text, unless somebody else
 * has ended it. */
enum footnote_rc answer_move_on(struct tx *tx, const struct strip *s,
                                struct footnote_err *err);
enum footnote_rc lease_find(struct tx *tx, const struct answer *a,
                            struct held *out, struct footnote_err *err);
/* From a cursor on epoch, parts and node. */
void held_read(const struct tx *tx, struct db_cur *cur, struct held *out);

/* Ends a running answer with all it has, whoever holds it. */
enum footnote_rc answer_cut_off(struct tx *tx, const struct answer *a,
                                enum footnote_status status,
                                struct footnote_err *err);
/* All parts of a running answer so far, whole characters only; lives in
 * `arena`. */
enum footnote_rc answer_text(struct tx *tx, struct arena *arena,
                             const struct answer *a, struct str *out,
                             struct footnote_err *err);
/* ENDED, in the words that all calls use. */
enum footnote_rc answer_ended(struct footnote_err *err);
/* A message that was saved as streaming: a lease that nobody renews but its
 * writers, and what text it brought as the first part. */
enum footnote_rc answer_open_bare(struct tx *tx, int64_t session, int64_t seq,
                                  struct str content, struct footnote_err *err);
/* RUNNING when an answer of the session runs. */
enum footnote_rc lease_none(struct tx *tx, int64_t session,
                            struct footnote_err *err);

/* ---- sweep.c, node.c ---------------------------------------------------- */

/* Housekeeping in the writer's thread: renews our leases, interrupts answers
 * whose holder is gone, forgets old idempotency keys. */
enum footnote_rc sweep(struct tx *tx, struct footnote_err *err);
/* True when whoever holds a lease is gone: another node that died or did not
 * renew it, or we ourselves when the store closes. */
bool lease_is_lost(struct tx *tx, struct str node, int64_t until_ms);
/* A name for a store of this process: boot, pid namespace, pid, start time and
 * a count. */
void node_name(char out[NODE_BYTES]);
/* True when its process is known to be gone.  On a database that other
 * machines share, theirs never are: their leases decide. */
bool node_is_dead(const char *node, bool shared);

/* ---- course.c ----------------------------------------------------------- */

struct course_row {
    int64_t key, owner;
    bool found, deleted;
    enum member_role role; /* of the asker */
};
enum footnote_rc course_find(struct tx *tx, struct str id,
                             struct course_row *out, struct footnote_err *err);
enum footnote_rc course_role(struct tx *tx, int64_t course,
                             enum member_role *out, struct footnote_err *err);
/* NOTFOUND unless the asker has at least that role. */
enum footnote_rc course_need(struct tx *tx, struct str id,
                             enum member_role role, struct course_row *out,
                             struct footnote_err *err);
/* Its public id. */
enum footnote_rc course_id_of(struct tx *tx, int64_t key,
                              char out[STORE_ID_BYTES_MAX + 1],
                              struct footnote_err *err);
/* For a session's course: an unknown one is made. */
enum footnote_rc course_or_new(struct tx *tx, struct str id, int64_t *out,
                               struct footnote_err *err);

/* ---- document.c --------------------------------------------------------- */

struct document_row {
    int64_t key, course, version, searchable_version;
    enum document_status status;
    bool found, deleted, redacted;
};
enum footnote_rc document_find(struct tx *tx, struct str id,
                               struct document_row *out,
                               struct footnote_err *err);
/* NOTFOUND unless it is there and the asker has at least that role. */
enum footnote_rc document_need(struct tx *tx, struct str id,
                               enum member_role role, struct document_row *out,
                               struct footnote_err *err);
/* What readers remember of documents is not true any more. */
enum footnote_rc docs_changed(struct tx *tx, struct footnote_err *err);
/* Its job and passages go, its objects are garbage. */
enum footnote_rc document_empty(struct tx *tx, int64_t key,
                                struct footnote_err *err);
/* read.c: a document by its key, with the facts of one version;
 * *found false when there is no such version.  Texts live in `out`. */
enum footnote_rc document_load(struct tx *tx, struct arena *out, int64_t key,
                               int64_t version, struct document *d, bool *found,
                               struct footnote_err *err);

/* ---- passage.c ---------------------------------------------------------- */

enum { PASSAGES_MAX = 100 }; /* in one call */
enum footnote_rc passages_check(const struct passage *p, size_t n,
                                struct footnote_err *err);
/* A position that is there stays as it is. */
enum footnote_rc passages_insert(struct tx *tx, int64_t document,
                                 int64_t version, const struct passage *p,
                                 size_t n, struct footnote_err *err);

/* ---- job.c -------------------------------------------------------------- */

/* The document's newest version shall be read in. */
enum footnote_rc job_put(struct tx *tx, int64_t document, int64_t version,
                         struct footnote_err *err);
/* Part of the sweep: renews our jobs, frees those of dead nodes; our own as
 * well when the store closes. */
enum footnote_rc jobs_sweep(struct tx *tx, bool renew,
                            struct footnote_err *err);

/* ---- snapshot.c --------------------------------------------------------- */

/* Pictures of a slide of the course, or of all of it when that is absent: rows
 * go, objects are garbage. */
enum footnote_rc snapshots_drop(struct tx *tx, int64_t course, struct str slide,
                                struct footnote_err *err);

/* ---- watch.c ------------------------------------------------------------ */

/* Called once for every write, when its outcome is known. */
void watch_settle(struct store *st, struct who who, const struct store_op *kind,
                  const void *op, enum footnote_rc rc);

/* ---- event.c ------------------------------------------------------------ */

struct event_new {
    int64_t session, seq, answer; /* answer 0: a caller's own */
    struct str id, query;
    bool web, has_low_confidence, low_confidence;
    const struct ready_list *fresh; /* numbered */
    const double *coverage;         /* one each; NULL: not known */
};
enum footnote_rc event_insert(struct tx *tx, const struct event_new *e,
                              struct footnote_err *err);

/* ---- list.c ------------------------------------------------------------- */

/* One more zeroed element at the end of a growing array in `a`: `items` points
 * to the array's pointer.  NULL when refused. */
void *list_add(struct arena *a, void *items, size_t *n, size_t bytes);
/* A new array with room for n elements or more, not zeroed, if that is not a
 * lot: it returns for how many, or 0.  Beyond them list_add() goes on. */
size_t list_room(struct arena *a, void *items, size_t n, size_t bytes);

/* ---- small -------------------------------------------------------------- */

static inline struct str digest_str(const struct sha256 *d)
{
    return d ? (struct str){(const char *)d->b, SHA256_BYTES} : STR_NONE;
}
static inline struct db_value db_opt(bool has, int64_t v)
{
    return has ? db_i64(v) : db_null();
}
static inline struct db_value db_opt_f64(bool has, double v)
{
    return has ? db_f64(v) : db_null();
}

/* ---- search.c ----------------------------------------------------------- */

struct index_passage;
/* The rows of (document, version, position, heading, text). */
enum footnote_rc index_passages_take(struct tx *tx, struct db_cur *cur,
                                     struct index_passage **passages, size_t *n,
                                     struct footnote_err *err);

#endif
