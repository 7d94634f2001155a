/* route.c - the table of routes: which row, which parameters. */
#include <assert.h>

#include "http/core/http.h"

const char *method_name(enum method m)
{
    static const char *const names[METHODS] = {
        [METHOD_GET] = "GET",       [METHOD_POST] = "POST",
        [METHOD_PUT] = "PUT",       [METHOD_PATCH] = "PATCH",
        [METHOD_DELETE] = "DELETE", [METHOD_OPTIONS] = "OPTIONS",
        [METHOD_HEAD] = "HEAD"};

    return names[m];
}

/* Most rows differ from a path within a few bytes.  On a match params that the
 * pattern does not have are absent. */
static bool matches(const char *pattern, struct str path,
                    struct str params[HTTP_PARAMS_MAX])
{
    size_t at = 0, n = 0, fixed;

    while (*pattern) {
        if (*pattern == '{') {
            size_t end = at;

            while (end < path.n && path.p[end] != '/')
                end++;
            pattern = strchr(pattern, '}') + 1;
            fixed = strcspn(pattern, "/"); /* as the .png in {n}.png */
            if (end - at <= fixed)
                return false;
            assert(n < HTTP_PARAMS_MAX);
            params[n++] = (struct str){path.p + at, end - at - fixed};
            at = end - fixed;
        } else if (at == path.n || path.p[at++] != *pattern++) {
            return false;
        }
    }
    if (at < path.n)
        return false;
    while (n < HTTP_PARAMS_MAX)
        params[n++] = STR_NONE;
    return true;
}

const struct route *route_find(const struct route *routes, size_t n,
                               enum method method, struct str path,
                               struct str params[HTTP_PARAMS_MAX],
                               unsigned *allowed)
{
    if (method == METHOD_HEAD)
        method = METHOD_GET;
    *allowed = 1u << method;
    for (size_t i = 0; i < n; i++)
        if (routes[i].method == method &&
            matches(routes[i].pattern, path, params))
            return &routes[i];
    *allowed = 0;
    for (size_t i = 0; i < n; i++)
        if (matches(routes[i].pattern, path, params))
            *allowed |= 1u << routes[i].method;
    for (size_t i = 0; i < HTTP_PARAMS_MAX; i++)
        params[i] = STR_NONE;
    return NULL;
}
