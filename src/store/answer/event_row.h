/* event_row.h - a retrieval event on its way into the store. */
#ifndef STORE_ANSWER_EVENT_ROW_H
#define STORE_ANSWER_EVENT_ROW_H
#include "base/err.h"

struct new_references;
struct tx;

struct event_new {
    int64_t session, seq, answer; /* answer 0: a caller's own */
    struct str id, query;
    bool web, has_low_confidence, low_confidence;
    const struct new_references *fresh; /* numbered */
    const double *coverage;             /* one each; NULL: not known */
};
enum footnote_rc event_insert(struct tx *tx, const struct event_new *e,
                              struct footnote_err *err);
/* The same with both lists as they are stored. */
enum footnote_rc event_insert_packed(struct tx *tx, const struct event_new *e,
                                     struct str numbers, struct str coverage,
                                     struct footnote_err *err);

#endif
