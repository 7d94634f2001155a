/* calls.c - what the handlers of the API share. */
#include "http/api/calls.h"

#include <assert.h>

#include "http/auth/auth.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/call/shares.h"
#include "http/core/multipart.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/session/course.h"
#include "store/session/scope.h"

/* ---- Answers ------------------------------------------------------------ */

void call_no_memory(struct request *r)
{
    reply_rc(
        r, FOOTNOTE_NOMEM,
        &(struct footnote_err){.rc = FOOTNOTE_NOMEM, .text = "out of memory"},
        NULL);
}

/* Whether it can be a JSON pointer as it is.  The parts of a form have names
 * that a client made up. */
static bool is_pointer(const char *field)
{
    for (const char *c = field; *c; c++)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') &&
            !(*c >= '0' && *c <= '9') && *c != '/')
            return false;
    return field[0] != '\0';
}

void call_failed(struct request *r, enum footnote_rc rc,
                 const struct footnote_err *err, const char *thing)
{
    static const char *const things[] = {"session", "course", "message",
                                         "document"};
    struct problem p = {.status = rc_status(rc),
                        .code = str_c(rc_code(rc)),
                        .text = str_c(err->text)};

    assert(rc != FOOTNOTE_OK);
    call_count_refusal(r, rc, err);
    if ((rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG) &&
        is_pointer(err->field)) {
        p.where = arena_printf(&r->arena, "/%s", err->field);
        reply_problem(r, &p);
        return;
    }
    for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++)
        if (strcmp(err->field, things[i]) == 0)
            thing = things[i];
    reply_rc(r, rc, err, thing);
}

bool call_read(struct request *r, const struct store_op *kind, void *op,
               const char *thing)
{
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = store_read(services(r)->store, caller(r)->who,
                                     &r->arena, kind, op, &err);

    if (rc != FOOTNOTE_OK)
        call_failed(r, rc, &err, thing);
    return rc == FOOTNOTE_OK;
}

void call_deleted(struct request *r, const char *thing)
{
    if (r->rc != FOOTNOTE_OK)
        call_failed(r, r->rc, &r->err, thing);
    else
        reply_empty(r, 204);
}

void call_forbidden(struct request *r, const char *who)
{
    reply_problem(
        r, &(struct problem){
               .status = 403,
               .code = STR("forbidden"),
               .text = arena_printf(&r->arena, "Only %s may do that", who)});
}

/* The store does not find what the asker may only read. */
static void tell_member(struct request *r)
{
    struct course_get get = {.id = r->params[0]};

    if (call_read(r, OP(course_get), &get, "course"))
        call_forbidden(r, "its owner");
}

void call_owner_failed(struct request *r)
{
    if (r->rc == FOOTNOTE_NOTFOUND)
        request_work(r, tell_member);
    else
        call_failed(r, r->rc, &r->err, "course");
}

bool call_editor(struct request *r, struct str course)
{
    struct course_get get = {.id = course};

    if (!call_read(r, OP(course_get), &get, "course"))
        return false;
    if (get.course.role >= MEMBER_EDITOR)
        return true;
    call_forbidden(r, "its owner and editors");
    return false;
}

bool call_course_share(struct request *r, struct str word,
                       enum member_role *out)
{
    if (!word.p)
        word = services(r)->config->course_share;
    *out = MEMBER_NONE;
    if (!word.p || str_eq(word, STR("none")) || member_role_parse(word, out))
        return true;
    reply_invalid(r, STR("/courseShare"),
                  "courseShare is none, reader or editor");
    return false;
}

void *call_state(struct request *r, size_t bytes)
{
    r->state = arena_alloc(&r->arena, bytes);
    if (!r->state)
        call_no_memory(r);
    return r->state;
}

void call_refused(struct request *r, const struct intake *in)
{
    reply_problem(r, &in->problem);
}

