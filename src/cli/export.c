/* export.c - `footnote export`: sessions as files.
 *
 * Reads the database itself, whether a server is running or not.  Of many
 * sessions one is in memory at a time. */
#include "export/export.h"
#include "export/cited.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"
#include "store/document/document.h"
#include "store/session/course.h"
#include "store/session/walk.h"
#include "store/session/whole.h"

enum {
    SESSION_BYTES_MAX = 512 * 1024 * 1024,
    FILE_BYTES_MAX = 512 * 1024 * 1024,
    PAGE = 200
};

struct exporting {
    struct cli *c;
    struct store *store;
    struct str tenant, user, course, format, to;
    bool all;
    enum export_format kind;
    FILE *file;
    struct arena a; /* of what is written now */
    struct buf b;
};

/* ---- Out ----------------------------------------------------------------- */

static enum footnote_rc send(struct exporting *e, struct footnote_err *err)
{
    TRY(buf_rc(&e->b, err));
    TRY(arena_rc(&e->a, err));
    if (e->b.n && fwrite(e->b.p, 1, e->b.n, e->file) != e->b.n)
        return err_set(err, FOOTNOTE_FULL, "writing: %s", strerror(errno));
    buf_reset(&e->b);
    arena_reset(&e->a);
    return FOOTNOTE_OK;
}

static enum footnote_rc send_line(struct exporting *e, struct footnote_err *err)
{
    buf_add_c(&e->b, '\n');
    return send(e, err);
}

/* ---- One session --------------------------------------------------------- */

static enum footnote_rc shown(struct exporting *e, struct who who,
                              struct str id, struct footnote_err *err)
{
    struct history h = {.session = id, .settled = true};
    const struct shown_session s = {.history = &h,
                                    .base_url = e->c->config.public_url};

    TRY(store_read(e->store, who, &e->a, OP(history), &h, err));
    TRY(export_shown(&e->b, &e->a, e->kind, &s, err));
    return send(e, err);
}

static enum footnote_rc one(struct exporting *e, struct who who, struct str id,
                            struct str owner, struct footnote_err *err)
{
    struct whole_read op = {.session = id};
    enum footnote_rc rc =
        store_read(e->store, who, &e->a, OP(whole_read), &op, err);

    if (rc != FOOTNOTE_OK) {
        err_prefix(err, "session %.*s", STR_ARG(id));
        return rc;
    }
    export_kept(&e->b, &op.whole, owner);
    return send_line(e, err);
}

/* ---- Many ---------------------------------------------------------------- */

static enum footnote_rc sessions(struct exporting *e, struct footnote_err *err)
{
    AUTO(arena_free) struct arena names = ARENA((size_t)16 * 1024 * 1024);
    struct session_walk walk = {.tenant = e->tenant,
                                .user = e->user,
                                .course = e->course,
                                .limit = PAGE};

    do {
        arena_reset(&names);
        TRY(store_own_read(e->store, &names, OP(session_walk), &walk, err));
        for (size_t i = 0; i < walk.items_n; i++) {
            const struct walked *w = &walk.items[i];

            TRY(one(e, (struct who){e->tenant, w->owner}, w->id, w->owner,
                    err));
            walk.after_key = w->key;
        }
    } while (walk.items_n);
    return FOOTNOTE_OK;
}

static enum footnote_rc documents(struct exporting *e, struct who who,
                                  struct str course, struct footnote_err *err)
{
    struct document_list list = {.course = course, .limit = PAGE};

    do {
        TRY(store_read(e->store, who, &e->a, OP(document_list), &list, err));
        for (size_t i = 0; i < list.documents_n; i++) {
            list.after_key = list.documents[i].key;
            export_document(&e->b, &list.documents[i]);
            buf_add_c(&e->b, '\n');
        }
        TRY(send(e, err));
    } while (list.documents_n);
    return FOOTNOTE_OK;
}

static enum footnote_rc one_course(struct exporting *e, const struct walked *w,
                                   struct footnote_err *err)
{
    struct who who = {e->tenant, w->owner};
    struct course_get get = {.id = w->id};
    struct member_list members = {.course = w->id};

    TRY(store_read(e->store, who, &e->a, OP(course_get), &get, err));
    TRY(store_read(e->store, who, &e->a, OP(member_list), &members, err));
    export_course(&e->b, &get.course, members.members, members.members_n);
    TRY(send_line(e, err));
    return documents(e, who, w->id, err);
}

static enum footnote_rc courses(struct exporting *e, struct footnote_err *err)
{
    AUTO(arena_free) struct arena names = ARENA((size_t)16 * 1024 * 1024);
    struct session_walk walk = {
        .tenant = e->tenant, .course = e->course, .limit = PAGE};

