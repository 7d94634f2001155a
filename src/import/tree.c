/* tree.c - see tree.h. */
#include "import/tree.h"

#include <stdlib.h>

#include "import/message.h"

enum { NEW, OPEN, DONE };
enum { NODES_MAX = 2 * IMPORT_MESSAGES_MAX };

struct tree_node *tree_add(struct import *im, struct tree *t)
{
    /* The list is as long as the next power of two. */
    if ((t->n & (t->n - 1)) == 0) {
        size_t room = t->n ? t->n * 2 : 1;
        struct tree_node *more = room / 2 <= NODES_MAX
                                     ? arena_many(im->a, room, struct tree_node)
                                     : NULL;

        if (!more)
            return NULL;
        if (t->n)
            memcpy(more, t->items, t->n * sizeof(*more));
        t->items = more;
    }
    return &t->items[t->n++];
}

static int by_id(const void *a, const void *b)
{
    const struct tree_node *x = *(struct tree_node *const *)a;
    const struct tree_node *y = *(struct tree_node *const *)b;
    int order = str_cmp(x->id, y->id);

    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int by_time(const void *a, const void *b)
{
    const struct tree_node *x = *(struct tree_node *const *)a;
    const struct tree_node *y = *(struct tree_node *const *)b;

    if (x->m.m.created_ms != y->m.m.created_ms)
        return x->m.m.created_ms < y->m.m.created_ms ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static struct tree_node *find(struct tree_node **sorted, size_t n,
                              struct str id)
{
    size_t from = 0, to = n;

    while (from < to) {
        size_t middle = (from + to) / 2;

        if (str_cmp(sorted[middle]->id, id) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from < n && id.p && str_eq(sorted[from]->id, id) ? sorted[from]
                                                            : NULL;
}

/* The second of one id is dropped: nobody can follow it. */
static void link_all(struct import *im, struct tree *t,
                     struct tree_node **sorted)
{
    for (size_t i = 1; i < t->n; i++)
        if (sorted[i]->id.p && str_eq(sorted[i]->id, sorted[i - 1]->id) &&
            sorted[i]->shown) {
            import_note(im, IMPORT_LEFT_OUT, sorted[i]->row,
                        "message %.*s stands there twice; the first is kept",
                        STR_ARG(sorted[i]->id));
            sorted[i]->shown = false;
        }
    for (size_t i = 0; i < t->n; i++) {
        struct tree_node *node = &t->items[i];
        const struct tree_node *above = find(sorted, t->n, node->parent);

        if (above)
            node->above = above->number + 1;
        else if (node->parent.p && node->shown)
            import_note(im, IMPORT_CHANGED, node->row,
                        "message %.*s follows %.*s, which is not there; it "
                        "stands first now",
                        STR_ARG(node->id), STR_ARG(node->parent));
    }
}

static enum footnote_rc emit(struct import *im, const struct tree *t,
                             struct tree_node *node, struct import_session *s,
                             struct footnote_err *err)
{
    struct str above = node->above ? t->items[node->above - 1].kept : STR_NONE;
    struct import_message *m;

    node->state = DONE;
    node->kept = above;
    if (!node->shown)
        return FOOTNOTE_OK;
    m = message_add(im, s);
    if (!m)
        return err_set(err, FOOTNOTE_TOOBIG, "over %d messages",
                       IMPORT_MESSAGES_MAX);
    *m = node->m;
    m->m.parent = above.p ? above : STR("");
    node->kept = m->m.id;
    return FOOTNOTE_OK;
}

/* With all that stand above it and were not yet. */
static enum footnote_rc emit_path(struct import *im, struct tree *t,
                                  struct tree_node *node,
                                  struct tree_node **path,
                                  struct import_session *s,
                                  struct footnote_err *err)
{
    size_t n = 0;

    for (;;) {
        struct tree_node *above;

        node->state = OPEN;
        path[n++] = node;
        if (!node->above)
            break;
        above = &t->items[node->above - 1];
        if (above->state == DONE)
            break;
        if (above->state == OPEN) {
            import_note(im, IMPORT_CHANGED, node->row,
                        "message %.*s follows itself; it stands first now",
                        STR_ARG(node->id));
            node->above = 0;
            break;
        }
        node = above;
    }
    while (n)
        TRY(emit(im, t, path[--n], s, err));
    return FOOTNOTE_OK;
}

enum footnote_rc tree_end(struct import *im, struct tree *t, struct str current,
                          struct import_session *s, struct footnote_err *err)
{
    struct tree_node **sorted = arena_many(im->a, t->n + 1, struct tree_node *);
    struct tree_node **path = arena_many(im->a, t->n + 1, struct tree_node *);
    const struct tree_node *last;

    if (!sorted || !path)
        return arena_rc(im->a, err);
    for (size_t i = 0; i < t->n; i++) {
        t->items[i].number = i;
        sorted[i] = &t->items[i];
    }
    if (t->n)
        qsort(sorted, t->n, sizeof(struct tree_node *), by_id);
    link_all(im, t, sorted);
    last = find(sorted, t->n, current);
    if (t->n)
        qsort(sorted, t->n, sizeof(struct tree_node *), by_time);
    for (size_t i = 0; i < t->n; i++)
        if (sorted[i]->state == NEW)
            TRY(emit_path(im, t, sorted[i], path, s, err));
    if (last)
        s->shown = last->kept;
    return FOOTNOTE_OK;
}
