/* footnote.c - our own export: a session in each line, as `footnote export` and
 * GET .../export write it, with their courses before them.
 *
 * A line is whole by itself, so nothing is staged.  Documents are told of and
 * left out: a line says what is known of one, and its file is elsewhere. */
#include <stdio.h>

#include "base/utf8.h"
#include "cite/source.h"
#include "export/export.h"
#include "http/shape/intake.h"
#include "http/shape/names.h"
#include "import/flight.h"
#include "import/json_values.h"
#include "import/staged.h"
#include "import/users.h"
#include "store/session/course.h"
#include "store/session/whole.h"

enum { WHERE_BYTES = 300, TEXT_BYTES_MAX = 512 * 1024 * 1024 };

/* ---- A session ----------------------------------------------------------- */

static enum footnote_rc count_sources(struct import *im,
                                      const struct message *m,
                                      struct sha256_ctx *c,
                                      struct footnote_err *err)
{
    for (size_t i = 0; i < m->sources_n; i++) {
        struct sha256 digest;
        struct str key;

        TRY(source_key(im->a, &m->sources[i].source, &key, err));
        source_digest(c, &m->sources[i].source, key, &digest);
        TRY(staged_count_source(im->staged, &digest, &im->counts->sources,
                                err));
    }
    im->counts->references += (int64_t)m->sources_n;
    return FOOTNOTE_OK;
}

/* The digest of a session is that of its line without whose it was. */
static enum footnote_rc count(struct import *im, const struct whole *w,
                              struct str user, bool made,
                              struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    AUTO(buf_free) struct buf text = BUF(TEXT_BYTES_MAX);
    struct import_counts *n = im->counts;
    struct import_session_done done = {.id = w->id,
                                       .user = user,
                                       .made = made,
                                       .messages = (int64_t)w->messages_n,
                                       .references = -n->references};

    TRY(sha256_open(&c, err));
    for (size_t i = 0; i < w->messages_n; i++)
        TRY(count_sources(im, &w->messages[i], c, err));
    done.references += n->references;
    n->sessions++;
    n->unchanged += !made;
    n->messages += done.messages;
    n->events += (int64_t)w->events_n;
    export_kept(&text, w, STR_NONE);
    TRY(buf_rc(&text, err));
    TRY(sha256(buf_str(&text), &done.digest, err));
    im->o->session(im->o->arg, &done);
    return FOOTNOTE_OK;
}

/* A course whose owner this import has met lets whoever has a session there
 * in. */
static enum footnote_rc let_in(struct import *im, struct who who,
                               struct str course, bool *in,
                               struct footnote_err *err)
{
    struct member_put member = {
        .course = course, .user = who.user, .role = MEMBER_READER};

    TRY(staged_course(im->staged, im->a, course, &who.user, err));
    *in = who.user.p != NULL;
    return *in ? store_write(im->o->store, who, OP(member_put), &member, err)
               : FOOTNOTE_OK;
}

static enum footnote_rc put(struct import *im, struct who who,
                            struct whole_write *op, bool *made,
                            struct footnote_err *err)
{
    struct footnote_err why;
    enum footnote_rc rc = export_put(im->o->store, who, im->a, op, made, &why);
    bool in = false;

    if (rc == FOOTNOTE_NOTFOUND && str_eq(str_c(why.field), STR("course")))
        TRY(let_in(im, who, op->whole->course, &in, err));
    if (in)
        return export_put(im->o->store, who, im->a, op, made, err);
    if (rc != FOOTNOTE_OK && err)
        *err = why;
    return rc;
}

static enum footnote_rc refused(const struct intake *in,
                                struct footnote_err *err)
{
    return err_set(err,
                   in->problem.status == 413   ? FOOTNOTE_TOOBIG
                   : in->problem.status == 503 ? FOOTNOTE_NOMEM
                                               : FOOTNOTE_INVALID,
                   "%.*s%s%.*s", STR_ARG(in->problem.where),
                   in->problem.where.n ? ": " : "", STR_ARG(in->problem.text));
}

static enum footnote_rc session(struct import *im, struct json *o,
                                struct footnote_err *err)
{
    struct intake in = {.a = im->a};
    struct whole w;
    /* An operator brings it, who could write to the store as well. */
    struct whole_write op = {.whole = &w, .trusted = true, .dry = im->o->dry};
    struct who who = {.tenant = im->o->who.tenant};
    struct str owner;
    bool made;

    im->counts->sessions_in_source++;
    if (!export_kept_read(&in, o, &w, &owner))
        return refused(&in, err);
    if (im->o->course.p) {
        w.course = im->o->course;
        w.course_title = STR_NONE;
    }
    TRY(users_find(im, owner, &who.user, err));
    TRY(put(im, who, &op, &made, err));
    return count(im, &w, who.user, made, err);
}

/* ---- A course ------------------------------------------------------------ */

/* As old as it was there. */
struct course_import {
    struct course_put put;
    int64_t created_ms; /* 0: not said */
};

