/* bench.h - what the files of bench/store share.
 *
 * Work (work.c) is made from numbers alone, so that every engine and every
 * table is filled with the same data.  A failure ends the program: half a run
 * gives no figure. */
#ifndef BENCH_STORE_BENCH_H
#define BENCH_STORE_BENCH_H
#include "../common.h"
#include "db/driver.h"
#include "store/session/message.h"
#include "store/state.h"

/* ---- place.c: databases to measure in ----------------------------------- */

struct bench {
    bool small;
    const char *postgres; /* socket folder of the server, or NULL */
    char folder[256];     /* ours, for SQLite's files */
};
struct place {
    const struct bench *bench;
    bool postgres;
    char name[64];  /* file or database */
    char path[512]; /* of the file */
    char url[640];
};
enum { ENGINES = 2 };
const char *engine_name(bool postgres);
/* An empty database of that name; place_drop() removes it. */
void place_make(const struct bench *b, bool postgres, const char *name,
                struct place *out);
void place_drop(const struct place *p);
/* Ends the program, with the sentence, unless rc is OK. */
void must(enum footnote_rc rc, const struct footnote_err *err);

/* ---- work.c: sessions, answers, sources --------------------------------- */

enum {
    COURSES = 20,
    DOCUMENTS = 50, /* of a course */
    SLIDES = 40,    /* of a document: a source each */
    USERS = 1000,
    MESSAGES = 50, /* of a session */
    SOURCES = 5,   /* of a message */
    ID_BYTES = 37
};

struct work_source {
    char id[24]; /* new sources only */
    char document[ID_BYTES], course[ID_BYTES], owner[ID_BYTES];
    char title[64], preview[256];
    int slide;
    uint64_t number;
};
struct work {
    struct message_save op;
    struct reference refs[SOURCES];
    struct work_source sources[SOURCES];
    struct who who;
    char user[16], session[ID_BYTES], course[ID_BYTES], content[1024];
};
uint64_t random_next(uint64_t *state);
void uuid_text(uint64_t a, uint64_t b, char out[ID_BYTES]);
/* The message `seq` of session number `session`.  Of its sources
 * `new_percent` in a hundred were never seen before. */
void work_make(struct work *w, uint64_t session, uint32_t seq,
               unsigned new_percent);
/* Source `number` of a course. */
void work_source(struct work_source *s, unsigned course, uint64_t number);
/* User and id of a session. */
void work_session(struct work *w, uint64_t session);
/* Fills in courses that everybody may read, with their documents. */
struct lane;
void work_setup(struct lane *l);

/* The order in which messages of `sessions` sessions are written: `active` of
 * them at a time take turns at random; 1: one session after the other. */
enum { ACTIVE_MAX = 64 };
struct order {
    uint64_t rng, next, end;
    size_t active_max, active_n;
    struct turn {
        uint64_t session;
        uint32_t seq;
    } active[ACTIVE_MAX];
};
struct order order_of(uint64_t sessions, size_t active);
bool order_next(struct order *o, struct turn *out);

/* ---- lane.c: the store's operations on a connection of one's own --------- */

struct lane {
    struct store store; /* what operations need of one; no writer, no readers */
    struct db *db;
};
void lane_open(struct lane *l, const char *url);
void lane_close(struct lane *l);
/* The state that an operation needs, without a connection. */
void lane_state_open(struct store *st);
void lane_state_close(struct store *st);
/* One operation within an open transaction; the second function takes one that
 * lane_prepare() has prepared, as the writer's thread does. */
enum footnote_rc lane_run(struct store *st, struct db *db, struct who who,
                          const struct store_op *kind, void *op,
                          struct footnote_err *err);
enum footnote_rc lane_run_prepared(struct store *st, struct db *db,
                                   struct who who, const struct store_op *kind,
                                   void *op, struct footnote_err *err);
/* The part that needs no database; `a` holds what it makes. */
enum footnote_rc lane_prepare(struct store *st, struct arena *a,
                              const struct store_op *kind, void *op,
                              struct footnote_err *err);
/* One operation in a transaction of its own, again after a conflict. */
void lane_write(struct lane *l, struct who who, const struct store_op *kind,
                void *op);
/* Writes all messages of the order, many in a transaction. */
void lane_fill(struct lane *l, struct order o);

/* ---- disk.c: what a flush costs ------------------------------------------ */

double disk_flush_ms(const struct bench *b); /* a page and fdatasync: median */
/* Connections that are opened after this wait until each sync of SQLite's has
 * taken that long; 0: they do not wait. */
void disk_slow(double ms);

/* ---- The measurements --------------------------------------------------- */

void saves_measure(const struct bench *b);
void history_measure(const struct bench *b);
void bytes_measure(const struct bench *b);

/* peers.c: tables of other designs, filled with the same references. */
struct peer_bytes {
    double refs, sources; /* of the table and its indexes, per reference */
};
void peers_measure(const struct place *p, struct order o, uint64_t refs,
                   struct peer_bytes out[2]);

/* sql.c: plain SQL on a database, outside of the store. */
struct sql;
struct sql *sql_open(const struct place *p);
void sql_close(struct sql *s);
void sql_do(struct sql *s, const char *text);
double sql_number(struct sql *s, const char *text);
/* Many rows: columns are texts, NULL for none, in insertion order. */
void sql_copy_begin(struct sql *s, const char *table, const char *columns,
                    size_t columns_n);
void sql_copy_row(struct sql *s, const char *const *values);
void sql_copy_end(struct sql *s);
/* Bytes of a table with its indexes. */
double sql_bytes(struct sql *s, const char *table);
/* A column's share of a table without its indexes: its share of the bytes of
 * all rows, in pages. */
double sql_column_bytes(struct sql *s, const char *table, const char *column);

#endif
