/* jwt_test.c - which tokens are let in, and which are not. */
#include "http/token/jwt.h"

#include <stdlib.h>

#include "test.h"
#include "tokens.h"

static struct arena arena = {.max_bytes = 64 << 20};

static struct jwt_keys *all_keys(void)
{
    struct footnote_err err;
    struct jwt_keys *k;

    CHECK_OK(jwt_keys_new(&k, &err), &err);
    CHECK_OK(jwt_keys_secret(k, STR(TOKENS_SECRET), &err), &err);
    CHECK_OK(jwt_keys_read(k, tokens_set(&arena), &err), &err);
    return k;
}

static const struct jwt_rules rules = {{"us", 2}, {"them", 4}, {NULL, 0}};

#define HS  "{\"alg\":\"HS256\"}"
#define RS  "{\"alg\":\"RS256\",\"kid\":\"rsa\"}"
#define EC  "{\"alg\":\"ES256\",\"kid\":\"ec\"}"
#define ED  "{\"alg\":\"EdDSA\",\"kid\":\"ed\"}"
#define WHO "\"sub\":\"ann\",\"iss\":\"them\",\"aud\":\"us\""
#define OK_ "{" WHO ",\"exp\":1772000001}"

static const struct token_case {
    const char *name, *header, *claims;
    enum signer by;
    enum footnote_rc want;
} cases[] = {
    /* Good ones. */
    {"HS256", HS, OK_, BY_SECRET, FOOTNOTE_OK},
    {"RS256", RS, OK_, BY_RSA, FOOTNOTE_OK},
    {"ES256", EC, OK_, BY_EC, FOOTNOTE_OK},
    {"EdDSA", ED, OK_, BY_ED, FOOTNOTE_OK},
    {"no kid, one such key", "{\"alg\":\"RS256\",\"typ\":\"JWT\"}", OK_, BY_RSA,
     FOOTNOTE_OK},
    {"expired within the leeway", HS, "{" WHO ",\"exp\":1771999941}", BY_SECRET,
     FOOTNOTE_OK},
    {"valid soon", HS, "{" WHO ",\"exp\":1772000100,\"nbf\":1772000060}",
     BY_SECRET, FOOTNOTE_OK},
    {"exp with a fraction", HS, "{" WHO ",\"exp\":1772000000.5}", BY_SECRET,
     FOOTNOTE_OK},
    {"one of many audiences", HS,
     "{\"sub\":\"ann\",\"iss\":\"them\",\"aud\":[\"x\",\"us\"],"
     "\"exp\":1772000001}",
     BY_SECRET, FOOTNOTE_OK},
    /* Time. */
    {"expired", HS, "{" WHO ",\"exp\":1771999940}", BY_SECRET,
     FOOTNOTE_INVALID},
    {"not yet", HS, "{" WHO ",\"exp\":1772000100,\"nbf\":1772000061}",
     BY_SECRET, FOOTNOTE_INVALID},
    {"no exp", HS, "{" WHO "}", BY_SECRET, FOOTNOTE_INVALID},
    {"exp is text", HS, "{" WHO ",\"exp\":\"1772000001\"}", BY_SECRET,
     FOOTNOTE_INVALID},
    {"exp is huge", HS, "{" WHO ",\"exp\":1e300}", BY_SECRET, FOOTNOTE_INVALID},
    {"exp is int64's last", HS, "{" WHO ",\"exp\":9223372036854775807}",
     BY_SECRET, FOOTNOTE_INVALID},
    {"nbf is null", HS, "{" WHO ",\"exp\":1772000001,\"nbf\":null}", BY_SECRET,
     FOOTNOTE_INVALID},
    /* From whom, for whom. */
    {"foreign issuer", HS,
     "{\"sub\":\"ann\",\"iss\":\"evil\",\"aud\":\"us\",\"exp\":1772000001}",
     BY_SECRET, FOOTNOTE_INVALID},
    {"no issuer", HS, "{\"sub\":\"ann\",\"aud\":\"us\",\"exp\":1772000001}",
     BY_SECRET, FOOTNOTE_INVALID},
    {"wrong audience", HS,
     "{\"sub\":\"ann\",\"iss\":\"them\",\"aud\":\"u\",\"exp\":1772000001}",
     BY_SECRET, FOOTNOTE_INVALID},
    {"wrong audiences", HS,
     "{\"sub\":\"ann\",\"iss\":\"them\",\"aud\":[\"u\",1,null],"
     "\"exp\":1772000001}",
     BY_SECRET, FOOTNOTE_INVALID},
    {"no sub", HS, "{\"iss\":\"them\",\"aud\":\"us\",\"exp\":1772000001}",
     BY_SECRET, FOOTNOTE_INVALID},
    {"empty sub", HS,
     "{\"sub\":\"\",\"iss\":\"them\",\"aud\":\"us\",\"exp\":1772000001}",
     BY_SECRET, FOOTNOTE_INVALID},
    {"sub is everybody", HS,
     "{\"sub\":\"*\",\"iss\":\"them\",\"aud\":\"us\",\"exp\":1772000001}",
     BY_SECRET, FOOTNOTE_INVALID},
    {"sub with NUL", HS,
     "{\"sub\":\"a\\u0000\",\"iss\":\"them\",\"aud\":\"us\","
     "\"exp\":1772000001}",
     BY_SECRET, FOOTNOTE_INVALID},
    {"sub is a number", HS,
     "{\"sub\":7,\"iss\":\"them\",\"aud\":\"us\",\"exp\":1772000001}",
     BY_SECRET, FOOTNOTE_INVALID},
    {"two subs", HS, "{" WHO ",\"exp\":1772000001,\"sub\":\"bob\"}", BY_SECRET,
     FOOTNOTE_INVALID},
    {"two exps", HS, "{" WHO ",\"exp\":1,\"exp\":1772000001}", BY_SECRET,
     FOOTNOTE_INVALID},
    {"claims are a list", HS, "[]", BY_SECRET, FOOTNOTE_INVALID},
    {"claims are text", HS, "ann", BY_SECRET, FOOTNOTE_INVALID},
    {"claims with a tail", HS, OK_ "{}", BY_SECRET, FOOTNOTE_INVALID},
    /* Algorithms. */
    {"none", "{\"alg\":\"none\"}", OK_, BY_NOBODY, FOOTNOTE_INVALID},
    {"None", "{\"alg\":\"None\",\"kid\":\"rsa\"}", OK_, BY_NOBODY,
     FOOTNOTE_INVALID},
    {"unsigned", RS, OK_, BY_NOBODY, FOOTNOTE_INVALID},
    {"no alg", "{}", OK_, BY_SECRET, FOOTNOTE_INVALID},
    {"alg is a list", "{\"alg\":[\"HS256\"]}", OK_, BY_SECRET,
     FOOTNOTE_INVALID},
    {"alg in lower case", "{\"alg\":\"hs256\"}", OK_, BY_SECRET,
     FOOTNOTE_INVALID},
    {"two algs", "{\"alg\":\"none\",\"alg\":\"HS256\"}", OK_, BY_SECRET,
     FOOTNOTE_INVALID},
    {"HS for RS", "{\"alg\":\"HS256\",\"kid\":\"rsa\"}", OK_, BY_RSA_PUBLIC,
     FOOTNOTE_NOTFOUND},
    {"HS for RS without kid", HS, OK_, BY_RSA_PUBLIC, FOOTNOTE_INVALID},
    {"ES by the RSA key's kid", "{\"alg\":\"ES256\",\"kid\":\"rsa\"}", OK_,
     BY_EC, FOOTNOTE_NOTFOUND},
    {"RS512", "{\"alg\":\"RS512\",\"kid\":\"rsa\"}", OK_, BY_RSA,
     FOOTNOTE_INVALID},
    {"PS256", "{\"alg\":\"PS256\",\"kid\":\"rsa\"}", OK_, BY_RSA,
     FOOTNOTE_INVALID},
    /* Keys. */
    {"a stranger's key", RS, OK_, BY_STRANGER, FOOTNOTE_INVALID},
    {"RS signature by the EC key", RS, OK_, BY_EC, FOOTNOTE_INVALID},
    {"EC signature by the Ed key", EC, OK_, BY_ED, FOOTNOTE_INVALID},
    {"unknown kid", "{\"alg\":\"RS256\",\"kid\":\"other\"}", OK_, BY_RSA,
     FOOTNOTE_NOTFOUND},
    {"kid of nothing", "{\"alg\":\"RS256\",\"kid\":\"\"}", OK_, BY_RSA,
     FOOTNOTE_NOTFOUND},
    {"kid of the secret", "{\"alg\":\"HS256\",\"kid\":\"x\"}", OK_, BY_SECRET,
     FOOTNOTE_NOTFOUND},
    {"kid is a path", "{\"alg\":\"HS256\",\"kid\":\"../../dev/null\"}", OK_,
     BY_SECRET, FOOTNOTE_NOTFOUND},
    {"kid is SQL", "{\"alg\":\"RS256\",\"kid\":\"x' OR 1=1 --\"}", OK_, BY_RSA,
     FOOTNOTE_NOTFOUND},
    {"kid is a number", "{\"alg\":\"RS256\",\"kid\":1}", OK_, BY_RSA,
     FOOTNOTE_INVALID},
    {"jku",
     "{\"alg\":\"RS256\",\"kid\":\"rsa\",\"jku\":\"http://127.0.0.1:9/\"}", OK_,
     BY_STRANGER, FOOTNOTE_INVALID},
    {"x5u",
     "{\"alg\":\"RS256\",\"kid\":\"new\",\"x5u\":\"http://127.0.0.1:9/\"}", OK_,
     BY_STRANGER, FOOTNOTE_NOTFOUND},
    {"crit", "{\"alg\":\"HS256\",\"crit\":[\"b64\"],\"b64\":false}", OK_,
     BY_SECRET, FOOTNOTE_INVALID},
};

