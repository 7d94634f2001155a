/* healthz.c - `footnote doctor --healthz`: is the server of these settings up?
 *
 * For a container's HEALTHCHECK: quick, and silent when all is well. */
#include "cli/doctor/doctor.h"
#include "cli/remote.h"

enum { HEALTHZ_MS = 3000 };

/* The address to ask: that of --listen, or of the lock file when any port will
 * do.  A server that listens everywhere also listens on loopback. */
static enum footnote_rc find_address(struct cli *c, struct str *url,
                                     struct footnote_err *err)
{
    struct str host;
    uint16_t port;

    if (!config_split_listen(c->config.listen, &host, &port))
        return err_set(err, FOOTNOTE_INVALID, "listen: it takes ADDR:PORT");
    if (port == 0) {
        TRY(lock_read_address(&c->config, &c->arena, url, err));
        return url->p ? FOOTNOTE_OK
                      : err_set(err, FOOTNOTE_BUSY, "no server is running");
    }
    if (str_eq(host, STR("0.0.0.0")))
        host = STR("127.0.0.1");
    if (str_eq(host, STR("::")))
        host = STR("::1");
    *url = str_find(host, ':') < host.n
               ? arena_printf(&c->arena, "http://[%.*s]:%u", STR_ARG(host),
                              (unsigned)port)
               : arena_printf(&c->arena, "http://%.*s:%u", STR_ARG(host),
                              (unsigned)port);
    return arena_rc(&c->arena, err);
}

int doctor_healthz(struct cli *c)
{
    AUTO(remote_free) struct remote r = {.curl = NULL};
    const struct json *said;
    struct footnote_err err;
    struct str url;
    enum footnote_rc rc = find_address(c, &url, &err);

    if (rc == FOOTNOTE_OK)
        rc = remote_open(&r, url, STR_NONE, &err);
    if (rc == FOOTNOTE_OK) {
        curl_easy_setopt(r.curl, CURLOPT_NOPROXY, "*");
        curl_easy_setopt(r.curl, CURLOPT_TIMEOUT_MS, (long)HEALTHZ_MS);
        rc = remote_get(&r, "/healthz", &said, &err);
    }
    if (rc == FOOTNOTE_OK)
        return CLI_DONE;
    (void)cli_fail(c, rc, &err);
    return CLI_FAILED;
}
