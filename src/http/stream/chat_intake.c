/* chat_intake.c - what a chat client sends.
 *
 * The AI SDK sends the whole thread that the browser has, and apps may replace
 * the body.  Only the last message is read, and only its own text is trusted.
 * Unknown keys are the app's own. */
#include "http/stream/chat.h"

#include "http/call/caller.h"
#include "http/call/services.h"
#include "model/model.h"
#include "store/answer/answer.h"
#include "store/document/document.h"
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

static bool find_last(struct request *r, const struct json *body,
                      struct last_question *out)
{
    const struct json *one = json_get(body, STR("message"));
    const struct json *list = json_get(body, STR("messages"));
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
static bool read_mode(struct request *r, const struct json *body,
                      const struct last_question *last, struct chat_ask *ask)
{
    struct str trigger = json_text(body, STR("trigger"));
    struct str id = json_text(body, STR("messageId"));

    if (str_eq(trigger, STR("regenerate-message"))) {
        ask->mode = ANSWER_REGENERATE;
        return ask->question.id.p ||
               refuse(r, last->where, "id: of the question is missing");
    }
    if (trigger.p && !str_eq(trigger, STR("submit-message")))
        return refuse(r, STR("/trigger"),
                      "trigger: is submit-message or regenerate-message");
    if (last->answered)
        ask->mode = ANSWER_CONTINUE;
    else if (id.p && str_eq(id, ask->question.id))
        ask->mode = ANSWER_NEW_OR_EDIT;
    else
        ask->mode = ANSWER_NEW;
    return true;
}

/* ---- The body ----------------------------------------------------------- */

static bool read_id(struct request *r, const struct json *body, struct str key,
                    struct str *out)
{
    const struct json *v = json_get(body, key);

    *out = STR_NONE;
    if (!v || v->type == JSON_NULL)
        return true;
    if (v->type == JSON_STR && v->s.n >= 1 && v->s.n <= STORE_ID_BYTES_MAX) {
        *out = v->s;
        return true;
    }
    return refuse(r, arena_printf(&r->arena, "/%.*s", STR_ARG(key)),
                  "an id has 1 to 200 bytes");
}

static bool read_scope(struct request *r, const struct json *body,
                       struct chat_ask *ask)
{
    const struct json *limit = json_get(body, STR("limit"));
    struct str lecture;

    if (!read_id(r, body, STR("courseId"), &ask->course) ||
        !read_id(r, body, STR("documentId"), &ask->document) ||
        !read_id(r, body, STR("lectureId"), &lecture) ||
        !read_id(r, body, STR("model"), &ask->model))
        return false;
    if (!ask->document.p)
        ask->document = lecture;
    if (!limit || limit->type == JSON_NULL)
        return true;
    if (limit->type != JSON_I64 || limit->i < 1 || limit->i > CHAT_SOURCES_MAX)
        return refuse(r, STR("/limit"), "limit: is 1 to 50");
    ask->limit = (size_t)limit->i;
    return true;
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

static const struct json *get_either(const struct json *o, struct str camel,
                                     struct str snake)
{
    const struct json *v = json_get(o, camel);

    return v ? v : json_get(o, snake);
}

/* The page on the screen: {s3key, slideId, pageNumber}. */
static bool read_snapshot(struct request *r, const struct json *body,
                          struct message *q)
{
    const struct json *s = json_get(body, STR("snapshot")), *page;

    if (!s || s->type == JSON_NULL)
        return true;
    if (s->type != JSON_OBJECT)
        return refuse(r, STR("/snapshot"),
                      "snapshot: is {s3key, slideId, "
                      "pageNumber}");
    q->image_s3key = json_text(s, STR("s3key"));
    if (!q->image_s3key.p || !is_label(q->image_s3key))
        return refuse(r, STR("/snapshot/s3key"),
                      "s3key: is the label of a picture, without a way up");
    page = get_either(s, STR("slideId"), STR("slide_id"));
    if (page && page->type == JSON_STR)
        q->image_slide = page->s;
    if (q->image_slide.p &&
        (q->image_slide.n == 0 || q->image_slide.n > STORE_ID_BYTES_MAX))
        return refuse(r, STR("/snapshot/slideId"), "an id has 1 to 200 bytes");
    page = get_either(s, STR("pageNumber"), STR("page_number"));
    q->has_image_page = page && page->type != JSON_NULL;
    if (q->has_image_page &&
        (page->type != JSON_I64 || page->i < 0 || page->i > INT32_MAX))
        return refuse(r, STR("/snapshot/pageNumber"),
                      "pageNumber: is a number that counts from 1");
    q->image_page = q->has_image_page ? page->i : 0;
    q->has_image = true;
    return true;
}

bool chat_intake(struct request *r, struct chat_ask *ask)
{
    const struct json *body = request_json(r);
    struct str *session = &ask->question.session;
    struct last_question last = {.where = STR("")};
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;

    if (!body || !read_id(r, body, STR("id"), session) ||
        (!session->p && !read_id(r, body, STR("chatId"), session)))
        return false;
    if (!session->p)
        return refuse(r, STR("/id"), "id: of the chat is missing");
    if (!find_last(r, body, &last) ||
        !read_question(r, &last, &ask->question) ||
        !read_mode(r, body, &last, ask) || !read_scope(r, body, ask) ||
        !read_snapshot(r, body, &ask->question))
        return false;
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

    if (!get.id.p || ask->course.p || ask->document.p)
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

/* A document that is named without its course is the session's before it is
 * another course's. */
static bool find_document(struct request *r, const struct chat_ask *ask,
                          struct document_get *get)
{
    struct session_get session = {.id = ask->question.session};
    struct store *st = services(r)->store;

    if (!get->course.p && session.id.p &&
        store_read(st, caller(r)->who, &r->arena, OP(session_get), &session,
                   NULL) == FOOTNOTE_OK &&
        session.session.course.p) {
        get->course = session.session.course;
        if (store_read(st, caller(r)->who, &r->arena, OP(document_get), get,
                       NULL) == FOOTNOTE_OK)
            return true;
        get->course = STR_NONE;
    }
    return call_read(r, OP(document_get), get, "document");
}

bool chat_check(struct request *r, struct chat_ask *ask)
{
    struct document_get document = {.id = ask->document, .course = ask->course};
    struct course_get course = {.id = ask->course};

    if (!check_snapshot(r, &ask->question) || !check_session(r, ask))
        return false;
    if (ask->course.p && !call_read(r, OP(course_get), &course, "course"))
        return false;
    if (ask->document.p && !find_document(r, ask, &document))
        return false;
    if (ask->document.p)
        ask->course = document.document.course;
    if (models_find(services(r)->models, ask->model))
        return true;
    reply_problem(r, &(struct problem){.status = 422,
                                       .code = STR("impossible"),
                                       .text = STR("That model is not "
                                                   "configured"),
                                       .where = STR("/model")});
    return false;
}
