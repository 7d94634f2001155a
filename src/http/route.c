/* route.c - the table of routes: which row, which parameters. */
#include "http/http.h"

const char *method_name(enum method m)
{
    static const char *const names[METHODS] = {
        [METHOD_GET] = "GET",       [METHOD_POST] = "POST",
        [METHOD_PUT] = "PUT",       [METHOD_PATCH] = "PATCH",
        [METHOD_DELETE] = "DELETE", [METHOD_OPTIONS] = "OPTIONS",
        [METHOD_HEAD] = "HEAD"};

    return names[m];
}

/* Most rows differ from a path within a few bytes. */
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
            params[n++] = (struct str){path.p + at, end - at - fixed};
            at = end - fixed;
        } else if (at == path.n || path.p[at++] != *pattern++) {
            return false;
        }
    }
    return at == path.n;
}

const struct route *route_find(const struct route *routes, size_t n,
                               enum method method, struct str path,
                               struct str params[HTTP_PARAMS_MAX],
                               unsigned *allowed)
{
    const struct route *found = NULL;
    struct str found_params[HTTP_PARAMS_MAX] = {{NULL, 0}};

    *allowed = 0;
    if (method == METHOD_HEAD)
        method = METHOD_GET;
    for (size_t i = 0; i < n; i++) {
        struct str p[HTTP_PARAMS_MAX] = {{NULL, 0}};

        if (!matches(routes[i].pattern, path, p))
            continue;
        *allowed |= 1u << routes[i].method;
        if (routes[i].method == method && !found) {
            found = &routes[i];
            memcpy(found_params, p, sizeof(p));
        }
    }
    memcpy(params, found_params, sizeof(found_params));
    return found;
}
