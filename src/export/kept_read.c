/* kept_read.c - a session out of its JSON, field by field.
 *
 * What a session can be at all is the store's business (whole_check.c): here is
 * read what stands there, and refused what we would not have written. */
#include "base/json.h"
#include "export/export.h"
#include "export/kept_parts.h"
#include "http/shape/intake.h"
#include "http/shape/names.h"
#include "http/shape/scope.h"
#include "store/session/whole.h"

/* ---- Messages ------------------------------------------------------------ */

struct message_in {
    struct message m;
    struct str role, status, shown, digest;
    struct texts doc_refs, rag_ids, web_ids;
    struct json *sources;
    const struct json *image, *scope, *verdicts, *feedback;
    bool has_time, has_in, has_out;
};
struct image_in {
    struct str s3key, slide;
    bool has_page;
    int64_t page;
};

#define AT(member) offsetof(struct message_in, member)
// clang-format off
static const struct field message_fields[] = {
    {NAME("id"), FIELD_ID, AT(m.id), 0, 0, 0},
    {NAME("parentId"), FIELD_ID, AT(m.parent), 0, 0, 0},
    {NAME("shown"), FIELD_TEXT, AT(shown), 0, 0, 0},
    {NAME("role"), FIELD_TEXT, AT(role), 0, 0, 0},
    {NAME("status"), FIELD_TEXT, AT(status), 0, 0, 0},
    {NAME("createdAt"), FIELD_TIME, AT(m.created_ms), AT(has_time), 0, 0},
    {NAME("content"), FIELD_TEXT, AT(m.content), 0, STORE_CONTENT_BYTES_MAX,
     0},
    {NAME("digest"), FIELD_TEXT, AT(digest), 0, 0, 0},
    {NAME("lowConfidence"), FIELD_FLAG, AT(m.low_confidence),
     AT(m.has_low_confidence), 0, 0},
    {NAME("model"), FIELD_TEXT, AT(m.model), 0, STORE_ID_BYTES_MAX, 0},
    {NAME("failure"), FIELD_TEXT, AT(m.failure), 0, STORE_ID_BYTES_MAX, 0},
    {NAME("tokensIn"), FIELD_WHOLE, AT(m.tokens_in), AT(has_in), 0, 0},
    {NAME("tokensOut"), FIELD_WHOLE, AT(m.tokens_out), AT(has_out), 0, 0},
    {NAME("lateFrom"), FIELD_WHOLE, AT(m.late_from), 0, 0, 0},
    {NAME("docRefs"), FIELD_TEXTS, AT(doc_refs), 0, STORE_IDS_MAX, 0},
    {NAME("ragSourceIds"), FIELD_TEXTS, AT(rag_ids), 0, STORE_IDS_MAX, 0},
    {NAME("webSourceIds"), FIELD_TEXTS, AT(web_ids), 0, STORE_IDS_MAX, 0},
    {NAME("imageSource"), FIELD_ANY, AT(image), 0, 0, 0},
    {NAME("scope"), FIELD_ANY, AT(scope), 0, 0, 0},
    {NAME("sources"), FIELD_ANY, AT(sources), 0, 0, 0},
    {NAME("verdicts"), FIELD_ANY, AT(verdicts), 0, 0, 0},
    {NAME("feedback"), FIELD_ANY, AT(feedback), 0, 0, 0},
};
#undef AT
#define AT(member) offsetof(struct image_in, member)
static const struct field image_fields[] = {
    {NAME("s3key"), FIELD_TEXT, AT(s3key), 0, SOURCE_LABEL_BYTES_MAX, 0},
    {NAME("slideId"), FIELD_ID, AT(slide), 0, 0, 0},
    {NAME("pageNumber"), FIELD_WHOLE, AT(page), AT(has_page), 0, 0},
};
#undef AT
// clang-format on

static bool shown_parse(struct str word, enum shown *out)
{
    if (str_eq(word, STR("yes")))
        *out = SHOWN_ON;
    else if (str_eq(word, STR("no")))
        *out = SHOWN_OFF;
    else if (str_eq(word, STR("left")))
        *out = SHOWN_LEFT;
    else
        return false;
    return true;
}

static bool read_words(struct intake *in, const struct json_place *at,
                       struct message_in *s)
{
    struct json_place here = {.up = at};

    here.key = STR("role");
    if (!role_parse(s->role, &s->m.role))
        return kept_refuse(in, &here,
                           "role is none of user, assistant, system");
    here.key = STR("status");
    if (!status_parse(s->status, &s->m.status))
        return kept_refuse(in, &here,
                           "status is none of complete, stopped, interrupted, "
                           "failed");
    here.key = STR("shown");
    if (!shown_parse(s->shown, &s->m.shown))
        return kept_refuse(in, &here, "shown is none of yes, no, left");
    here.key = STR("createdAt");
    if (!s->has_time)
        return kept_refuse(in, &here, "createdAt is missing");
    here.key = STR("digest");
    s->m.has_digest = s->digest.p != NULL;
    if (s->digest.p && !kept_digest_parse(s->digest, &s->m.digest))
        return kept_refuse(in, &here, "digest is none");
    return true;
}

