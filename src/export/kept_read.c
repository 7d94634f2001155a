/* kept_read.c - a session out of its JSON, field by field.
 *
 * What a session can be at all is the store's business (whole_check.c): here is
 * read what stands there, and refused what we would not have written. */
#include <math.h>

#include "base/json.h"
#include "export/export.h"
#include "http/shape/intake.h"
#include "http/shape/names.h"
#include "http/shape/scope.h"
#include "store/session/feedback.h"
#include "store/session/whole.h"
#include "store/source/verdicts.h"

#define COUNT(fields) (sizeof(fields) / sizeof((fields)[0]))
#define NAME(camel)                                                            \
    {                                                                          \
        "" camel, sizeof(camel) - 1                                            \
    }

static bool no_memory(struct intake *in)
{
    return intake_refuse(in, NULL, 503, STR("store_busy"), "No memory");
}

static bool refuse(struct intake *in, const struct json_place *at,
                   const char *what)
{
    return intake_refuse(in, at, 400, STR("invalid_field"), "%s", what);
}

/* A list, or nothing. */
static bool check_list(struct intake *in, const struct json_place *at,
                       const struct json *list, size_t max)
{
    if (list && list->type != JSON_ARRAY)
        return refuse(in, at, "A list is wanted here");
    if (list && list->n > max)
        return intake_refuse(in, at, 413, STR("too_large"), "%u, at most %zu",
                             list->n, max);
    return true;
}

/* ---- Sources ------------------------------------------------------------- */

struct marks_in {
    const struct json *spans;
    bool cited, has_support;
    double support;
};
#define AT(member) offsetof(struct marks_in, member)
// clang-format off
static const struct field marks_fields[] = {
    {NAME("cited"), FIELD_FLAG, AT(cited), 0, 0, 0},
    {NAME("support"), FIELD_NUMBER, AT(support), AT(has_support), 0, 0},
    {NAME("spans"), FIELD_ANY, AT(spans), 0, 0, 0},
};
// clang-format on
#undef AT

/* meta may be the text of an object: it is one from here on. */
static bool open_meta(struct intake *in, const struct json_place *at,
                      struct json *source)
{
    struct json *first = source->type == JSON_OBJECT ? source->first : NULL;

    for (struct json *v = first; v; v = v->next) {
        struct json_place here = {.up = at, .key = v->key};
        struct json *object;

        if (v->type != JSON_STR || !str_eq(v->key, STR("meta")))
            continue;
        if (json_read(in->a, v->s, &object, NULL) != FOOTNOTE_OK ||
            object->type != JSON_OBJECT)
            return refuse(in, &here, "meta must be an object");
        v->type = JSON_OBJECT;
        v->raw = v->s;
        v->n = object->n;
        v->first = object->first;
    }
    return true;
}

static bool read_span(const struct json *v, uint32_t out[2])
{
    const struct json *end =
        v->type == JSON_ARRAY && v->n == 2 ? v->first->next : NULL;

    if (!end || v->first->type != JSON_I64 || end->type != JSON_I64 ||
        v->first->i < 0 || v->first->i > UINT32_MAX || end->i < 0 ||
        end->i > UINT32_MAX)
        return false;
    out[0] = (uint32_t)v->first->i;
    out[1] = (uint32_t)end->i;
    return true;
}

static bool read_spans(struct intake *in, const struct json_place *at,
                       const struct json *list, struct reference *out)
{
    struct json_place here = {.up = at, .key = STR("spans")};
    uint32_t *spans;

    if (!check_list(in, &here, list, WHOLE_SPANS_MAX))
        return false;
    if (!list || list->n == 0)
        return true;
    spans = arena_many(in->a, 2 * (size_t)list->n, uint32_t);
    if (!spans)
        return no_memory(in);
    out->spans = spans;
    for (const struct json *v = list->first; v; v = v->next)
        if (!read_span(v, &spans[2 * out->spans_n++]))
            return refuse(in, &here, "spans must be pairs of whole numbers");
    return true;
}

static bool read_marks(struct intake *in, const struct json_place *at,
                       const struct json *source, struct reference *out)
{
    struct intake open = {.a = in->a, .open = true};
    struct json_place support = {.up = at, .key = STR("support")};
    struct marks_in marks = {.cited = false};

    if (!intake_object(&open, at, source, marks_fields, COUNT(marks_fields),
                       &marks)) {
        in->problem = open.problem;
        return false;
    }
    if (marks.has_support && !(marks.support >= 0 && marks.support <= 1))
        return refuse(in, &support, "support must be from 0 to 1");
    out->cited = marks.cited;
    out->support = marks.has_support ? (int)lround(marks.support * 1000) : -1;
    return read_spans(in, at, marks.spans, out);
}

