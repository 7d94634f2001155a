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
 * arena that the caller gave.  An operation sees what its user may see;
 * anything else is NOTFOUND, exactly as if it were not there.
 *
 * This header has what all operations share.  The operations themselves are in
 * one header a subject: session/{session,message,course,access}.h,
 * answer/{answer,event}.h, read/history.h, idempotency.h and
 * document/{document,job,search,snapshot}.h. */
#ifndef STORE_STORE_H
#define STORE_STORE_H
#include "base/buf.h"
#include "db/writer.h"

/* Limits of every request (docs/api.md). */
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

/* Who is asking.  Both names at most 200 bytes. */
struct who {
    struct str tenant, user;
    struct str scope; /* what their key is confined to: session/scope.h */
};

/* What an account keeps.  Sources are shared, and so are never given back. */
struct usage {
    int64_t bytes, source_bytes, documents, sessions;
};

struct audit_note; /* audit.h */
struct opened;     /* rows that get a new seal: seal.c */

struct tx {
    struct store *store;
    struct db *db;           /* NULL while preparing */
    struct arena *out;       /* results of a read */
    struct arena *scratch;   /* gone after the operation */
    int64_t tenant, account; /* 0: unknown, so they own nothing */
    int64_t docs_version;    /* reading: of the tenant */
    bool has_used;           /* writing: `used` was read in this operation */
    struct usage used;       /* by the account, before this transaction */
    struct who who;          /* reading: the names of both */
    struct str scope;        /* of who asks */
    bool nothing;   /* run sets it: nothing was changed, so nothing is noted */
    bool by_name;   /* set by prepare: run looks up who asks */
    int64_t now_ms; /* by our own wall clock: what people are shown */
    int64_t db_ms;  /* the same time by db_clock.h: what nodes compare */
    bool again;     /* an earlier run of this operation may be committed */
    struct opened *opened; /* writing: seal.h */
    size_t opened_n;
    uint32_t *opened_slots; /* where in `opened` a row is, + 1; 0: nowhere */
    size_t opened_slots_n;
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
 * interrupted ones.  That is waited for up to two seconds; what takes longer
 * goes on beside other writes.  *out is yours: store_close(). */
enum footnote_rc store_open(const char *url, struct store **out,
                            struct footnote_err *err);
/* What a program knows of the nodes that share its database. */
struct store_options {
    /* The caller has the lock of the folder where the SQLite file is, so no
     * process that we cannot see writes answers into it. */
    bool alone;
    /* What this node is called, also when it is started anew: its earlier
     * life's answers and jobs are given up at once.  BUSY when a living one is
     * called so; that is waited for up to a quarter of a minute.  "" or NULL:
     * it has no name. */
    const char *node_name;
    /* Told what an operator should know of that.  Any thread; may be NULL. */
    void (*say)(const char *sentence);
};
enum footnote_rc store_open_as(const char *url, const struct store_options *o,
                               struct store **out, struct footnote_err *err);
/* The same without a writer: nothing is made, migrated or ended, and every
 * operation that writes is refused by an assertion. */
enum footnote_rc store_open_reader(const char *url, struct store **out,
                                   struct footnote_err *err);
void store_close(struct store *st); /* waits for what is queued */
/* What time it is by the database's clock: see db_clock.h. */
int64_t store_now_ms(const struct store *st);
/* How many answers of dead processes are still to be interrupted. */
size_t store_unswept(const struct store *st);
/* True when text of running answers may be shown before its commit. */
bool store_is_relaxed(const struct store *st);

/* How much may be kept; without this call, anything.  Before the first write;
 * `disk` outlives the store.  See usage.h. */
struct usage_limits {
    int64_t bytes, documents, sessions; /* 0: no limit */
};
struct store_limits {
    struct usage_limits user, tenant;
    struct disk *disk; /* NULL: nobody looks at it */
};
void store_limit(struct store *st, const struct store_limits *limits);
const struct store_limits *store_limits_of(const struct store *st);
/* Whether the disk has room for something new. */
bool store_has_room(const struct store *st);

enum footnote_rc store_write(struct store *st, struct who who,
                             const struct store_op *kind, void *op,
                             struct footnote_err *err);
/* The same with a row of the audit, in the same commit. */
enum footnote_rc store_write_noted(struct store *st, struct who who,
                                   const struct store_op *kind, void *op,
                                   const struct audit_note *note,
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
    bool own;     /* no user asks, see store_own */
    const struct audit_note *note; /* or NULL: kept in the same commit */
    void (*done)(struct store_job *job, enum footnote_rc rc,
                 const struct footnote_err *err);
};
enum footnote_rc store_submit(struct store *st, struct store_job *job,
                              struct footnote_err *err);

/* Operations of the server itself, which no user asks for: see job.h. */
enum footnote_rc store_own(struct store *st, const struct store_op *kind,
                           void *op, struct footnote_err *err);
enum footnote_rc store_own_read(struct store *st, struct arena *out,
                                const struct store_op *kind, void *op,
                                struct footnote_err *err);

/* Bytes of the whole database, of all tenants. */
struct store_size {
    int64_t bytes;     /* out */
    int64_t log_bytes; /* out: of SQLite's log beside it; 0: there is none */
};
STORE_OP(store_size);

#endif
