/* frames.h - what a reader in the jail says, a line of JSON each.  One thread.
 *
 *     {"passage":{"page":1,"heading":"Heat","text":"It flows.","locator":null,
 *      "extra":null}}
 *     {"progress":[1024,4096]}
 *     {"facts":{"title":"Heat","pages":1,...}}    the last line; or
 *     {"refused":["damaged","the file is damaged"]}     a reason of reason.h
 *
 * The child writes them, the server reads them.  The file may have made the
 * child run someone else's code, so the server takes nothing on trust: each
 * line has a limit, each text is compared with what may be stored, positions
 * are counted here, and nothing may follow the last line.  What such a child
 * can do is to make up the passages of its own file. */
#ifndef INGEST_JAILED_FRAMES_H
#define INGEST_JAILED_FRAMES_H
#include "base/buf.h"
#include "ingest/format/extract.h"

enum {
    FRAME_BYTES_MAX = 512 * 1024,            /* a passage, escaped */
    FRAME_EXTRA_BYTES_MAX = 1024,            /* of a passage */
    FRAME_ARENA_BYTES_MAX = 64 * 1024 * 1024 /* any line, as a tree */
};

/* ---- The child's side ---------------------------------------------------- */

/* Passages have no seconds and no boxes: readers of other formats give those.
 */
void frames_passage(struct buf *b, const struct passage *p);
void frames_progress(struct buf *b, int64_t done, int64_t total);
void frames_facts(struct buf *b, const struct extract_facts *f);
/* Its code is INVALID or TOOBIG. */
void frames_refusal(struct buf *b, const struct footnote_err *why);

/* ---- The server's side --------------------------------------------------- */

struct frames {
    const struct passage_sink *sink;
    struct arena *a; /* for texts of the facts */
    struct extract_facts *facts;
    int64_t done, total; /* the last progress */
    /* Private. */
    struct buf line;
    struct arena tree;
    int64_t position;
    bool ended;
    enum footnote_rc refused; /* OK: it was not */
    struct footnote_err why;
};

/* All three are borrowed until the end.  *facts is complete when frames_end()
 * says OK. */
void frames_init(struct frames *f, const struct passage_sink *sink,
                 struct arena *a, struct extract_facts *facts);
void frames_free(struct frames *f); /* fit for AUTO */

/* The next bytes; passages and progress go to the sink.  INVALID: no reader
 * says that.  Other codes are the sink's, or NOMEM. */
enum footnote_rc frames_add(struct frames *f, struct str bytes,
                            struct footnote_err *err);
/* After the last byte: OK, what the file was refused with, or INVALID when the
 * last line is missing. */
enum footnote_rc frames_end(const struct frames *f, struct footnote_err *err);

#endif
