/* rows.c - messages and sources against the digests that they were stored
 * with. */
#include <stdio.h>

#include "cli/doctor/doctor.h"
#include "store/read/digest_check.h"

enum { ARENA_BYTES_MAX = 256 * 1024 * 1024 };

struct row_sums {
    int64_t compared, damaged;
};

static void name_damaged(struct doctor *d, const struct digest_check *page,
                         struct row_sums *s)
{
    for (size_t i = 0; i < page->damaged_n; i++)
        if (s->damaged++ < DOCTOR_NAMED_MAX)
            doctor_bad(
                d, CLI_DAMAGED, "restore a backup: docs/operations.md, Backup",
                "%.*s does not match its digest", STR_ARG(page->damaged[i]));
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

void check_rows(struct doctor *d)
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
