/* loader.h - sources for readers: from the cache or the pool, checked. */
#ifndef STORE_READ_LOADER_H
#define STORE_READ_LOADER_H
#include "store/session/course.h"
#include "store/session/message.h"

struct db_cur;
struct tx;

/* Loads sources for one read: remembers the asker's roles. */
struct loader {
    struct tx *tx;
    bool light;
    bool settled;  /* as in struct history */
    bool unlinked; /* no ids of other messages */
    bool stored;   /* as in struct history */
    struct {
        int64_t course;
        enum member_role role;
    } roles[8];
    size_t roles_n;
    struct sha256_ctx *hasher;
    struct str withdrawn; /* docRef of the last source that was withdrawn */
    /* Messages to be loaded next: a server is asked for their sources ahead. */
    const struct message *ahead;
    size_t ahead_n, ahead_source; /* messages; source of the first */
};
enum footnote_rc loader_init(struct loader *l, struct tx *tx, bool light,
                             struct footnote_err *err);
/* Tells a role of the asker that was read already. */
void loader_role(struct loader *l, int64_t course, enum member_role role);
void loader_free(struct loader *l);
/* The name that a source's document has in docRefs: date:title for a journal
 * entry, the document's id else. */
struct str source_doc_ref(struct arena *a, const struct source *s);
/* The fields of a source from a row that has them, from its type on, as
 * source_get does; texts live in `a`. */
void loader_columns(struct arena *a, struct db_cur *cur, int first,
                    struct source *out);
/* Fills source, digest and state of the source out->key, digest-checked.  A
 * withdrawn one keeps its type and gets another id. */
enum footnote_rc loader_source(struct loader *l, struct reference *out,
                               struct footnote_err *err);

#endif
