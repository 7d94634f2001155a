/* machine.c - the settings, the disks and the clock. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/doctor/doctor.h"
#include "config/table.h"

enum {
    LOG_BYTES_MUCH = 256 * 1024 * 1024, /* four times what a log keeps */
    CLOCK_AHEAD_MS = 60 * 1000
};

/* ---- Settings ------------------------------------------------------------ */

void check_settings(struct doctor *d)
{
    struct footnote_err err;
    size_t set_n = 0;

    if (config_check(&d->c->config, &err) != FOOTNOTE_OK) {
        doctor_bad(d, CLI_CONFIG, "footnote config show --origin", "%s",
                   err.text);
        return;
    }
    for (size_t i = 0; i < config_settings_n; i++)
        set_n += d->c->in.from[i].origin != CONFIG_DEFAULT;
    doctor_ok(d, "%zu of %zu are set, and a server can start with them", set_n,
              config_settings_n);
}

/* ---- Disks --------------------------------------------------------------- */

static double gigabytes(int64_t bytes)
{
    return (double)bytes / 1e9;
}

static bool check_rights(struct doctor *d, const char *folder,
                         const struct stat *st)
{
    bool fine = true;

    if (st->st_mode & S_IWOTH) {
        doctor_bad(d, CLI_FAILED, "chmod 700 it",
                   "%s: everybody on this machine can write there", folder);
        fine = false;
    } else if (st->st_mode & S_IROTH) {
        doctor_warning(d, "chmod 700 it",
                       "%s: everybody on this machine can read it", folder);
        fine = false;
    }
    if (st->st_uid != geteuid()) {
        doctor_warning(d, "run footnote as its owner, or chown -R it",
                       "%s belongs to user %u, and this is user %u", folder,
                       (unsigned)st->st_uid, (unsigned)geteuid());
        fine = false;
    }
    return fine;
}

static void check_folder(struct doctor *d, const char *folder)
{
    int64_t reserve = d->c->config.disk_reserve, room;
    struct statvfs fs;
    struct stat st;

    if (stat(folder, &st) != 0) {
        if (errno == ENOENT)
            doctor_skipped(d, "%s is not there yet: footnote serve makes it",
                           folder);
        else
            doctor_bad(d, CLI_FAILED, "let its owner read and enter it",
                       "%s: %s", folder, strerror(errno));
        return;
    }
    if (access(folder, R_OK | W_OK | X_OK) != 0 || statvfs(folder, &fs) != 0) {
        doctor_bad(d, CLI_FAILED, "let its owner read, write and enter it",
                   "%s: %s", folder, strerror(errno));
        return;
    }
    if (!check_rights(d, folder, &st))
        return;
    room = (int64_t)((uint64_t)fs.f_bavail * fs.f_frsize);
    if (room < reserve)
        doctor_bad(d, CLI_FAILED,
                   "make room: delete documents, or remove old versions",
                   "%s: %.1f GB free, and --disk-reserve keeps %.1f: nothing "
                   "new is taken",
                   folder, gigabytes(room), gigabytes(reserve));
    else if (fs.f_files > 0 && fs.f_favail == 0)
        doctor_bad(d, CLI_FAILED, "remove files, or use a larger disk",
                   "%s: the disk has room, but for no more files", folder);
    else
        doctor_ok(d, "%s: %.1f GB free", folder, gigabytes(room));
}

static void check_log(struct doctor *d)
{
    char path[PATH_MAX];
    struct stat st;

    if (folder_database_path(&d->c->config, "-wal", path) &&
        stat(path, &st) == 0 && st.st_size > LOG_BYTES_MUCH)
        doctor_warning(d,
                       "end programs that read the database for long, then "
                       "restart the server",
                       "%s has %.1f GB: something keeps it from being copied "
                       "into the database",
                       path, gigabytes(st.st_size));
}

void check_disk(struct doctor *d)
{
    const struct config *c = &d->c->config;

    check_folder(d, c->data.p);
    if (str_starts(c->objects, STR("files:")))
        check_folder(d, str_skip(c->objects, strlen("files:")).p);
    check_log(d);
}

/* ---- The clock ----------------------------------------------------------- */

/* The year is compared with what this program and its data have seen; the
 * check of the database compares the hour. */
void check_clock(struct doctor *d)
{
    int64_t first = 1767225600000; /* 2026-01-01 */
    int64_t now_ms = clock_wall_ms();
    char text[CLOCK_TEXT + 1], path[PATH_MAX];
    struct stat st;

    clock_text(now_ms, text);
    if (now_ms < first) {
        doctor_bad(d, CLI_FAILED, "set the clock: timedatectl set-ntp true",
                   "it is %s, says the clock, which cannot be", text);
        return;
    }
    if (folder_database_path(&d->c->config, "", path) && stat(path, &st) == 0 &&
        (int64_t)st.st_mtim.tv_sec * 1000 > now_ms + CLOCK_AHEAD_MS) {
        doctor_bad(d, CLI_FAILED, "set the clock: timedatectl set-ntp true",
                   "it is %s, says the clock, and the database was written "
                   "after that",
                   text);
        return;
    }
    doctor_ok(d, "it is %s", text);
}
