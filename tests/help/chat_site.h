/* chat_site.h - a site with a course about cats, and a scripted model to ask.
 *
 *     CHAT_SITE(r);
 *     chat_site_script(&r, "plain", "text They do [1].\nfinish stop\ndone\n");
 *     body = chat_site_ask(&r, "s1", "q1", "Do cats sleep? script:plain");
 *
 * The course `cats` has the document `book` with three passages, all of which
 * a question about cats finds. */
#ifndef CHAT_SITE_H
#define CHAT_SITE_H
#include "talk.h"
#include "upstream/upstream.h"

struct chat_site {
    struct site site;
    struct upstream *up;
    bool relaxed; /* set before it is opened */
};
void chat_site_open(struct chat_site *r);
void chat_site_close(struct chat_site *r);
#define CHAT_SITE(name)                                                        \
    AUTO(chat_site_close) struct chat_site name = {.up = NULL};                \
    chat_site_open(&name)

/* One more document of the course, read in; or a web page with one passage. */
struct document;
struct passage;
void chat_site_add(struct chat_site *r, const struct document *d,
                   const struct passage *p, size_t n);
void chat_site_page(struct chat_site *r, const char *id, const char *url,
                    const char *text);
void chat_site_script(struct chat_site *r, const char *name, const char *text);

/* Waits until our side has broken off n answers of the model. */
void chat_site_await_left(struct chat_site *r, size_t n);

/* The body of POST /api/chat with one message of the user's; in the arena. */
struct str chat_site_body(struct chat_site *r, const char *session,
                          const char *question, const char *text,
                          const char *more);
/* Asks and reads the stream to its end. */
struct str chat_site_ask(struct chat_site *r, const char *session,
                         const char *question, const char *text);
/* The same with more members in the body, as ,'trigger':'...' */
struct str chat_site_ask_with(struct chat_site *r, const char *session,
                              const char *question, const char *text,
                              const char *more);

/* What a client folds from a stream: types of the chunks as "start text-start
 * ...", and the whole text. */
const char *stream_types(struct chat_site *r, struct str stream);
const char *stream_text(struct chat_site *r, struct str stream);
/* The next text delta of the rest of a stream, unescaped; absent at its end. */
struct str stream_delta(struct chat_site *r, struct str *rest);
/* The id in `start`. */
const char *stream_answer_id(struct chat_site *r, struct str stream);
/* The parts that a client folds, as JSON with ' for ". */
const char *stream_parts(struct chat_site *r, struct str stream);

/* Watches a turn on a connection of its own, and reads when told to. */
struct viewer {
    struct client client;
    struct buf seen; /* the body so far, without chunks */
};
void viewer_ask(struct viewer *v, struct chat_site *r, struct str body);
void viewer_watch(struct viewer *v, struct chat_site *r, const char *session);
/* Reads until the body has the text. */
void viewer_await(struct viewer *v, const char *text);
/* Reads to the end; false when the connection broke off. */
bool viewer_end(struct viewer *v);
void viewer_close(struct viewer *v);

#endif
