/* database.c - the engine's own checks, and opening the store for the checks
 * that come after. */
#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/doctor/doctor.h"
#include "db/db.h"
#include "store/store.h"

enum { CLOCK_WARN_MS = 2000, CLOCK_BAD_MS = 30000 };

#define SET_CLOCK "set both clocks by NTP: timedatectl set-ntp true"
#define RESTORE   "restore a backup: docs/operations.md, Backup"
#define PUT_RIGHT                                                              \
    "stop the server, keep a copy of both files, then docs/operations.md, A "  \
    "damaged log"

static void on_finding(void *arg, enum db_grade grade, const char *text,
                       const char *mend)
{
    struct doctor *d = arg;

    switch (grade) {
    case DB_FINE: doctor_ok(d, "%s", text); return;
    case DB_DOUBTFUL: doctor_warning(d, mend, "%s", text); return;
    case DB_BROKEN: doctor_bad(d, CLI_DAMAGED, mend, "%s", text); return;
    }
}

static void on_time(void *arg)
{
    doctor_progress(arg, "the engine is reading it");
}

/* Rows carry the times of whoever wrote them, so nodes must agree. */
static void compare_clocks(struct doctor *d, int64_t theirs_ms)
{
    int64_t ahead = clock_wall_ms() - theirs_ms;

    if (theirs_ms == 0)
        return;
    if (llabs(ahead) >= CLOCK_BAD_MS)
        doctor_bad(d, CLI_FAILED, SET_CLOCK,
                   "this machine's clock is %.1f s away from the database's",
                   (double)ahead / 1000);
    else if (llabs(ahead) >= CLOCK_WARN_MS)
        doctor_warning(d, SET_CLOCK,
                       "this machine's clock is %.1f s away from the "
                       "database's",
                       (double)ahead / 1000);
}

/* What an engine or a schema refuses with, and what is to be done. */
static void refused(struct doctor *d, const struct footnote_err *err)
{
    switch (cli_exit_code(err->rc)) {
    case CLI_NOTFOUND:
        doctor_skipped(d, "%s yet: footnote serve makes it", err->text);
        return;
    case CLI_TEMPORARY:
        doctor_bad(d, CLI_UNREACHABLE,
                   "see that it runs and that --database is right", "%s",
                   err->text);
        return;
    case CLI_DAMAGED:
        doctor_bad(d, CLI_DAMAGED,
                   err->rc == FOOTNOTE_FOREIGN
                       ? "use the program that made it, or a newer footnote"
                       : RESTORE,
                   "%s", err->text);
        return;
    default: doctor_failed(d, err); return;
    }
}

static enum footnote_rc examine(struct doctor *d, struct footnote_err *err)
{
    struct db_options o = {.url = d->c->config.database.p, .mode = DB_READ};
    struct db_examination x = {
        .quick = d->quick, .found = on_finding, .goes_on = on_time, .arg = d};
    struct db *db = NULL;
    enum footnote_rc rc = db_open(&o, &db, err);

    if (rc == FOOTNOTE_OK)
        rc = db_examine(db, &x, err);
    db_close(db);
    compare_clocks(d, x.clock_ms);
    return rc;
}

void check_database(struct doctor *d)
{
    struct footnote_err err;
    enum footnote_rc rc;

    assert(!d->store);
    if (!d->has_folder && str_starts(d->c->config.database, STR("sqlite:"))) {
        doctor_skipped(d, "there is no data folder that can be entered");
        return;
    }
    /* A reader would take what is left of it, and find that in order. */
    rc = db_check_log(d->c->config.database.p, &err);
    if (rc == FOOTNOTE_DAMAGED) {
        doctor_bad(d, CLI_DAMAGED, PUT_RIGHT, "%s", err.text);
        return;
    }
    if (rc == FOOTNOTE_OK)
        rc = examine(d, &err);
    if (rc == FOOTNOTE_OK)
        rc = store_open_reader(d->c->config.database.p, &d->store, &err);
    if (rc != FOOTNOTE_OK)
        refused(d, &err);
}
