/* postgres_hosts.c - the hosts of a URL, one at a time.
 *
 * libpq walks over a list of hosts by itself, but without blocking it never
 * leaves one that is silent, as a machine is that lost its power.  So we give
 * it one host at a time. */
#include "db/postgres_impl.h"

enum { HOST_BYTES_MAX = 8 * 1024 };

static const char *value_of(const PQconninfoOption *info, const char *keyword)
{
    for (; info->keyword; info++)
        if (strcmp(info->keyword, keyword) == 0)
            return info->val;
    return NULL;
}

static size_t count(const char *list)
{
    size_t n = 1;

    if (!list)
        return 0;
    for (; *list; list++)
        n += *list == ',';
    return n;
}

enum footnote_rc pg_hosts_count(const PQconninfoOption *info, size_t *n,
                                struct footnote_err *err)
{
    size_t hosts = count(value_of(info, "host"));
    size_t addresses = count(value_of(info, "hostaddr"));
    size_t ports = count(value_of(info, "port"));

    *n = hosts > addresses ? hosts : addresses;
    if (*n == 0)
        *n = 1;
    if ((hosts && hosts != *n) || (addresses && addresses != *n) ||
        (ports > 1 && ports != *n))
        return err_set(err, FOOTNOTE_INVALID,
                       "url: it lists %zu hosts, %zu addresses and %zu ports",
                       hosts, addresses, ports);
    return FOOTNOTE_OK;
}

/* The i-th item; the only one stands for all. */
static const char *item_at(struct arena *a, const char *list, size_t i)
{
    struct str rest = str_c(list);

    if (!list)
        return NULL;
    if (count(list) > 1)
        for (; i > 0; i--)
            rest = str_skip(rest, str_find(rest, ',') + 1);
    rest.n = str_find(rest, ',');
    return arena_str(a, rest).p;
}

enum footnote_rc pg_host_at(const PQconninfoOption *info, size_t i,
                            struct pg_host *out, struct footnote_err *err)
{
    out->arena = ARENA(HOST_BYTES_MAX);
    out->host = item_at(&out->arena, value_of(info, "host"), i);
    out->hostaddr = item_at(&out->arena, value_of(info, "hostaddr"), i);
    out->port = item_at(&out->arena, value_of(info, "port"), i);
    return arena_rc(&out->arena, err);
}

void pg_host_free(struct pg_host *h)
{
    arena_free(&h->arena);
}
