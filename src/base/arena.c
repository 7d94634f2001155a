/* arena.c - many small allocations out of few blocks.
 *
 * Blocks double from half a KB to 64 KB.  The newest is the one in use.  A
 * request too big to share gets a block of its own behind it, so that the rest
 * of the newest is not lost.  In ASan builds memory that was not handed out is
 * poisoned, and a gap stays poisoned behind each allocation.
 *
 * Some of the largest blocks are kept for the next arena, of any thread: the C
 * library would give them back to the system and fault them in again, page by
 * page, which is a quarter of the time that reading a history takes. */
#include "base/arena.h"

#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__has_feature) && !defined(__SANITIZE_ADDRESS__)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1 /* gcc's name for what clang calls a feature */
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
/* No spare blocks: one that is used again hides its earlier use from ASan. */
enum { GAP = 16, ALIGN_MIN = alignof(max_align_t), SPARE_MAX = 0 };
#else
#define ASAN_POISON_MEMORY_REGION(p, n)   ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
enum { GAP = 0, ALIGN_MIN = 1, SPARE_MAX = 64 };
#endif

struct arena_block {
    struct arena_block *older;
    size_t size, used; /* of data */
    alignas(max_align_t) char data[];
};

enum {
    BLOCK_FIRST = 512 - sizeof(struct arena_block),
    BLOCK_LAST = 65536 - sizeof(struct arena_block),
    SHARED_MAX = BLOCK_LAST / 4, /* more gets a block of its own */
};

static struct {
    pthread_mutex_t lock;
    struct arena_block *list;
    int n;
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct arena_block *take_spare(size_t size)
{
    struct arena_block *b;

    if (size != BLOCK_LAST)
        return NULL;
    pthread_mutex_lock(&spare.lock);
    b = spare.list;
    if (b) {
        spare.list = b->older;
        spare.n--;
    }
    pthread_mutex_unlock(&spare.lock);
    return b;
}

static bool keep_spare(struct arena_block *b)
{
    bool kept;

    if (b->size != BLOCK_LAST)
        return false;
    pthread_mutex_lock(&spare.lock);
    kept = spare.n < SPARE_MAX;
    if (kept) {
        b->older = spare.list;
        spare.list = b;
        spare.n++;
    }
    pthread_mutex_unlock(&spare.lock);
    return kept;
}

static struct arena_block *new_block(size_t size)
{
    if (size > SIZE_MAX - sizeof(struct arena_block))
        return NULL;
    struct arena_block *b = take_spare(size);
    if (!b)
        b = malloc(sizeof(*b) + size);
    if (!b)
        return NULL;
    *b = (struct arena_block){.size = size};
    ASAN_POISON_MEMORY_REGION(b->data, size);
    return b;
}

static size_t next_size(const struct arena *a)
{
    size_t size = a->blocks ? 2 * a->blocks->size : BLOCK_FIRST;

    return size <= BLOCK_LAST ? size : BLOCK_LAST;
}

/* A block with room for `bytes`, in the list, or NULL. */
static struct arena_block *add_block(struct arena *a, size_t bytes)
{
    size_t size = bytes;

    if (bytes <= SHARED_MAX && size < next_size(a))
        size = next_size(a);
    if (a->may_grow && !a->may_grow(a, size))
        return NULL;
    struct arena_block *b = new_block(size);
    if (!b)
        return NULL;
    bool own = bytes > SHARED_MAX && a->blocks;
    struct arena_block **place = own ? &a->blocks->older : &a->blocks;
    b->older = *place;
    *place = b;
    return b;
}

/* The offset of the next allocation in b, or SIZE_MAX when it does not fit.  An
 * alignment is a power of two. */
static size_t place_in(const struct arena_block *b, size_t bytes, size_t align)
{
    size_t at = (b->used + align - 1) & ~(align - 1);

    assert(align > 0 && (align & (align - 1)) == 0);
    return at <= b->size && bytes <= b->size - at ? at : SIZE_MAX;
}

static void *refuse(struct arena *a)
{
    a->failed = true;
    return NULL;
}

/* Memory that is not zeroed.  Text needs no alignment and packs tightly. */
static void *take(struct arena *a, size_t bytes, size_t align)
{
    if (bytes == 0)
        bytes = 1; /* each allocation is a place of its own */
    if (a->failed || bytes > a->max_bytes - a->used_bytes ||
        bytes > SIZE_MAX - GAP)
        return refuse(a);
    if (align < ALIGN_MIN)
        align = ALIGN_MIN;
    struct arena_block *b = a->blocks;
    size_t at = b ? place_in(b, bytes + GAP, align) : SIZE_MAX;
    if (at == SIZE_MAX) {
        b = add_block(a, bytes + GAP);
        if (!b)
            return refuse(a);
        at = 0;
    }
    assert(at + bytes + GAP <= b->size);
    b->used = at + bytes + GAP;
    a->used_bytes += bytes;
    ASAN_UNPOISON_MEMORY_REGION(b->data + at, bytes);
    return b->data + at;
}

void *arena_raw(struct arena *a, size_t bytes)
{
    return take(a, bytes, alignof(max_align_t));
}

void *arena_alloc(struct arena *a, size_t bytes)
{
    void *p = arena_raw(a, bytes);
    return p ? memset(p, 0, bytes) : NULL;
}

void *arena_array(struct arena *a, size_t n, size_t bytes)
{
    size_t all;

    if (__builtin_mul_overflow(n, bytes, &all))
        return refuse(a);
    return arena_alloc(a, all);
}

struct str arena_str(struct arena *a, struct str s)
{
    if (!s.p)
        return STR_NONE;
    char *p = s.n < SIZE_MAX ? take(a, s.n + 1, 1) : refuse(a);
    if (!p)
        return STR_NONE;
    memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return (struct str){p, s.n};
}

struct str arena_printf(struct arena *a, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    assert(n >= 0);
    char *p = take(a, (size_t)n + 1, 1);
    if (p)
        vsnprintf(p, (size_t)n + 1, format, again);
    va_end(again);
    va_end(args);
    return p ? (struct str){p, (size_t)n} : STR_NONE;
}

enum footnote_rc arena_rc(const struct arena *a, struct footnote_err *err)
{
    if (a->failed)
        return err_set(err, FOOTNOTE_NOMEM,
                       "out of memory, or more than the %zu bytes allowed",
                       a->max_bytes);
    return FOOTNOTE_OK;
}

static void free_block(struct arena_block *b)
{
    ASAN_UNPOISON_MEMORY_REGION(b->data, b->size);
    if (!keep_spare(b))
        free(b);
}

void arena_reset(struct arena *a)
{
    struct arena_block *keep = NULL;

    /* The newest that is not a giant is also the largest of the others. */
    while (a->blocks) {
        struct arena_block *b = a->blocks;
        a->blocks = b->older;
        if (keep || b->size > BLOCK_LAST) {
            free_block(b);
            continue;
        }
        keep = b;
        keep->used = 0;
        ASAN_POISON_MEMORY_REGION(keep->data, keep->size);
    }
    if (keep)
        keep->older = NULL;
    *a = (struct arena){
        .blocks = keep, .max_bytes = a->max_bytes, .may_grow = a->may_grow};
}

void arena_free(struct arena *a)
{
    while (a->blocks) {
        struct arena_block *b = a->blocks;
        a->blocks = b->older;
        free_block(b);
    }
    *a = ARENA(a->max_bytes);
}
