/* frozen.h - the page that the link of a share shows.  Any thread. */
#ifndef EXPORT_FROZEN_H
#define EXPORT_FROZEN_H
#include "store/session/message.h"
#include "store/session/share.h"

struct frozen {
    const struct share *share;
    struct str token; /* of its link */
    struct str title;
    const struct message *messages; /* those that it shows, oldest first */
    size_t messages_n;
    bool spanish;
};
enum footnote_rc frozen_page(struct buf *b, struct arena *a,
                             const struct frozen *f, struct footnote_err *err);
/* For a link that is none, or none any more. */
enum footnote_rc frozen_ended(struct buf *b, bool spanish,
                              struct footnote_err *err);
/* The Content-Security-Policy of both. */
enum footnote_rc frozen_policy(struct buf *b, struct footnote_err *err);

/* Whether a picture of its page, or its file, may be there to see. */
bool frozen_has_page(const struct reference *r);
bool frozen_has_file(const struct reference *r);

#endif
