/* users.c - the map of users: {"their id": "our user", ...}. */
#include "import/users.h"

#include "import/json_values.h"
#include "import/staged.h"
#include "import/value.h"

static enum footnote_rc put_all(struct import *im, struct json_values *v,
                                struct footnote_err *err)
{
    struct json *o = NULL;
    struct str text;
    int64_t line;

    TRY(json_values_next(v, &text, &line, err));
    if (text.p)
        TRY(json_read(im->a, text, &o, err));
    if (!o || o->type != JSON_OBJECT)
        return err_set(err, FOOTNOTE_INVALID, "is no JSON object");
    for (const struct json *u = o->first; u; u = u->next) {
        if (u->type != JSON_STR || u->s.n == 0)
            return err_set(err, FOOTNOTE_INVALID, "%.*s is no name",
                           STR_ARG(u->raw));
        TRY(staged_user_put(im->staged, u->key, u->s, err));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc users_load(struct import *im, struct footnote_err *err)
{
    AUTO(json_values_close) struct json_values v = {.file = NULL};
    enum footnote_rc rc;

    if (!im->o->users.p)
        return FOOTNOTE_OK;
    rc = json_values_open(im->o->users.p, IMPORT_VALUE_BYTES_MAX, &v, err);
    if (rc == FOOTNOTE_OK) {
        v.by_line = false; /* one value, on however many lines */
        rc = put_all(im, &v, err);
    }
    if (rc != FOOTNOTE_OK)
        err_prefix(err, "user map");
    arena_reset(im->a);
    return rc;
}

enum footnote_rc users_find(struct import *im, struct str theirs,
                            struct str *ours, struct footnote_err *err)
{
    *ours = theirs.p ? theirs : im->o->who.user;
    if (!theirs.p || !im->o->users.p)
        return FOOTNOTE_OK;
    TRY(staged_user(im->staged, im->a, theirs, ours, err));
    return ours->p
               ? FOOTNOTE_OK
               : err_set(err, FOOTNOTE_NOTFOUND,
                         "user %.*s is not in the user map", STR_ARG(theirs));
}
