/* jwks.c - one set of keys, replaced as a whole.
 *
 * Verifying holds the set's lock for reading.  A new set is made beside it and
 * exchanged under the lock for writing, so verifying never waits for a file or
 * the network. */
#include "http/token/jwks.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "http/token/fetch.h"

struct jwks {
    char *secret, *set; /* NUL-terminated; NULL: absent */
    size_t secret_n;
    pthread_rwlock_t lock; /* of keys */
    struct jwt_keys *keys;
    pthread_mutex_t reading;      /* one at a time */
    atomic_int waiters;           /* for `reading` */
    atomic_int_fast64_t tried_ms; /* when it was last read, or tried */
    atomic_bool stale;            /* the last reading failed */
};

bool jwks_is_url(struct str set)
{
    return str_starts(set, STR("https://")) || str_starts(set, STR("http://"));
}

/* ---- Reading a set ------------------------------------------------------ */

static enum footnote_rc read_file(const char *path, struct str *out,
                                  struct footnote_err *err)
{
    AUTO(fd_closep) const int fd = open(path, O_RDONLY | O_CLOEXEC);
    AUTO(buf_free) struct buf b = BUF(JWKS_BYTES_MAX);
    char part[4096];

    *out = STR_NONE;
    for (;;) {
        ssize_t n = fd < 0 ? -1 : read(fd, part, sizeof(part));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, FOOTNOTE_INVALID, "%s: %s", path,
                           strerrordesc_np(errno));
        if (n == 0)
            return buf_take(&b, out, err);
        buf_add(&b, (struct str){part, (size_t)n});
        TRY(buf_rc(&b, err));
    }
}

enum footnote_rc jwks_read(const char *where, struct jwt_keys *keys,
                           struct footnote_err *err)
{
    struct str text;
    enum footnote_rc rc;

    if (jwks_is_url(str_c(where)))
        rc = fetch_text(&(struct fetch){.url = str_c(where)}, &text, err);
    else
        rc = read_file(where, &text, err);
    if (rc == FOOTNOTE_OK)
        rc = jwt_keys_read(keys, text, err);
    free((void *)(uintptr_t)text.p);
    if (rc != FOOTNOTE_OK)
        err_prefix(err, "jwks");
    return rc;
}

static void replace_keys(struct jwks *j, struct jwt_keys *keys)
{
    struct jwt_keys *old;

    pthread_rwlock_wrlock(&j->lock);
    old = j->keys;
    j->keys = keys;
    pthread_rwlock_unlock(&j->lock);
    jwt_keys_free(old);
}

static enum footnote_rc add_secret(const struct jwks *j, struct jwt_keys *keys,
                                   struct footnote_err *err)
{
    if (!j->secret)
        return FOOTNOTE_OK;
    return jwt_keys_secret(keys, (struct str){j->secret, j->secret_n}, err);
}

static enum footnote_rc reload(struct jwks *j, struct footnote_err *err)
{
    AUTO(jwt_keys_freep) struct jwt_keys *keys = NULL;

    TRY(jwt_keys_new(&keys, err));
    TRY(add_secret(j, keys, err));
    if (j->set)
        TRY(jwks_read(j->set, keys, err));
    replace_keys(j, keys);
    keys = NULL; /* it is the set now */
    return FOOTNOTE_OK;
}

/* ---- When --------------------------------------------------------------- */

bool jwks_is_due(struct jwks *j, bool unknown)
{
    int64_t age = clock_mono_ms() - atomic_load(&j->tried_ms);

    if (!j->set)
        return false;
    return age >=
           (unknown || atomic_load(&j->stale) ? JWKS_GAP_MS : JWKS_FRESH_MS);
}

/* The time of the attempt counts, not that of the success: a server that is
 * down is not asked more often than one that is up. */
static bool refresh_now(struct jwks *j)
{
    struct footnote_err err;
    bool ok;

    atomic_store(&j->tried_ms, clock_mono_ms());
    ok = reload(j, &err) == FOOTNOTE_OK;
    atomic_store(&j->stale, !ok);
    if (!ok)
        log_write(LOG_WARN, "the keys of tokens were not read",
                  LOG_TEXT("why", str_c(err.text)));
    return ok;
}

