/* store_help.h - builders and shorthands for the tests of the store.
 *
 * A test is a process, so what every case needs is global: the store, an
 * arena for results, the last error. */
#ifndef STORE_HELP_H
#define STORE_HELP_H
#include "contract.h"
#include "store/answer/answer.h"
#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/message.h"

extern struct store *st;
extern struct arena out; /* results of reads */
extern struct footnote_err err;

void help_open(void);  /* the store at test_url() */
void help_close(void); /* and looks at the way back, counters and seals */
/* Rows whose seal is wrong.  help_close() wants none, unless a test has damaged
 * some and said so. */
size_t help_scrub(void);
extern bool help_damaged;
void help_reopen(void);
/* Runs fn on the store in a process of its own, which dies behind it. */
void help_die(void (*fn)(void));

/* A contract case with the store open. */
#define STORED_LIMIT(id, seconds)                                              \
    static void stored_##id(void);                                             \
    CONTRACT_LIMIT(id, seconds)                                                \
    {                                                                          \
        help_open();                                                           \
        stored_##id();                                                         \
        help_close();                                                          \
    }                                                                          \
    static void stored_##id(void)
#define STORED(id) STORED_LIMIT(id, 0)

#define TENANT ((struct str){"default", 7})
#define ANN    ((struct who){TENANT, {"ann", 3}})
#define BEN    ((struct who){TENANT, {"ben", 3}})

/* Operations that must succeed; `op` is a struct of that name. */
#define WRITE(who, name, op)                                                   \
    CHECK_OK(store_write(st, (who), OP(name), (op), &err), &err)
#define READ(who, name, op)                                                    \
    CHECK_OK(store_read(st, (who), &out, OP(name), (op), &err), &err)
/* Operations that must fail with a code, and a sentence with those words. */
#define REFUSE(who, name, op, rc, words)                                       \
    help_refused(store_write(st, (who), OP(name), (op), &err), (rc), (words),  \
                 __FILE__, __LINE__)
#define REFUSE_READ(who, name, op, rc, words)                                  \
    help_refused(store_read(st, (who), &out, OP(name), (op), &err), (rc),      \
                 (words), __FILE__, __LINE__)
void help_refused(enum footnote_rc got, enum footnote_rc want,
                  const char *words, const char *file, int line);

/* ---- Builders ----------------------------------------------------------- */

struct reference slide(const char *document, int64_t n, const char *preview);
struct reference web(const char *url, const char *preview);
/* Every field is there. */
struct reference everything(const char *id);
/* A message as it is saved; sources are borrowed. */
struct message_save saved(const char *session, const char *id,
                          enum footnote_role role, const char *text);
struct message_save answered(const char *session, const char *id,
                             const char *text, const struct reference *refs,
                             size_t n);

/* Shorthands that must succeed. */
void say(struct who who, const char *session, const char *id,
         enum footnote_role role, const char *text);
void answer(struct who who, const char *session, const char *id,
            const char *text, const struct reference *refs, size_t n);
struct answer_begin begin(struct who who, const char *session, const char *q,
                          const char *a, enum answer_mode mode);
void append(struct who who, struct answer *a, const char *text);
void finish(struct who who, struct answer *a, enum footnote_status status);
void course_make(struct who who, const char *id);
void member(struct who who, const char *course, const char *user,
            enum member_role role);
/* A version of a document whose bytes are `bytes`, made ready. */
void document_make(struct who who, const char *course, const char *id,
                   const char *bytes);
struct history history_of(struct who who, const char *session);
/* A message by its id; fails when it is not there. */
struct message message_of(struct who who, const char *id);

/* ---- Checks ------------------------------------------------------------- */

/* The source came back with every field as it was saved. */
void check_source(const struct source *got, const struct source *want);
/* Content, lists, picture, confidence, and sources one by one. */
void check_message_is(const struct message *got, const struct message *want);
/* The digests recomputed from the published forms, not by the store's code. */
void check_digest(const struct message *m);

/* ---- The database from outside ------------------------------------------ */

/* The number that the statement yields, by a connection of our own. */
int64_t sql_i64(const char *sql);
void sql_text(const char *sql, char *buffer, size_t bytes);
void sql_do(const char *sql);
/* Changes whenever anything that was stored changes. */
int64_t rows_all(void);
/* source_reference has what message.refs has, no more and no less. */
void check_way_back(void);

/* ---- Time --------------------------------------------------------------- */

/* Both clocks stand `ms` ahead of the real ones from here on. */
void clock_ahead(int64_t ms);
/* Somebody sets the wall clock: it is `ms` ahead of the other. */
void clock_set_ahead(int64_t ms);
/* So much time goes by for all that others compare: leases, jobs, keys, names.
 * Our own clocks go on by two seconds, so that a sweep is due. */
void time_passes(int64_t ms);
/* The wall clock stands still at `ms`; the monotonic one goes on. */
void clock_stopped(int64_t ms);

/* Returns when the store has kept house: that is due a second after the last
 * time, by our clocks. */
void help_sweep(void);

/* Runs fn(i) in n threads at once. */
void in_threads(size_t n, void (*fn)(size_t i));

#endif
