/* chat_site.h - a site with a course about cats, and a scripted model to ask.
 *
 *     ROOM(r);
 *     room_script(&r, "plain", "text Cats sleep [1].\nfinish stop\ndone\n");
 *     body = room_ask(&r, "s1", "q1", "How long do cats sleep? script:plain");
 *
 * The course `cats` has the document `book` with three passages, all of which
 * a question about cats finds. */
#ifndef CHAT_SITE_H
#define CHAT_SITE_H
#include "talk.h"
#include "upstream/upstream.h"

struct room {
    struct site site;
    struct upstream *up;
    bool relaxed; /* set before it is opened */
};
void room_open(struct room *r);
void room_close(struct room *r);
#define ROOM(name)                                                             \
    AUTO(room_close) struct room name = {.up = NULL};                          \
    room_open(&name)

/* One more document of the course: a web page with one passage. */
void room_page(struct room *r, const char *id, const char *url,
               const char *text);
void room_script(struct room *r, const char *name, const char *text);

/* Waits until so many answers of the model were left by us in the middle. */
void room_await_left(struct room *r, size_t n);

/* The body of POST /api/chat with one message of the user's; in the arena. */
struct str room_body(struct room *r, const char *session, const char *question,
                     const char *text, const char *more);
/* Asks and reads the stream to its end. */
struct str room_ask(struct room *r, const char *session, const char *question,
                    const char *text);
/* The same with more members in the body, as ,'trigger':'...' */
struct str room_ask_with(struct room *r, const char *session,
                         const char *question, const char *text,
                         const char *more);

/* What a client folds from a stream: types of the chunks as "start text-start
 * ...", and the whole text. */
const char *room_types(struct room *r, struct str stream);
const char *room_text(struct room *r, struct str stream);
/* The next text delta of the rest of a stream, unescaped; absent at its end. */
struct str room_delta(struct room *r, struct str *rest);
/* The id in `start`. */
const char *room_answer(struct room *r, struct str stream);
/* The parts that a client folds, as JSON with ' for ". */
const char *room_parts(struct room *r, struct str stream);

/* A viewer of its own connection, which reads as the test says. */
struct viewer {
    struct client client;
    struct buf seen; /* the body so far, without chunks */
};
void viewer_ask(struct viewer *v, struct room *r, struct str body);
void viewer_watch(struct viewer *v, struct room *r, const char *session);
/* Reads until the body has the text. */
void viewer_await(struct viewer *v, const char *text);
/* Reads to the end; false when the connection broke off. */
bool viewer_end(struct viewer *v);
void viewer_close(struct viewer *v);

#endif