static bool read_image(struct intake *in, const struct json_place *up,
                       struct message_in *s)
{
    struct json_place at = {.up = up, .key = STR("imageSource")};
    struct image_in image = {.page = 0};

    if (!s->image)
        return true;
    if (!intake_object(in, &at, s->image, image_fields, COUNT(image_fields),
                       &image))
        return false;
    s->m.has_image = true;
    s->m.image_s3key = image.s3key;
    s->m.image_slide = image.slide;
    s->m.has_image_page = image.has_page;
    s->m.image_page = image.page;
    return true;
}

static bool read_scope(struct intake *in, const struct json_place *up,
                       struct message_in *s)
{
    struct json_place at = {.up = up, .key = STR("scope")};
    struct search_filter f;

    if (!s->scope)
        return true;
    if (!intake_scope(in, &at, s->scope, &f))
        return false;
    return filter_pack(in->a, &f, &s->m.scope, NULL) == FOOTNOTE_OK ||
           kept_no_memory(in);
}

static bool read_message(struct intake *in, const struct json_place *at,
                         const struct json *o, struct message *out)
{
    struct message_in s = {.sources = NULL};

    if (!intake_object(in, at, o, message_fields, COUNT(message_fields), &s) ||
        !read_words(in, at, &s) || !read_image(in, at, &s) ||
        !read_scope(in, at, &s) ||
        !kept_read_sources(in, at, s.sources, &s.m) ||
        !kept_read_verdicts(in, at, s.verdicts, &s.m) ||
        !kept_read_feedback(in, at, s.feedback, &s.m))
        return false;
    if (!s.has_in)
        s.m.tokens_in = -1;
    if (!s.has_out)
        s.m.tokens_out = -1;
    *out = s.m;
    out->doc_refs = s.doc_refs.items;
    out->doc_refs_n = s.doc_refs.n;
    out->rag_source_ids = s.rag_ids.items;
    out->rag_source_ids_n = s.rag_ids.n;
    out->web_source_ids = s.web_ids.items;
    out->web_source_ids_n = s.web_ids.n;
    return true;
}

static bool read_messages(struct intake *in, const struct json *list,
                          struct whole *out)
{
    struct json_place at = {.key = STR("messages")};
    struct message *items;

    if (!kept_check_list(in, &at, list, WHOLE_MESSAGES_MAX))
        return false;
    if (!list)
        return intake_missing(in, STR("messages"));
    items = arena_many(in->a, (size_t)list->n + 1, struct message);
    if (!items)
        return kept_no_memory(in);
    out->messages = items;
    for (const struct json *v = list->first; v; v = v->next) {
        struct json_place here = {.up = &at, .index = out->messages_n};

        if (!read_message(in, &here, v, &items[out->messages_n++]))
            return false;
    }
    return true;
}

/* ---- Searches ------------------------------------------------------------ */

struct event_in {
    struct event e;
    struct str kind;
    bool has_time;
    const struct json *numbers, *coverage;
};
#define AT(member) offsetof(struct event_in, member)
// clang-format off
static const struct field event_fields[] = {
    {NAME("id"), FIELD_ID, AT(e.id), 0, 0, 0},
    {NAME("userMessageId"), FIELD_ID, AT(e.user_message), 0, 0, 0},
    {NAME("answerId"), FIELD_ID, AT(e.answer), 0, 0, 0},
    {NAME("kind"), FIELD_TEXT, AT(kind), 0, 0, 0},
    {NAME("query"), FIELD_TEXT, AT(e.query), 0, STORE_QUESTION_BYTES_MAX, 0},
    {NAME("createdAt"), FIELD_TIME, AT(e.created_ms), AT(has_time), 0, 0},
    {NAME("lowConfidence"), FIELD_FLAG, AT(e.low_confidence),
     AT(e.has_low_confidence), 0, 0},
    {NAME("numbers"), FIELD_ANY, AT(numbers), 0, 0, 0},
    {NAME("coverage"), FIELD_ANY, AT(coverage), 0, 0, 0},
};
// clang-format on
#undef AT

/* As it is stored: numbers alone, without spaces. */
static bool list_text(struct intake *in, const struct json_place *up,
                      struct str key, const struct json *list, struct str *out)
{
    struct json_place at = {.up = up, .key = key};
    struct buf b = BUF((size_t)64 * 1024);
    struct json_out w = JSON_OUT(&b);

    if (!kept_check_list(in, &at, list, STORE_SOURCES_MAX))
        return false;
    json_array(&w);
    for (const struct json *v = list->first; v; v = v->next)
        if (v->type == JSON_I64)
            json_i64(&w, v->i);
        else if (v->type == JSON_F64)
            json_f64(&w, v->f);
        else {
            buf_free(&b);
            return kept_refuse(in, &at, "A list of numbers is wanted here");
        }
    json_end(&w, ']');
    *out = buf_rc(&b, NULL) == FOOTNOTE_OK ? arena_str(in->a, buf_str(&b))
                                           : STR_NONE;
    buf_free(&b);
    return out->p ? true : kept_no_memory(in);
}

