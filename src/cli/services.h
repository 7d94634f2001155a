/* services.h - what stands behind a server besides its store: search, models
 * and the turn.  Opened and closed together, in this order. */
#ifndef CLI_SERVICES_H
#define CLI_SERVICES_H
#include "chat/chat.h"
#include "config.h"

struct services {
    struct retriever *retriever;
    struct models *models;
    struct chat *chat;
};

/* What was opened before a failure is there to be closed. */
enum footnote_rc services_open(struct arena *a, const struct config *c,
                               struct store *st, struct services *out,
                               struct footnote_err *err);
void services_close(struct services *s);

#endif
