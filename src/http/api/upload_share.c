/* upload_share.c - whether there is room for an upload, before it is read.
 *
 * A user's uploads reserve what they will need, so that many at once do not
 * fill the disk with what will be refused.  What counts is the check when the
 * row is made. */
#include "http/api/upload.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/call/shares.h"
#include "store/usage.h"

static bool refuse(struct request *r, const struct upload_share *s,
                   int64_t needs)
{
    struct footnote_err err;
    enum footnote_rc rc =
        err_set(&err, FOOTNOTE_QUOTA,
                "there is room for %lld more bytes of yours, uploads under way "
                "included, and this needs %lld. Delete documents or old "
                "versions first",
                (long long)s->room, (long long)needs);

    err_about(&err, "bytes");
    call_failed(r, rc, &err, NULL);
    return false;
}

/* -1: it is not said. */
static int64_t length_of(const struct request *r)
{
    int64_t n;

    return str_i64(request_header(r, STR("content-length")), &n) ? n : -1;
}

/* Reserves what is lacking to `bytes`. */
static bool reserve(struct request *r, struct upload_share *s, int64_t bytes)
{
    int64_t more = bytes - s->reserved;

    if (more <= 0)
        return true;
    if (!share_reserve(services(r)->shares, s->holder, more, s->room))
        return refuse(r, s, bytes);
    s->reserved = bytes;
    return true;
}

bool upload_share_take(struct request *r, struct upload_share *s)
{
    struct usage_get get = {.may_add = 0};
    int64_t bytes = length_of(r);

    if (!store_has_room(services(r)->store)) {
        struct footnote_err err;

        call_failed(r, err_set(&err, FOOTNOTE_FULL, "the disk is nearly full"),
                    &err, NULL);
        return false;
    }
    if (!call_read(r, OP(usage_get), &get, "user"))
        return false;
    s->room = get.may_add;
    s->holder = call_share(r, SHARE_UPLOADS);
    return s->holder && reserve(r, s, bytes > 0 ? bytes : 1);
}

bool upload_share_grow(struct request *r, struct upload_share *s, size_t bytes)
{
    s->came += (int64_t)bytes;
    return reserve(r, s, s->came);
}

void upload_share_end(struct request *r, struct upload_share *s)
{
    struct shares *shares = services(r)->shares;

    share_release(shares, s->holder, s->reserved);
    share_give(shares, s->holder, SHARE_UPLOADS);
    *s = (struct upload_share){.holder = NULL};
}
