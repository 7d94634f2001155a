/* target.c - picks the server or the data folder. */
#include "cli/ingest/target.h"

enum footnote_rc target_open(struct cli *c, struct target_options *o,
                             struct target **out, struct footnote_err *err)
{
    *out = NULL;
    if (!o->server.p)
        TRY(lock_read_address(&c->config, &c->arena, &o->server, err));
    if (o->server.p)
        return target_remote(c, o, out, err);
    return target_local(c, o, out, err);
}
