/* chat_intake.c - what a chat client sends.
 *
 * The AI SDK sends the whole thread that the browser has, and apps may replace
 * the body.  Only the last message is read, and only its own text is trusted.
 * Unknown fields are the app's own. */
#include "http/stream/chat.h"

#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/shape/scope.h"
#include "model/model.h"
#include "store/answer/answer.h"
#include "store/document/search.h"
#include "store/document/snapshot.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/session/session.h"

/* ---- One message -------------------------------------------------------- */

bool chat_is_blank(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] > ' ')
            return false;
    return true;
}

/* Reads at most twice the allowed length, which is enough to refuse it. */
struct str chat_parts(struct request *r, const struct json *parts)
{
    AUTO(buf_free) struct buf b = BUF((size_t)2 * STORE_QUESTION_BYTES_MAX);

    for (const struct json *p = parts->first; p; p = p->next) {
        struct str text = json_text(p, STR("text"));

        if (!str_eq(json_text(p, STR("type")), STR("text")) || !text.n)
            continue;
        if (b.n)
            buf_add_c(&b, '\n');
        buf_add(&b, text);
    }
    if (b.broken == FOOTNOTE_TOOBIG)
        return (struct str){"", SIZE_MAX};
    if (b.broken != FOOTNOTE_OK) /* never ask half a question */
        r->arena.failed = true;
    return b.n ? arena_str(&r->arena, buf_str(&b)) : STR("");
}

static bool is_role(const struct json *message, struct str role)
{
    return str_eq(json_text(message, STR("role")), role);
}

/* ---- The body ----------------------------------------------------------- */

struct chat_in {
    struct str id, chat, trigger, message_id, parent;
    struct str course, document, lecture, model;
    bool has_limit;
    int64_t limit;
    const struct json *message, *messages, *snapshot, *scope;
};

#define AT(member)    offsetof(struct chat_in, member)
#define IMAGE(member) offsetof(struct message, image_##member)
// clang-format off
static const struct field chat_fields[] = {
    {FIELD_NAME("id"), FIELD_ID, AT(id), 0, 0, 0},
    {FIELD_NAME("chatId"), FIELD_ID, AT(chat), 0, 0, 0},
    {FIELD_NAME("message"), FIELD_ANY, AT(message), 0, 0, 0},
    {FIELD_NAME("messages"), FIELD_ANY, AT(messages), 0, 0, 0},
    {FIELD_NAME("trigger"), FIELD_TEXT, AT(trigger), 0, 0, 0},
    {FIELD_NAME("messageId"), FIELD_TEXT, AT(message_id), 0, 0, 0},
    {FIELD_NAME("parentId"), FIELD_ID, AT(parent), 0, 0, 0},
    {FIELD_NAME("courseId"), FIELD_ID, AT(course), 0, 0, 0},
    {FIELD_NAME("documentId"), FIELD_ID, AT(document), 0, 0, 0},
    {FIELD_NAME("lectureId"), FIELD_ID, AT(lecture), 0, 0, 0},
    {FIELD_NAME("scope"), FIELD_ANY, AT(scope), 0, 0, 0},
    {FIELD_NAME("model"), FIELD_ID, AT(model), 0, 0, 0},
    {FIELD_NAME("limit"), FIELD_WHOLE, AT(limit), AT(has_limit), 0, 0},
    {FIELD_NAME("snapshot"), FIELD_ANY, AT(snapshot), 0, 0, 0},
};
static const struct field snapshot_fields[] = {
    {FIELD_NAME("s3key"), FIELD_TEXT, IMAGE(s3key), 0, 0, 0},
    {FIELD_NAME("slideId"), FIELD_ID, IMAGE(slide), 0, 0, 0},
    {FIELD_NAME("pageNumber"), FIELD_WHOLE, IMAGE(page),
     offsetof(struct message, has_image_page), 0, 0},
};
// clang-format on

/* ---- Which message, and what to do with it ------------------------------ */

