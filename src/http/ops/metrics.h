/* metrics.h - counters for Prometheus, and a line of the log per request.  Any
 * thread.
 *
 * Labels are patterns of routes, names of methods and status codes: their
 * number does not depend on what clients send. */
#ifndef HTTP_OPS_METRICS_H
#define HTTP_OPS_METRICS_H
#include "http/core/http.h"

struct metrics;

enum footnote_rc metrics_open(struct metrics **out, struct footnote_err *err);
void metrics_close(struct metrics *m); /* NULL is fine */

/* A request is answered: counts it, and logs it unless it streams. */
void metrics_answered(struct metrics *m, const struct request *r, int64_t ms);
/* The line of the log for a stream, which is written when it ends. */
struct streamed;
void metrics_streamed(const struct request *r, const struct streamed *s);
/* Requests and their times, in Prometheus's text format. */
void metrics_write(const struct metrics *m, struct buf *b);

struct chat;
/* Turns, their citations, and how long readers wait for the first word. */
/* Processor, memory, files of the process. */
void metrics_write_process(struct buf *b);
void metrics_write_chat(const struct chat *c, struct buf *b);

struct retriever;
/* Indexes, and the servers that searches ask for help. */
void metrics_write_search(struct retriever *r, struct buf *b);

/* One number with its two lines of comment; `kind` is counter or gauge. */
void metrics_add(struct buf *b, const char *name, const char *kind,
                 const char *help, uint64_t value);

/* The two lines of comment alone, for numbers with labels. */
void metrics_comment(struct buf *b, const char *name, const char *kind,
                     const char *help);

#endif