TEST(each_token_gets_its_verdict)
{
    struct jwt_keys *keys = all_keys();

    tokens_clock(TOKENS_NOW_S);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct token_case *c = &cases[i];
        struct str token = token_make(&arena, c->by, c->header, c->claims);
        struct jwt_claims claims;
        struct footnote_err err = {0};
        enum footnote_rc rc =
            jwt_verify(keys, &rules, &arena, token, &claims, &err);

        if (rc != c->want)
            FAIL("%s: %s (%s), not %s", c->name, rc_name(rc), err.text,
                 rc_name(c->want));
        if (rc == FOOTNOTE_OK)
            CHECK_TEXT(claims.user, STR("ann"));
    }
    jwt_keys_free(keys);
}

static enum footnote_rc verify(const struct jwt_keys *keys, struct str token)
{
    struct jwt_claims claims;

    return jwt_verify(keys, &rules, &arena, token, &claims, NULL);
}

TEST(a_key_in_the_token_is_not_used)
{
    struct jwt_keys *keys = all_keys();
    struct str header =
        arena_printf(&arena, "{\"alg\":\"RS256\",\"kid\":\"rsa\",\"jwk\":%s}",
                     tokens_jwk(&arena, BY_STRANGER, "rsa", "").p);

    tokens_clock(TOKENS_NOW_S);
    CHECK_INT(verify(keys, token_make(&arena, BY_STRANGER, header.p, OK_)),
              FOOTNOTE_INVALID);
    /* And does no harm to a token that holds without it. */
    CHECK_INT(verify(keys, token_make(&arena, BY_RSA, header.p, OK_)),
              FOOTNOTE_OK);
    jwt_keys_free(keys);
}

