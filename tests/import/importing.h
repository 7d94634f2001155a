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
    int told; /* a byte is written there for each session; -1: nowhere */
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

/* A file in test_dir() with that text; its path is static. */
const char *text_file(const char *name, const char *text);

#endif
