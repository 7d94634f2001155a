/* ingest_setup.h - a store, a place for objects and workers, for tests of
 * reading documents in.  A test is a process, so there is one of each. */
#ifndef INGEST_SETUP_H
#define INGEST_SETUP_H
#include "contract.h"
#include "ingest/work/ingest.h"
#include "object/tidy.h"
#include "store/document/document.h"

extern struct store *st;
extern struct objects *objects;
extern struct ingest *ingest; /* NULL: not at work */
extern struct arena out;
extern struct footnote_err err;

#define ANN ((struct who){{"default", 7}, {"ann", 3}})

/* A case with such a store on each engine; workers are started by it. */
#define INGEST_CASE(id)                                                        \
    static void ingest_case_##id(void);                                        \
    CONTRACT(id)                                                               \
    {                                                                          \
        setup_open();                                                          \
        ingest_case_##id();                                                    \
        setup_close();                                                         \
    }                                                                          \
    static void ingest_case_##id(void)

void setup_open(void); /* at test_url() and in test_dir(); a course "c" */
void setup_close(void);
/* Opens the objects again, for the id that the store has now. */
void setup_open_objects(void);
void setup_start_workers(int workers); /* starts the workers */
void setup_stop_workers(void);         /* stops them */

/* Bytes as a queued document.  Of a journal entry `date` is there. */
struct document_put setup_put_document(const char *id, struct str bytes,
                                       const char *filename);
/* Waits until it is ready or failed. */
struct document setup_await_document(const char *id);
struct document setup_read_document(const char *id);
/* Every field of every passage of the searched version. */
struct sha256 setup_passages_digest(const char *id, size_t *n);
/* The path of an object's file; static. */
const char *setup_object_path(struct str key);
/* A long text, the same every time; in `out`. */
struct str setup_long_text(int paragraphs);
/* A file of tests/ingest/files; in `out`. */
struct str setup_load_file(const char *name);

#endif
