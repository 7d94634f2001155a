/* ingest.c - `footnote ingest`: files and folders into a course.
 *
 *     plan the files --> put each one --> poll until it is read --> next
 *           ^                                                        |
 *           +------ with --watch: when something has changed --------+
 *
 * Up to UNDER_WAY_MAX are under way at once, so that no worker waits for us. */
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/ingest/show.h"
#include "cli/ingest/target.h"
#include "cli/ingest/watch.h"
#include "config/table.h"
#include "store/document/document.h"

enum { UNDER_WAY_MAX = 8, PAUSE_MS = 50 };

struct under_way {
    const struct plan_item *item; /* NULL: free */
    char id[STORE_ID_BYTES_MAX + 1];
    int64_t done; /* as last shown */
};

struct ingesting {
    struct cli *c;
    struct target *target;
    struct target_options options;
    struct show show;
    struct plan plan;
    struct str watched; /* folder; absent: none */
    struct watch *watch;
    struct under_way under_way[UNDER_WAY_MAX];
};

/* ---- One document ------------------------------------------------------- */

static void show_state(struct ingesting *g, struct under_way *u,
                       const struct target_state *state)
{
    if (state->status == DOCUMENT_READY) {
        show_done(&g->show, u->item, u->id, state);
        u->item = NULL;
    } else if (state->status == DOCUMENT_FAILED) {
        show_error(&g->show, u->item, str_c(state->error));
        u->item = NULL;
    } else if (state->progress.done != u->done) {
        u->done = state->progress.done;
        show_progress(&g->show, u->item, state);
    }
}

/* Polls each document under way once; *n of them still are. */
static enum footnote_rc check_documents(struct ingesting *g, size_t *n,
                                        struct footnote_err *err)
{
    int64_t pages = 0;

    *n = 0;
    for (size_t i = 0; i < UNDER_WAY_MAX; i++) {
        struct under_way *u = &g->under_way[i];
        struct target_state state = {.status = DOCUMENT_QUEUED};

        if (!u->item)
            continue;
        TRY(g->target->kind->get_state(g->target, u->id, &state, err));
        if (state.progress.unit == UNIT_PAGES)
            pages += state.progress.done;
        show_tick(&g->show, u->item);
        show_state(g, u, &state);
        *n += u->item != NULL;
    }
    g->show.pages_now = *n ? pages : 0;
    return FOOTNOTE_OK;
}

/* Polls until fewer than `max` are under way. */
static enum footnote_rc wait_for(struct ingesting *g, size_t max,
                                 struct footnote_err *err)
{
    assert(max > 0);
    for (;;) {
        size_t n;

        TRY(check_documents(g, &n, err));
        if (n < max)
            return FOOTNOTE_OK;
        g->target->kind->pause(g->target, PAUSE_MS);
    }
}

static enum footnote_rc put_item(struct ingesting *g,
                                 const struct plan_item *item,
                                 struct footnote_err *err)
{
    struct under_way *u = g->under_way;
    struct target_put done;
    enum footnote_rc rc;

    if (item->error.p) {
        show_error(&g->show, item, item->error);
        return FOOTNOTE_OK;
    }
    rc = g->target->kind->put(g->target, item, g->options.dry, &done, err);
    if (g->target->exit_code == 0 &&
        (rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG ||
         rc == FOOTNOTE_CONFLICT)) { /* the document's fault: go on */
        show_error(&g->show, item, str_c(err->text));
        return FOOTNOTE_OK;
    }
    TRY(rc);
    if (done.same) {
        show_same(&g->show, item, done.id);
    } else if (g->options.dry) {
        show_start(&g->show, item, "");
        g->show.added++;
    } else {
        while (u->item) {
            u++;
            assert(u < g->under_way + UNDER_WAY_MAX);
        }
        *u = (struct under_way){.item = item};
        memcpy(u->id, done.id, sizeof(u->id));
        show_start(&g->show, item, done.id);
    }
    return FOOTNOTE_OK;
}

/* ---- All of them -------------------------------------------------------- */