/* A flood of tokens with unknown keys must not hold every worker. */
static bool lock_reading(struct jwks *j)
{
    bool mine = false;

    if (pthread_mutex_trylock(&j->reading) == 0)
        return true;
    if (atomic_fetch_add(&j->waiters, 1) < JWKS_WAITERS_MAX)
        mine = pthread_mutex_lock(&j->reading) == 0;
    atomic_fetch_sub(&j->waiters, 1);
    return mine;
}

bool jwks_refresh(struct jwks *j, bool unknown)
{
    bool fresh;

    if (!jwks_is_due(j, unknown) && !unknown)
        return false;
    /* Keys that are only old can be used while another thread reads. */
    if (unknown ? !lock_reading(j) : pthread_mutex_trylock(&j->reading) != 0)
        return false;
    /* Another thread may have read it while this one waited. */
    fresh = jwks_is_due(j, unknown) ? refresh_now(j) : true;
    pthread_mutex_unlock(&j->reading);
    return fresh;
}

/* ---- Opening and use ---------------------------------------------------- */

static enum footnote_rc copy_text(struct str s, char **out,
                                  struct footnote_err *err)
{
    *out = NULL;
    if (!s.p)
        return FOOTNOTE_OK;
    *out = malloc(s.n + 1);
    if (!*out)
        return err_set(err, FOOTNOTE_NOMEM, "opening the keys of tokens");
    memcpy(*out, s.p, s.n);
    (*out)[s.n] = '\0';
    return FOOTNOTE_OK;
}

/* A URL that does not answer is no reason not to start: until it does, its
 * tokens are refused. */
static enum footnote_rc first_keys(struct jwks *j, struct footnote_err *err)
{
    AUTO(jwt_keys_freep) struct jwt_keys *keys = NULL;
    struct footnote_err why;
    enum footnote_rc rc;

    atomic_store(&j->tried_ms, clock_mono_ms());
    rc = reload(j, &why);
    if (rc != FOOTNOTE_BUSY) {
        if (rc != FOOTNOTE_OK)
            return err_set(err, rc, "%s", why.text);
        return rc;
    }
    log_write(LOG_WARN, "the keys of tokens were not read",
              LOG_TEXT("why", str_c(why.text)));
    atomic_store(&j->stale, true);
    TRY(jwt_keys_new(&keys, err));
    TRY(add_secret(j, keys, err));
    replace_keys(j, keys);
    keys = NULL; /* it is the set now */
    return FOOTNOTE_OK;
}

static void closep(struct jwks **j)
{
    jwks_close(*j);
}

enum footnote_rc jwks_open(struct str secret, struct str set, struct jwks **out,
                           struct footnote_err *err)
{
    AUTO(closep) struct jwks *j = calloc(1, sizeof(*j));

    *out = NULL;
    if (!j)
        return err_set(err, FOOTNOTE_NOMEM, "opening the keys of tokens");
    pthread_rwlock_init(&j->lock, NULL);
    pthread_mutex_init(&j->reading, NULL);
    j->secret_n = secret.n;
    TRY(copy_text(secret, &j->secret, err));
    TRY(copy_text(set, &j->set, err));
    TRY(first_keys(j, err));
    *out = j;
    j = NULL; /* it is the caller's now */
    return FOOTNOTE_OK;
}

void jwks_close(struct jwks *j)
{
    if (!j)
        return;
    jwt_keys_free(j->keys);
    pthread_mutex_destroy(&j->reading);
    pthread_rwlock_destroy(&j->lock);
    if (j->secret)
        explicit_bzero(j->secret, j->secret_n);
    free(j->secret);
    free(j->set);
    free(j);
}

enum footnote_rc jwks_verify(struct jwks *j, const struct jwt_rules *rules,
                             struct arena *a, struct str token,
                             struct jwt_claims *out, struct footnote_err *err)
{
    enum footnote_rc rc;

    pthread_rwlock_rdlock(&j->lock);
    assert(j->keys); /* there is a set, if only with the secret */
    rc = jwt_verify(j->keys, rules, a, token, out, err);
    pthread_rwlock_unlock(&j->lock);
    return rc;
}