static bool read_sources(struct intake *in, const struct json_place *up,
                         struct json *list, struct message *out)
{
    struct json_place at = {.up = up, .key = STR("sources")};
    struct reference *refs;
    size_t n = 0;

    for (struct json *v = list && list->type == JSON_ARRAY ? list->first : NULL;
         v; v = v->next) {
        struct json_place here = {.up = &at, .index = n++};

        if (!open_meta(in, &here, v))
            return false;
    }
    if (!intake_sources(in, &at, list, &out->sources, &out->sources_n))
        return false;
    refs = (void *)(uintptr_t)out->sources; /* of our arena */
    n = 0;
    for (const struct json *v = list && out->sources_n ? list->first : NULL; v;
         v = v->next, n++) {
        struct json_place here = {.up = &at, .index = n};

        if (!read_marks(in, &here, v, &refs[n]))
            return false;
    }
    return true;
}

/* ---- Messages ------------------------------------------------------------ */

struct verdict_in {
    struct verdict_record r;
    struct str digest;
    const struct json *sentences;
    bool has_time;
};
#define AT(member) offsetof(struct verdict_in, member)
// clang-format off
static const struct field verdict_fields[] = {
    {NAME("judge"), FIELD_TEXT, AT(r.judge), 0, STORE_ID_BYTES_MAX, 0},
    {NAME("createdAt"), FIELD_TIME, AT(r.created_ms), AT(has_time), 0, 0},
    {NAME("digest"), FIELD_TEXT, AT(digest), 0, 0, 0},
    {NAME("sentences"), FIELD_ANY, AT(sentences), 0, 0, 0},
};
// clang-format on
#undef AT

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

static bool hex_digit(char c, unsigned *out)
{
    if (c >= '0' && c <= '9')
        *out = (unsigned)(c - '0');
    else if (c >= 'a' && c <= 'f')
        *out = (unsigned)(c - 'a') + 10;
    else
        return false;
    return true;
}

