/* access_test.c - API keys on both engines. */
#include "contract.h"
#include "store/session/access.h"

static struct arena arena = {.max_bytes = 1 << 20};

static struct who who(const char *tenant, const char *user)
{
    return (struct who){str_c(tenant), str_c(user)};
}

static struct store *open_store(void)
{
    struct footnote_err err;
    struct store *st;

    CHECK_OK(store_open(test_url(), &st, &err), &err);
    return st;
}

static struct str add(struct store *st, struct who w, bool admin)
{
    struct access_key_add op = {.admin = admin};
    struct footnote_err err;

    CHECK_OK(store_write(st, w, OP(access_key_add), &op, &err), &err);
    return arena_str(&arena, str_c(op.key_text));
}

static enum footnote_rc find(struct store *st, struct str prefix,
                             struct access_key *out)
{
    struct access_key_find op = {.prefix = prefix};
    enum footnote_rc rc = store_read(st, who("default", "local"), &arena,
                                     OP(access_key_find), &op, NULL);

    *out = op.key;
    return rc;
}

static enum footnote_rc revoke(struct store *st, struct str prefix,
                               int64_t *revoked_ms)
{
    struct access_key_revoke op = {.prefix = prefix};
    enum footnote_rc rc = store_write(st, who("default", "local"),
                                      OP(access_key_revoke), &op, NULL);

    *revoked_ms = op.revoked_ms;
    return rc;
}

CONTRACT(a_key_is_found_by_its_prefix_with_digests_only)
{
    struct store *st = open_store();
    struct str key = add(st, who("acme", "ann"), true);
    struct access_key k;
    struct sha256 want;

    CHECK_INT(key.n, ACCESS_KEY_BYTES);
    CHECK_INT(find(st, access_prefix(key), &k), FOOTNOTE_OK);
    CHECK_TEXT(k.prefix, access_prefix(key));
    CHECK_TEXT(k.tenant, STR("acme"));
    CHECK_TEXT(k.user, STR("ann"));
    CHECK(k.admin);
    CHECK(k.created_ms > 0);
    CHECK_INT(k.revoked_ms, 0);
    sha256(key, &want, NULL);
    CHECK(sha256_eq(&k.digest, &want));
    store_close(st);
}

CONTRACT(a_key_that_is_not_there_is_not_found)
{
    struct store *st = open_store();
    struct str bad[] = {STR("0123456789"),
                        STR(""),
                        STR("short"),
                        STR_NONE,
                        STR("' OR 1=1--"),
                        STR("01234\0"
                            "6789")};
    struct access_key k;
    int64_t ms;

    add(st, who("default", "ann"), false);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_INT(find(st, bad[i], &k), FOOTNOTE_NOTFOUND);
        CHECK_INT(revoke(st, bad[i], &ms), FOOTNOTE_NOTFOUND);
    }
    store_close(st);
}

CONTRACT(a_revoked_key_is_seen_at_once_by_another_node)
{
    struct store *st = open_store(), *other = open_store();
    struct str key = add(st, who("default", "ann"), false);
    struct access_key k;
    int64_t first, again;

    CHECK_INT(find(other, access_prefix(key), &k), FOOTNOTE_OK);
    CHECK_INT(k.revoked_ms, 0);
    CHECK_INT(revoke(st, access_prefix(key), &first), FOOTNOTE_OK);
    CHECK(first > 0);
    CHECK_INT(find(other, access_prefix(key), &k), FOOTNOTE_OK);
    CHECK_INT(k.revoked_ms, first);
    CHECK_INT(revoke(other, access_prefix(key), &again), FOOTNOTE_OK);
    CHECK_INT(again, first);
    store_close(other);
    store_close(st);
}

CONTRACT(keys_are_listed_oldest_first_and_in_pages)
{
    enum { KEYS = 7, PAGE = 3 };
    struct store *st = open_store();
    struct access_key_list op = {.limit = PAGE};
    struct footnote_err err;
    size_t seen = 0;

    for (int i = 0; i < KEYS; i++)
        add(st, who(i % 2 ? "acme" : "default", "ann"), i == 3);
    do {
        CHECK_OK(store_read(st, who("default", "local"), &arena,
                            OP(access_key_list), &op, &err),
                 &err);
        for (size_t i = 0; i < op.keys_n; i++) {
            CHECK(op.keys[i].created_ms > op.after_created_ms ||
                  str_cmp(op.keys[i].prefix, op.after_prefix) > 0);
            op.after_created_ms = op.keys[i].created_ms;
            op.after_prefix = op.keys[i].prefix;
        }
        seen += op.keys_n;
    } while (op.keys_n == PAGE);
    CHECK_INT(seen, KEYS);
    op = (struct access_key_list){0};
    CHECK_OK(store_read(st, who("default", "local"), &arena,
                        OP(access_key_list), &op, &err),
             &err);
    CHECK_INT(op.keys_n, KEYS);
    store_close(st);
}

CONTRACT(a_key_for_everybody_or_nobody_is_refused)
{
    struct store *st = open_store();
    struct access_key_add op = {0};

    CHECK_INT(
        store_write(st, who("default", "*"), OP(access_key_add), &op, NULL),
        FOOTNOTE_INVALID);
    CHECK_INT(
        store_write(st, who("default", ""), OP(access_key_add), &op, NULL),
        FOOTNOTE_INVALID);
    store_close(st);
}

CONTRACT(only_a_whole_key_has_a_prefix)
{
    struct store *st = open_store();
    struct str key = add(st, who("default", "ann"), false);
    char bad[ACCESS_KEY_BYTES + 1];

    CHECK_INT(access_prefix(key).n, ACCESS_PREFIX_BYTES);
    for (size_t n = 0; n < key.n; n++)
        CHECK(!access_prefix((struct str){key.p, n}).p);
    for (size_t i = 0; i < key.n; i++) {
        memcpy(bad, key.p, key.n);
        bad[i] = '-';
        CHECK(!access_prefix((struct str){bad, key.n}).p);
    }
    CHECK(!access_prefix(STR_NONE).p);
    store_close(st);
}
