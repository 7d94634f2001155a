/* sse_in.h - server-sent events, read as they arrive.  One thread; no I/O.
 *
 * As the standard has it: CR, LF and CRLF, comments, several data lines, a
 * byte order mark, any splitting of the bytes.  Model servers need two rules
 * more: a line "error: ..." is an event named "error", and an event at the end
 * of the stream needs no blank line.
 *
 *     while (in.n) {
 *         TRY(sse_next(&s, &in, &got, &event, err));
 *         if (got) ...
 *     }
 */
#ifndef MODEL_SSE_IN_H
#define MODEL_SSE_IN_H
#include "base/buf.h"

enum { SSE_LINE_BYTES_MAX = 1024 * 1024, SSE_EVENT_BYTES_MAX = 1024 * 1024 };

struct sse {
    struct buf line;  /* so far */
    struct buf data;  /* of the event so far */
    size_t line_seen; /* bytes of the line, kept or not */
    bool began;       /* the first line, with a byte order mark, is over */
    bool after_cr;    /* an LF now belongs to the line before */
    bool has_data;
    bool is_error; /* the event's name is "error" */
    bool emitted;  /* data is an event that was handed out */
};

struct sse_event {
    struct str data; /* UTF-8; invalid bytes are U+FFFD */
    bool is_error;   /* named "error" */
};

#define SSE_INIT                                                               \
    ((struct sse){.line = BUF(SSE_LINE_BYTES_MAX),                             \
                  .data = BUF(SSE_EVENT_BYTES_MAX)})

/* Takes bytes off *in, up to the end of the first event or of the bytes.
 * *event is borrowed until the next call.  TOOBIG: a line or an event over its
 * limit; nothing more can be read then. */
enum footnote_rc sse_next(struct sse *s, struct str *in, bool *got,
                          struct sse_event *event, struct footnote_err *err);
/* There are no more bytes: gives the unfinished event, if there is one. */
enum footnote_rc sse_end(struct sse *s, bool *got, struct sse_event *event,
                         struct footnote_err *err);
void sse_free_unused(struct sse *s); /* memory that holds nothing */
void sse_free(struct sse *s);        /* fit for AUTO */

#endif