static enum footnote_rc course_prepare(struct tx *tx, void *arg,
                                       struct footnote_err *err)
{
    struct course_import *op = arg;

    return OP(course_put)->prepare(tx, &op->put, err);
}

static enum footnote_rc course_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct course_import *op = arg;

    if (op->created_ms > 0)
        tx->now_ms = op->created_ms;
    return OP(course_put)->run(tx, &op->put, err);
}

static const struct store_op course_import_op = {course_prepare, course_run};

static enum footnote_rc member(struct import *im, struct who owner,
                               struct str course, const struct json *v,
                               struct footnote_err *err)
{
    struct member_put put = {.course = course};
    struct str user = json_text(v, STR("userId"));

    if (!user.p || !member_role_parse(json_text(v, STR("role")), &put.role))
        return err_field(err, FOOTNOTE_INVALID, "members",
                         "one has no userId or role");
    put.user = user;
    if (!str_eq(user, STR("*")))
        TRY(users_find(im, user, &put.user, err));
    return store_write(im->o->store, owner, OP(member_put), &put, err);
}

static enum footnote_rc course(struct import *im, const struct json *o,
                               struct footnote_err *err)
{
    const struct json *members = json_get(o, STR("members"));
    struct course_import make = {.put = {.id = json_text(o, STR("id")),
                                         .title = json_text(o, STR("title"))}};
    struct str id = make.put.id, created = json_text(o, STR("createdAt"));
    struct course_get get = {.id = id};
    struct who owner = {.tenant = im->o->who.tenant};
    struct footnote_err why;

    if (!id.p)
        return err_field(err, FOOTNOTE_INVALID, "id", "is missing");
    TRY(users_find(im, json_text(o, STR("userId")), &owner.user, err));
    if (im->o->dry || im->o->course.p)
        return FOOTNOTE_OK;
    if (store_read(im->o->store, owner, im->a, OP(course_get), &get, &why) ==
        FOOTNOTE_OK) { /* it is there, and stays as it is */
        return staged_course_put(im->staged, id, get.course.owner, err);
    }
    if (created.p && !time_parse(created, &make.created_ms))
        return err_field(err, FOOTNOTE_INVALID, "createdAt", "is no time");
    TRY(store_write(im->o->store, owner, &course_import_op, &make, err));
    TRY(staged_course_put(im->staged, id, owner.user, err));
    for (const struct json *v =
             members && members->type == JSON_ARRAY ? members->first : NULL;
         v; v = v->next)
        TRY(member(im, owner, id, v, err));
    return FOOTNOTE_OK;
}

/* ---- Lines --------------------------------------------------------------- */

static enum footnote_rc line(struct import *im, struct str text,
                             struct footnote_err *err)
{
    struct json *o = NULL;
    struct str what;

    TRY(json_read(im->a, text, &o, err));
    what = json_text(o, STR("footnote"));
    if (str_eq(what, STR("course")))
        return course(im, o, err);
    if (str_eq(what, STR("document")))
        return err_set(err, FOOTNOTE_INVALID,
                       "its file is not in it: read it in again, by `footnote "
                       "ingest`");
    return session(im, o, err);
}

/* Of a session its id, where it can be found. */
static void left_out(struct import *im, int64_t number, struct str text,
                     const struct footnote_err *why)
{
    char where[WHERE_BYTES];
    struct json *o = NULL;
    struct str id = STR_NONE;

    arena_reset(im->a);
    if (json_read(im->a, text, &o, NULL) == FOOTNOTE_OK)
        id = json_text(o, STR("id"));
    id.n = id.p ? id.n : 0;
    snprintf(where, sizeof(where), "%lld%s%.*s", (long long)number,
             id.n ? " " : "", STR_ARG(utf8_cut(id, 60)));
    import_tell(im, IMPORT_LEFT_OUT, where, why->text);
}

static enum footnote_rc lines(struct import *im, struct json_values *v,
                              struct footnote_err *err)
{
    for (;;) {
        struct footnote_err why;
        enum footnote_rc rc;
        struct str text;
        int64_t number;

        arena_reset(im->a);
        TRY(json_values_next(v, &text, &number, err));
        if (!text.p)
            return FOOTNOTE_OK;
        rc = line(im, text, &why);
        if (rc == FOOTNOTE_OK)
            continue;
        if (is_of_session(rc)) {
            left_out(im, number, text, &why);
            continue;
        }
        if (err)
            *err = why;
        err_prefix(err, "line %lld", (long long)number);
        return rc;
    }
}

static enum footnote_rc all(struct import *im, struct footnote_err *err)
{
    AUTO(json_values_close) struct json_values v = {.file = NULL};
    enum footnote_rc rc =
        json_values_open(im->o->source.p, IMPORT_VALUE_BYTES_MAX, &v, err);

    if (rc == FOOTNOTE_OK)
        rc = lines(im, &v, err);
    if (rc != FOOTNOTE_OK)
        err_prefix(err, "%.100s", im->o->source.p);
    return rc;
}

const struct import_kind import_footnote = {.name = "footnote", .strays = all};
