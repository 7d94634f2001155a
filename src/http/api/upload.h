/* upload.h - a document on its way in: from a body to objects and a row.
 *
 *     check  -> receive -> finish     -> put     -> answer
 *     worker    sink       worker        writer     worker
 *
 * Files go to objects as they come.  Until a row names them they belong to the
 * request: upload_clean_up() always runs, in a worker, and deletes the objects
 * that no row names. */
#ifndef HTTP_API_UPLOAD_H
#define HTTP_API_UPLOAD_H
#include "http/api/calls.h"
#include "http/core/multipart.h"
#include "ingest/format/extract.h"
#include "object/object.h"
#include "store/document/document.h"

struct upload_file {
    struct str filename; /* absent: none came */
    struct object_put *put;
    struct object object; /* when `whole` */
    bool whole;
    char head[EXTRACT_HEAD_BYTES]; /* its first bytes */
    size_t head_n;
};

/* What a client sends beside the bytes; each may be absent. */
struct upload_fields {
    struct str id, title, kind, date, media, url, text;
};

/* What an upload has of its user's share, until its row is there. */
struct upload_share {
    struct share_holder *holder;
    int64_t room;     /* that the user has, with what is under way */
    int64_t reserved; /* of it, for this one */
    int64_t came;     /* bytes so far */
};

struct upload {
    struct keyed keyed; /* first: see calls.h */
    struct document_put op;
    bool replaces; /* PUT: a new version of `was` */
    bool sent;     /* the store was asked to take it */
    struct upload_share share;
    struct document was;
    struct upload_fields fields;
    struct upload_file file, media;
    /* While a form is read. */
    struct multipart *form;              /* NULL: the body is the file */
    struct upload_file *part;            /* the file that comes, */
    struct multipart_fields form_fields; /* or the other parts */
};

/* ---- upload.c: in a worker's thread, each may answer --------------------- */

/* By Content-Type: true for a body that goes to a sink, false for JSON, or when
 * it has answered. */
bool upload_prepare(struct request *r, struct upload *u);
/* A piece of the body; a sink_fn. */
void upload_write(struct request *r, struct str piece);
/* All of it is in.  The objects are durable, or it has answered. */
void upload_finish(struct request *r);
/* A text that came in JSON. */
void upload_text(struct request *r, struct upload *u, struct str filename,
                 struct str type);
void upload_clean_up(struct request *r);

/* ---- upload_share.c: before a body is read, in a worker's thread ----------
 */

/* Takes a share for the upload, and reserves its Content-Length.  False: it has
 * answered 413, 429 or 507. */
bool upload_share_take(struct request *r, struct upload_share *s);
/* A piece of a body whose length was not said; false as above. */
bool upload_share_grow(struct request *r, struct upload_share *s, size_t bytes);
/* Its row is there, or it has failed: any number of times, any thread. */
void upload_share_end(struct request *r, struct upload_share *s);

/* ---- upload_kind.c: its kind, its types, its labels --------------------- */

/* Fills op.document from file and fields; false when it has answered. */
bool upload_describe(struct request *r, struct upload *u);
/* YYYY-MM-DD of a day that exists. */
bool upload_is_date(struct str s);
/* http or https with a host, and without characters that hide it. */
bool upload_is_url(struct str s);

/* ---- upload_json.c ------------------------------------------------------ */

/* Reads {kind: ...} into u->fields; false when it has answered. */
bool upload_json(struct request *r, struct upload *u);

#endif
