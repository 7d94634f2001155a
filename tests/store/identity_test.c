/* identity_test.c - a store has an id of its own, which stays. */
#include "store/identity.h"
#include "store_help.h"

STORED(identity_stays_until_it_is_renewed)
{
    struct store_identity first = {.created_ms = 0}, again = first, last;
    struct store_identity_renew renew;

    CHECK_OK(store_own_read(st, &out, OP(store_identity), &first, &err), &err);
    CHECK_INT(strspn(first.id, "0123456789abcdef"), STORE_IDENTITY_BYTES);
    CHECK(first.created_ms > 1700000000000);
    help_reopen();
    CHECK_OK(store_own_read(st, &out, OP(store_identity), &again, &err), &err);
    CHECK(strcmp(first.id, again.id) == 0);

    CHECK_OK(store_own(st, OP(store_identity_renew), &renew, &err), &err);
    CHECK_INT(strspn(renew.id, "0123456789abcdef"), STORE_IDENTITY_BYTES);
    CHECK(strcmp(first.id, renew.id) != 0);
    help_reopen();
    CHECK_OK(store_own(st, OP(store_identity), &last, &err), &err);
    CHECK(strcmp(last.id, renew.id) == 0);
}

STORED(identity_that_is_lost_is_damage)
{
    struct store_identity got;
    struct store_identity_renew renew;

    sql_do("DELETE FROM store_identity");
    CHECK_INT(store_own_read(st, &out, OP(store_identity), &got, &err),
              FOOTNOTE_DAMAGED);
    CHECK_INT(store_own(st, OP(store_identity_renew), &renew, &err),
              FOOTNOTE_DAMAGED);
}
