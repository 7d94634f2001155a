/* idempotency.c - the same POST again gets the first result.
 *
 * Key and write are one transaction, so no key is without its result, and a
 * failed request leaves no key.  The key keeps the id of the thing that was
 * made; a repeat reads that as it is now. */
#include <assert.h>

#include "http/api/calls.h"
#include "http/call/caller.h"
#include "store/idempotency.h"

static enum footnote_rc digest_request(struct request *r, struct sha256 *out)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;

    TRY(sha256_open(&c, &r->err));
    sha256_begin(c);
    sha256_add(c, str_c(method_name(r->method)));
    sha256_add(c, STR(" "));
    sha256_add(c, r->path);
    sha256_add(c, STR("\n"));
    sha256_add(c, r->body);
    sha256_end(c, out);
    return FOOTNOTE_OK;
}

void keyed_write(struct request *r, struct keyed *k, struct str scope,
                 const struct store_op *kind, void *op, request_fn *then)
{
    struct str key = request_header(r, STR("idempotency-key"));

    assert(k->result); /* in `op`, which the operation fills */
    k->has_key = key.p != NULL;
    if (!k->has_key) {
        request_write(r, kind, op, then);
        return;
    }
    k->write = (struct keyed_write){.scope = scope,
                                    .key = key,
                                    .kind = kind,
                                    .op = op,
                                    .result = k->result};
    r->rc = digest_request(r, &k->write.request);
    if (r->rc == FOOTNOTE_OK)
        request_write(r, OP(keyed_write), &k->write, then);
    else
        then(r);
}

struct str keyed_result(const struct keyed *k)
{
    return str_c(k->has_key ? k->write.result_text : k->result);
}

int keyed_status(struct request *r, const struct keyed *k, bool made)
{
    if (k->has_key ? k->write.first && made : made)
        return 201;
    reply_header(r, STR("Idempotent-Replayed"), STR("true"));
    return 200;
}
