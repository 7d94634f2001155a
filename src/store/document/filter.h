/* filter.h - what a question is limited to.  Any thread.
 *
 * A filter says which documents may answer: those with one of these ids, of
 * one of these kinds, dated in a span, changed since.  What it does not say
 * does not limit; a document without a date lies in no span.  It is kept with
 * the question as text, under its seal. */
#ifndef STORE_DOCUMENT_FILTER_H
#define STORE_DOCUMENT_FILTER_H
#include "base/arena.h"
#include "store/document/document.h"

enum { FILTER_DOCUMENTS_MAX = 100 };

struct search_filter {
    struct str course;           /* of its documents; absent: not said */
    const struct str *documents; /* ids */
    size_t documents_n;
    unsigned kinds;      /* a sum of KIND_BIT(); 0: all */
    struct str from, to; /* days, as 2026-02-26, both included; may be absent */
    bool has_changed;
    int64_t changed_ms; /* what is searched of it came then, or later */
};
#define KIND_BIT(kind) (1U << (kind))

/* Whether it leaves anything out; false for NULL. */
bool filter_limits(const struct search_filter *f);
/* INVALID with the field that is wrong. */
enum footnote_rc filter_check(const struct search_filter *f,
                              struct footnote_err *err);
/* As it is kept, in `a`; absent when it limits nothing. */
enum footnote_rc filter_pack(struct arena *a, const struct search_filter *f,
                             struct str *out, struct footnote_err *err);
/* Views into the text where they can be.  DAMAGED when it was not packed. */
enum footnote_rc filter_unpack(struct arena *a, struct str packed,
                               struct search_filter *out,
                               struct footnote_err *err);

#endif