TEST(no_part_of_a_token_can_be_changed_or_cut)
{
    static const struct {
        enum signer by;
        const char *header;
    } good[] = {{BY_SECRET, HS}, {BY_RSA, RS}, {BY_EC, EC}, {BY_ED, ED}};
    struct jwt_keys *keys = all_keys();

    tokens_clock(TOKENS_NOW_S);
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        struct str t = token_make(&arena, good[i].by, good[i].header, OK_);
        char *p = arena_alloc(&arena, t.n + 2);

        memcpy(p, t.p, t.n);
        CHECK_INT(verify(keys, (struct str){p, t.n}), FOOTNOTE_OK);
        for (size_t at = 0; at < t.n; at++) {
            CHECK(verify(keys, (struct str){p, at}) != FOOTNOTE_OK);
            p[at] = p[at] == 'A' ? 'B' : 'A';
            CHECK(verify(keys, (struct str){p, t.n}) != FOOTNOTE_OK);
            p[at] = t.p[at];
        }
        for (const char *c = "A=.\n \x80"; *c; c++) {
            p[t.n] = *c;
            CHECK(verify(keys, (struct str){p, t.n + 1}) != FOOTNOTE_OK);
        }
    }
    jwt_keys_free(keys);
}

TEST(garbage_and_large_tokens_are_refused)
{
    static const char *const bad[] = {"",
                                      ".",
                                      "..",
                                      "...",
                                      "a.b.c",
                                      "!.!.!",
                                      "e30.e30.",
                                      "e30.e30.e30",
                                      "eyJhbGciOiJIUzI1NiJ9",
                                      "eyJhbGciOiJIUzI1NiJ9.",
                                      "\x80\xff.\x80.\x80",
                                      "eyJhbGciOiJIUzI1NiJ9==.e30.e30"};
    struct jwt_keys *keys = all_keys();
    char *mega = malloc(1 << 20);

    CHECK(mega != NULL);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK_INT(verify(keys, str_c(bad[i])), FOOTNOTE_INVALID);
    memset(mega, 'e', 1 << 20);
    mega[100] = mega[200] = '.';
    CHECK_INT(verify(keys, (struct str){mega, 1 << 20}), FOOTNOTE_INVALID);
    CHECK(arena.used_bytes < 1 << 20); /* it was not even decoded */
    free(mega);
    jwt_keys_free(keys);
}