struct last_question {
    const struct json *message; /* the user's */
    struct str where;           /* JSON Pointer */
    bool answered;              /* an answer follows it: go on */
};

static bool refuse(struct request *r, struct str where, const char *text)
{
    reply_invalid(r, where, "%s", text);
    return false;
}

static bool find_last(struct request *r, const struct chat_in *in,
                      struct last_question *out)
{
    const struct json *one = in->message, *list = in->messages;
    size_t i = 0;

    if (one && one->type == JSON_OBJECT) {
        out->message = one;
        out->where = STR("/message");
        out->answered = false;
        return is_role(one, STR("user")) ||
               refuse(r, STR("/message/role"), "role: must be user");
    }
    if (!list || list->type != JSON_ARRAY || !list->first)
        return refuse(r, STR("/messages"), "messages: are missing");
    for (const struct json *m = list->first; m; m = m->next, i++) {
        if (is_role(m, STR("user"))) {
            out->message = m;
            out->where = arena_printf(&r->arena, "/messages/%zu", i);
            out->answered = false;
        } else if (is_role(m, STR("assistant"))) {
            out->answered = true;
        }
    }
    return out->message ||
           refuse(r, STR("/messages"), "messages: none is the user's");
}

static bool read_question(struct request *r, const struct last_question *last,
                          struct message *q)
{
    const struct json *parts = json_get(last->message, STR("parts"));
    struct str where;

    q->id = json_text(last->message, STR("id"));
    q->content = parts && parts->type == JSON_ARRAY
                     ? chat_parts(r, parts)
                     : json_text(last->message, STR("content"));
    where = arena_printf(&r->arena, "%.*s/parts", STR_ARG(last->where));
    if (q->id.p && (q->id.n == 0 || q->id.n > STORE_ID_BYTES_MAX))
        return refuse(r,
                      arena_printf(&r->arena, "%.*s/id", STR_ARG(last->where)),
                      "id: has 1 to 200 bytes");
    if (q->content.n > STORE_QUESTION_BYTES_MAX) {
        reply_problem(r, &(struct problem){.status = 413,
                                           .code = STR("too_large"),
                                           .text = STR("The question is over "
                                                       "64 KB"),
                                           .where = where});
        return false;
    }
    return !chat_is_blank(q->content) || refuse(r, where, "question: is empty");
}

/* By trigger, messageId, and the role of the last message. */
static bool read_mode(struct request *r, const struct chat_in *in,
                      const struct last_question *last, struct chat_ask *ask)
{
    if (str_eq(in->trigger, STR("regenerate-message"))) {
        ask->mode = ANSWER_REGENERATE;
        return ask->question.id.p ||
               refuse(r, last->where, "id: of the question is missing");
    }
    if (in->trigger.p && !str_eq(in->trigger, STR("submit-message")))
        return refuse(r, STR("/trigger"),
                      "trigger: is submit-message or regenerate-message");
    if (last->answered)
        ask->mode = ANSWER_CONTINUE;
    else if (in->message_id.p && str_eq(in->message_id, ask->question.id))
        ask->mode = ANSWER_NEW_OR_EDIT;
    else
        ask->mode = ANSWER_NEW;
    return true;
}

bool chat_scope(struct request *r, const struct json *o, struct chat_ask *ask)
{
    struct json_place at = {.key = STR("scope")};
    struct intake in = {.a = &r->arena};
    struct search_filter *f = &ask->filter;

    if (!o)
        return true;
    if (!intake_scope(&in, &at, o, f)) {
        call_refused(r, &in);
        return false;
    }
    if (f->course.p && ask->course.p && !str_eq(f->course, ask->course))
        return refuse(r, STR("/scope/courseId"),
                      "courseId: is another one than that of the question");
    if (f->course.p)
        ask->course = f->course;
    return true;
}

