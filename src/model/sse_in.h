/* sse_in.h - server-sent events, read as they arrive.  One thread; no I/O.
 *
 * As the standard has it: CR, LF and CRLF, comments, several data lines, a
 * byte order mark, any splitting of the bytes.  Two things more, because model
 * servers do them: a line "error: ..." is an event named "error", and what
 * stands at the end of the stream without its blank line is an event too.
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
    bool began;       /* behind the place of a byte order mark */
    bool after_cr;    /* an LF now belongs to the line before */
    bool has_data;
    bool is_error; /* the event's name is "error" */
    bool given;    /* data is an event that was handed out */
};

struct sse_event {
    struct str data; /* valid UTF-8: what was none is U+FFFD */
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
/* There are no more bytes: the event that was not closed, if there is one. */
enum footnote_rc sse_end(struct sse *s, bool *got, struct sse_event *event,
                         struct footnote_err *err);
void sse_rest(struct sse *s); /* keeps no memory for what is not there */
void sse_free(struct sse *s); /* fit for AUTO */

#endif
