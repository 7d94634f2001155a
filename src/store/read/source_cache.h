/* source_cache.h - sources by key, for readers.  Any thread. */
#ifndef STORE_READ_SOURCE_CACHE_H
#define STORE_READ_SOURCE_CACHE_H
#include "cite/source.h"

struct source_cache;

/* What a source cites, and what became of it, as it was at docs_version. */
struct facts {
    int64_t docs_version;  /* 0: not asked yet */
    int64_t cited_version; /* of the document that it is bound to */
    int64_t course, version;
    bool bound, deleted, redacted;
};
struct stored_source {
    struct source source;
    struct sha256 digest;
    int64_t pool;
    struct facts facts;
};
enum footnote_rc cache_open(size_t bytes_max, struct source_cache **out,
                            struct footnote_err *err);
void cache_close(struct source_cache *c);
bool cache_has(struct source_cache *c, int64_t tenant, int64_t key);
/* Copies the source, its texts into `a`; false when it is not cached (or `a`
 * is full: the arena knows). */
bool cache_get(struct source_cache *c, int64_t tenant, int64_t key,
               struct arena *a, struct stored_source *out);
/* Texts of more than so many bytes are not cached. */
enum { CACHED_BYTES_MAX = 96 * 1024 };
void cache_put(struct source_cache *c, int64_t tenant, int64_t key,
               const struct stored_source *s);
void cache_set_facts(struct source_cache *c, int64_t tenant, int64_t key,
                     const struct facts *f);

#endif
