/* upload_json.c - documents that come as JSON: entries, texts, addresses. */
#include "http/api/upload.h"
#include "http/shape/names.h"
#include "store/document/document.h"

#define AT(member) offsetof(struct upload_fields, member)
#define LABEL(name, member)                                                    \
    {                                                                          \
        FIELD_NAME(name), FIELD_LINE, AT(member), 0, STORE_TITLE_BYTES_MAX, 0  \
    }
#define ID                                                                     \
    {                                                                          \
        FIELD_NAME("id"), FIELD_ID, AT(id), 0, 0, 0                            \
    }
#define BODY                                                                   \
    {                                                                          \
        FIELD_NAME("text"), FIELD_TEXT, AT(text), 0, 0, 0                      \
    }

/* The first is `id`, which a document that is replaced has already. */
static const struct field journal_fields[] = {
    ID, LABEL("kind", kind), LABEL("date", date), LABEL("title", title), BODY};
static const struct field page_fields[] = {
    ID, LABEL("kind", kind), LABEL("url", url), LABEL("title", title)};
static const struct field text_fields[] = {ID, LABEL("kind", kind),
                                           LABEL("title", title), BODY};

static bool missing(struct request *r, struct str name)
{
    struct intake in = {.a = &r->arena};

    intake_missing(&in, name);
    call_refused(r, &in);
    return false;
}

/* ---- By kind ------------------------------------------------------------ */

static bool check_journal(struct request *r, struct upload *u)
{
    const struct upload_fields *f = &u->fields;

    if (!f->date.p && !u->replaces)
        return missing(r, STR("date"));
    if (f->date.p && !upload_is_date(f->date)) {
        reply_invalid(r, STR("/date"), "date is a day as 2026-02-26");
        return false;
    }
    if (!f->title.n && !u->replaces)
        return missing(r, STR("title"));
    return f->text.n ? true : missing(r, STR("text"));
}

static bool check_page(struct request *r, struct upload *u)
{
    struct upload_fields *f = &u->fields;

    if (!f->url.p && u->replaces)
        f->url = u->was.url;
    if (!f->url.p)
        return missing(r, STR("url"));
    if (upload_is_url(f->url))
        return true;
    reply_invalid(r, STR("/url"),
                  "url is an http or https address without a password");
    return false;
}

static bool check_text(struct request *r, struct upload *u)
{
    if (!u->fields.title.n && !u->replaces)
        return missing(r, STR("title"));
    return u->fields.text.n ? true : missing(r, STR("text"));
}

static const struct form {
    enum document_kind kind;
    const struct field *fields;
    size_t fields_n;
    bool (*check)(struct request *r, struct upload *u);
} forms[] = {
    {DOCUMENT_JOURNAL, journal_fields, FIELDS_N(journal_fields), check_journal},
    {DOCUMENT_PAGE, page_fields, FIELDS_N(page_fields), check_page},
    {DOCUMENT_TEXT, text_fields, FIELDS_N(text_fields), check_text},
};

static const struct form *form_of(struct request *r, const struct upload *u,
                                  const struct json *body)
{
    const struct json *word = json_get(body, STR("kind"));
    enum document_kind kind = u->was.kind;
    bool known = u->replaces;

    if (word && word->type != JSON_NULL)
        known = word->type == JSON_STR && document_kind_parse(word->s, &kind);
    if (known && u->replaces && kind != u->was.kind) {
        reply_problem(r, &(struct problem){.status = 422,
                                           .code = STR("impossible"),
                                           .text = STR("A document keeps its "
                                                       "kind"),
                                           .where = STR("/kind")});
        return NULL;
    }
    for (size_t i = 0; known && i < FIELDS_N(forms); i++)
        if (forms[i].kind == kind)
            return &forms[i];
    reply_invalid(r, STR("/kind"),
                  "kind is journal, page or text; all else is a file");
    return NULL;
}

bool upload_json(struct request *r, struct upload *u)
{
    struct document *d = &u->op.document;
    struct intake in = {.a = &r->arena};
    struct json *body = request_json(r);
    const struct form *form = body ? form_of(r, u, body) : NULL;
    size_t skip = u->replaces;

    if (!form)
        return false;
    if (!intake_object(&in, NULL, body, form->fields + skip,
                       form->fields_n - skip, &u->fields)) {
        call_refused(r, &in);
        return false;
    }
    if (!form->check(r, u))
        return false;
    d->kind = form->kind;
    if (!u->replaces)
        d->id = u->fields.id;
    d->title = u->fields.title;
    d->date = u->fields.date;
    d->url = u->fields.url;
    return true;
}
