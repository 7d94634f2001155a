/* rows.c - every row against its seal, and messages and sources against the
 * digests that they were stored with.
 *
 * A seal is of one row.  The digest of a message covers those of its sources,
 * so that it also tells of a source that is missing or another. */
#include <stdio.h>

#include "cli/doctor/doctor.h"
#include "store/document/job.h"
#include "store/read/digest_check.h"
#include "store/scrub.h"

enum { ARENA_BYTES_MAX = 256 * 1024 * 1024, SCRUB_ROWS = 500 };

#define RESTORE "restore a backup: docs/operations.md, Backup"

struct row_sums {
    int64_t compared, damaged;
};

/* ---- Seals --------------------------------------------------------------- */

struct seal_sums {
    struct row_sums of[SEALED_N];
    int64_t compared, left; /* of all; damaged ones that were not mended */
    int64_t renewed;        /* passages that are to be read in again */
};

/* The row goes, and its document is to be read in again. */
static bool renew(struct doctor *d, const struct damage *row)
{
    struct passage_renew op = {row->key[0], row->key[1], row->key[2],
                               row->key[3], false};
    struct store *writer = d->repair ? doctor_writer(d) : NULL;
    struct footnote_err err;
    enum footnote_rc rc;

    if (!writer || row->table != SEALED_PASSAGE)
        return false;
    rc = store_own(writer, OP(passage_renew), &op, &err);
    if (rc != FOOTNOTE_OK)
        doctor_failed(d, &err);
    return rc == FOOTNOTE_OK && op.queued;
}

/* After --repair, a passage that is still there has no file to be made of. */
static void name_unsealed(struct doctor *d, const struct damage *row,
                          struct seal_sums *s)
{
    if (s->of[row->table].damaged++ < DOCTOR_NAMED_MAX)
        doctor_bad(d, CLI_DAMAGED, d->repair ? RESTORE : row->mend,
                   "%s does not match its seal", row->row);
    s->left++;
}

static enum footnote_rc walk_seals(struct doctor *d, struct seal_sums *s,
                                   struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct scrub page = {.limit = SCRUB_ROWS};

    while (!page.over) {
        enum sealed table = page.place.table;

        arena_reset(&a);
        TRY(store_own_read(d->store, &a, OP(scrub), &page, err));
        s->of[table].compared += (int64_t)page.rows_n;
        s->compared += (int64_t)page.rows_n;
        for (size_t i = 0; i < page.damages_n; i++)
            if (renew(d, &page.damages[i]))
                s->renewed++;
            else
                name_unsealed(d, &page.damages[i], s);
        doctor_progress(d, "%lld rows", (long long)s->compared);
    }
    return FOOTNOTE_OK;
}

static void check_seals(struct doctor *d)
{
    struct seal_sums s = {.compared = 0};
    struct footnote_err err;

    if (walk_seals(d, &s, &err) != FOOTNOTE_OK)
        doctor_failed(d, &err);
    else if (s.left == 0)
        doctor_ok(d, "%lld rows match their seals",
                  (long long)(s.compared - s.renewed));
    for (size_t t = 0; t < SEALED_N; t++)
        if (s.of[t].damaged > 0)
            doctor_bad(d, CLI_DAMAGED, NULL,
                       "%lld of %lld rows of %s do not match their seals",
                       (long long)s.of[t].damaged, (long long)s.of[t].compared,
                       sealed_tables[t].name);
    if (s.renewed > 0)
        doctor_mended(d,
                      "removed %lld damaged passages: a server reads them in "
                      "again from their files",
                      (long long)s.renewed);
}

/* ---- Digests ------------------------------------------------------------- */

static void name_damaged(struct doctor *d, const struct digest_check *page,
                         struct row_sums *s)
{
    for (size_t i = 0; i < page->damaged_n; i++)
        if (s->damaged++ < DOCTOR_NAMED_MAX)
            doctor_bad(d, CLI_DAMAGED, RESTORE,
                       "%.*s does not match its digest",
                       STR_ARG(page->damaged[i]));
}

static enum footnote_rc walk(struct doctor *d, const struct store_op *kind,
                             struct row_sums *s, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct digest_check page = {.done = false};

    while (!page.done) {
        arena_reset(&a);
        TRY(store_own_read(d->store, &a, kind, &page, err));
        s->compared += page.compared;
        name_damaged(d, &page, s);
        doctor_progress(d, "%lld rows", (long long)s->compared);
    }
    return FOOTNOTE_OK;
}

static void check_digests(struct doctor *d)
{
    struct row_sums messages = {0}, sources = {0};
    struct footnote_err err;
    enum footnote_rc rc = walk(d, &digest_messages_op, &messages, &err);

    if (rc == FOOTNOTE_OK)
        rc = walk(d, &digest_sources_op, &sources, &err);
    if (rc != FOOTNOTE_OK)
        doctor_failed(d, &err);
    else if (messages.damaged + sources.damaged == 0)
        doctor_ok(d, "%lld messages and %lld sources match their digests",
                  (long long)messages.compared, (long long)sources.compared);
    else
        doctor_bad(d, CLI_DAMAGED, NULL,
                   "%lld of %lld messages and %lld of %lld sources are damaged",
                   (long long)messages.damaged, (long long)messages.compared,
                   (long long)sources.damaged, (long long)sources.compared);
}

void check_rows(struct doctor *d)
{
    check_seals(d);
    check_digests(d);
}