/* The question may name one document beside its scope, or in it. */
static bool read_document(struct request *r, const struct chat_in *in,
                          struct chat_ask *ask)
{
    struct str id = in->document.p ? in->document : in->lecture;
    struct str *one = arena_new(&r->arena, struct str);

    if (!id.p)
        return true;
    if (!one) {
        call_no_memory(r);
        return false;
    }
    if (ask->filter.documents_n)
        return refuse(r, STR("/documentId"),
                      "documentId: the scope has documents already");
    *one = id;
    ask->filter.documents = one;
    ask->filter.documents_n = 1;
    return true;
}

static bool read_scope(struct request *r, const struct chat_in *in,
                       struct chat_ask *ask)
{
    ask->course = in->course;
    ask->model = in->model;
    ask->limit = (size_t)in->limit;
    if (!chat_scope(r, in->scope, ask) || !read_document(r, in, ask))
        return false;
    return !in->has_limit ||
           (in->limit >= 1 && in->limit <= CHAT_SOURCES_MAX) ||
           refuse(r, STR("/limit"), "limit: is 1 to 50");
}

/* A label is no path, but an app may make one of it. */
static bool is_label(struct str s)
{
    struct str rest = s;

    if (s.n == 0 || s.n > SOURCE_LABEL_BYTES_MAX || s.p[0] == '/')
        return false;
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7F || s.p[i] == '\\')
            return false;
    while (rest.n) {
        struct str part = {rest.p, str_find(rest, '/')};

        if (str_eq(part, STR("..")))
            return false;
        rest = str_skip(rest, part.n < rest.n ? part.n + 1 : rest.n);
    }
    return true;
}

/* The page on the screen: {s3key, slideId, pageNumber}. */
static bool read_snapshot(struct request *r, const struct json *s,
                          struct message *q)
{
    struct intake in = {.a = &r->arena, .open = true};
    struct json_place at = {.key = STR("snapshot")};
    struct json_place page = {.up = &at};

    if (!s)
        return true;
    if (!intake_object(&in, &at, s, snapshot_fields, FIELDS_N(snapshot_fields),
                       q)) {
        call_refused(r, &in);
        return false;
    }
    if (!q->image_s3key.p || !is_label(q->image_s3key))
        return refuse(r, STR("/snapshot/s3key"),
                      "s3key: is the label of a picture, without a way up");
    page.key = intake_name(s, STR("pageNumber"));
    if (q->has_image_page && (q->image_page < 0 || q->image_page > INT32_MAX)) {
        intake_refuse(&in, &page, 400, STR("invalid_field"),
                      "pageNumber: is a number that counts from 1");
        call_refused(r, &in);
        return false;
    }
    q->has_image = true;
    return true;
}

bool chat_intake(struct request *r, struct chat_ask *ask)
{
    struct chat_in in = {.limit = 0};
    struct last_question last = {.where = STR("")};
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;

    if (!call_open_body(r, chat_fields, FIELDS_N(chat_fields), &in))
        return false;
    ask->question.session = in.id.p ? in.id : in.chat;
    ask->question.parent = in.parent;
    if (!ask->question.session.p)
        return refuse(r, STR("/id"), "id: of the chat is missing");
    if (!find_last(r, &in, &last) || !read_question(r, &last, &ask->question) ||
        !read_mode(r, &in, &last, ask) || !read_scope(r, &in, ask) ||
        !read_snapshot(r, in.snapshot, &ask->question))
        return false;
    ask->languages = request_header(r, STR("accept-language"));
    ask->key = request_header(r, STR("idempotency-key"));
    if (!ask->key.p)
        return true;
    if (ask->key.n == 0 || ask->key.n > STORE_ID_BYTES_MAX)
        return refuse(r, STR_NONE, "Idempotency-Key has 1 to 200 bytes");
    if (sha256_open(&c, NULL) != FOOTNOTE_OK) {
        call_no_memory(r);
        return false;
    }
    sha256_begin(c);
    sha256_add(c, r->body);
    sha256_end(c, &ask->request);
    return true;
}