    do {
        arena_reset(&names);
        TRY(store_own_read(e->store, &names, OP(course_walk), &walk, err));
        if (e->course.p && walk.items_n == 0 && walk.after_key == 0)
            return err_field(err, FOOTNOTE_NOTFOUND, "course",
                             "%.*s is not there", STR_ARG(e->course));
        for (size_t i = 0; i < walk.items_n; i++) {
            if (!e->user.p || str_eq(e->user, walk.items[i].owner))
                TRY(one_course(e, &walk.items[i], err));
            walk.after_key = walk.items[i].key;
        }
    } while (walk.items_n);
    return FOOTNOTE_OK;
}

/* ---- The verb ------------------------------------------------------------ */

static enum footnote_rc write_all(struct exporting *e, struct footnote_err *err)
{
    struct who who = {e->tenant, e->user.p ? e->user : STR("local")};

    if (e->c->operands_n && e->kind > EXPORT_JSONL)
        return shown(e, who, e->c->operands[0], err);
    if (e->c->operands_n)
        return one(e, who, e->c->operands[0], STR_NONE, err);
    TRY(courses(e, err));
    return sessions(e, err);
}

/* Beside the file, and in its place when it is whole: what was cut off is never
 * taken for all. */
static enum footnote_rc write_file(struct exporting *e,
                                   struct footnote_err *err)
{
    struct str beside = arena_printf(&e->c->arena, "%.*s.part", STR_ARG(e->to));
    enum footnote_rc rc = arena_rc(&e->c->arena, err);

    if (rc != FOOTNOTE_OK)
        return rc;
    e->file = fopen(beside.p, "wx");
    if (!e->file)
        return err_set(err, FOOTNOTE_INVALID, "%.120s: %s", beside.p,
                       strerror(errno));
    rc = write_all(e, err);
    if ((fflush(e->file) != 0 || fsync(fileno(e->file)) != 0) &&
        rc == FOOTNOTE_OK)
        rc = err_set(err, FOOTNOTE_FULL, "%.120s: %s", beside.p,
                     strerror(errno));
    fclose(e->file);
    if (rc == FOOTNOTE_OK && rename(beside.p, e->to.p) != 0)
        rc = err_set(err, FOOTNOTE_INVALID, "%.120s: %s", e->to.p,
                     strerror(errno));
    if (rc != FOOTNOTE_OK)
        (void)unlink(beside.p);
    return rc;
}

static enum footnote_rc run(struct exporting *e, struct footnote_err *err)
{
    enum footnote_rc rc;

    if (e->to.p)
        return write_file(e, err);
    e->file = stdout;
    rc = write_all(e, err);
    if (fflush(stdout) != 0 && rc == FOOTNOTE_OK)
        rc = err_set(err, FOOTNOTE_FULL, "writing: %s", strerror(errno));
    return rc;
}

static int start(struct exporting *e)
{
    struct cli *c = e->c;
    struct footnote_err err;
    enum footnote_rc rc = folder_enter(&c->config, &err);

    if (rc == FOOTNOTE_OK)
        rc = folder_open_store(&c->arena, &c->config, &e->store, &err);
    if (rc != FOOTNOTE_OK)
        return cli_fail_config(c, &err);
    e->a = ARENA(SESSION_BYTES_MAX);
    e->b = BUF(FILE_BYTES_MAX);
    rc = run(e, &err);
    store_close(e->store);
    arena_free(&e->a);
    buf_free(&e->b);
    return rc == FOOTNOTE_OK ? CLI_DONE : cli_fail(c, rc, &err);
}

int verb_export(struct cli *c)
{
    struct exporting e = {.c = c, .tenant = STR("default")};
    const struct cli_option options[] = {
        {.name = "format", .text = &e.format},
        {.name = "out", .letter = 'o', .text = &e.to},
        {.name = "course", .text = &e.course},
        {.name = "all", .on = &e.all},
        {.name = "user", .text = &e.user},
        {.name = "tenant", .text = &e.tenant}};
    int code = cli_read(c, options, sizeof(options) / sizeof(options[0]));

    if (code == CLI_GO_ON)
        code = cli_expect(c, 0, 1, "a session");
    if (code != CLI_GO_ON)
        return code;
    if ((c->operands_n != 0) + (e.course.p != NULL) + e.all != 1)
        return cli_usage(c, "say which: SESSION, --course ID or --all");
    e.kind = c->operands_n ? EXPORT_JSON : EXPORT_JSONL;
    if (e.format.p && !export_parse(e.format, &e.kind))
        return cli_usage(c, "the format is %s", export_words());
    if (!c->operands_n && e.kind != EXPORT_JSONL)
        return cli_usage(c, "many sessions go out as jsonl");
    return start(&e);
}
