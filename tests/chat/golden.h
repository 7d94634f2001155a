/* golden.h - transcripts: what a model says, what is asked, what comes back.
 *
 * A file is parts that begin with a line "=== HEAD"; tests/golden/README.md
 * has the heads.  What a server answers differs from run to run in ids, times
 * and how text is cut into pieces; golden_add_*() write it without that. */
#ifndef GOLDEN_H
#define GOLDEN_H
#include "base/json.h"

enum { GOLDEN_NAMES_MAX = 64, GOLDEN_BYTES_MAX = 4 * 1024 * 1024 };

/* Names for the ids of one file, given in the order they are met. */
struct golden_names {
    char ids[GOLDEN_NAMES_MAX][40];
    char names[GOLDEN_NAMES_MAX][24];
    size_t n;
};

struct golden_part {
    struct str head, body; /* body: all lines up to the next head */
};

/* Takes the first part off `rest`; false at the end. */
bool golden_next(struct str *rest, struct golden_part *out);
/* The whole file; a missing one fails the test.  Lives in `a`. */
struct str golden_read(struct arena *a, const char *path);
void golden_write(const char *path, struct str text);

/* An event stream: text deltas that follow one another are joined. */
void golden_add_stream(struct buf *b, struct golden_names *n, struct str body);
/* JSON over several lines, each value as it came. */
void golden_add_json(struct buf *b, struct golden_names *n,
                     const struct json *v);
void golden_add_text(struct buf *b, struct golden_names *n, struct str text);

/* Fails the test unless both are the same, and shows the first line that is
 * not. */
void golden_compare(const char *path, struct str got, struct str want);

#endif
