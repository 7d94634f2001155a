/* intake_message.c - messages and sources as clients send them.
 *
 * A client may send back what it read from us: fields that only we set are
 * accepted, and compared with what is stored (intake_shown.c). */
#include "http/shape/intake_message.h"
#include "http/shape/names.h"

#define AT(type, member) offsetof(struct type, member)
#define NAME(camel)                                                            \
    {                                                                          \
        "" camel, sizeof(camel) - 1                                            \
    }
#define COUNT(fields) (sizeof(fields) / sizeof((fields)[0]))

/* ---- Sources ------------------------------------------------------------ */

struct source_in {
    struct reference ref;
    struct str type;
    bool has_number;
    int64_t number;
};
#define SOURCE(member) AT(source_in, ref.source.member)

#define READ(line, kind, member, camel, snake, max)                            \
    {NAME(camel), READ_##kind(member, max), 0},
#define READ_ID(member, max)     FIELD_ID, SOURCE(member), 0, 0
#define READ_TEXT(member, max)   FIELD_TEXT, SOURCE(member), 0, max
#define READ_OBJECT(member, max) FIELD_OBJECT, SOURCE(member), 0, 0
#define READ_WHOLE(member, max)                                                \
    FIELD_WHOLE, SOURCE(member), SOURCE(has_##member), 0
#define READ_SECONDS(member, max)                                              \
    FIELD_NUMBER, SOURCE(member), SOURCE(has_##member), 0
#define READ_COUNT(member, max) FIELD_WHOLE, SOURCE(member), 0, 0

// clang-format off
static const struct field source_fields_in[] = {
    SOURCE_FIELDS(READ)
    {NAME("sourceType"), FIELD_TEXT, AT(source_in, type),
     0, 0, 0},
    {NAME("chunkNumber"), FIELD_WHOLE,
     AT(source_in, number), AT(source_in, has_number), 0, 0},
    {NAME("score"), FIELD_NUMBER, AT(source_in, ref.score),
     AT(source_in, ref.has_score), 0, 0},
    {NAME("cited"), FIELD_SKIP, 0, 0, 0, 0},
    {NAME("support"), FIELD_SKIP, 0, 0, 0, 0},
    {NAME("spans"), FIELD_SKIP, 0, 0, 0, 0},
    {NAME("state"), FIELD_SKIP, 0, 0, 0, 0},
    {NAME("documentVersion"), FIELD_SKIP, 0, 0, 0, 0},
};
// clang-format on

static bool refuse_source(struct intake *in, const struct json_place *at,
                          const struct json *o, enum footnote_rc rc,
                          const struct footnote_err *err)
{
    struct json_place here = {.up = at};

    for (size_t i = 0; i < COUNT(source_fields_in); i++) {
        const struct field *f = &source_fields_in[i];

        if (str_eq(f->name, str_c(err->field)))
            here.key = intake_name(o, f->name);
    }
    return intake_refuse(
        in, here.key.p ? &here : at, rc == FOOTNOTE_TOOBIG ? 413 : 400,
        rc == FOOTNOTE_TOOBIG ? STR("too_large") : STR("invalid_field"), "%s",
        err->text);
}

static bool check_number(struct intake *in, const struct json_place *at,
                         const struct json *o, const struct source_in *s)
{
    struct json_place here = {.up = at,
                              .key = intake_name(o, STR("chunkNumber"))};

    if (!s->has_number || (s->number >= 1 && s->number <= STORE_NUMBER_MAX))
        return true;
    return intake_refuse(in, &here, 400, STR("invalid_field"),
                         "chunkNumber must be 1 to %d", STORE_NUMBER_MAX);
}

static bool one_source(struct intake *in, const struct json_place *at,
                       const struct json *o, struct reference *out)
{
    struct source_in s = {.number = 0};
    struct footnote_err err;
    enum footnote_rc rc;

    if (!intake_object(in, at, o, source_fields_in, COUNT(source_fields_in),
                       &s))
        return false;
    if (s.type.p && !source_type_parse(s.type, &s.ref.source.type))
        return refuse_source(
            in, at, o, FOOTNOTE_INVALID,
            &(struct footnote_err){.field = "sourceType",
                                   .text =
                                       "sourceType is none of slide, lecture, "
                                       "journal, web, image, text"});
    if (!check_number(in, at, o, &s))
        return false;
    s.ref.number = (uint32_t)s.number;
    rc = source_check(&s.ref.source, &err);
    if (rc != FOOTNOTE_OK && rc != FOOTNOTE_NOMEM)
        return refuse_source(in, at, o, rc, &err);
    *out = s.ref;
    return true;
}

bool intake_sources(struct intake *in, const struct json_place *at,
                    const struct json *list, const struct reference **out,
                    size_t *n)
{
    struct reference *refs;

    *out = NULL;
    *n = 0;
    if (!list)
        return true;
    if (list->type != JSON_ARRAY)
        return intake_refuse(in, at, 400, STR("invalid_field"),
                             "sources must be a list");
    if (list->n > STORE_SOURCES_MAX)
        return intake_refuse(in, at, 413, STR("too_large"),
                             "%u sources, at most %d", list->n,
                             STORE_SOURCES_MAX);
    refs = arena_many(in->a, list->n + 1, struct reference);
    if (!refs)
        return intake_refuse(in, NULL, 503, STR("store_busy"), "No memory");
    *out = refs;
    for (const struct json *v = list->first; v; v = v->next) {
        struct json_place here = {.up = at, .index = *n};

        if (!one_source(in, &here, v, &refs[(*n)++]))
            return false;
    }
    return true;
}

/* ---- Messages ----------------------------------------------------------- */

struct image_in {
    struct str s3key, slide;
    bool has_page;
    int64_t page;
};

// clang-format off
static const struct field message_fields[] = {
    {NAME("id"), FIELD_ID, AT(message_in, m.id), 0, 0, 0},
    {NAME("parentId"), FIELD_TEXT, AT(message_in, m.parent), 0,
     STORE_ID_BYTES_MAX, 0},
    {NAME("role"), FIELD_TEXT, AT(message_in, role), 0, 0, 0},
    {NAME("type"), FIELD_TEXT, AT(message_in, type), 0, 0, 0},
    {NAME("content"), FIELD_TEXT, AT(message_in, m.content), 0,
     STORE_CONTENT_BYTES_MAX, 0},
    {NAME("sources"), FIELD_ANY, AT(message_in, sources), 0, 0, 0},
    {NAME("docRefs"), FIELD_TEXTS, AT(message_in, doc_refs),
     0, STORE_IDS_MAX, 0},
    {NAME("imageSource"), FIELD_ANY,
     AT(message_in, image), 0, 0, 0},
    {NAME("ragSourceIds"), FIELD_TEXTS,
     AT(message_in, rag_ids), 0, STORE_IDS_MAX, 0},
    {NAME("webSourceIds"), FIELD_TEXTS,
     AT(message_in, web_ids), 0, STORE_IDS_MAX, 0},
    {NAME("lowConfidence"), FIELD_FLAG,
     AT(message_in, m.low_confidence), AT(message_in, m.has_low_confidence), 0,
     0},
    {NAME("status"), FIELD_TEXT, AT(message_in, status), 0, 0, 0},
    {NAME("createdAt"), FIELD_TIME, AT(message_in, m.created_ms), 0, 0, 0},
    {NAME("timestamp"), FIELD_TIME, AT(message_in, timestamp_ms), 0, 0, 0},
    {NAME("courseId"), FIELD_ID, AT(message_in, course), 0, 0, 0},
    {NAME("courseShare"), FIELD_TEXT, AT(message_in, share), 0, 0, 0},
    {NAME("citations"), FIELD_ANY, AT(message_in, citations), 0, 0, 0},
    {NAME("digest"), FIELD_TEXT, AT(message_in, digest), 0, 0, 0},
    {NAME("failure"), FIELD_SKIP, 0, 0, 0, 0},
    {NAME("verdicts"), FIELD_SKIP, 0, 0, 0, 0},
    {NAME("unknownNumbers"), FIELD_SKIP, 0, 0, 0, 0},
    {NAME("scope"), FIELD_SKIP, 0, 0, 0, 0},
    {NAME("feedback"), FIELD_SKIP, 0, 0, 0, 0},
    {NAME("replacedBy"), FIELD_SKIP, 0, 0, 0, 0},
};
static const struct field image_fields[] = {
    {NAME("s3key"), FIELD_TEXT, AT(image_in, s3key), 0,
     SOURCE_LABEL_BYTES_MAX, 0},
    {NAME("slideId"), FIELD_ID, AT(image_in, slide), 0, 0, 0},
    {NAME("pageNumber"), FIELD_WHOLE, AT(image_in, page),
     AT(image_in, has_page), 0, 0},
    {NAME("url"), FIELD_SKIP, 0, 0, 0, 0},
};
// clang-format on

static bool refuse_root(struct intake *in, struct str key, const char *text)
{
    struct json_place at = {.key = key};

    return intake_refuse(in, &at, 400, STR("invalid_field"), "%s", text);
}

/* The state of a graph has a type for the role and a timestamp for the time. */
static bool read_role(struct intake *in, struct message_in *s)
{
    enum footnote_role type;

    if (!s->role.p && !s->type.p)
        return intake_missing(in, STR("role"));
    if (s->role.p && !role_parse(s->role, &s->m.role))
        return refuse_root(in, STR("role"),
                           "role is none of user, assistant, system");
    if (!s->type.p)
        return true;
    if (!role_parse(s->type, &type))
        return refuse_root(in, STR("type"),
                           "type is none of human, ai, system");
    if (s->role.p && s->m.role != type)
        return refuse_root(in, STR("type"), "type is not the role");
    s->m.role = type;
    return true;
}

static bool read_words(struct intake *in, struct message_in *s)
{
    if (!read_role(in, s))
        return false;
    if (s->timestamp_ms && s->m.created_ms &&
        s->timestamp_ms != s->m.created_ms)
        return refuse_root(in, STR("timestamp"), "timestamp is not createdAt");
    if (s->timestamp_ms)
        s->m.created_ms = s->timestamp_ms;
    s->has_time = s->m.created_ms != 0;
    if (s->status.p && !status_parse(s->status, &s->m.status))
        return refuse_root(in, STR("status"),
                           "status is none of streaming, complete, stopped, "
                           "interrupted, failed");
    if (s->m.status == FOOTNOTE_STREAMING && s->m.role != FOOTNOTE_ASSISTANT)
        return refuse_root(in, STR("status"),
                           "Only an answer can be streaming");
    return true;
}

static bool read_digest(struct intake *in, struct message_in *s)
{
    struct str hex = s->digest;

    if (!hex.p)
        return true;
    s->digest = str_skip(hex, sizeof("sha256:") - 1);
    return (str_starts(hex, STR("sha256:")) && s->digest.n == SHA256_HEX) ||
           refuse_root(in, STR("digest"),
                       "digest is sha256: and 64 hex digits");
}

static bool read_content(struct intake *in, const struct message_in *s)
{
    const struct message *m = &s->m;
    struct json_place at = {.key = STR("content")};

    if (!m->content.p && m->status != FOOTNOTE_STREAMING)
        return intake_missing(in, STR("content"));
    if (m->role == FOOTNOTE_USER && m->content.n > STORE_QUESTION_BYTES_MAX)
        return intake_refuse(in, &at, 413, STR("too_large"),
                             "content has %zu bytes, a question at most %d",
                             m->content.n, STORE_QUESTION_BYTES_MAX);
    return true;
}

static bool read_image(struct intake *in, const struct json *body,
                       struct message_in *s)
{
    struct json_place at = {.key = intake_name(body, STR("imageSource"))};
    struct json_place page = {.up = &at};
    struct image_in image = {.page = 0};

    if (!s->image)
        return true;
    page.key = intake_name(s->image, STR("pageNumber"));
    if (!intake_object(in, &at, s->image, image_fields, COUNT(image_fields),
                       &image))
        return false;
    if (!image.s3key.p)
        return intake_refuse(in, &at, 400, STR("invalid_field"),
                             "imageSource has no s3key");
    if (image.has_page && (image.page < 0 || image.page > INT32_MAX))
        return intake_refuse(in, &page, 400, STR("invalid_field"),
                             "pageNumber is no page");
    s->m.has_image = true;
    s->m.image_s3key = image.s3key;
    s->m.image_slide = image.slide;
    s->m.has_image_page = image.has_page;
    s->m.image_page = image.page;
    return true;
}

/* The history of a session has its sources under another name. */
static bool read_sources(struct intake *in, struct message_in *s)
{
    struct str name = s->sources ? STR("sources") : STR("citations");
    struct json_place at = {.key = name};

    if (s->sources && s->citations)
        return refuse_root(in, STR("citations"), "citations are the sources");
    if (!intake_sources(in, &at, s->sources ? s->sources : s->citations,
                        &s->m.sources, &s->m.sources_n))
        return false;
    if (s->m.sources_n && s->m.role != FOOTNOTE_ASSISTANT)
        return refuse_root(in, name, "Only an answer has sources");
    return true;
}

bool intake_message(struct intake *in, const struct json *body,
                    struct message_in *out)
{
    struct message_in *s = out;

    *s = (struct message_in){.sources = NULL};
    if (json_get(body, STR("parts"))) {
        body = intake_ui(in, body);
        if (!body)
            return false;
    }
    if (!intake_object(in, NULL, body, message_fields, COUNT(message_fields),
                       s) ||
        !read_words(in, s) || !read_digest(in, s) || !read_content(in, s) ||
        !read_image(in, body, s) || !read_sources(in, s))
        return false;
    s->m.doc_refs = s->doc_refs.items;
    s->m.doc_refs_n = s->doc_refs.n;
    s->m.rag_source_ids = s->rag_ids.items;
    s->m.rag_source_ids_n = s->rag_ids.n;
    s->m.web_source_ids = s->web_ids.items;
    s->m.web_source_ids_n = s->web_ids.n;
    return true;
}
