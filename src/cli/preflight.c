/* preflight.c - opens what a server would open, and makes nothing.
 *
 * `footnote config check` rests on it.  The first obstacle is the error; what a
 * server can start without is said as a warning. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/cli.h"
#include "cli/services.h"
#include "db/db.h"
#include "http/core/server.h"
#include "http/token/jwks.h"
#include "ingest/pdf/poppler.h"
#include "store/store.h"

enum { UNKNOWN_MAX = 20 };

/* ---- Folders ------------------------------------------------------------- */

/* One that is missing is made at the start: in the nearest that is there. */
static enum footnote_rc check_folder(const char *setting, struct str folder,
                                     struct footnote_err *err)
{
    char path[PATH_MAX];
    size_t n = folder.n;
    struct stat st;

    if (n == 0 || n >= sizeof(path))
        return err_set(err, FOOTNOTE_INVALID, "%s: the path is too long",
                       setting);
    memcpy(path, folder.p, n);
    path[n] = '\0';
    while (stat(path, &st) != 0) {
        if (errno != ENOENT)
            return err_set(err, FOOTNOTE_INVALID, "%s: %.120s: %s", setting,
                           path, strerror(errno));
        while (n > 0 && path[n - 1] != '/')
            n--;
        while (n > 1 && path[n - 1] == '/')
            n--;
        snprintf(path + n, sizeof(path) - n, "%s", n ? "" : ".");
    }
    if (!S_ISDIR(st.st_mode))
        return err_set(err, FOOTNOTE_INVALID, "%s: %.120s is not a folder",
                       setting, path);
    if (access(path, W_OK | X_OK) != 0)
        return err_set(err, FOOTNOTE_INVALID, "%s: %.120s: %s", setting, path,
                       strerror(errno));
    return FOOTNOTE_OK;
}

/* As its owner, whom a server becomes as well. */
static enum footnote_rc check_data(const struct config *c,
                                   struct footnote_err *err)
{
    struct stat st;

    if (stat(c->data.p, &st) == 0)
        return folder_enter(c, err);
    return check_folder("data", c->data, err);
}

static enum footnote_rc check_programs(const struct config *c,
                                       struct footnote_err *err)
{
    char path[PATH_MAX];

    for (size_t i = 0; c->poppler.p && poppler_programs[i]; i++) {
        int n = snprintf(path, sizeof(path), "%s/%s", c->poppler.p,
                         poppler_programs[i]);

        if (n >= (int)sizeof(path) || access(path, X_OK) != 0)
            return err_set(err, FOOTNOTE_INVALID,
                           "poppler: there is no %.140s that can be run", path);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc check_pages(const struct config *c,
                                    struct footnote_err *err)
{
    if (c->ui_dir.p && access(c->ui_dir.p, R_OK | X_OK) != 0)
        return err_set(err, FOOTNOTE_INVALID, "ui-dir: %.120s: %s", c->ui_dir.p,
                       strerror(errno));
    return FOOTNOTE_OK;
}

/* ---- The database, the files --------------------------------------------- */

static enum footnote_rc check_database(const struct config *c,
                                       struct footnote_err *err)
{
    char path[PATH_MAX];
    struct db_options o = {.url = c->database.p, .mode = DB_READ};
    struct store *st = NULL;
    struct db *db = NULL;
    enum footnote_rc rc;

    if (folder_database_path(c, "", path) && access(path, F_OK) != 0)
        return FOOTNOTE_OK; /* a start makes it */
    rc = db_check_log(c->database.p, err);
    if (rc == FOOTNOTE_OK)
        rc =
            db_open(&o, &db, err); /* a store's reader connects when it reads */
    db_close(db);
    if (rc == FOOTNOTE_OK)
        rc = store_open_reader(c->database.p, &st, err);
    store_close(st);
    if (rc == FOOTNOTE_NOTFOUND)
        return FOOTNOTE_OK;
    if (rc != FOOTNOTE_OK)
        err_prefix(err, "database");
    return rc;
}

/* No object has this key; a bucket that says so is there, and knows us. */
static enum footnote_rc check_bucket(const struct config *c,
                                     struct footnote_err *err)
{
    struct objects_place place = services_place(c, c->objects);
    struct objects *o = NULL;
    int64_t bytes;
    enum footnote_rc rc;

    place.scratch = STR_NONE;
    rc = objects_open_place(&place, &o, err);
    if (rc == FOOTNOTE_OK)
        rc = object_head(o, STR("00000000000000000000000000000000"), &bytes,
                         err);
    objects_close(o);
    if (rc == FOOTNOTE_NOTFOUND)
        return FOOTNOTE_OK;
    if (rc != FOOTNOTE_OK)
        err_prefix(err, "objects");
    return rc;
}

static enum footnote_rc check_places(const struct config *c,
                                     struct footnote_err *err)
{
    struct str files = STR("files:");

    if (str_starts(c->objects, files))
        TRY(check_folder("objects", str_skip(c->objects, files.n), err));
    else
        TRY(check_bucket(c, err));
    if (c->backup_to.n && !str_starts(c->backup_to, STR("s3:")))
        TRY(check_folder("backup-to",
                         (struct str){c->backup_to.p, c->backup_to.n}, err));
    return FOOTNOTE_OK;
}

/* ---- Keys, the address --------------------------------------------------- */

static enum footnote_rc check_keys(const struct config *c,
                                   struct footnote_err *err)
{
    AUTO(jwt_keys_freep) struct jwt_keys *keys = NULL;

    if (!c->jwks.p)
        return FOOTNOTE_OK;
    TRY(jwt_keys_new(&keys, err));
    return jwks_read(c->jwks.p, keys, err);
}

/* A server that runs on this folder has the address, as it should. */
static enum footnote_rc check_address(struct cli *c, struct footnote_err *err)
{
    const struct config *config = &c->config;
    struct str running = STR_NONE;
    struct stat st;

    if (stat(config->data.p, &st) == 0)
        TRY(lock_read_address(config, &c->arena, &running, err));
    return running.p ? FOOTNOTE_OK : server_try_address(config->listen, err);
}

/* ---- All of it ----------------------------------------------------------- */

static void warn(const char *text, int n)
{
    fprintf(stderr, "footnote: warning: %.*s\n", n, text);
}

void preflight_warn(struct cli *c, void (*say)(const char *text, int n))
{
    struct str unknown[UNKNOWN_MAX];
    size_t n = config_unknown_env(&c->arena, c->in.env, unknown, UNKNOWN_MAX);
    const char *missing = poppler_missing();
    char text[200];

    for (size_t i = 0; i < n; i++)
        if (unknown[i].p)
            say(unknown[i].p, (int)unknown[i].n);
    if (missing) {
        snprintf(text, sizeof(text),
                 "%s is not there, so no PDF can be read: install "
                 "poppler-utils, or see --poppler",
                 missing);
        say(text, (int)strlen(text));
    }
}

enum footnote_rc preflight(struct cli *c, struct footnote_err *err)
{
    const struct config *config = &c->config;

    preflight_warn(c, warn);
    TRY(config_check(config, err));
    TRY(check_data(config, err));
    TRY(check_database(config, err));
    TRY(check_places(config, err));
    TRY(check_keys(config, err));
    TRY(check_pages(config, err));
    TRY(check_programs(config, err));
    return check_address(c, err);
}
