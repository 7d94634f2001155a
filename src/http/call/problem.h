/* problem.h - how our API tells of problems: hooks of the server. */
#ifndef HTTP_CALL_PROBLEM_H
#define HTTP_CALL_PROBLEM_H
#include "http/core/http.h"

/* Whether the answer is one of the API, and not a page: it depends on who
 * asks. */
bool request_is_api(const struct request *r);
/* Below /v1 problems have the shape of OpenAI's. */
bool problem_write(struct request *r, const struct problem *p,
                   struct json_out *w);
/* 404 for a path below /v1 that has no row, with a hint; else false. */
bool problem_no_route(struct request *r);

#endif
