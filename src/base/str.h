/* str.h - text as a pointer and a length, borrowed.  Any thread.
 *
 * A str never owns.  p == NULL is "absent", which differs from "" (n == 0 and
 * p != NULL). */
#ifndef BASE_STR_H
#define BASE_STR_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *p;
    size_t n;
};

#define STR(literal) ((struct str){"" literal, sizeof(literal) - 1})
#define STR_NONE     ((struct str){NULL, 0})
/* For printf: "%.*s", STR_ARG(s) */
#define STR_ARG(s) (int)(s).n, (s).p ? (s).p : ""

/* A view of a NUL-terminated string; NULL gives the absent str. */
static inline struct str str_c(const char *c)
{
    return (struct str){c, c ? strlen(c) : 0};
}

/* Bytes equal; absent equals only absent. */
bool str_eq(struct str a, struct str b);
/* Byte order, absent first: <0, 0, >0. */
int str_cmp(struct str a, struct str b);
bool str_starts(struct str s, struct str prefix);
/* The rest of s after its first `n` bytes (n <= s.n). */
struct str str_skip(struct str s, size_t n);
/* Index of the first `c`, or s.n. */
size_t str_find(struct str s, char c);
/* FNV-1a of the bytes, for hash tables. */
uint64_t str_hash(struct str s);
/* The whole of s as a decimal int64; false when it is anything else. */
bool str_i64(struct str s, int64_t *out);

#endif