static enum footnote_rc run_plan(struct ingesting *g, struct footnote_err *err)
{
    TRY(g->target->kind->list(g->target, err));
    assert(g->plan.unchanged_n <= g->plan.n);
    show_begin(&g->show, &g->plan);
    for (const struct plan_item *i = g->plan.first; i; i = i->next) {
        if (i->unchanged)
            continue;
        TRY(wait_for(g, UNDER_WAY_MAX, err));
        TRY(put_item(g, i, err));
    }
    TRY(wait_for(g, 1, err));
    show_end(&g->show);
    return FOOTNOTE_OK;
}

/* Plans the operands and the watched folder; later plans hold only that. */
static enum footnote_rc plan_first(struct ingesting *g, struct arena *a,
                                   struct footnote_err *err)
{
    size_t n = g->c->operands_n;
    struct str *paths = arena_many(a, n + 1, struct str);

    if (!paths)
        return arena_rc(a, err);
    memcpy(paths, g->c->operands, n * sizeof(*paths));
    if (!g->watched.p)
        return plan_make(a, paths, n, &g->plan, err);
    TRY(watch_open(&g->watch, err));
    TRY(watch_add(g->watch, g->watched.p, err));
    paths[n] = g->watched;
    return plan_make(a, paths, n + 1, &g->plan, err);
}

/* Two arenas, since each plan is compared with the one before. */
static enum footnote_rc run_plans(struct ingesting *g, struct arena a[2],
                                  struct footnote_err *err)
{
    TRY(plan_first(g, &a[0], err));
    TRY(target_open(g->c, &g->options, &g->target, err));
    TRY(run_plan(g, err));
    for (int at = 1; g->watch; at = !at) {
        struct plan before = g->plan;

        TRY(watch_wait(g->watch, err));
        TRY(watch_add(g->watch, g->watched.p, err));
        arena_reset(&a[at]);
        TRY(plan_make(&a[at], &g->watched, 1, &g->plan, err));
        TRY(plan_compare(&g->plan, &before, err));
        if (g->plan.unchanged_n < g->plan.n)
            TRY(run_plan(g, err));
    }
    return FOOTNOTE_OK;
}

static int run(struct ingesting *g)
{
    struct arena a[2] = {ARENA(PLAN_ARENA_MAX), ARENA(PLAN_ARENA_MAX)};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = run_plans(g, a, &err);

    arena_free(&a[0]);
    arena_free(&a[1]);
    watch_close(g->watch);
    if (rc == FOOTNOTE_OK)
        return g->show.failed ? CLI_SOME_FAILED : CLI_DONE;
    rc = cli_fail(g->c, rc, &err) ? rc : FOOTNOTE_INTERNAL;
    if (g->target && g->target->exit_code)
        return g->target->exit_code;
    return cli_exit_code(rc);
}

int verb_ingest(struct cli *c)
{
    struct ingesting g = {.c = c};
    struct target_options *o = &g.options;
    struct str key_file = STR_NONE;
    const struct cli_option options[] = {
        {.name = "course", .text = &o->course},
        {.name = "user", .text = &o->who.user},
        {.name = "tenant", .text = &o->who.tenant},
        {.name = "server", .text = &o->server},
        {.name = "key-file", .text = &key_file},
        {.name = "watch", .text = &g.watched},
        {.name = "dry-run", .on = &o->dry},
        {.name = "json", .on = &c->json}};
    struct footnote_err err;
    int code = cli_read(c, options, sizeof(options) / sizeof(options[0]));

    if (code == CLI_GO_ON)
        code = cli_expect(c, g.watched.p ? 0 : 1, SIZE_MAX, "a file or folder");
    if (code == CLI_GO_ON && !o->course.n)
        code = cli_usage(c, "--course NAME is missing");
    if (code != CLI_GO_ON)
        return code;
    if (cli_server_key(c, key_file, &o->key, &err) != FOOTNOTE_OK)
        return cli_fail_config(c, &err);
    if (!o->who.user.p)
        o->who.user = STR("local");
    if (!o->who.tenant.p)
        o->who.tenant = STR("default");
    log_setup(STDERR_FILENO, c->verbose ? LOG_DEBUG : LOG_ERROR,
              LOG_AUTO); /* errors are printed anyway */
    g.show.form = c->json                 ? SHOW_JSON
                  : isatty(STDERR_FILENO) ? SHOW_BAR
                                          : SHOW_LINES;
    g.show.dry = o->dry;
    g.show.quiet = c->quiet;
    code = run(&g);
    if (g.target)
        g.target->kind->close(g.target);
    return code;
}
