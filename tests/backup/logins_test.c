/* logins_test.c - a copy has the keys of its original, and nobody who is signed
 * in. */
#include <sys/stat.h>

#include "backup/backup.h"
#include "contract.h"
#include "store/session/login.h"

static const atomic_bool never;
static const struct who ann = {{"acme", 4}, {"ann", 3}};
static struct arena arena = {.max_bytes = 1 << 20};

static void no_damage(void *arg, const char *what)
{
    (void)arg;
    FAIL("%s", what);
}

static enum footnote_rc find_login(struct store *st, struct str id)
{
    struct login_find op = {.id = id};

    return store_own_read(st, &arena, OP(login_find), &op, NULL);
}

static enum footnote_rc find_key(struct store *st, struct str prefix)
{
    struct access_key_find op = {.prefix = prefix};
    enum footnote_rc rc =
        store_own_read(st, &arena, OP(access_key_find), &op, NULL);

    if (rc == FOOTNOTE_OK) {
        CHECK_TEXT(op.key.scope, STR("read\nphysics"));
        CHECK_TEXT(op.key.label, STR("the build"));
    }
    return rc;
}

static const char *below(const char *name)
{
    return arena_printf(&arena, "%s/%s", test_dir(), name).p;
}

CONTRACT(a_copy_has_the_keys_and_nobody_is_signed_in)
{
    struct access_key_add key = {.label = STR("the build"),
                                 .scope = STR("read\nphysics")};
    struct login_add login = {.method = STR("key"), .expires_ms = INT64_MAX};
    const char *copy = below("copy"), *objects = below("objects");
    struct backup_options o = {.database = test_url(),
                               .to = {.url = str_c(below("backup"))},
                               .stop = &never,
                               .damage = no_damage};
    struct restore_options back = {.from = {.url = o.to.url, .scratch = copy},
                                   .folder = copy,
                                   .stop = &never,
                                   .damage = no_damage};
    struct backup_made made;
    struct restored restored;
    struct footnote_err err;
    struct store *st;

    CHECK(mkdir(copy, 0700) == 0);
    CHECK_OK(objects_open(arena_printf(&arena, "files:%s", objects), &o.objects,
                          &err),
             &err);
    CHECK_OK(objects_open(arena_printf(&arena, "files:%s/objects", copy),
                          &back.objects, &err),
             &err);
    CHECK_OK(store_open(test_url(), &st, &err), &err);
    CHECK_OK(store_write(st, ann, OP(access_key_add), &key, &err), &err);
    login.key_prefix = access_prefix(str_c(key.key_text));
    CHECK_OK(store_write(st, ann, OP(login_add), &login, &err), &err);
    CHECK_INT(find_login(st, login.id), FOOTNOTE_OK);
    CHECK_OK(backup_make(&o, &made, &err), &err);
    store_close(st);

    back.database = arena_printf(&arena, "sqlite:%s/footnote.db", copy).p;
    CHECK_OK(backup_restore(&back, &restored, &err), &err);
    CHECK_INT(restored.damaged, 0);
    CHECK_OK(store_open(back.database, &st, &err), &err);
    CHECK_INT(find_key(st, login.key_prefix), FOOTNOTE_OK);
    CHECK_INT(find_login(st, login.id), FOOTNOTE_NOTFOUND);
    store_close(st);
    objects_close(o.objects);
    objects_close(back.objects);
}
