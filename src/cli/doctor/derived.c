/* derived.c - what is made from something else, compared with it: rows that
 * lead back, counters, index files.  --repair makes these again. */
#include <stdio.h>

#include "cli/doctor/doctor.h"
#include "retrieve/index/index_check.h"
#include "store/source/way_back.h"
#include "store/usage.h"

enum { ARENA_BYTES_MAX = 256 * 1024 * 1024 };

#define REPAIR "footnote doctor --repair"

/* ---- The way back -------------------------------------------------------- */

struct way_back_sums {
    int64_t references, missing, unreadable, extra;
};

/* One page: read it, or mend it. */
static enum footnote_rc run_page(struct doctor *d, bool mend,
                                 const struct store_op *kind, void *op,
                                 struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);

    return mend ? store_own(d->writer, kind, op, err)
                : store_own_read(d->store, &a, kind, op, err);
}

static enum footnote_rc walk_way_back(struct doctor *d, bool mend,
                                      struct way_back_sums *s,
                                      struct footnote_err *err)
{
    struct way_back_messages m = {.mend = mend};
    struct way_back_rows r = {.mend = mend};

    do {
        TRY(run_page(d, mend, OP(way_back_messages), &m, err));
        m.after = m.last;
        s->references += m.references;
        s->missing += m.missing;
        s->unreadable += m.unreadable;
        doctor_progress(d, "%lld references", (long long)s->references);
    } while (!m.done);
    do {
        TRY(run_page(d, mend, OP(way_back_rows), &r, err));
        r.after = r.last;
        s->extra += r.extra;
        doctor_progress(d, "%lld references, the other way",
                        (long long)s->references);
    } while (!r.done);
    return FOOTNOTE_OK;
}

void check_way_back(struct doctor *d)
{
    struct way_back_sums found = {0}, mended = {0};
    struct footnote_err err;
    enum footnote_rc rc = walk_way_back(d, false, &found, &err);

    if (rc == FOOTNOTE_OK && found.unreadable > 0)
        doctor_bad(d, CLI_DAMAGED,
                   "restore a backup: docs/operations.md, Backup",
                   "the references of %lld messages cannot be read",
                   (long long)found.unreadable);
    if (rc == FOOTNOTE_OK && found.missing + found.extra == 0) {
        doctor_ok(d, "%lld references, each with its row",
                  (long long)found.references);
        return;
    }
    if (rc == FOOTNOTE_OK && d->repair) {
        if (!doctor_writer(d))
            return;
        rc = walk_way_back(d, true, &mended, &err);
    }
    if (rc != FOOTNOTE_OK)
        doctor_failed(d, &err);
    else if (d->repair)
        doctor_mended(d,
                      "made %lld rows and removed %lld, by the references "
                      "in messages",
                      (long long)mended.missing, (long long)mended.extra);
    else
        doctor_bad(d, CLI_DAMAGED, REPAIR,
                   "of %lld references %lld lack their row, and %lld rows have "
                   "no reference",
                   (long long)found.references, (long long)found.missing,
                   (long long)found.extra);
}

/* ---- Counters ------------------------------------------------------------ */

void check_usage(struct doctor *d)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct usage_list list = {.accounts = NULL};
    struct footnote_err err;
    size_t wrong_n = 0;
    enum footnote_rc rc;

    rc = store_own_read(d->store, &a, OP(usage_list), &list, &err);
    for (size_t i = 0; rc == FOOTNOTE_OK && i < list.accounts_n; i++)
        wrong_n += usage_is_wrong(&list.accounts[i]);
    if (rc == FOOTNOTE_OK && wrong_n > 0 && d->repair) {
        if (!doctor_writer(d))
            return;
        rc = usage_mend_all(d->writer, &list, &err);
    }
    if (rc != FOOTNOTE_OK)
        doctor_failed(d, &err);
    else if (wrong_n == 0)
        doctor_ok(d, "the counters of %zu users are right", list.accounts_n);
    else if (d->repair)
        doctor_mended(d, "corrected the counters of %zu of %zu users", wrong_n,
                      list.accounts_n);
    else
        doctor_bad(d, CLI_DAMAGED, "footnote usage --mend",
                   "the counters of %zu of %zu users are wrong", wrong_n,
                   list.accounts_n);
}

/* ---- Index files --------------------------------------------------------- */

static void on_course(void *arg, int64_t courses)
{
    doctor_progress(arg, "course %lld", (long long)courses);
}

static void report_damaged(struct doctor *d, const struct index_check *c)
{
    if (d->repair && !d->server.p)
        doctor_mended(d,
                      "removed %lld damaged files of %lld; a server makes "
                      "them again",
                      (long long)c->removed, (long long)c->files);
    else
        doctor_bad(d, CLI_DAMAGED,
                   d->server.p ? "restart the server: it makes them again"
                               : REPAIR,
                   "%lld of %lld files are damaged, such as %.*s",
                   (long long)c->damaged, (long long)c->files,
                   STR_ARG(c->first_damaged));
}

void check_index(struct doctor *d)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct str folder =
        arena_printf(&a, "%.*s/index", STR_ARG(d->c->config.data));
    struct index_check c = {.store = d->store,
                            .folder = folder.p,
                            .remove = d->repair && !d->server.p,
                            .goes_on = on_course,
                            .arg = d};
    struct footnote_err err;
    enum footnote_rc rc = arena_rc(&a, &err);

    if (rc == FOOTNOTE_OK)
        rc = index_check(&c, &a, &err);
    if (rc != FOOTNOTE_OK)
        doctor_failed(d, &err);
    else if (c.damaged > 0)
        report_damaged(d, &c);
    else if (c.unfinished > 0 && c.remove)
        doctor_mended(d, "removed %lld files that a killed process left",
                      (long long)c.unfinished);
    else if (c.unfinished > 0 && !d->server.p)
        doctor_warning(d, REPAIR, "%lld files that a killed process left",
                       (long long)c.unfinished);
    else if (c.not_in_files > 0)
        doctor_warning(d,
                       "nothing: a server makes what is missing when it "
                       "starts",
                       "%lld of %lld documents are in no file",
                       (long long)c.not_in_files, (long long)c.documents);
    else
        doctor_ok(d, "%lld documents of %lld courses in %lld files",
                  (long long)c.documents, (long long)c.courses,
                  (long long)c.files);
}
