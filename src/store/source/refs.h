/* refs.h - all references of a message as a few bytes, message.refs.  Any
 * thread.
 *
 *     refs = count ref ref ...           by number, each number once
 *     ref  = head source [support] [length spans] [score]
 *     head = 8 * (number - the number before) + 1 support + 2 spans + 4 score
 *
 * Numbers are varints (base/varint.h); spans are bytes of spans.c; a score is
 * the eight bytes of a double, highest first, so it comes back bit for bit.  A
 * message without references has no bytes at all.  docs/schema.md publishes
 * the form, and migration 0011 builds it in SQL. */
#ifndef STORE_SOURCE_REFS_H
#define STORE_SOURCE_REFS_H
#include "base/arena.h"

struct ref {
    uint32_t number;  /* 1 to STORE_NUMBER_MAX */
    int64_t source;   /* key of the pooled source, 31 bits */
    int support;      /* 0 to 1000, -1: not measured */
    struct str spans; /* absent: it is not cited */
    bool has_score;
    double score; /* finite */
};

/* Packs references, ordered by number, into `a`; absent when there are none, or
 * when `a` is full. */
struct str refs_pack(struct arena *a, const struct ref *refs, size_t n);

/* Reads them back, one by one: begin, then next while n is not 0.  DAMAGED for
 * bytes that refs_pack() cannot have made. */
struct refs {
    size_t n; /* still to be read */
    struct str rest;
    uint64_t number; /* of the last one */
};
enum footnote_rc refs_begin(struct refs *r, struct str packed,
                            struct footnote_err *err);
/* out->spans is borrowed from the packed bytes. */
enum footnote_rc refs_next(struct refs *r, struct ref *out,
                           struct footnote_err *err);

#endif
