/* arena.h - many small allocations, one free.  One thread.
 *
 * An arena has a limit given at birth, of bytes handed out.  What does not fit,
 * or what malloc or may_grow() refuses, is NULL, and so is all else until the
 * reset.  Blocks
 * are poisoned for ASan between allocations, so an overrun inside a block is
 * caught. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H
#include "base/err.h"

struct arena_block;
struct arena {
    struct arena_block *blocks;
    size_t used_bytes, max_bytes;
    bool failed; /* some allocation was refused */
    /* Asked before so many bytes are taken from malloc; NULL: they may be. */
    bool (*may_grow)(struct arena *a, size_t bytes);
};

#define ARENA(max) ((struct arena){.max_bytes = (max)})

/* Zeroed memory, aligned for any type; NULL when refused. */
void *arena_alloc(struct arena *a, size_t bytes)
    __attribute__((malloc, warn_unused_result));
/* The same, not zeroed: for memory that is written before it is read. */
void *arena_raw(struct arena *a, size_t bytes)
    __attribute__((malloc, warn_unused_result));
/* A zeroed array; NULL also when n * bytes overflows. */
void *arena_array(struct arena *a, size_t n, size_t bytes)
    __attribute__((warn_unused_result));
#define arena_new(a, type)     ((type *)arena_alloc((a), sizeof(type)))
#define arena_many(a, n, type) ((type *)arena_array((a), (n), sizeof(type)))

/* Copies, with a NUL behind the last byte.  The absent str stays absent.  When
 * refused the result is absent: ask arena_rc() once at the end. */
struct str arena_str(struct arena *a, struct str s);
struct str arena_printf(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* OK, or NOMEM when any allocation since the last reset was refused. */
enum footnote_rc arena_rc(const struct arena *a, struct footnote_err *err);

/* Forgets everything but keeps one block for reuse. */
void arena_reset(struct arena *a);
void arena_free(struct arena *a); /* fit for AUTO */

#endif
