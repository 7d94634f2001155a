/* read.h - what the files that read share; the rest is in inner.h.
 *
 *     history.c --> messages.c    rows of messages, their proof, their events
 *                     |
 *                     v
 *                   loader.c    sources: from the cache or the pool, checked
 *
 * Beside them is kept what makes the next reading cheaper: source_cache.c
 * sources and their faces, verified.c which proofs were done, hint.c where rows
 * are. */
#ifndef STORE_READ_READ_H
#define STORE_READ_READ_H
#include "base/grace.h"
#include "store/inner.h"

/* ---- source_cache.c, loader.c: sources for readers
 * ------------------------------- */

/* What is known of a source's document, true while docs_version stands. */
struct facts {
    int64_t docs_version; /* 0: not asked yet */
    int64_t course, version;
    bool found, deleted, redacted;
};
struct stored_source {
    struct source source;
    struct sha256 digest;
    int64_t pool, version;
    bool redacted;
    struct facts facts;
};
/* What the cache has of one: never written again, so any thread may read it. */
struct cached {
    struct str texts; /* of the source, in a row */
    struct stored_source s;
    struct face face; /* text absent: none was made */
};
enum footnote_rc cache_open(size_t bytes_max, struct source_cache **out,
                            struct footnote_err *err);
void cache_close(struct source_cache *c);
/* What cache_look() finds is there until cache_leave(), which gets the result
 * of cache_enter(). */
unsigned cache_enter(struct source_cache *c);
void cache_leave(struct source_cache *c, unsigned side);
/* NULL when it is not cached. */
const struct cached *cache_look(struct source_cache *c, int64_t tenant,
                                int64_t key);
bool cache_has(struct source_cache *c, int64_t tenant, int64_t key);
/* Copies the source, its texts into `a`; false when it is not cached (or `a`
 * is full: the arena knows). */
bool cache_get(struct source_cache *c, int64_t tenant, int64_t key,
               struct arena *a, struct stored_source *out);
/* It will be asked for soon: begins to fetch its place from memory.  And, when
 * that has come, the source itself. */
void cache_hint(const struct source_cache *c, int64_t tenant, int64_t key);
void cache_warm(const struct source_cache *c, int64_t tenant, int64_t key);
/* The face may be NULL.  More than so many bytes of both are not kept. */
enum { CACHED_BYTES_MAX = 96 * 1024 };
void cache_put(struct source_cache *c, int64_t tenant, int64_t key,
               const struct stored_source *s, const struct face *face);
void cache_set_facts(struct source_cache *c, int64_t tenant, int64_t key,
                     const struct facts *f);

/* ---- verified.c: what was proven before -----------------------------------
 */

/* A message as it was read.  Of what has no sources by its role, there are 0.
 */
struct proof {
    int64_t tenant, session, seq;
    enum footnote_role role;
    struct str content;
    const struct reference *sources;
    size_t sources_n;
    const struct sha256 *digest;
};
enum footnote_rc proven_open(struct proven **out, struct footnote_err *err);
void proven_close(struct proven *p);
/* Whether the digest is that of the rest.  Any thread. */
enum footnote_rc proven_prove(struct proven *p, struct sha256_ctx *c,
                              struct arena *scratch, const struct proof *of,
                              bool *good, struct footnote_err *err);

/* ---- hint.c: where a session's rows probably are ------------------------ */

/* A guess at the keys of a session, from its last reading: statements can be
 * sent before its row is there.  Whoever used it compares it with the row. */
struct hint {
    int64_t tenant, session; /* 0: none */
    size_t bytes;            /* of all that was read, roughly; 0: unknown */
};
enum footnote_rc hints_open(struct hints **out, struct footnote_err *err);
void hints_close(struct hints *h);
struct hint hint_get(struct hints *h, struct who who, struct str session);
void hint_put(struct hints *h, struct who who, struct str session,
              struct hint hint);

/* Loads sources for one read: remembers the asker's roles. */
struct loader {
    struct tx *tx;
    bool light;
    bool settled; /* as in struct history */
    bool at_once; /* what is not in memory is BUSY */
    face_fn *face;
    size_t faces_n, faces_bytes; /* that were lent */
    struct {
        int64_t course;
        enum member_role role;
    } roles[8];
    size_t roles_n;
    struct sha256_ctx *hasher;
    /* What will be loaded after this one: a server is asked for it ahead. */
    const struct message *ahead;
    size_t ahead_n, ahead_source; /* messages; source of the first */
};
enum footnote_rc loader_init(struct loader *l, struct tx *tx, bool light,
                             struct footnote_err *err);
/* What is known of the asker's roles already. */
void loader_role(struct loader *l, int64_t course, enum member_role role);
void loader_free(struct loader *l);
/* Fills source (or its face), digest and state of the source out->key,
 * digest-checked. */
enum footnote_rc loader_source(struct loader *l, struct reference *out,
                               struct footnote_err *err);

/* ---- messages.c: messages for readers ---------------------------------- */

/* The columns of the history statements into *out; texts live in tx->out. */
enum footnote_rc message_read(struct tx *tx, struct db_cur *cur, bool brief,
                              struct message *out, struct footnote_err *err);
/* The same with its references, of whose sources it has the keys alone. */
enum footnote_rc message_read_refs(struct tx *tx, struct db_cur *cur,
                                   bool brief, struct message *out,
                                   struct footnote_err *err);
/* Just those, from the packed form. */
enum footnote_rc refs_read(struct tx *tx, struct str packed,
                           struct message *out, struct footnote_err *err);
/* Its sources will be asked for soon: begins to fetch them from memory. */
void refs_warm(struct tx *tx, const struct message *m);
/* The sources of those. */
enum footnote_rc message_sources(struct loader *l, struct message *m,
                                 struct footnote_err *err);
/* The retrieval events of a session, for messages_finish(): asked for before
 * the messages are read, they share their round trip. */
enum footnote_rc events_ask(struct tx *tx, struct hint at, struct db_cur **out,
                            struct footnote_err *err);
/* What is left to do once their rows are there: sources, digests checked, text
 * of running answers, sources and confidence that come from retrieval events.
 * The messages are of one session and by ordinal. */
enum footnote_rc messages_finish(struct loader *l, int64_t session,
                                 struct db_cur *events, struct message *m,
                                 size_t n, struct footnote_err *err);

#endif
