/* roundtrip_test.c - out, in, out: the same bytes, on both engines and from one
 * to the other.  A hundred random sessions; with SOAK=1 a thousand. */
#include <stdlib.h>
#include <string.h>

#include "help/sessions.h"

static struct footnote_err err;

static void same(struct str got, struct str want, const char *session,
                 const char *where)
{
    size_t at = 0;

    if (str_eq(got, want))
        return;
    while (at < got.n && at < want.n && got.p[at] == want.p[at])
        at++;
    FAIL("%s, %s: from byte %zu on: %.120s, not %.120s", session, where, at,
         got.p + (at > 60 ? at - 60 : 0), want.p + (at > 60 ? at - 60 : 0));
}

static void there(struct store *st, const char *tenant, struct str json,
                  struct str id, const char *where)
{
    AUTO(arena_free) struct arena a = ARENA((size_t)512 * 1024 * 1024);
    struct who who = {str_c(tenant), STR("eve")};

    if (session_in(st, who, json, &err) != FOOTNOTE_OK)
        FAIL("%.*s, %s: %s (%s) of %.2000s", STR_ARG(id), where, err.text,
             err.field, json.p);
    same(session_out(st, who, id, &a), json, id.p, where);
}

/* To another tenant of the same store, to a file, and from there back. */
static void round_trip(struct store *st, struct store *file, const char *id)
{
    AUTO(arena_free) struct arena a = ARENA((size_t)512 * 1024 * 1024);
    struct str name = str_c(id);
    struct str first = session_out(st, sessions_ann, name, &a);

    there(st, "second", first, name, "in the same store");
    there(file, "default", first, name, "in a file");
    there(st, "third",
          session_out(file, (struct who){STR("default"), STR("eve")}, name, &a),
          name, "back from the file");
}

CONTRACT_LIMIT(session_comes_back_the_same_to_the_byte, 300)
{
    size_t n = getenv("SOAK") ? 1000 : 100;
    struct random r = {88172645463325252U};
    char url[600], id[20];
    struct store *st, *file;

    snprintf(url, sizeof(url), "sqlite:%s/other.db", test_dir());
    CHECK_OK(store_open(test_url(), &st, &err), &err);
    CHECK_OK(store_open(url, &file, &err), &err);
    sessions_begin(st);
    for (size_t i = 0; i < n; i++) {
        snprintf(id, sizeof(id), "s%zu", i);
        sessions_make(st, &r, id);
    }
    sessions_spoil(st);
    for (size_t i = 0; i < n; i++) {
        snprintf(id, sizeof(id), "s%zu", i);
        round_trip(st, file, id);
    }
    sessions_sound(st);
    sessions_sound(file);
    store_close(st);
    store_close(file);
}
