/* way_back.h - the rows that lead from a source to messages, compared with the
 * references in those messages, which they are made from.
 *
 * Both are the server's own, and do a page of all tenants' rows at a time:
 * `last` is the next page's `after`, until it is `done`.  Read by
 * store_own_read(), they only count; run by store_own() with `mend`, they
 * correct what they find, beside a busy server too. */
#ifndef STORE_SOURCE_WAY_BACK_H
#define STORE_SOURCE_WAY_BACK_H
#include "store/store.h"

struct way_back_place { /* zeros: the start */
    int64_t source, tenant, session, seq, number;
};

/* Does every reference have its row? */
struct way_back_messages {
    struct way_back_place after;
    bool mend;
    struct way_back_place last; /* out, as is all that follows, of this page */
    bool done;
    int64_t references; /* that were compared */
    int64_t missing;    /* rows that are not there, are there twice, or say
                           otherwise whether the text cites it */
    int64_t unreadable; /* messages whose references are damaged */
};
STORE_OP(way_back_messages);

/* Does every row have its reference? */
struct way_back_rows {
    struct way_back_place after;
    bool mend;
    struct way_back_place last; /* out, as is all that follows, of this page */
    bool done;
    int64_t rows;  /* that were compared */
    int64_t extra; /* without a reference */
};
STORE_OP(way_back_rows);

#endif
