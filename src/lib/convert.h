/* convert.h - what the files of the library's front door share.
 *
 * The front door checks arguments, turns the public structs into the store's
 * and back, and calls below.  It keeps nothing of its own. */
#ifndef LIB_CONVERT_H
#define LIB_CONVERT_H
#include "store/store.h"

struct message;
struct reference;

enum { FRONT_ARENA_BYTES = 256 * 1024 * 1024 };

struct footnote {
    struct store *store;
    bool owner; /* opened it, so closes it */
    char tenant[STORE_ID_BYTES_MAX + 1], user[STORE_ID_BYTES_MAX + 1];
};

struct lib_result { /* what footnote_result_free() gets back */
    struct footnote_result shown;
    struct arena arena;
};
/* *out is yours: footnote_result_free(). */
enum footnote_rc lib_result_new(struct lib_result **out,
                                struct footnote_err *err);

static inline struct who lib_who(const struct footnote *fn)
{
    return (struct who){str_c(fn->tenant), str_c(fn->user)};
}

/* Public to store's; arrays live in `a`. */
enum footnote_rc lib_sources(struct arena *a,
                             const struct footnote_source *from, size_t n,
                             const struct reference **out,
                             struct footnote_err *err);
enum footnote_rc lib_message(struct arena *a,
                             const struct footnote_message *from,
                             struct message *out, struct footnote_err *err);

/* Store's to public; new memory comes from `a`, texts are shared. */
enum footnote_rc lib_messages_out(struct arena *a, const struct message *from,
                                  size_t n, const struct footnote_message **out,
                                  struct footnote_err *err);

#endif
