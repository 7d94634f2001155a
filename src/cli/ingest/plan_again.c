/* plan_again.c - what of a plan is not as it was in an earlier one.
 *
 * A file is taken for the same when its inode, length and time of change are:
 * so a folder with hours of recordings can be looked at for every note that
 * is saved in it. */
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

/* Entries of a file of lines have no path: they are compared by their text. */
static size_t sort_by_path(const struct plan *plan,
                           const struct plan_item **out)
{
    size_t n = 0;

    for (const struct plan_item *i = plan->first; i; i = i->next)
        if (i->path.p)
            out[n++] = i;
    qsort(out, n, sizeof(const struct plan_item *), by_path);
    return n;
}

static bool is_as_before(const struct plan_item *i,
                         const struct plan_item **old, size_t n)
{
    const struct plan_item *const *was = NULL;

    if (i->path.p && n)
        was = bsearch(&i, old, n, sizeof(const struct plan_item *), by_path);
    return was && same_stamp(&i->stamp, &(*was)->stamp) &&
           same_stamp(&i->recording_stamp, &(*was)->recording_stamp);
}

enum footnote_rc plan_compare(struct plan *now, const struct plan *before,
                              struct footnote_err *err)
{
    const struct plan_item **old =
        calloc(before->n + 1, sizeof(const struct plan_item *));
    size_t n = old ? sort_by_path(before, old) : 0;

    if (!old)
        return err_set(err, FOOTNOTE_NOMEM, "planning");
    for (struct plan_item *i = now->first; i; i = i->next) {
        i->unchanged = is_as_before(i, old, n);
        now->unchanged_n += i->unchanged;
    }
    free(old);
    return FOOTNOTE_OK;
}
