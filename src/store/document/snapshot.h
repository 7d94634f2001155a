/* snapshot.h - pictures of pages that came with questions.  Any thread.
 *
 * A client names a picture by its label: the key under which it lies in the
 * bucket, so that whoever may read the bucket finds it, or, when files are in a
 * folder, "snapshots/SLIDE/page-N.png".  A label means one picture for ever:
 * the same picture again has the same label, another picture of that page has
 * another ("page-N-2.png").  A picture belongs to its user, within a course: a
 * user who may not read the course any more may not see it either.  Messages
 * store labels only. */
#ifndef STORE_DOCUMENT_SNAPSHOT_H
#define STORE_DOCUMENT_SNAPSHOT_H
#include "base/sha256.h"
#include "store/store.h"

enum {
    SNAPSHOT_LABEL_BYTES = 1024,    /* the longest key of a bucket */
    SNAPSHOT_SAME_PAGE_MAX = 10000, /* pictures that one user has of a page */
    SNAPSHOT_KEPT_MS = 24 * 3600 * 1000 /* to wait for its question */
};

/* The caller stores the object before, and deletes it when it is not kept
 * (`keeps`).  Needs MEMBER_READER. */
struct snapshot_put {
    struct str course, slide; /* slide: one part of a path */
    int64_t page;             /* from 1 */
    struct str label;         /* absent: one is made */
    struct str extension;     /* "png" */
    struct str media_type, object_key;
    int64_t bytes;
    struct sha256 digest;
    bool made, keeps;                          /* out */
    char label_text[SNAPSHOT_LABEL_BYTES + 1]; /* out */
};
STORE_OP(snapshot_put);
/* True when a text can name a slide: one name, not a path. */
bool snapshot_slide_ok(struct str slide);

/* Finds the asker's pictures by their labels. */
struct snapshot {
    bool found; /* false: not theirs, or not here */
    struct str slide, media_type, object_key;
    int64_t page, bytes;
    struct sha256 digest;
};
struct snapshot_find {
    const struct str *labels; /* absent ones are not found */
    size_t n;
    struct snapshot *snapshots; /* out: n */
};
STORE_OP(snapshot_find); /* reads */

/* The text of a document's page, if the asker may read it. */
struct page_text {
    struct str document, course; /* as document_get has them */
    int64_t page;
    struct str *passages; /* out */
    size_t passages_n;    /* 0 also when there is no such page */
};
STORE_OP(page_text); /* reads */

/* ---- The server's own: store_own() -------------------------------------- */

/* What a link to an object serves; NOTFOUND when it is no picture. */
struct snapshot_served {
    struct str object_key;
    struct str media_type; /* out, as are the next */
    int64_t bytes;
    struct sha256 digest;
};
STORE_OP(snapshot_served); /* reads */

/* Deletes pictures that no message names; their objects become garbage. */
struct snapshot_sweep {
    int64_t created_before_ms;
    int64_t forgotten; /* out */
};
STORE_OP(snapshot_sweep);

/* Lists the objects of all tenants that rows name, by key. */
struct object_row {
    struct str key;
    int64_t bytes;
    struct sha256 digest;
};
struct object_list {
    struct str after; /* "": from the start */
    size_t limit;
    struct object_row *rows; /* out */
    size_t rows_n;
};
STORE_OP(object_list); /* reads */
struct object_count {
    int64_t objects, bytes; /* out */
};
STORE_OP(object_count); /* reads */

#endif