static struct json *read_body(struct request *r, bool open,
                              const struct field *fields, size_t n, void *out)
{
    struct intake in = {.a = &r->arena, .open = open};
    struct json *body = request_json(r);

    if (!body || intake_object(&in, NULL, body, fields, n, out))
        return body;
    call_refused(r, &in);
    return NULL;
}

struct json *call_body(struct request *r, const struct field *fields, size_t n,
                       void *out)
{
    return read_body(r, false, fields, n, out);
}

struct json *call_open_body(struct request *r, const struct field *fields,
                            size_t n, void *out)
{
    return read_body(r, true, fields, n, out);
}

struct multipart *call_form(struct request *r)
{
    struct multipart *form = arena_new(&r->arena, struct multipart);
    struct footnote_err err;

    if (!form)
        call_no_memory(r);
    else if (multipart_init(form, request_header(r, STR("content-type")),
                            &err) == FOOTNOTE_OK)
        return form;
    else
        reply_invalid(r, STR_NONE, "%s", err.text);
    return NULL;
}

void call_location(struct request *r, struct str path, struct str id)
{
    AUTO(buf_free) struct buf b = BUF(4096);

    buf_add(&b, path);
    shape_path(&b, id);
    if (buf_rc(&b, NULL) == FOOTNOTE_OK)
        reply_header(r, STR("Location"), buf_str(&b));
}

bool call_is_confined(struct request *r)
{
    if (!scope_confines(caller(r)->who.scope))
        return false;
    reply_problem(r, &(struct problem){.status = 403,
                                       .code = STR("forbidden"),
                                       .text = STR("This key is for certain "
                                                   "courses alone")});
    return true;
}

/* ---- Questions ---------------------------------------------------------- */

bool call_param(struct request *r, size_t i, const char *thing, struct str *out)
{
    assert(i < HTTP_PARAMS_MAX && r->params[i].p);
    *out = r->params[i];
    if (out->n >= 1 && out->n <= STORE_ID_BYTES_MAX)
        return true;
    reply_rc(r, FOOTNOTE_NOTFOUND, &(struct footnote_err){.text = ""}, thing);
    return false;
}

bool call_document(struct request *r, struct str *id, struct str *course)
{
    *course = request_query(r, STR("courseId"));
    if (!call_param(r, 0, "document", id))
        return false;
    if (!course->p || (course->n >= 1 && course->n <= STORE_ID_BYTES_MAX))
        return true;
    reply_rc(r, FOOTNOTE_NOTFOUND, &(struct footnote_err){.text = ""},
             "document");
    return false;
}

bool call_gone_param(struct request *r, struct str *out)
{
    *out = r->params[0];
    if (out->n <= STORE_ID_BYTES_MAX)
        return true;
    reply_empty(r, 204);
    return false;
}

bool call_word(struct request *r, struct str name, const char *const *words,
               int *out)
{
    struct str given = request_query(r, name);

    *out = -1;
    if (!given.p)
        return true;
    for (int i = 0; words[i]; i++)
        if (str_eq(given, str_c(words[i])))
            *out = i;
    if (*out < 0)
        reply_invalid(r, STR_NONE, "%.*s cannot be that", STR_ARG(name));
    return *out >= 0;
}

bool call_number(struct request *r, struct str name, int64_t min, int64_t max,
                 int64_t *out)
{
    struct str given = request_query(r, name);
    int64_t v;

    if (!given.p)
        return true;
    if (str_i64(given, &v) && v >= min && v <= max) {
        *out = v;
        return true;
    }
    reply_invalid(r, STR_NONE, "%.*s is a number from %lld to %lld",
                  STR_ARG(name), (long long)min, (long long)max);
    return false;
}

struct str call_public_url(struct request *r)
{
    struct str url = guard_public_url(services(r)->config, r);
    struct str host = request_header(r, STR("host"));

    if (url.n && url.p[url.n - 1] == '/')
        url.n--;
    return url.n ? url : arena_printf(&r->arena, "http://%.*s", STR_ARG(host));
}
