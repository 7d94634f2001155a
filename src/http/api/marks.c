/* marks.c - POST /api/marks: which words carry a claim, and where they stand.
 *
 * A claim is what an answer says before a number; the passage is what the
 * number shows.  The page asks this for what it marks, and only draws.  Nothing
 * is stored, and nothing is read but a document that the caller may read. */
#include "base/utf8.h"
#include "cite/source.h"
#include "http/api/files.h"
#include "http/api/marks_place.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "store/document/document.h"

struct marks_in {
    struct str passage, document, course;
    const struct json *list; /* of claims, as it was sent */
    struct claim claims[MARKS_CLAIMS_MAX];
    size_t claims_n;
    bool has_version, has_page, has_start, has_end;
    int64_t version, page;
    double start, end;
};

enum { PAGE_MAX = 1000 * 1000 };

#define AT(member) offsetof(struct marks_in, member)
// clang-format off
static const struct field marks_fields[] = {
    {FIELD_NAME("passage"), FIELD_TEXT, AT(passage), 0, SOURCE_TEXT_BYTES_MAX,
     0},
    {FIELD_NAME("claims"), FIELD_ANY, AT(list), 0, 0, 0},
    {FIELD_NAME("documentId"), FIELD_ID, AT(document), 0, 0, 0},
    {FIELD_NAME("courseId"), FIELD_ID, AT(course), 0, 0, 0},
    {FIELD_NAME("version"), FIELD_WHOLE, AT(version), AT(has_version), 0, 0},
    {FIELD_NAME("page"), FIELD_WHOLE, AT(page), AT(has_page), 0, 0},
    {FIELD_NAME("startSeconds"), FIELD_NUMBER, AT(start), AT(has_start), 0, 0},
    {FIELD_NAME("endSeconds"), FIELD_NUMBER, AT(end), AT(has_end), 0, 0},
};
// clang-format on

/* ---- Out ---------------------------------------------------------------- */

static void claim_json(struct json_out *out, const struct marks *m, size_t i)
{
    const struct claim *c = &m->claims[i];

    json_object(out);
    json_key(out, STR("exact"));
    json_bool(out, c->exact);
    json_key(out, STR("spans"));
    marks_spans(out, m->passage.text, m->passage.words, m->passage.words_n,
                c->marked);
    if (m->claim_pages[i]) {
        json_key(out, STR("page"));
        json_i64(out, m->claim_pages[i]);
    }
    if (m->said[i]) {
        json_key(out, STR("startSeconds"));
        json_f64(out, m->claim_starts[i]);
        json_key(out, STR("endSeconds"));
        json_f64(out, m->claim_ends[i]);
    }
    json_end(out, '}');
}

/* The document's part comes first, since it says where the claims are.  False:
 * it is answered. */
static bool place_json(struct request *r, const struct marks_in *in,
                       struct marks *m, struct json_out *out)
{
    struct document_get get = {
        .id = in->document, .course = in->course, .version = in->version};

    if (!in->document.p)
        return true;
    if (!call_read(r, OP(document_get), &get, "document"))
        return false;
    if (in->has_page && document_has_pages(&get.document)) {
        json_key(out, STR("pages"));
        return marks_on_pages(r, &get.document, m, out);
    }
    if (in->has_start && document_has_cues(r, &get.document)) {
        json_key(out, STR("lines"));
        return marks_in_lines(r, &get.document, m, out);
    }
    return true;
}

static enum footnote_rc find_claims(const struct marks_in *in, struct marks *m,
                                    struct footnote_err *err)
{
    TRY(claim_passage_read(m->arena, in->passage, &m->passage, err));
    for (; m->claims_n < in->claims_n; m->claims_n++) {
        struct claim *claim = &m->claims[m->claims_n];

        *claim = in->claims[m->claims_n];
        TRY(claim->carry.p ? claim_mark(m->arena, &m->passage, claim, err)
                           : claim_find(m->arena, &m->passage, claim, err));
    }
    return FOOTNOTE_OK;
}

/* ---- In ----------------------------------------------------------------- */

