/* key_test.c - idempotency keys. */
#include "store/idempotency.h"
#include "store_help.h"

#include <stdlib.h>

static struct key_claim claim(const char *scope, const char *key,
                              unsigned char request)
{
    struct key_claim op = {.scope = str_c(scope), .key = str_c(key)};

    memset(op.request.b, request, SHA256_BYTES);
    return op;
}

static void key_done(const char *key, int64_t status, struct str response)
{
    struct key_finish op = {STR("s"), str_c(key), status, response};

    WRITE(ANN, key_finish, &op);
}

STORED(a_key_gives_the_first_result_again)
{
    struct key_claim op = claim("s", "k", 1);

    WRITE(ANN, key_claim, &op);
    CHECK(op.first);
    REFUSE(ANN, key_claim, &op, FOOTNOTE_RUNNING, "Idempotency-Key");
    key_done("k", 201, STR("{\"a\":\"\\u0000\0\"}"));
    help_reopen();
    op = claim("s", "k", 1);
    WRITE(ANN, key_claim, &op);
    CHECK(!op.first);
    CHECK_INT(op.status, 201);
    CHECK_TEXT(op.response, STR("{\"a\":\"\\u0000\0\"}"));
    free((void *)(uintptr_t)op.response.p);
    op = claim("s", "k", 2);
    REFUSE(ANN, key_claim, &op, FOOTNOTE_REUSED, "Idempotency-Key");
}

STORED(a_key_with_another_request_is_refused_while_the_first_runs)
{
    struct key_claim op = claim("s", "k", 1);

    WRITE(ANN, key_claim, &op);
    op = claim("s", "k", 2);
    REFUSE(ANN, key_claim, &op, FOOTNOTE_REUSED, "Idempotency-Key");
}

STORED(a_key_belongs_to_user_and_scope)
{
    struct key_claim op = claim("s", "k", 1);

    WRITE(ANN, key_claim, &op);
    CHECK(op.first);
    op = claim("", "k", 2);
    WRITE(ANN, key_claim, &op);
    CHECK(op.first);
    op = claim("s", "k", 2);
    WRITE(BEN, key_claim, &op);
    CHECK(op.first);
    WRITE(((struct who){STR("tenant2"), STR("ann")}), key_claim, &op);
    CHECK(op.first);
}

STORED(a_key_whose_request_failed_is_free_again)
{
    struct key_claim op = claim("s", "k", 1);

    WRITE(ANN, key_claim, &op);
    key_done("k", 0, STR_NONE);
    op = claim("s", "k", 2);
    WRITE(ANN, key_claim, &op);
    CHECK(op.first);
}

static void claim_one(size_t i)
{
    static _Atomic int firsts;
    struct key_claim op = claim("s", "k", 1);
    struct footnote_err own;
    enum footnote_rc rc;

    (void)i;
    rc = store_write(st, ANN, OP(key_claim), &op, &own);
    CHECK(rc == FOOTNOTE_OK ? op.first && firsts++ == 0
                            : rc == FOOTNOTE_RUNNING);
}

STORED(of_many_threads_with_one_key_one_is_first)
{
    in_threads(16, claim_one);
    CHECK_INT(sql_i64("SELECT count(*) FROM idempotency_key"), 1);
}

STORED(a_key_is_kept_for_a_day)
{
    struct key_claim op = claim("s", "k", 1);
    const int64_t hour = 3600000;

    WRITE(ANN, key_claim, &op);
    key_done("k", 200, STR(""));
    time_passes(23 * hour);
    help_reopen();
    op = claim("s", "k", 1);
    WRITE(ANN, key_claim, &op);
    CHECK(!op.first);
    CHECK_TEXT(op.response, STR(""));
    free((void *)(uintptr_t)op.response.p);
    time_passes(2 * hour);
    help_reopen();
    CHECK_INT(sql_i64("SELECT count(*) FROM idempotency_key"), 0);
    op = claim("s", "k", 2);
    WRITE(ANN, key_claim, &op);
    CHECK(op.first);
}

STORED(a_key_that_is_missing_or_too_long_is_refused)
{
    struct key_claim op = claim("s", NULL, 1);
    char longest[201];

    REFUSE(ANN, key_claim, &op, FOOTNOTE_INVALID, "Idempotency-Key");
    op = claim("s", "", 1);
    REFUSE(ANN, key_claim, &op, FOOTNOTE_INVALID, "Idempotency-Key");
    memset(longest, 'k', sizeof(longest));
    op.key = (struct str){longest, 201};
    REFUSE(ANN, key_claim, &op, FOOTNOTE_INVALID, "Idempotency-Key");
    op.key.n = 200;
    WRITE(ANN, key_claim, &op);
    CHECK(op.first);
}
