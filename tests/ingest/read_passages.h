/* read_passages.h - reads a file or a text, and keeps what came out. */
#ifndef READ_PASSAGES_H
#define READ_PASSAGES_H
#include "ingest/format/extract.h"
#include "store/document/document.h"
#include "test.h"

enum { READ_PASSAGES_MAX = 4096, SCRATCH = 64 * 1024 * 1024 };

struct read {
    struct arena a;
    struct passage passages[READ_PASSAGES_MAX]; /* copies, in `a` */
    size_t n;
    struct extract_facts facts;
    struct footnote_err err;
    int64_t done, total; /* the last progress */
};

/* p itself; a test that gets no memory fails. */
void *read_need(void *p) __attribute__((returns_nonnull));

/* The bytes of tests/ingest/files/NAME, in `a`; a missing one fails. */
struct str read_bytes(struct arena *a, const char *name);

/* `unit` n times behind `start`, in `a`. */
struct str read_repeated(struct arena *a, const char *start, const char *unit,
                         size_t n);

/* A file by its name, detected as an upload is; must succeed.  Every passage is
 * checked: positions without gaps, valid text, sizes that can be stored. */
struct read *read_file(const char *name);
/* Bytes that must be readable. */
struct read *read_as_bytes(enum extract_format f, struct str bytes);
/* Cut at fifty places they must be refused with a sentence. */
void read_refused_when_cut(enum extract_format f, struct str bytes);
/* A text that must be readable. */
struct read *read_as_text(enum extract_format f, const char *text);
/* What must be refused with `rc` and a sentence that has `word` in it. */
void read_refused(enum extract_format f, struct str bytes, enum footnote_rc rc,
                  const char *word);

/* Passage i, from 0; one that is not there fails. */
const struct passage *read_passage(const struct read *r, size_t i);
/* Whether any passage has `word` in its text. */
bool read_has(const struct read *r, const char *word);
void read_free(struct read *r);

#endif
