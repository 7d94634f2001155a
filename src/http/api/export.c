/* export.c - a session as a file, and the way back.
 *
 * What comes in is the asker's from then on, whoever's it was.  All of it is
 * done in a worker: a session is large, and is read and compared as a whole. */
#include "export/export.h"
#include "export/cited.h"

#include "http/api/calls.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/shape/shape.h"
#include "store/session/session.h"
#include "store/session/whole.h"

enum { IMPORT_ROWS_MAX = 5000 };

/* ---- GET /api/sessions/{id}/export -------------------------------------- */

static bool write_kept(struct request *r, struct str id, struct buf *b)
{
    struct whole_read op = {.session = id};

    if (!call_read(r, OP(whole_read), &op, "session"))
        return false;
    export_kept(b, &op.whole, STR_NONE);
    buf_add_c(b, '\n');
    return true;
}

static bool write_shown(struct request *r, struct str id,
                        enum export_format format, struct buf *b)
{
    struct history h = {.session = id, .settled = true};
    const struct shown_session s = {.history = &h,
                                    .base_url = call_public_url(r)};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc;

    if (!call_read(r, OP(history), &h, "session"))
        return false;
    rc = export_shown(b, &r->arena, format, &s, &err);
    if (rc == FOOTNOTE_OK)
        return true;
    buf_free(b);
    call_failed(r, rc, &err, "session");
    return false;
}

static bool read_format(struct request *r, enum export_format *out)
{
    struct str word = request_query(r, STR("format"));

    *out = EXPORT_JSON;
    if (!word.p || export_parse(word, out))
        return true;
    reply_invalid(r, STR_NONE, "format is none of %s", export_words());
    return false;
}

static void export_work(struct request *r)
{
    struct buf b = BUF(REPLY_BYTES_MAX);
    enum export_format format;
    struct str id;

    if (!call_param(r, 0, "session", &id) || !read_format(r, &format) ||
        !(format <= EXPORT_JSONL ? write_kept(r, id, &b)
                                 : write_shown(r, id, format, &b)))
        return;
    reply_attachment(r, true,
                     arena_printf(&r->arena, "%.*s.%.*s", STR_ARG(id),
                                  STR_ARG(export_kinds[format].suffix)));
    reply_cached_as(r, export_kinds[format].media_type, &b);
}

void api_session_export(struct request *r)
{
    request_work(r, export_work);
}

/* ---- POST /api/sessions/import ------------------------------------------ */

static void answer(struct request *r, struct str id, bool made)
{
    struct session_get get = {.id = id};
    struct buf b = BUF(REPLY_BYTES_MAX);

    if (!call_read(r, OP(session_get), &get, "session"))
        return;
    if (!made)
        reply_header(r, STR("Idempotent-Replayed"), STR("true"));
    call_location(r, STR("/api/sessions/"), id);
    shape_session(&b, &get.session);
    reply_json(r, made ? 201 : 200, &b);
}

/* A request has the writer for itself meanwhile. */
static bool check_size(struct request *r, const struct whole *w)
{
    size_t rows = w->messages_n + w->events_n;

    for (size_t i = 0; i < w->messages_n; i++)
        rows += w->messages[i].sources_n;
    if (rows <= IMPORT_ROWS_MAX)
        return true;
    reply_problem(
        r, &(struct problem){
               .status = 413,
               .code = STR("too_large"),
               .text = arena_printf(&r->arena,
                                    "%zu messages, sources and retrievals, at "
                                    "most %d: `footnote import` takes more",
                                    rows, IMPORT_ROWS_MAX)});
    return false;
}

static void import_work(struct request *r)
{
    struct intake in = {.a = &r->arena};
    struct json *body = request_json(r);
    struct whole whole;
    struct whole_write op = {.whole = &whole};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc;
    struct str owner;
    bool made;

    if (!body)
        return;
    if (!export_kept_read(&in, body, &whole, &owner)) {
        call_refused(r, &in);
        return;
    }
    if (!check_size(r, &whole))
        return;
    rc = export_put(services(r)->store, caller(r)->who, &r->arena, &op, &made,
                    &err);
    if (rc != FOOTNOTE_OK)
        call_failed(r, rc, &err, "session");
    else
        answer(r, whole.id, made);
}

void api_session_import(struct request *r)
{
    request_work(r, import_work);
}