static bool read_event(struct intake *in, const struct json_place *at,
                       const struct json *o, struct event *out)
{
    struct json_place kind = {.up = at, .key = STR("kind")};
    struct json_place numbers = {.up = at, .key = STR("numbers")};
    struct json_place time = {.up = at, .key = STR("createdAt")};
    struct event_in s = {.numbers = NULL};

    if (!intake_object(in, at, o, event_fields, COUNT(event_fields), &s))
        return false;
    s.e.web = str_eq(s.kind, STR("web"));
    if (!s.e.web && !str_eq(s.kind, STR("rag")))
        return kept_refuse(in, &kind, "kind is none of rag, web");
    if (!s.has_time)
        return kept_refuse(in, &time, "createdAt is missing");
    if (!s.numbers)
        return kept_refuse(in, &numbers, "numbers is missing");
    if (!list_text(in, at, STR("numbers"), s.numbers, &s.e.numbers) ||
        (s.coverage &&
         !list_text(in, at, STR("coverage"), s.coverage, &s.e.coverage)))
        return false;
    *out = s.e;
    return true;
}

static bool read_events(struct intake *in, const struct json *list,
                        struct whole *out)
{
    struct json_place at = {.key = STR("retrievals")};
    struct event *items;

    if (!kept_check_list(in, &at, list, WHOLE_EVENTS_MAX))
        return false;
    if (!list)
        return true;
    items = arena_many(in->a, (size_t)list->n + 1, struct event);
    if (!items)
        return kept_no_memory(in);
    out->events = items;
    for (const struct json *v = list->first; v; v = v->next) {
        struct json_place here = {.up = &at, .index = out->events_n};

        if (!read_event(in, &here, v, &items[out->events_n++]))
            return false;
    }
    return true;
}

/* ---- All of it ----------------------------------------------------------- */

struct kept_in {
    struct whole w;
    struct str what, owner;
    int64_t version;
    bool has_created, has_active;
    const struct json *messages, *events;
};
#define AT(member) offsetof(struct kept_in, member)
// clang-format off
static const struct field kept_fields[] = {
    {NAME("footnote"), FIELD_TEXT, AT(what), 0, 0, 0},
    {NAME("version"), FIELD_WHOLE, AT(version), 0, 0, 0},
    {NAME("id"), FIELD_ID, AT(w.id), 0, 0, 0},
    {NAME("userId"), FIELD_ID, AT(owner), 0, 0, 0},
    {NAME("title"), FIELD_TEXT, AT(w.title), 0, STORE_TITLE_BYTES_MAX, 0},
    {NAME("courseId"), FIELD_ID, AT(w.course), 0, 0, 0},
    {NAME("courseTitle"), FIELD_TEXT, AT(w.course_title), 0,
     STORE_TITLE_BYTES_MAX, 0},
    {NAME("createdAt"), FIELD_TIME, AT(w.created_ms), AT(has_created), 0, 0},
    {NAME("updatedAt"), FIELD_TIME, AT(w.active_ms), AT(has_active), 0, 0},
    {NAME("messages"), FIELD_ANY, AT(messages), 0, 0, 0},
    {NAME("retrievals"), FIELD_ANY, AT(events), 0, 0, 0},
};
// clang-format on
#undef AT

/* A newer version may have fields that we do not know: it is told first. */
static bool check_kind(struct intake *in, const struct json *o)
{
    const struct json *version = json_get(o, STR("version"));
    struct json_place at = {.key = STR("footnote")};

    if (!str_eq(json_text(o, STR("footnote")), STR("session")))
        return kept_refuse(in, &at,
                           "This is no session that Footnote exported");
    at.key = STR("version");
    if (!version || version->type != JSON_I64 || version->i < 1)
        return kept_refuse(in, &at, "version is missing");
    if (version->i > EXPORT_VERSION)
        return intake_refuse(in, &at, 400, STR("invalid_field"),
                             "Version %lld is newer than this program, which "
                             "reads %d",
                             (long long)version->i, EXPORT_VERSION);
    return true;
}

bool export_kept_read(struct intake *in, struct json *o, struct whole *out,
                      struct str *owner)
{
    struct kept_in s = {.version = 0};

    if (!check_kind(in, o) ||
        !intake_object(in, NULL, o, kept_fields, COUNT(kept_fields), &s))
        return false;
    if (!s.has_created || !s.has_active)
        return intake_missing(in, s.has_created ? STR("updatedAt")
                                                : STR("createdAt"));
    if (!read_messages(in, s.messages, &s.w) ||
        !read_events(in, s.events, &s.w))
        return false;
    *out = s.w;
    *owner = s.owner;
    return true;
}