/* ---- The scope ---------------------------------------------------------- */

/* If we have the picture, our row tells what it shows, not the client. */
static bool check_snapshot(struct request *r, struct message *q)
{
    struct snapshot_find find = {.labels = &q->image_s3key, .n = 1};
    const struct snapshot *s;

    if (!q->has_image)
        return true;
    if (!call_read(r, OP(snapshot_find), &find, "session"))
        return false;
    s = find.snapshots;
    if (!s->found)
        return true;
    q->image_slide = s->slide;
    q->has_image_page = true;
    q->image_page = s->page;
    return true;
}

static bool check_course_of_session(struct request *r, struct str course)
{
    struct course_get get = {.id = course};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = store_read(services(r)->store, caller(r)->who,
                                     &r->arena, OP(course_get), &get, &err);

    if (rc == FOOTNOTE_NOTFOUND)
        reply_problem(
            r, &(struct problem){
                   .status = 404,
                   .code = STR("course_not_found"),
                   .text = STR("The course of this session is not there"),
                   .hint = STR("If it was deleted give courseId, else ask in "
                               "another session")});
    else if (rc != FOOTNOTE_OK)
        call_failed(r, rc, &err, "course");
    return rc == FOOTNOTE_OK;
}

/* The course of a session may be gone by now, or closed to the asker: that is
 * told before a stream begins. */
static bool check_session(struct request *r, const struct chat_ask *ask)
{
    struct session_get get = {.id = ask->question.session};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc;

    if (!get.id.p || ask->course.p || ask->filter.documents_n)
        return true;
    rc = store_read(services(r)->store, caller(r)->who, &r->arena,
                    OP(session_get), &get, &err);
    if (rc == FOOTNOTE_NOTFOUND)
        return true; /* the question makes it */
    if (rc == FOOTNOTE_OK)
        return !get.session.course.p ||
               check_course_of_session(r, get.session.course);
    call_failed(r, rc, &err, "session");
    return false;
}

/* Documents that are named without their course are of the session's before
 * they are of another course.  All are of one. */
static bool find_documents(struct request *r, struct chat_ask *ask)
{
    struct session_get session = {.id = ask->question.session};
    struct search_scope find = {.course = ask->course, .filter = &ask->filter};
    struct store *st = services(r)->store;

    if (!find.course.p && session.id.p &&
        store_read(st, caller(r)->who, &r->arena, OP(session_get), &session,
                   NULL) == FOOTNOTE_OK &&
        session.session.course.p) {
        find.course = session.session.course;
        if (store_read(st, caller(r)->who, &r->arena, OP(search_scope), &find,
                       NULL) == FOOTNOTE_OK) {
            ask->course = find.course;
            return true;
        }
        find.course = STR_NONE;
    }
    if (!call_read(r, OP(search_scope), &find, "document"))
        return false;
    ask->course = find.courses[0].id;
    return true;
}

/* What the question is limited to is kept with it, with the course that its
 * documents were found in. */
static bool keep_scope(struct request *r, struct chat_ask *ask)
{
    ask->filter.course = ask->course;
    if (filter_pack(&r->arena, &ask->filter, &ask->question.scope, NULL) ==
        FOOTNOTE_OK)
        return true;
    call_no_memory(r);
    return false;
}

bool chat_check(struct request *r, struct chat_ask *ask)
{
    struct course_get course = {.id = ask->course};

    if (!check_snapshot(r, &ask->question) || !check_session(r, ask))
        return false;
    if (ask->course.p && !call_read(r, OP(course_get), &course, "course"))
        return false;
    if (ask->filter.documents_n && !find_documents(r, ask))
        return false;
    if (!keep_scope(r, ask))
        return false;
    if (models_find(services(r)->models, ask->model))
        return true;
    reply_problem(r, &(struct problem){.status = 422,
                                       .code = STR("impossible"),
                                       .text = STR("That model is not "
                                                   "configured"),
                                       .where = STR("/model")});
    return false;
}