static bool digest_parse(struct str text, struct sha256 *out)
{
    const struct str begin = STR("sha256:");
    unsigned high, low;

    if (!str_starts(text, begin) || text.n != begin.n + SHA256_HEX)
        return false;
    text = str_skip(text, begin.n);
    for (size_t i = 0; i < SHA256_BYTES; i++) {
        if (!hex_digit(text.p[2 * i], &high) ||
            !hex_digit(text.p[2 * i + 1], &low))
            return false;
        out->b[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

static bool read_words(struct intake *in, const struct json_place *at,
                       struct message_in *s)
{
    struct json_place here = {.up = at};

    here.key = STR("role");
    if (!role_parse(s->role, &s->m.role))
        return refuse(in, &here, "role is none of user, assistant, system");
    here.key = STR("status");
    if (!status_parse(s->status, &s->m.status))
        return refuse(in, &here,
                      "status is none of complete, stopped, interrupted, "
                      "failed");
    here.key = STR("shown");
    if (!shown_parse(s->shown, &s->m.shown))
        return refuse(in, &here, "shown is none of yes, no, left");
    here.key = STR("createdAt");
    if (!s->has_time)
        return refuse(in, &here, "createdAt is missing");
    here.key = STR("digest");
    s->m.has_digest = s->digest.p != NULL;
    if (s->digest.p && !digest_parse(s->digest, &s->m.digest))
        return refuse(in, &here, "digest is none");
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

static bool read_verdict(struct intake *in, const struct json_place *at,
                         const struct json *o, struct verdict_record *out)
{
    struct json_place here = {.up = at};
    struct verdict_in s = {.sentences = NULL};

    if (!intake_object(in, at, o, verdict_fields, COUNT(verdict_fields), &s))
        return false;
    here.key = STR("createdAt");
    if (!s.has_time)
        return refuse(in, &here, "createdAt is missing");
    here.key = STR("digest");
    s.r.has_digest = s.digest.p != NULL;
    if (s.digest.p && !digest_parse(s.digest, &s.r.digest))
        return refuse(in, &here, "digest is none");
    here.key = STR("sentences");
    if (!s.sentences || s.sentences->type != JSON_ARRAY)
        return refuse(in, &here, "A list is wanted here");
    s.r.packed = s.sentences->raw;
    *out = s.r;
    return true;
}

static bool read_verdicts(struct intake *in, const struct json_place *up,
                          const struct json *list, struct message *out)
{
    struct json_place at = {.up = up, .key = STR("verdicts")};
    struct verdict_record *records;

    if (!check_list(in, &at, list, WHOLE_VERDICTS_MAX))
        return false;
    if (!list)
        return true;
    records = arena_many(in->a, (size_t)list->n + 1, struct verdict_record);
    if (!records)
        return no_memory(in);
    out->verdicts = records;
    for (const struct json *v = list->first; v; v = v->next) {
        struct json_place here = {.up = &at, .index = out->verdicts_n};

        if (!read_verdict(in, &here, v, &records[out->verdicts_n++]))
            return false;
    }
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
           intake_refuse(in, NULL, 503, STR("store_busy"), "No memory");
}

struct feedback_in {
    int64_t number;
    struct str rating, note;
    int64_t at_ms;
};

static bool read_one_feedback(struct intake *in, const struct json_place *at,
                              const struct json *v, struct feedback *out)
{
    // clang-format off
    static const struct field fields[] = {
        {NAME("number"), FIELD_WHOLE, offsetof(struct feedback_in, number), 0,
         0, 0},
        {NAME("rating"), FIELD_TEXT, offsetof(struct feedback_in, rating), 0,
         0, 0},
        {NAME("note"), FIELD_TEXT, offsetof(struct feedback_in, note), 0,
         FEEDBACK_NOTE_BYTES_MAX, 0},
        {NAME("createdAt"), FIELD_TIME, offsetof(struct feedback_in, at_ms), 0,
         0, 0},
    };
    // clang-format on
    struct feedback_in f = {.number = 0};

    if (!intake_object(in, at, v, fields, COUNT(fields), &f))
        return false;
    if (f.number < 0 || f.number > STORE_NUMBER_MAX ||
        !feedback_parse(f.rating, &out->rating))
        return refuse(in, at, "this is no feedback");
    out->number = (uint32_t)f.number;
    out->note = f.note;
    out->at_ms = f.at_ms;
    return true;
}

static bool read_feedback(struct intake *in, const struct json_place *up,
                          const struct json *list, struct message *out)
{
    struct json_place at = {.up = up, .key = STR("feedback")};
    struct feedback *items;

    if (!list)
        return true;
    if (!check_list(in, &at, list, FEEDBACK_MAX))
        return false;
    items = arena_many(in->a, list->n + 1, struct feedback);
    if (!items)
        return intake_refuse(in, NULL, 503, STR("store_busy"), "No memory");
    for (const struct json *v = list->first; v; v = v->next) {
        struct json_place here = {.up = &at, .index = out->feedback_n};

        if (!read_one_feedback(in, &here, v, &items[out->feedback_n++]))
            return false;
    }
    out->feedback = items;
    return true;
}

static bool read_message(struct intake *in, const struct json_place *at,
                         const struct json *o, struct message *out)
{
    struct message_in s = {.sources = NULL};

    if (!intake_object(in, at, o, message_fields, COUNT(message_fields), &s) ||
        !read_words(in, at, &s) || !read_image(in, at, &s) ||
        !read_scope(in, at, &s) || !read_sources(in, at, s.sources, &s.m) ||
        !read_verdicts(in, at, s.verdicts, &s.m) ||
        !read_feedback(in, at, s.feedback, &s.m))
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

    if (!check_list(in, &at, list, WHOLE_MESSAGES_MAX))
        return false;
    if (!list)
        return intake_missing(in, STR("messages"));
    items = arena_many(in->a, (size_t)list->n + 1, struct message);
    if (!items)
        return no_memory(in);
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

    if (!check_list(in, &at, list, STORE_SOURCES_MAX))
        return false;
    json_array(&w);
    for (const struct json *v = list->first; v; v = v->next)
        if (v->type == JSON_I64)
            json_i64(&w, v->i);
        else if (v->type == JSON_F64)
            json_f64(&w, v->f);
        else {
            buf_free(&b);
            return refuse(in, &at, "A list of numbers is wanted here");
        }
    json_end(&w, ']');
    *out = buf_rc(&b, NULL) == FOOTNOTE_OK ? arena_str(in->a, buf_str(&b))
                                           : STR_NONE;
    buf_free(&b);
    return out->p ? true : no_memory(in);
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
        return refuse(in, &kind, "kind is none of rag, web");
    if (!s.has_time)
        return refuse(in, &time, "createdAt is missing");
    if (!s.numbers)
        return refuse(in, &numbers, "numbers is missing");
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

    if (!check_list(in, &at, list, WHOLE_EVENTS_MAX))
        return false;
    if (!list)
        return true;
    items = arena_many(in->a, (size_t)list->n + 1, struct event);
    if (!items)
        return no_memory(in);
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
        return refuse(in, &at, "This is no session that Footnote exported");
    at.key = STR("version");
    if (!version || version->type != JSON_I64 || version->i < 1)
        return refuse(in, &at, "version is missing");
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
