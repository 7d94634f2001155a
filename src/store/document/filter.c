/* filter.c - what a question is limited to, checked and as text. */
#include "store/document/filter.h"

#include "base/json.h"
#include "store/check.h"

enum { DAY_BYTES = 10, PACKED_BYTES_MAX = 128 * 1024 };
#define ALL_KINDS                                                              \
    (KIND_BIT(DOCUMENT_SLIDES) | KIND_BIT(DOCUMENT_LECTURE) |                  \
     KIND_BIT(DOCUMENT_JOURNAL) | KIND_BIT(DOCUMENT_PAGE) |                    \
     KIND_BIT(DOCUMENT_TEXT))

bool filter_limits(const struct search_filter *f)
{
    return f && (f->documents_n || f->kinds || f->from.p || f->to.p ||
                 f->has_changed);
}

/* ---- Checking ----------------------------------------------------------- */

/* As 2026-02-26; absent is fine.  Any month has 31 days here: none lies between
 * its last and the next one's first. */
static enum footnote_rc check_day(struct str s, const char *what,
                                  struct footnote_err *err)
{
    bool is_day = s.n == DAY_BYTES;

    for (size_t i = 0; is_day && i < s.n; i++)
        is_day =
            i == 4 || i == 7 ? s.p[i] == '-' : s.p[i] >= '0' && s.p[i] <= '9';
    if (is_day) {
        int month = (s.p[5] - '0') * 10 + s.p[6] - '0';
        int day = (s.p[8] - '0') * 10 + s.p[9] - '0';

        is_day = month >= 1 && month <= 12 && day >= 1 && day <= 31;
    }
    if (s.p && !is_day)
        return err_field(err, FOOTNOTE_INVALID, what,
                         "is not a day like 2026-02-26");
    return FOOTNOTE_OK;
}

enum footnote_rc filter_check(const struct search_filter *f,
                              struct footnote_err *err)
{
    TRY(check_id(f->course, "courseId", err));
    if (f->documents_n > FILTER_DOCUMENTS_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "documentIds",
                         "are %zu, at most %d", f->documents_n,
                         (int)FILTER_DOCUMENTS_MAX);
    for (size_t i = 0; i < f->documents_n; i++)
        TRY(check_id(f->documents[i], "documentIds", err));
    if (f->kinds & ~ALL_KINDS)
        return err_field(err, FOOTNOTE_INVALID, "kinds", "are not all known");
    TRY(check_day(f->from, "dateFrom", err));
    TRY(check_day(f->to, "dateTo", err));
    if (f->from.p && f->to.p && str_cmp(f->from, f->to) > 0)
        return err_field(err, FOOTNOTE_INVALID, "dateTo", "is before dateFrom");
    return FOOTNOTE_OK;
}

/* ---- As text ------------------------------------------------------------ */

static void add_text(struct json_out *w, struct str key, struct str value)
{
    if (!value.p)
        return;
    json_key(w, key);
    json_str(w, value);
}

static void add_documents(struct json_out *w, const struct search_filter *f)
{
    if (f->documents_n == 0)
        return;
    json_key(w, STR("documents"));
    json_array(w);
    for (size_t i = 0; i < f->documents_n; i++)
        json_str(w, f->documents[i]);
    json_end(w, ']');
}

enum footnote_rc filter_pack(struct arena *a, const struct search_filter *f,
                             struct str *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(PACKED_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    *out = STR_NONE;
    if (!filter_limits(f))
        return FOOTNOTE_OK;
    json_object(&w);
    add_text(&w, STR("course"), f->course);
    add_documents(&w, f);
    if (f->kinds) {
        json_key(&w, STR("kinds"));
        json_i64(&w, f->kinds);
    }
    add_text(&w, STR("from"), f->from);
    add_text(&w, STR("to"), f->to);
    if (f->has_changed) {
        json_key(&w, STR("changed"));
        json_i64(&w, f->changed_ms);
    }
    json_end(&w, '}');
    TRY(buf_rc(&b, err));
    *out = arena_str(a, buf_str(&b));
    return arena_rc(a, err);
}

static bool read_documents(struct arena *a, const struct json *list,
                           struct search_filter *out)
{
    struct str *ids;

    if (!list)
        return true;
    if (list->type != JSON_ARRAY || list->n > FILTER_DOCUMENTS_MAX)
        return false;
    ids = arena_many(a, list->n + 1, struct str);
    out->documents = ids;
    for (const struct json *v = list->first; ids && v; v = v->next) {
        if (v->type != JSON_STR)
            return false;
        ids[out->documents_n++] = v->s;
    }
    return true;
}

enum footnote_rc filter_unpack(struct arena *a, struct str packed,
                               struct search_filter *out,
                               struct footnote_err *err)
{
    const struct json *kinds, *changed;
    struct json *o = NULL;

    *out = (struct search_filter){.kinds = 0};
    if (!packed.p)
        return FOOTNOTE_OK;
    TRY(json_read(a, packed, &o, err));
    kinds = json_get(o, STR("kinds"));
    changed = json_get(o, STR("changed"));
    out->course = json_text(o, STR("course"));
    out->from = json_text(o, STR("from"));
    out->to = json_text(o, STR("to"));
    out->has_changed = changed && changed->type == JSON_I64;
    out->changed_ms = out->has_changed ? changed->i : 0;
    out->kinds =
        kinds && kinds->type == JSON_I64 ? (unsigned)kinds->i & ALL_KINDS : 0;
    if (!read_documents(a, json_get(o, STR("documents")), out))
        return err_set(err, FOOTNOTE_DAMAGED, "what a question is limited to");
    return arena_rc(a, err);
}
