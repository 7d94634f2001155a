/* parse.h - bytes to requests.  One thread.
 *
 *     head.c    refuses what two readers of the same bytes may disagree about
 *     parse.c   reads a head; the only door to libhttp-parser
 *     body.c    takes a body out of its framing
 *
 * The library is lenient, so head_check() goes before it and refuses a bare
 * LF, a folded line, a space before a colon, anything but digits in
 * Content-Length, two of them, or one beside Transfer-Encoding.  As Debian
 * builds it, it also does not look at the line ends of chunks, so bodies are
 * not its business. */
#ifndef HTTP_CORE_PARSE_H
#define HTTP_CORE_PARSE_H
#include "http/core/http.h"

/* Where in a body we are.  body.c's own. */
struct parser {
    uint64_t left;        /* bytes of the body, or of its chunk, to come */
    uint32_t line_bytes;  /* of a chunk's first line, so far */
    uint32_t trail_bytes; /* of the trailers, so far */
    int step;
};

/* What a head says about what follows it. */
struct head {
    bool keep_alive, has_body, chunked, expects_continue;
    uint64_t length; /* when has_body and not chunked */
};

/* Length of the head with its empty line, 0 when it is not all there. */
size_t head_length(struct str bytes);
/* 0 when the head is sound, else the status to refuse it with. */
int head_check(struct str head);
/* The same for the beginning of a head, of which more is to come: what no
 * further byte can mend is refused before it is waited for. */
int head_check_start(struct str bytes);
/* A character of a name: RFC 9110's tchar. */
bool head_is_token(unsigned char c);

/* Reads a sound head into method, path, query and headers (in r->arena), and
 * makes *p ready for its body.  0, or a status. */
int parse_head(struct parser *p, struct request *r, struct str head,
               struct head *out);

/* Feeds body bytes; what belongs to it is appended to `body`.  *used is how
 * many were eaten; *done when the message is complete.  0, or a status: 413
 * as soon as it is clear that body->max will not do. */
int parse_body(struct parser *p, struct str bytes, struct buf *body,
               size_t *used, bool *done);
void parse_body_start(struct parser *p, const struct head *h); /* for parse.c */

#endif
