/* chat.h - what the handlers of chat share: reading a question, and showing a
 * feed as bytes.  On the request's loop unless said otherwise. */
#ifndef HTTP_STREAM_CHAT_H
#define HTTP_STREAM_CHAT_H
#include "chat/chat.h"
#include "http/api/calls.h"

/* ---- A feed as bytes ---------------------------------------------------- */

/* How the bytes of one viewer are made, and how far. */
struct format_state {
    const struct stream_format *kind;
    const struct feed_head *head;
    bool text_open;
    bool usage;            /* OpenAI: the last chunk counts tokens */
    struct str model;      /* OpenAI: as it was asked for */
    struct str public_url; /* links begin with it */
};
struct stream_format {
    void (*open)(struct buf *b, struct format_state *s);
    void (*entry)(struct buf *b, struct format_state *s,
                  const struct feed_entry *e);
};
extern const struct stream_format ui_format, event_format, openai_format;

/* Answers with the feed as an event stream, from entry `after` on.  Takes the
 * feed.  *s is copied. */
void chat_view(struct request *r, struct feed *f, const struct format_state *s,
               size_t after);
/* Waits for the feed's end, then calls then(r), or says that there is no whole
 * answer.  Takes the feed, which is call->feed until then(r) has returned. */
void chat_collect(struct request *r, struct feed *f, request_fn *then);

/* ---- A question --------------------------------------------------------- */

struct chat_call { /* r->state of all of them */
    struct chat_ask ask;
    struct feed *feed;
    bool replayed;
    bool withheld; /* the asker may not see all of the feed any more */
    struct format_state format;
    bool stream; /* OpenAI: not one JSON */
    request_fn *started;
    struct view *view; /* of chat_collect() */
    request_fn *then;
};

/* Whether a text has no visible character. */
bool chat_is_blank(struct str s);
/* The text parts of a message, one below the other; in the arena.  A text that
 * is far too long comes back with the length SIZE_MAX alone. */
struct str chat_parts(struct request *r, const struct json *parts);
/* In a worker: reads the body of POST /api/chat; false: it is answered. */
bool chat_intake(struct request *r, struct chat_ask *ask);
/* {documentIds, kinds, ...}, or NULL: what the question is limited to; its
 * course has been read. */
bool chat_scope(struct request *r, const struct json *o, struct chat_ask *ask);
/* In a worker: whether course, document and model are there for the asker. */
bool chat_check(struct request *r, struct chat_ask *ask);
/* Asks, and calls `started` when there is a feed; else it is answered. */
void chat_start(struct request *r, request_fn *started);
/* The loop of the request; NULL: there is no chat, and it is answered. */
struct chat_loop *chat_loop_of(struct request *r);

request_fn api_chat, api_chat_stream, api_chat_stop; /* chat.c */
request_fn api_query;                                /* query.c */
request_fn api_completions, api_models, api_model;   /* completions.c */

#endif
