/* poppler.h - runs poppler's programs on a PDF, in the jail.
 *
 * A failure becomes a sentence for the person who uploaded the file.
 * Any thread; it waits for the program. */
#ifndef INGEST_PDF_POPPLER_H
#define INGEST_PDF_POPPLER_H
#include "ingest/jail/jail.h"

enum {
    POPPLER_MEMORY_MB = 400, /* and the size of the file */
    POPPLER_CPU_S = 8,
    POPPLER_WALL_MS = 30 * 1000,
    POPPLER_OUTPUT_BYTES = 32 * 1024 * 1024,
    POPPLER_NUMBER = 24, /* room for a number as an argument */
};

/* The programs that are needed, ends with NULL. */
extern const char *const poppler_programs[];
/* The first of them that is nowhere; NULL: all are there. */
const char *poppler_missing(void);

/* Runs a command whose argv[0] is one of them and that reads the PDF from
 * stdin.  `file` is the open PDF, at any offset, used by no one else meanwhile.
 * Output comes in order.  INVALID: the file is no readable PDF; NOTFOUND: it
 * has no such page; TOOBIG: it took more than it may. */
enum footnote_rc poppler_run(const char *const *words, int file,
                             jail_output *output, void *arg,
                             struct footnote_err *err);

/* NOTFOUND for a page before the first, which poppler takes as the first. */
enum footnote_rc poppler_page(int64_t n, struct footnote_err *err);

/* A number as an argument. */
const char *poppler_number(int64_t n, char out[POPPLER_NUMBER]);

/* Appends to a struct buf. */
jail_output poppler_collect;

#endif
