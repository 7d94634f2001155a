/* audited.c - which answers are kept in the audit. */
#include "http/call/audited.h"

#include "http/call/aside.h"
#include "http/call/caller.h"
#include "http/call/services.h"

static void make(const struct request *r, const char *action, struct str about,
                 struct audit_note *out)
{
    const struct caller *c = caller(r);

    audit_note_make(out, action, about, c->key_prefix, str_c(c->client));
}

void audit_with_write(struct request *r, const char *action, struct str about)
{
    make(r, action, about, &caller(r)->note);
    caller(r)->noted = true;
}

void audit_aside(struct request *r, const char *action, struct str about)
{
    struct audit_add op;

    make(r, action, about, &op.note);
    aside_write(services(r)->store, caller(r)->who, OP(audit_add), &op,
                sizeof(op));
}

/* A player asks for a recording in many parts: its beginning counts. */
static bool is_from_start(const struct request *r)
{
    struct str range = request_header(r, STR("range"));

    return !range.p || str_starts(range, STR("bytes=0-"));
}

static const char *action_of(const struct route *r)
{
    static const char *const downloads[] = {"downloadDocument", "getMedia",
                                            "getTranscript"};

    if (r->method != METHOD_GET)
        return NULL;
    if (r->access == ACCESS_ADMIN)
        return AUDIT_ADMIN_VIEW;
    if (str_starts(str_c(r->name), STR("export")))
        return AUDIT_EXPORT;
    for (size_t i = 0; i < sizeof(downloads) / sizeof(downloads[0]); i++)
        if (strcmp(r->name, downloads[i]) == 0)
            return AUDIT_DOWNLOAD;
    return NULL;
}

void audit_answering(struct request *r)
{
    const char *action = r->route ? action_of(r->route) : NULL;

    if (!action || r->method != METHOD_GET || r->reply.status / 100 != 2 ||
        !caller(r) || !caller(r)->who.user.p || !is_from_start(r))
        return;
    audit_aside(r, action,
                r->params[0].p ? r->params[0] : str_c(r->route->name));
}