TEST(a_token_of_the_largest_size_is_taken)
{
    struct jwt_keys *keys = all_keys();
    char pad[JWT_BYTES_MAX], claims[JWT_BYTES_MAX];
    enum footnote_rc last = FOOTNOTE_OK;

    tokens_clock(TOKENS_NOW_S);
    memset(pad, 'x', sizeof(pad));
    for (int n = 5900; n < 6100; n++) {
        struct str t;

        snprintf(claims, sizeof(claims),
                 "{" WHO ",\"exp\":1772000001,\"x\":"
                 "\"%.*s\"}",
                 n, pad);
        t = token_make(&arena, BY_SECRET, HS, claims);
        last = verify(keys, t);
        CHECK_INT(last, t.n <= JWT_BYTES_MAX ? FOOTNOTE_OK : FOOTNOTE_INVALID);
    }
    CHECK_INT(last, FOOTNOTE_INVALID); /* so both were seen */
    jwt_keys_free(keys);
}

TEST(the_tenant_comes_from_its_claim_or_the_token_is_refused)
{
    struct jwt_rules r = {.tenant_claim = STR("https://x.example/org")};
    struct jwt_keys *keys = all_keys();
    struct jwt_claims claims;
    struct str t;

    tokens_clock(TOKENS_NOW_S);
    t = token_make(&arena, BY_SECRET, HS,
                   "{\"sub\":\"ann\",\"exp\":1772000001,"
                   "\"https://x.example/org\":\"acme\"}");
    CHECK_INT(jwt_verify(keys, &r, &arena, t, &claims, NULL), FOOTNOTE_OK);
    CHECK_TEXT(claims.tenant, STR("acme"));
    CHECK_INT(claims.expires_ms, 1772000001000);
    t = token_make(&arena, BY_SECRET, HS,
                   "{\"sub\":\"ann\",\"exp\":1772000001}");
    CHECK_INT(jwt_verify(keys, &r, &arena, t, &claims, NULL), FOOTNOTE_INVALID);
    t = token_make(&arena, BY_SECRET, HS,
                   "{\"sub\":\"ann\",\"exp\":1772000001,"
                   "\"https://x.example/org\":[\"acme\"]}");
    CHECK_INT(jwt_verify(keys, &r, &arena, t, &claims, NULL), FOOTNOTE_INVALID);
    jwt_keys_free(keys);
}

