/* shape.h - things of the store as JSON.  Any thread.
 *
 * Everything is written straight into one buffer, and its failure is checked
 * once at the end: a history is the hot path.  A field without a value is null,
 * except in parts of a UI message, where it is left out. */
#ifndef HTTP_SHAPE_SHAPE_H
#define HTTP_SHAPE_SHAPE_H
#include "store/session/message.h"

struct citation;
struct course;
struct course_stats;
struct document;
struct document_impact;
struct event;
struct history;
struct member;
struct session;

/* The forms a session's messages are asked for in: ?as= */
enum shape_as { SHAPE_PLAIN, SHAPE_UI, SHAPE_ROWS, SHAPE_STATE };

enum source_style {
    SOURCE_CAMEL, /* the API's own */
    SOURCE_SNAKE, /* as=rows */
    SOURCE_DATA,  /* data-rag-source: snake_case, no nulls, nothing that is
                     known only when the answer has ended */
    SOURCE_KEPT   /* an export: no nulls, nothing that became of it here */
};
void shape_source(struct buf *b, const struct reference *r,
                  enum source_style style);
/* [source, ...] */
void shape_sources(struct buf *b, const struct reference *r, size_t n,
                   enum source_style style);

void shape_message(struct buf *b, const struct message *m);
/* An answer as the AI SDK holds it; a message of any role. */
void shape_ui_message(struct buf *b, const struct message *m);
/* Its parts, which are also those of the stream: a source for our own clients,
 * the same for any other, what is known at the end, and the metadata. */
void shape_ui_source(struct buf *b, const struct reference *r);
void shape_ui_link(struct buf *b, const struct reference *r);
/* verdict.c: the records of a message, as an array. */
void shape_verdicts(struct buf *b, const struct message *m);
/* feedback.c: `,"feedback":[…]` of a message that has some. */
struct feedback;
void shape_feedback(struct buf *b, const struct message *m);
void shape_feedback_list(struct buf *b, const struct feedback *list, size_t n);
void shape_ui_citations(struct buf *b, const struct message *m);
/* The members of its object, without its braces. */
void shape_ui_metadata_fields(struct buf *b, const struct message *m);
/* The picture of a message that has one, but for the closing brace. */
/* A message whose sources came first is not listed until its text comes. */
bool shape_is_listed(const struct message *m);
void shape_image(struct buf *b, const struct message *m, bool snake);
void shape_event(struct buf *b, const struct event *e);
void shape_course(struct buf *b, const struct course *c);
void shape_member(struct buf *b, const struct member *m);
/* document.c */
void shape_document(struct buf *b, const struct document *d);
/* The members of its object, without its braces. */
void shape_document_fields(struct buf *b, const struct document *d);
void shape_citation(struct buf *b, const struct citation *c);
void shape_impact(struct buf *b, const struct document_impact *i);
void shape_stats(struct buf *b, const struct course_stats *s);

/* The members of a session's object, without its braces. */
void shape_session_fields(struct buf *b, const struct session *s);
void shape_session(struct buf *b, const struct session *s);
/* The session with `history`. */
void shape_detail(struct buf *b, const struct history *h);
/* The answer of GET .../messages; `next` is the cursor, absent: null.  `links`
 * are for as=state, one for each message; NULL: none. */
struct picture_link {
    struct str url; /* absent: there is none, or the asker may not see it */
    int64_t expires_ms;
};
void shape_history(struct buf *b, const struct history *h, enum shape_as as,
                   const struct picture_link *links, struct str next);

/* Small parts, for handlers that write lists of their own. */
void shape_str(struct buf *b, struct str s);      /* absent: null */
void shape_path(struct buf *b, struct str id);    /* percent-encoded */
void shape_time(struct buf *b, int64_t wall_ms);  /* quoted */
void shape_flag(struct buf *b, bool has, bool v); /* true, false or null */
void shape_i64(struct buf *b, bool has, int64_t v);
void shape_numbers(struct buf *b, const uint32_t *list, size_t n);
void shape_strings(struct buf *b, const struct str *s, size_t n);
void shape_support(struct buf *b, int thousandths);
/* {"chunk_number":...,"spans":...}: where an answer cites it. */
void shape_cited(struct buf *b, const struct reference *r);
/* ,"unavailable":[...] : what is configured and did not help a search; nothing
 * when all did. */
void shape_unavailable(struct buf *b, bool words_alone, bool not_reranked);
/* ,"nextCursor":...} : the end of every list. */
void shape_next(struct buf *b, struct str next);

#endif
