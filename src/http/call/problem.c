/* problem.c - how our API tells of problems. */
#include "http/call/problem.h"

static bool is_openai(const struct request *r)
{
    return str_starts(r->path, STR("/v1/")) || str_eq(r->path, STR("/v1"));
}

bool request_is_api(const struct request *r)
{
    return str_starts(r->path, STR("/api/")) || is_openai(r);
}

bool problem_write(struct request *r, const struct problem *p,
                   struct json_out *w)
{
    if (p->status == 409 && str_eq(p->code, STR("turn_running")))
        reply_header(r, STR("x-should-retry"), STR("false"));
    if (!is_openai(r))
        return false;
    json_key(w, STR("error"));
    json_object(w);
    problem_member(w, STR("message"), p->text);
    problem_member(w, STR("type"),
                   p->status < 500 ? STR("invalid_request_error")
                                   : STR("server_error"));
    json_key(w, STR("param"));
    json_str(w, p->where);
    problem_member(w, STR("code"), p->code);
    json_end(w, '}');
    return true;
}

bool problem_no_route(struct request *r)
{
    if (!str_starts(r->path, STR("/v1/")))
        return false;
    reply_problem(r, &(struct problem){.status = 404,
                                       .code = STR("not_found"),
                                       .text = STR("Nothing is here: use "
                                                   "/v1/chat/completions")});
    return true;
}
