/* footnote.c - the library's front door: handles, sessions, messages. */
#include <stdlib.h>

#include "lib/convert.h"
#include "store/session/message.h"
#include "store/session/session.h"

static void close_footnote(struct footnote **fn)
{
    footnote_close(*fn);
}

static void copy_name(char *to, const char *from)
{
    memcpy(to, from, strlen(from) + 1);
}

enum footnote_rc footnote_open(const char *url, struct footnote **out,
                               struct footnote_err *err)
{
    AUTO(close_footnote) struct footnote *fn = NULL;

    *out = NULL;
    if (!url)
        return err_field(err, FOOTNOTE_INVALID, "url", "is missing");
    fn = calloc(1, sizeof(*fn));
    if (!fn)
        return err_set(err, FOOTNOTE_NOMEM, "opening the store");
    fn->owner = true;
    copy_name(fn->tenant, "default");
    copy_name(fn->user, "local");
    TRY(store_open(url, &fn->store, err));
    *out = fn;
    fn = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

static enum footnote_rc check_name(const char *name, const char *what,
                                   struct footnote_err *err)
{
    size_t n = strlen(name);

    if (n == 0 || n > STORE_ID_BYTES_MAX)
        return err_field(err, FOOTNOTE_INVALID, what, "%zu bytes, 1 to %d", n,
                         STORE_ID_BYTES_MAX);
    return FOOTNOTE_OK;
}

enum footnote_rc footnote_as(struct footnote *fn, const char *tenant,
                             const char *user, struct footnote **out,
                             struct footnote_err *err)
{
    struct footnote *as;

    *out = NULL;
    if (!user)
        return err_field(err, FOOTNOTE_INVALID, "user", "is missing");
    if (!tenant)
        tenant = fn->tenant;
    TRY(check_name(tenant, "tenant", err));
    TRY(check_name(user, "user", err));
    as = calloc(1, sizeof(*as));
    if (!as)
        return err_set(err, FOOTNOTE_NOMEM, "another user");
    as->store = fn->store;
    copy_name(as->tenant, tenant);
    copy_name(as->user, user);
    *out = as;
    return FOOTNOTE_OK;
}

void footnote_close(struct footnote *fn)
{
    if (fn && fn->owner)
        store_close(fn->store);
    free(fn);
}

/* ---- Sessions and messages ---------------------------------------------- */

enum footnote_rc footnote_session_put(struct footnote *fn,
                                      const struct footnote_session *s,
                                      struct footnote_err *err)
{
    struct session_put op = {.id = str_c(s->id),
                             .course = str_c(s->course),
                             .title = str_c(s->title),
                             .shown = str_c(s->shown)};

    if (!s->id)
        return err_field(err, FOOTNOTE_INVALID, "id", "is missing");
    return store_write(fn->store, lib_who(fn), OP(session_put), &op, err);
}

enum footnote_rc footnote_session_delete(struct footnote *fn,
                                         const char *session,
                                         struct footnote_err *err)
{
    struct session_delete op = {.id = str_c(session)};

    if (!session)
        return err_field(err, FOOTNOTE_INVALID, "session", "is missing");
    return store_write(fn->store, lib_who(fn), OP(session_delete), &op, err);
}

enum footnote_rc footnote_save(struct footnote *fn,
                               const struct footnote_message *m,
                               struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(FRONT_ARENA_BYTES);
    struct message_save op = {.made = false};

    TRY(lib_message(&a, m, &op.message, err));
    return store_write(fn->store, lib_who(fn), OP(message_save), &op, err);
}

enum footnote_rc footnote_cite(struct footnote *fn, const char *session,
                               const char *message,
                               const struct footnote_source *s, size_t s_n,
                               uint32_t *numbers, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(FRONT_ARENA_BYTES);
    struct message_cite op = {
        .message = str_c(message), .session = str_c(session), .sources_n = s_n};

    op.numbers = numbers;
    TRY(lib_sources(&a, s, s_n, &op.sources, err));
    return store_write(fn->store, lib_who(fn), OP(message_cite), &op, err);
}

/* ---- Codes -------------------------------------------------------------- */

const char *footnote_rc_code(enum footnote_rc rc)
{
    return rc_code(rc);
}

int footnote_rc_status(enum footnote_rc rc)
{
    return rc_status(rc);
}

const char *footnote_rc_text(enum footnote_rc rc)
{
    return rc_text(rc);
}
