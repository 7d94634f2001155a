/* objects.c - `footnote objects`: verifies, garbage collects or moves every
 * object that a row names, and adopts those of another store.
 *
 * It works on the database and the object store themselves, and is safe beside
 * a running server: an object never changes, and new ones are left alone.
 * Moving keeps the old copy unless --delete is given, so that a server with the
 * old settings still finds it. */
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/services.h"
#include "object/tidy.h"
#include "object/walk.h"
#include "store/document/snapshot.h"

enum { ARENA_BYTES_MAX = 1024 * 1024, TEXT_BYTES_MAX = 4096 };

struct objects_run {
    struct cli *c;
    struct store *store;
    struct objects *objects, *to; /* to: only of move */
    bool remove;
    struct object_count all;
    int64_t done, bytes, missing, damaged;
    struct tidied tidied;
    struct progress progress;
};

/* ---- Output ------------------------------------------------------------- */

static void print_progress(struct objects_run *w, bool last)
{
    char text[PROGRESS_TEXT_BYTES];

    if (!last && !progress_is_due(&w->progress))
        return;
    snprintf(text, sizeof(text), "%lld of %lld files  %.1f of %.1f MB",
             (long long)w->done, (long long)w->all.objects,
             (double)w->bytes / 1e6, (double)w->all.bytes / 1e6);
    progress_draw(
        &w->progress,
        w->all.bytes > 0 ? (double)w->bytes / (double)w->all.bytes : -1, text);
}

static void print_bad(struct objects_run *w, const struct object *o,
                      const char *what)
{
    if (w->c->json)
        return;
    progress_clear(&w->progress);
    fprintf(stderr, "%s: %s\n", o->key, what);
}

static int print_sums(struct objects_run *w, struct str verb)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct json_out j = JSON_OUT(&b);
    int code;

    print_progress(w, true);
    progress_keep(&w->progress);
    if (w->c->json) {
        const struct {
            struct str key;
            int64_t n;
        } facts[] = {{STR("objects"), w->done},
                     {STR("bytes"), w->bytes},
                     {STR("missing"), w->missing},
                     {STR("damaged"), w->damaged},
                     {STR("removed"), w->tidied.removed},
                     {STR("aside"), w->tidied.aside},
                     {STR("put_back"), w->tidied.put_back}};

        json_object(&j);
        for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
            json_key(&j, facts[i].key);
            json_i64(&j, facts[i].n);
        }
        json_end(&j, '}');
        buf_add_c(&b, '\n');
    } else {
        buf_printf(&b,
                   "%.*s: %lld files, %lld bytes, %lld missing, %lld damaged, "
                   "%lld removed, %lld aside, %lld put back\n",
                   STR_ARG(verb), (long long)w->done, (long long)w->bytes,
                   (long long)w->missing, (long long)w->damaged,
                   (long long)w->tidied.removed, (long long)w->tidied.aside,
                   (long long)w->tidied.put_back);
    }
    code = cli_print(w->c, &b);
    return code == CLI_DONE && (w->missing || w->damaged) ? CLI_DAMAGED : code;
}

/* ---- Every object ------------------------------------------------------- */

/* Missing and damaged objects are counted, and the walk goes on.  Any other
 * error ends it. */
static enum footnote_rc visit(void *arg, const struct object *o,
                              struct footnote_err *err)
{
    struct objects_run *w = arg;
    enum footnote_rc rc = w->to ? object_copy(w->objects, w->to, o, err)
                                : object_verify(w->objects, o, err);

    w->done++;
    w->bytes += o->bytes;
    if (rc == FOOTNOTE_NOTFOUND) {
        w->missing++;
        print_bad(w, o, "missing");
    } else if (rc == FOOTNOTE_DAMAGED) {
        w->damaged++;
        print_bad(w, o, "damaged");
    } else if (rc != FOOTNOTE_OK) {
        return rc;
    } else if (w->to && w->remove) {
        TRY(object_delete(w->objects, str_c(o->key), err));
        w->tidied.removed++;
    }
    print_progress(w, false);
    return FOOTNOTE_OK;
}

static enum footnote_rc visit_all(struct objects_run *w,
                                  struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);

    if (w->remove)
        TRY(objects_check_owner(w->objects, err));
    TRY(store_own_read(w->store, &a, OP(object_count), &w->all, err));
    return object_each_row(w->store, visit, w, err);
}

/* ---- The verb ----------------------------------------------------------- */

static enum footnote_rc collect_garbage(struct objects_run *w,
                                        struct footnote_err *err)
{
    int64_t before;

    TRY(objects_check_owner(w->objects, err));
    TRY(tidy_unused(w->store, err));
    do {
        before = w->tidied.removed;
        TRY(tidy_deleted(w->store, w->objects, &w->tidied, err));
    } while (w->tidied.removed > before);
    return tidy_unknown(w->store, w->objects, &w->tidied, err);
}

static enum footnote_rc open_all(struct objects_run *w, struct str to,
                                 struct footnote_err *err)
{
    const struct config *c = &w->c->config;

    TRY(folder_enter_existing(c, err));
    TRY(folder_open_store(&w->c->arena, c, &w->store, err));
    TRY(services_objects(c, w->store, c->objects, &w->objects, err));
    if (!to.p)
        return FOOTNOTE_OK;
    if (str_eq(to, c->objects))
        return err_set(err, FOOTNOTE_INVALID,
                       "objects: they are in %.80s already", to.p);
    return services_objects(c, w->store, to, &w->to, err);
}

static void close_all(struct objects_run *w)
{
    objects_close(w->to);
    objects_close(w->objects);
    if (w->store)
        store_close(w->store);
}

static int run(struct objects_run *w, struct str verb, struct str to)
{
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = open_all(w, to, &err);

    if (rc != FOOTNOTE_OK)
        return cli_fail_config(w->c, &err);
    progress_begin(&w->progress, w->c->quiet || w->c->json);
    if (str_eq(verb, STR("gc")))
        rc = collect_garbage(w, &err);
    else if (str_eq(verb, STR("adopt")))
        rc = objects_adopt(w->objects, &err);
    else
        rc = visit_all(w, &err);
    return rc == FOOTNOTE_OK ? print_sums(w, verb) : cli_fail(w->c, rc, &err);
}

int verb_objects(struct cli *c)
{
    AUTO(close_all) struct objects_run w = {.c = c};
    const struct cli_option options[] = {{.name = "json", .on = &c->json},
                                         {.name = "delete", .on = &w.remove}};
    int code = cli_read(c, options, sizeof(options) / sizeof(options[0]));
    bool move;

    if (code == CLI_GO_ON)
        code = cli_expect(c, 1, 2, "verify, gc, move or adopt");
    if (code != CLI_GO_ON)
        return code;
    move = str_eq(c->operands[0], STR("move"));
    if (move)
        code = cli_expect(c, 2, 2, "where to");
    else if (str_eq(c->operands[0], STR("verify")) ||
             str_eq(c->operands[0], STR("gc")) ||
             str_eq(c->operands[0], STR("adopt")))
        code = cli_expect(c, 1, 1, "");
    else
        code = cli_usage(c, "\"%.50s\" is none of verify, gc, move and adopt",
                         c->operands[0].p);
    if (code == CLI_GO_ON && w.remove && !move)
        code = cli_usage(c, "--delete is for move");
    if (code != CLI_GO_ON)
        return code;
    return run(&w, c->operands[0], move ? c->operands[1] : STR_NONE);
}
