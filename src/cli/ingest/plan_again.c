/* plan_again.c - finds what has changed since the plan before.
 *
 * A file is unchanged when its inode, length and time of change are.  So one
 * saved note does not make --watch read hours of recordings beside it. */
#include <assert.h>
#include <stdlib.h>

#include "cli/ingest/plan.h"

static int by_path(const void *a, const void *b)
{
    const struct plan_item *const *x = a, *const *y = b;

    return strcmp((*x)->path.p, (*y)->path.p);
}

static bool same_stamp(const struct plan_stamp *a, const struct plan_stamp *b)
{
    return a->inode == b->inode && a->bytes == b->bytes &&
           a->changed_ns == b->changed_ns;
}

enum footnote_rc plan_compare(struct plan *now, const struct plan *before,
                              struct footnote_err *err)
{
    const struct plan_item **old =
        calloc(before->n + 1, sizeof(const struct plan_item *));
    size_t n = 0;

    if (!old)
        return err_set(err, FOOTNOTE_NOMEM, "planning");
    for (const struct plan_item *i = before->first; i; i = i->next)
        if (i->path.p) /* entries of a .jsonl have none and are put again */
            old[n++] = i;
    assert(n <= before->n && now->unchanged_n == 0);
    qsort(old, n, sizeof(const struct plan_item *), by_path);
    for (struct plan_item *i = now->first; i; i = i->next) {
        const struct plan_item *const *was = NULL;

        if (i->path.p && n)
            was =
                bsearch(&i, old, n, sizeof(const struct plan_item *), by_path);
        i->unchanged =
            was && same_stamp(&i->stamp, &(*was)->stamp) &&
            same_stamp(&i->recording_stamp, &(*was)->recording_stamp);
        now->unchanged_n += i->unchanged;
    }
    free(old);
    return FOOTNOTE_OK;
}
