/* admit.c - what stands between a request and its handler: Host and Origin,
 * who asks, and how often. */
#include "http/auth/admit.h"

#include <assert.h>
#include <stdio.h>

#include "base/clock.h"
#include "http/auth/limit.h"
#include "http/call/caller.h"
#include "http/call/problem.h"
#include "http/call/services.h"
#include "http/core/net.h"
#include "store/session/scope.h"

bool admit_head(struct request *r, unsigned allowed)
{
    const struct config *c = services(r)->config;
    struct footnote_err err;

    if (!caller_new(r)) {
        reply_rc(r, arena_rc(&r->arena, &err), &err, NULL);
        return false;
    }
    auth_client(services(r)->auth, r, caller(r)->client);
    if (!guard_check(c, r) || guard_cors(c, r, allowed))
        return false;
    return allowed || !problem_no_route(r);
}

/* ---- Who asks ----------------------------------------------------------- */

static void reply_too_many(struct request *r, int seconds, struct str text)
{
    char wait[16];

    snprintf(wait, sizeof(wait), "%d", seconds);
    reply_header(r, STR("Retry-After"), str_c(wait));
    reply_problem(r, &(struct problem){.status = 429,
                                       .code = STR("rate_limited"),
                                       .text = text});
}

/* A request without a key was not wrong: a page asks before it signs in. */
void admit_refuse(struct request *r)
{
    bool brought = request_header(r, STR("authorization")).p ||
                   r->route->access == ACCESS_PUBLIC;
    int wait = 0;

    if (brought && r->rc == FOOTNOTE_OK)
        wait = limits_failed(services(r)->limits, str_c(caller(r)->client),
                             clock_mono_ms());
    if (wait)
        reply_too_many(r, wait, STR("Too many keys or tokens were wrong"));
    else
        auth_refuse(r);
}

static void reply_forbidden(struct request *r, struct str text)
{
    reply_problem(r, &(struct problem){.status = 403,
                                       .code = STR("forbidden"),
                                       .text = text});
}

/* What a key that may only read may call. */
static bool only_reads(const struct route *r)
{
    static const char *const asking[] = {"sourcesByMessage", "findMarks"};

    if (r->method == METHOD_GET)
        return true;
    for (size_t i = 0; i < sizeof(asking) / sizeof(asking[0]); i++)
        if (strcmp(r->name, asking[i]) == 0)
            return true;
    return false;
}

/* What a call is for, beyond who may see the thing that it is about. */
static bool may_call(struct request *r)
{
    const struct caller *c = caller(r);

    if (r->route->access == ACCESS_ADMIN && !c->admin)
        reply_forbidden(r, STR("For admins only"));
    else if (scope_reads_only(c->who.scope) && !only_reads(r->route))
        reply_forbidden(r, STR("This key may only read"));
    return !r->answered;
}

/* On the loop, once it is known who asks. */
static void let_in(struct request *r)
{
    const struct caller *c = caller(r);
    int wait = 0;

    if (c->verdict != AUTH_OK) {
        admit_refuse(r);
        return;
    }
    if (!may_call(r))
        return;
    r->share = limits_key(c->who);
    if (!str_eq(c->auth, STR("none")))
        wait = limits_request(services(r)->limits, c->who, clock_mono_ms());
    if (wait)
        reply_too_many(r, wait, STR("Too many requests"));
    else
        request_admitted(r);
}

static void look_up_caller(struct request *r)
{
    caller(r)->verdict = auth_ask(services(r)->auth, r);
}

void admit_run(struct request *r)
{
    struct str client = str_c(caller(r)->client);

    assert(caller(r) && r->route);
    if (r->route->access == ACCESS_PUBLIC) {
        request_admitted(r);
        return;
    }
    caller(r)->verdict = auth_check(services(r)->auth, r);
    if (caller(r)->verdict == AUTH_ASK) {
        r->share = net_client_hash(client);
        /* Those who are wrong all the time have one share between them. */
        if (!limits_suspects(services(r)->limits, client, clock_mono_ms()))
            r->share ^= str_hash(auth_credential(services(r)->auth, r));
        request_work_quick(r, look_up_caller, let_in);
    } else {
        let_in(r);
    }
}