static void marks_work(struct request *r)
{
    AUTO(arena_free) struct arena a = ARENA(MARKS_ARENA_MAX);
    const struct marks_in *in = r->state;
    struct footnote_err err = {.text = ""};
    struct marks m = {.arena = &a,
                      .page = in->page,
                      .start = in->start,
                      .end = in->has_end ? in->end : in->start};
    AUTO(buf_free) struct buf b = BUF(REPLY_BYTES_MAX);
    struct json_out out = JSON_OUT(&b);

    if (find_claims(in, &m, &err) != FOOTNOTE_OK) {
        call_no_memory(r);
        return;
    }
    json_object(&out);
    if (!place_json(r, in, &m, &out))
        return;
    json_key(&out, STR("claims"));
    json_array(&out);
    for (size_t i = 0; i < m.claims_n; i++)
        claim_json(&out, &m, i);
    json_end(&out, ']');
    json_end(&out, '}');
    reply_json(r, 200, &b);
}

/* The bytes of the first `units` UTF-16 units, or of the whole text. */
static size_t bytes_of(struct str text, int64_t units)
{
    size_t at = 0;

    while (at < text.n && units > 0)
        units -= utf8_next(text, &at) > 0xFFFF ? 2 : 1;
    return at;
}

/* What a verdict has found: a part of the passage, or nothing. */
static bool read_span(const struct json *v, struct str passage,
                      struct claim *out)
{
    const struct json *from = v->first, *to = from ? from->next : NULL;

    if (v->n != 2 || !from || !to || from->type != JSON_I64 ||
        to->type != JSON_I64 || from->i < 0 || to->i < from->i)
        return false;
    size_t start = bytes_of(passage, from->i), end = bytes_of(passage, to->i);
    *out = (struct claim){.carry = {passage.p + start, end - start}};
    return true;
}

static bool read_claims(struct intake *intake, struct marks_in *in)
{
    struct json_place list = {.key = STR("claims")};
    struct json_place at = {.up = &list};

    if (!in->list)
        return true;
    if (in->list->type != JSON_ARRAY || in->list->n > MARKS_CLAIMS_MAX)
        return intake_refuse(intake, &list, 400, STR("invalid_field"),
                             "claims is a list of at most %d",
                             MARKS_CLAIMS_MAX);
    for (const struct json *v = in->list->first; v; v = v->next) {
        struct claim *claim = &in->claims[in->claims_n++];

        at.index = in->claims_n - 1;
        *claim = (struct claim){.text = STR_NONE};
        if (v->type == JSON_STR && v->s.n <= CLAIM_BYTES_MAX)
            claim->text = v->s;
        else if (v->type != JSON_ARRAY || !read_span(v, in->passage, claim))
            return intake_refuse(intake, &at, 400, STR("invalid_field"),
                                 "a claim is a text of at most %d bytes, or "
                                 "start and end of its words in the passage",
                                 CLAIM_BYTES_MAX);
    }
    return true;
}

static bool check(struct request *r, struct marks_in *in)
{
    struct intake intake = {.a = &r->arena};
    struct json_place at = {.up = NULL};

    if (!in->passage.p) {
        intake_missing(&intake, STR("passage"));
    } else if (in->has_version &&
               (in->version < 1 || in->version > INT32_MAX)) {
        at.key = STR("version");
        intake_refuse(&intake, &at, 400, STR("invalid_field"),
                      "version is a number from 1");
    } else if (in->has_page && (in->page < 1 || in->page > PAGE_MAX)) {
        at.key = STR("page");
        intake_refuse(&intake, &at, 400, STR("invalid_field"),
                      "page is a number from 1");
    } else if (read_claims(&intake, in)) {
        return true;
    }
    call_refused(r, &intake);
    return false;
}

/* A document's pages are read by a program; a text alone takes no time. */
void api_marks(struct request *r)
{
    struct marks_in *in = call_state(r, sizeof(*in));

    if (!in || !call_body(r, marks_fields, FIELDS_N(marks_fields), in) ||
        !check(r, in))
        return;
    if (in->document.p)
        request_work_slow(r, marks_work);
    else
        request_work(r, marks_work);
}
