/* pictures.h - links to page pictures, made when they are asked for.  In a
 * worker's thread. */
#ifndef HTTP_API_PICTURES_H
#define HTTP_API_PICTURES_H
#include "http/api/calls.h"
#include "http/shape/shape.h"

struct message;

enum { PICTURE_LINK_S = 5 * 60 };

/* One for each message, in the request's arena.  Answers, and returns NULL,
 * when it fails.  Sets no_store of the reply when there is a link. */
struct picture_link *picture_links(struct request *r,
                                   const struct message *messages, size_t n);

#endif