/* ---- Sets ---------------------------------------------------------------- */

static enum footnote_rc read_set(struct str json, size_t *n)
{
    struct jwt_keys *k;
    enum footnote_rc rc;

    CHECK(jwt_keys_new(&k, NULL) == FOOTNOTE_OK);
    rc = jwt_keys_read(k, json, NULL);
    *n = k->n;
    jwt_keys_free(k);
    return rc;
}

static struct str set_of(const char *one, const char *two)
{
    return arena_printf(&arena, "{\"keys\":[%s,%s]}", one, two);
}

#define OCT "{\"kty\":\"oct\",\"k\":\"AAAA\",\"alg\":\"HS256\",\"kid\":\"o\"}"

TEST(keys_that_are_not_ours_are_passed_over)
{
    static const char *const mores[] = {
        ",\"use\":\"enc\"", ",\"alg\":\"RS512\"", ",\"alg\":\"HS256\"",
        ",\"key_ops\":[\"encrypt\"]", ",\"alg\":null"};
    size_t n;

    for (size_t i = 0; i < sizeof(mores) / sizeof(mores[0]); i++) {
        struct str other = tokens_jwk(&arena, BY_RSA, "rsa", mores[i]);
        struct str ours = tokens_jwk(&arena, BY_ED, "ed", "");

        CHECK_INT(read_set(set_of(other.p, ours.p), &n), FOOTNOTE_OK);
        CHECK_INT(n, 1);
        CHECK_INT(read_set(set_of(other.p, OCT), &n), FOOTNOTE_INVALID);
    }
}

/* A point that is not on it. */
#define ONE "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE\""
#define OFF_CURVE                                                              \
    "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":" ONE ",\"y\":" ONE    \
    "}]}"

TEST(a_bad_set_is_refused)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{\"keys\":{}}",
        "{\"keys\":[]}",
        "{\"keys\":[1,\"\"]}",
        "{\"keys\":[{\"kty\":\"RSA\"}]}",
        "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}",
        "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AAAA\"}]}",
        OFF_CURVE};
    struct str twin = tokens_jwk(&arena, BY_RSA, "twin", "");
    struct str other = tokens_jwk(&arena, BY_EC, "twin", "");
    size_t n;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK_INT(read_set(str_c(bad[i]), &n), FOOTNOTE_INVALID);
    CHECK_INT(read_set(set_of(twin.p, other.p), &n), FOOTNOTE_INVALID);
    CHECK_INT(read_set(tokens_weak_set(&arena), &n), FOOTNOTE_INVALID);
}

TEST(a_token_without_kid_is_refused_where_two_keys_fit)
{
    struct str set = set_of(tokens_jwk(&arena, BY_RSA, "one", "").p,
                            tokens_jwk(&arena, BY_STRANGER, "two", "").p);
    struct footnote_err err;
    struct jwt_keys *k;

    tokens_clock(TOKENS_NOW_S);
    CHECK_OK(jwt_keys_new(&k, &err), &err);
    CHECK_OK(jwt_keys_read(k, set, &err), &err);
    CHECK_INT(verify(k, token_make(&arena, BY_RSA, "{\"alg\":\"RS256\"}", OK_)),
              FOOTNOTE_NOTFOUND);
    CHECK_INT(verify(k, token_make(&arena, BY_RSA,
                                   "{\"alg\":\"RS256\",\"kid\":\"one\"}", OK_)),
              FOOTNOTE_OK);
    CHECK_INT(verify(k, token_make(&arena, BY_RSA,
                                   "{\"alg\":\"RS256\",\"kid\":\"two\"}", OK_)),
              FOOTNOTE_INVALID);
    jwt_keys_free(k);
}

TEST(a_short_secret_is_refused)
{
    struct jwt_keys *k;

    CHECK(jwt_keys_new(&k, NULL) == FOOTNOTE_OK);
    CHECK_INT(jwt_keys_secret(k, STR("0123456789abcdef0123456789abcde"), NULL),
              FOOTNOTE_INVALID);
    jwt_keys_free(k);
}
