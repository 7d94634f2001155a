/* importing.h - runs an import in the test's process, and compares what came of
 * it with what was there. */
#ifndef IMPORTING_H
#define IMPORTING_H
#include "contract.h"
#include "import/import.h"
#include "store/read/history.h"

struct importing {
    struct import_options o;
    struct import_counts counts;
    char *notes; /* "left out: WHERE: TEXT\n", "changed: ..." */
    size_t notes_n;
    FILE *log;
    char *digests; /* "SESSION DIGEST\n", in the order of the source */
    size_t digests_n;
    FILE *digest_log;
    int told;  /* a byte is written there for each session; -1: nowhere */
    int stops; /* after so many of them it waits to be killed; 0: never */
};

/* Opens the store at `url`; nothing else is set.  Free with importing_end(). */
struct importing importing_begin(const char *url, const char *kind,
                                 const char *source);
enum footnote_rc importing_run(struct importing *im, struct footnote_err *err);
void importing_end(struct importing *im);

/* Whether a note has both texts in one line. */
bool importing_noted(const struct importing *im, const char *where,
                     const char *text);
/* How many lines have the text. */
size_t importing_notes(const struct importing *im, const char *text);

/* Imports in a child that is killed while it is at session `n`; what it left is
 * in the store. */
void importing_kill(const struct importing *im, const char *url, int n);

/* What is the same for every kind: all of it comes, run again nothing changes,
 * and killed in the middle and run again it is the same. */
struct proof {
    struct import_options o; /* kind, source, texts, users */
    int64_t sessions;        /* that are placed */
    int killed_at;
    void (*counts)(const struct importing *im);
    void (*check)(struct store *st);
};
void prove_whole(const struct proof *p, const char *url);
void prove_killed(const struct proof *p, const char *url);
/* Without room, at several moments, on SQLite: then with room it is the same.
 */
void prove_full(const struct proof *p);
/* A file in test_dir(), beside whatever database is imported from. */
const char *sqlite_url(void);
/* What `make` says into a file in test_dir(); its path is static. */
const char *made_file(const char *name, void (*make)(FILE *f));

/* ---- The same as it was? ------------------------------------------------- */

/* One citation, as its source has it. */
struct citation {
    struct str user, session, message;
    int64_t number;
    struct source source;
};
struct comparing {
    struct store *store;
    struct arena a;
    char user[256], session[256];
    struct str at;          /* through this message; absent: as shown */
    struct history history; /* of that session */
};
void comparing_free(struct comparing *c); /* fit for AUTO */
/* The session's messages. */
const struct history *comparing_session(struct comparing *c, struct str user,
                                        struct str session);
/* Fails the test unless the message has exactly that under its number. */
void comparing_check(struct comparing *c, const struct citation *want);

/* Every row of the query on the test's database: columns user, session,
 * message, number, sourceType and the names of fields in snake_case.  Returns
 * how many there were. */
int comparing_query(struct comparing *c, const char *sql);

/* The first column of the first row there; static. */
struct str query_text(const char *sql);

/* The table's rows as a file of lines in test_dir(). */
void dump_table(const char *table, const char *name);

/* The id of a passage that has none: docs/moving.md.  Static; page 0: none. */
struct str passage_id(struct str document, struct str url, struct str title,
                      int page, struct str text);
/* Statements on a file of SQLite in test_dir(), as its own program would. */
void lite_sql(const char *name, const char *sql);
/* Names and bytes of all files in test_dir()/name: the same, if untouched. */
struct sha256 folder_digest(const char *name);

/* A file in test_dir() with that text; its path is static. */
const char *text_file(const char *name, const char *text);

#endif
