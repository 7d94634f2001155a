/* folder.c - the data folder and its store. */
#include <assert.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/cli.h"
#include "store/store.h"

/* Makes every missing folder of the path. */
static enum footnote_rc make_folder(struct str path, struct footnote_err *err)
{
    char part[PATH_MAX];

    if (path.n >= sizeof(part))
        return err_set(err, FOOTNOTE_INVALID, "data: the path is too long");
    memcpy(part, path.p, path.n);
    part[path.n] = '\0';
    for (size_t i = 1; i <= path.n; i++) {
        if (part[i] != '/' && part[i] != '\0')
            continue;
        part[i] = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST)
            return err_set(err, FOOTNOTE_INVALID, "data: %.120s: %s", part,
                           strerror(errno));
        if (i < path.n)
            part[i] = '/';
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc become(const struct stat *owner,
                               struct footnote_err *err)
{
    const struct passwd *user = getpwuid(owner->st_uid);
    int failed =
        user ? initgroups(user->pw_name, owner->st_gid) : setgroups(0, NULL);

    if (failed || setgid(owner->st_gid) != 0 || setuid(owner->st_uid) != 0)
        return err_set(err, FOOTNOTE_INVALID,
                       "data: cannot become its owner, user %u: %s",
                       (unsigned)owner->st_uid, strerror(errno));
    return FOOTNOTE_OK;
}

enum footnote_rc folder_enter(const struct config *c, struct footnote_err *err)
{
    struct stat st;

    assert(c->data.n && c->data.p[c->data.n] == '\0');
    umask(077); /* only the owner may read new files */
    if (stat(c->data.p, &st) != 0) {
        TRY(make_folder(c->data, err));
    } else if (!S_ISDIR(st.st_mode)) {
        return err_set(err, FOOTNOTE_INVALID, "data: %.120s is not a folder",
                       c->data.p);
    } else if (st.st_mode & S_IWOTH) {
        return err_set(err, FOOTNOTE_INVALID,
                       "data: everybody on this machine may write to %.100s; "
                       "chmod o-w it, or name a folder of its own",
                       c->data.p);
    } else if (geteuid() == 0 && st.st_uid != 0) {
        TRY(become(&st, err));
    }
    if (access(c->data.p, W_OK | X_OK) != 0)
        return err_set(err, FOOTNOTE_INVALID, "data: %.120s: %s", c->data.p,
                       strerror(errno));
    return FOOTNOTE_OK;
}

bool folder_database_path(const struct config *c, const char *suffix,
                          char path[PATH_MAX])
{
    struct str file = str_skip(c->database, str_find(c->database, ':') + 1);
    int n;

    if (!str_starts(c->database, STR("sqlite:")))
        return false;
    file.n = str_find(file, '?');
    n = snprintf(path, PATH_MAX, "%.*s%s", STR_ARG(file), suffix);
    return n > 0 && n < PATH_MAX;
}

enum footnote_rc folder_enter_existing(const struct config *c,
                                       struct footnote_err *err)
{
    char path[PATH_MAX];

    if (folder_database_path(c, "", path) && access(path, F_OK) != 0 &&
        errno == ENOENT)
        return err_set(err, FOOTNOTE_NOTFOUND,
                       "data: there is no database %.140s; --data says where "
                       "it is",
                       path);
    return folder_enter(c, err);
}

static enum footnote_rc open_as(struct arena *a, const struct config *c,
                                const struct store_options *o,
                                struct store **out, struct footnote_err *err)
{
    struct str url = c->database;

    if (str_eq(c->durability, STR("relaxed")))
        url = arena_printf(a, "%.*s%cdurability=relaxed", STR_ARG(url),
                           str_find(url, '?') < url.n ? '&' : '?');
    TRY(arena_rc(a, err));
    return store_open_as(url.p, o, out, err);
}

enum footnote_rc folder_open_store(struct arena *a, const struct config *c,
                                   struct store **out, struct footnote_err *err)
{
    return open_as(a, c, &(struct store_options){.alone = false}, out, err);
}

/* The lock says nothing of a file that is elsewhere.  A folder has many names.
 */
static bool is_inside(const struct config *c)
{
    struct stat data, folder;
    char path[PATH_MAX];
    char *slash;

    if (!folder_database_path(c, "", path))
        return false;
    slash = strrchr(path, '/');
    if (slash)
        slash[1] = '\0';
    return stat(c->data.p, &data) == 0 &&
           stat(slash ? path : ".", &folder) == 0 &&
           data.st_dev == folder.st_dev && data.st_ino == folder.st_ino;
}

static void say(const char *sentence)
{
    log_write(LOG_WARN, sentence);
}

enum footnote_rc folder_open_locked(struct arena *a, const struct config *c,
                                    struct str node_name, struct store **out,
                                    struct footnote_err *err)
{
    struct store_options o = {
        .alone = is_inside(c), .node_name = node_name.p, .say = say};

    return open_as(a, c, &o, out, err);
}
