/* document_file.h - what the calls that give a document's bytes share.  In a
 * worker's thread; each may answer, and returns false then. */
#ifndef HTTP_API_DOCUMENT_FILE_H
#define HTTP_API_DOCUMENT_FILE_H
#include "http/api/calls.h"
#include "object/object.h"

struct document;

/* The document of the path, in the version of ?version=. */
bool document_wanted(struct request *r, struct document *out);
/* Its file.  *fd is yours to close(). */
bool document_open(struct request *r, const struct document *d, int *fd);
/* Any object that a row names. */
bool object_wanted(struct request *r, struct str key, int64_t bytes,
                   const struct sha256 *digest, int *fd);
/* An object that a row names, as an answer: parts of it may be asked for, and
 * only what goes out is fetched. */
struct object_out {
    struct str key;
    int64_t bytes;
    const struct sha256 *digest;
    struct str type, filename; /* filename: may be absent */
    bool attachment;
};
void reply_object(struct request *r, const struct object_out *o);
/* What people brought never runs here, whatever it is taken for. */
void reply_sandboxed(struct request *r);
/* 404: it is there, but has none of what was asked for. */
void document_lacks(struct request *r, const char *what);
/* A quoted tag for bytes with that digest, or for what is made of them. */
struct str document_tag(struct request *r, const struct sha256 *digest,
                        const char *more);

#endif
