/* files.h - shared by the calls that send a document's bytes.  In a worker's
 * thread; each may answer, and returns false then. */
#ifndef HTTP_API_FILES_H
#define HTTP_API_FILES_H
#include "http/api/calls.h"
#include "object/object.h"

struct document;

/* The document of the path, in the version of ?version=. */
bool document_of_path(struct request *r, struct document *out);
/* Its file, compared with its digest.  *fd is yours to close(). */
bool document_open_file(struct request *r, const struct document *d, int *fd);
/* Whether its pages can be looked at. */
bool document_has_pages(const struct document *d);
/* An object that a row names, as an answer: a client may ask for a part, and
 * only that is fetched. */
struct object_out {
    struct str key;
    int64_t bytes;
    const struct sha256 *digest;
    struct str type, filename; /* filename: may be absent */
    bool attachment;
};
void reply_object(struct request *r, const struct object_out *o);
/* Page n of a PDF as a PNG, appended to *png (PAGE_PICTURE_BYTES_MAX); `scale`
 * as page_picture() has it.  A page that failed a while ago is not painted
 * again.  pages.c. */
bool page_paint(struct request *r, const struct document *d, int64_t n,
                int scale, struct buf *png);
/* Whether there is a transcript; what was said when, in r->arena.  INVALID,
 * TOOBIG: it cannot be read. */
bool document_has_cues(struct request *r, const struct document *d);
struct cue;
enum footnote_rc document_cues(struct request *r, const struct document *d,
                               struct cue **cues, size_t *n,
                               struct footnote_err *err);
/* Headers that keep an uploaded file from running in a browser. */
void reply_sandboxed(struct request *r);
/* 404: the document is there, but not the part that was asked for. */
void reply_lacks(struct request *r, const char *what);
/* A quoted tag for bytes with that digest, or for something made of them. */
struct str file_etag(struct request *r, const struct sha256 *digest,
                     const char *more);

#endif
