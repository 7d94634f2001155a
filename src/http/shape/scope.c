/* scope.c - what a question is limited to, as clients write and read it. */
#include "http/shape/scope.h"

#include "base/json.h"
#include "http/shape/shape.h"
#include "store/document/kind.h"

enum { KINDS_MAX = 16, DAY_BYTES = 10, SCOPE_BYTES_MAX = 256 * 1024 };

struct scope_in {
    struct texts documents, kinds;
    struct str course, from, to, changed;
};

#define NAME(text)                                                             \
    {                                                                          \
        text, sizeof(text) - 1                                                 \
    }
#define AT(member) offsetof(struct scope_in, member)
// clang-format off
static const struct field scope_fields[] = {
    {NAME("courseId"), FIELD_ID, AT(course), 0, 0, 0},
    {NAME("documentIds"), FIELD_TEXTS, AT(documents), 0, FILTER_DOCUMENTS_MAX,
     0},
    {NAME("kinds"), FIELD_TEXTS, AT(kinds), 0, KINDS_MAX, 0},
    {NAME("dateFrom"), FIELD_TEXT, AT(from), 0, 0, 0},
    {NAME("dateTo"), FIELD_TEXT, AT(to), 0, 0, 0},
    {NAME("changedSince"), FIELD_TEXT, AT(changed), 0, 0, 0},
};
// clang-format on

/* ---- Reading ------------------------------------------------------------ */

bool scope_add_kind(struct search_filter *f, struct str word)
{
    enum document_kind kind;

    if (!document_kind_parse(word, &kind))
        return false;
    f->kinds |= KIND_BIT(kind);
    return true;
}

bool scope_set_changed(struct search_filter *f, struct str text)
{
    char midnight[DAY_BYTES + sizeof("T00:00:00Z")];

    if (text.n == DAY_BYTES) {
        memcpy(midnight, text.p, DAY_BYTES);
        memcpy(midnight + DAY_BYTES, "T00:00:00Z", sizeof("T00:00:00Z"));
        text = str_c(midnight);
    }
    f->has_changed = time_parse(text, &f->changed_ms);
    return f->has_changed;
}

static bool refuse(struct intake *in, const struct json_place *at,
                   struct str name, const char *text)
{
    struct json_place here = {.up = at, .key = name};

    return intake_refuse(in, &here, 400, STR("invalid_field"), "%s", text);
}

static bool read_kinds(struct intake *in, const struct json_place *at,
                       const struct texts *words, struct search_filter *out)
{
    for (size_t i = 0; words->items && i < words->n; i++)
        if (!scope_add_kind(out, words->items[i]))
            return refuse(in, at, STR("kinds"),
                          "kinds: each is slides, lecture, journal, page or "
                          "text");
    return true;
}

static bool check(struct intake *in, const struct json_place *at,
                  const struct search_filter *f)
{
    struct footnote_err err = {.text = ""};

    if (filter_check(f, &err) == FOOTNOTE_OK)
        return true;
    return intake_refuse(in, at, err.rc == FOOTNOTE_TOOBIG ? 413 : 400,
                         err.rc == FOOTNOTE_TOOBIG ? STR("too_large")
                                                   : STR("invalid_field"),
                         "%s", err.text);
}

bool intake_scope(struct intake *in, const struct json_place *at,
                  const struct json *o, struct search_filter *out)
{
    struct intake strict = {.a = in->a};
    struct scope_in s = {.course = STR_NONE};

    *out = (struct search_filter){.kinds = 0};
    if (!intake_object(&strict, at, o, scope_fields,
                       sizeof(scope_fields) / sizeof(*scope_fields), &s)) {
        in->problem = strict.problem;
        return false;
    }
    /* A list of none is not all: whoever made it meant something. */
    if (s.documents.items && s.documents.n == 0)
        return refuse(in, at, STR("documentIds"),
                      "documentIds: is empty; leave it out for all");
    if (s.kinds.items && s.kinds.n == 0)
        return refuse(in, at, STR("kinds"),
                      "kinds: is empty; leave it out for all");
    out->course = s.course;
    out->documents = s.documents.items;
    out->documents_n = s.documents.n;
    out->from = s.from;
    out->to = s.to;
    if (s.changed.p && !scope_set_changed(out, s.changed))
        return refuse(in, at, STR("changedSince"),
                      "changedSince: must be a day, or a time like "
                      "2026-02-26T20:15:00Z");
    return read_kinds(in, at, &s.kinds, out) && check(in, at, out);
}

/* ---- Writing ------------------------------------------------------------ */

static void add_kinds(struct buf *b, unsigned kinds)
{
    const char *comma = "";

    buf_add(b, STR(",\"kinds\":["));
    for (int i = DOCUMENT_SLIDES; i <= DOCUMENT_TEXT; i++)
        if (kinds & KIND_BIT(i)) {
            buf_add(b, str_c(comma));
            buf_add_json(b, document_kind_name((enum document_kind)i));
            comma = ",";
        }
    buf_add_c(b, ']');
}

static void add_text(struct buf *b, const char *name, struct str value)
{
    if (!value.p)
        return;
    buf_printf(b, ",\"%s\":", name);
    buf_add_json(b, value);
}

void shape_scope(struct buf *b, struct str packed)
{
    AUTO(arena_free) struct arena a = ARENA(SCOPE_BYTES_MAX);
    struct search_filter f;

    if (!packed.p || filter_unpack(&a, packed, &f, NULL) != FOOTNOTE_OK) {
        buf_add(b, STR("null"));
        return;
    }
    buf_add(b, STR("{\"courseId\":"));
    shape_str(b, f.course);
    if (f.documents_n) {
        buf_add(b, STR(",\"documentIds\":"));
        shape_strings(b, f.documents, f.documents_n);
    }
    if (f.kinds)
        add_kinds(b, f.kinds);
    add_text(b, "dateFrom", f.from);
    add_text(b, "dateTo", f.to);
    if (f.has_changed) {
        buf_add(b, STR(",\"changedSince\":"));
        shape_time(b, f.changed_ms);
    }
    buf_add_c(b, '}');
}
