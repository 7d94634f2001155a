/* chatgpt.c - conversations.json of ChatGPT's export: trees of messages.
 *
 * What an answer cites stands beside its text, with the characters of the text
 * that stand for it.  These become numbers, in the order of the pages and files
 * that they name. */
#include "base/utf8.h"
#include "import/message.h"
#include "import/passage.h"
#include "import/rewrite.h"
#include "import/staged.h"
#include "import/tree.h"
#include "import/value.h"

enum { CONVERSATIONS };
enum { QUOTES_MAX = 1000, SOURCES_MAX = 1000 };

/* Characters of the text, and what they cite. */
struct quote {
    struct str text;
    uint32_t *numbers;
    size_t n;
};
struct citing {
    struct import *im;
    const struct row *row;
    struct quote quotes[QUOTES_MAX];
    size_t quotes_n;
    struct found sources[SOURCES_MAX];
    struct str names[SOURCES_MAX]; /* address, or id of the file */
    size_t sources_n;
};

/* ---- Sources ------------------------------------------------------------- */

/* One that is there keeps its number; 0: it says nothing. */
static enum footnote_rc source_number(struct citing *c, const struct json *o,
                                      uint32_t *number,
                                      struct footnote_err *err)
{
    const struct json *extra = FIELD(o, "extra");
    struct passage p = {.title = TEXT_OF(o, "title", "name"),
                        .url = TEXT_OF(o, "url"),
                        .document = TEXT_OF(o, "id", "file_id"),
                        .text = TEXT_OF(o, "snippet", "text")};
    struct str name = p.url.n ? p.url : p.document.n ? p.document : p.title;
    struct found *f = &c->sources[c->sources_n];

    *number = 0;
    if (!p.text.n)
        p.text = TEXT_OF(extra, "evidence_text");
    if (!name.n)
        return FOOTNOTE_OK;
    for (size_t i = 0; i < c->sources_n; i++)
        if (str_eq(c->names[i], name)) {
            *number = (uint32_t)i + 1;
            return FOOTNOTE_OK;
        }
    if (c->sources_n == SOURCES_MAX)
        return row_refuse(c->im, c->row, err, "over %d sources of one message",
                          SOURCES_MAX);
    TRY(passage_found(c->im, c->row, &p, f, err));
    c->names[c->sources_n++] = name;
    *number = (uint32_t)c->sources_n;
    f->has_number = true;
    f->number = f->created_ms = (int64_t)*number;
    return FOOTNOTE_OK;
}

static enum footnote_rc add_number(struct citing *c, struct quote *q,
                                   const struct json *o,
                                   struct footnote_err *err)
{
    uint32_t number;

    TRY(source_number(c, o, &number, err));
    for (size_t i = 0; i < q->n; i++)
        if (q->numbers[i] == number)
            return FOOTNOTE_OK;
    if (number)
        q->numbers[q->n++] = number;
    return FOOTNOTE_OK;
}

static size_t list_length(const struct json *list)
{
    return list && list->type == JSON_ARRAY ? list->n : 0;
}

/* All pages that a reference names. */
static enum footnote_rc add_pages(struct citing *c, struct quote *q,
                                  const struct json *list,
                                  struct footnote_err *err)
{
    if (!list_length(list))
        return FOOTNOTE_OK;
    for (const struct json *o = list->first; o; o = o->next) {
        const struct json *more = FIELD(o, "supporting_websites");

        TRY(add_number(c, q, o, err));
        if (!list_length(more))
            continue;
        for (const struct json *s = more->first; s; s = s->next)
            TRY(add_number(c, q, s, err));
    }
    return FOOTNOTE_OK;
}

static size_t pages_of(const struct json *list)
{
    size_t n = list_length(list);

    for (const struct json *o = n ? list->first : NULL; o; o = o->next)
        n += list_length(FIELD(o, "supporting_websites"));
    return n;
}

static struct quote *next_quote(struct citing *c, struct str text, size_t room)
{
    struct quote *q = c->quotes_n < QUOTES_MAX ? &c->quotes[c->quotes_n] : NULL;

    if (!q)
        return NULL;
    *q = (struct quote){.text = text,
                        .numbers = arena_many(c->im->a, room + 1, uint32_t)};
    return q->numbers ? q : NULL;
}

static enum footnote_rc too_many(const struct citing *c,
                                 struct footnote_err *err)
{
    TRY(arena_rc(c->im->a, err));
    return row_refuse(c->im, c->row, err, "over %d citations in one message",
                      QUOTES_MAX);
}

/* What ends a text, and what is only space, stands for nothing in it. */
static bool is_quote(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] > ' ')
            return text.n > 2;
    return false;
}

static enum footnote_rc read_reference(struct citing *c, const struct json *o,
                                       struct footnote_err *err)
{
    const struct json *items = FIELD(o, "items"),
                      *sources = FIELD(o, "sources");
    struct quote *q = next_quote(c, TEXT_OF(o, "matched_text"),
                                 pages_of(items) + pages_of(sources) + 1);

    if (!q)
        return too_many(c, err);
    TRY(add_pages(c, q, items, err));
    TRY(add_pages(c, q, sources, err));
    if (str_eq(TEXT_OF(o, "type"), STR("file")) || (!items && !sources))
        TRY(add_number(c, q, o, err));
    c->quotes_n += is_quote(q->text);
    return FOOTNOTE_OK;
}

/* The characters from `from` to `to` of the text. */
static struct str between(struct str text, int64_t from, int64_t to)
{
    size_t i = 0, begin = 0;
    int64_t n = 0;

    if (from < 0 || to <= from || !utf8_valid(text))
        return STR_NONE;
    for (; i < text.n && n < to; n++) {
        if (n == from)
            begin = i;
        (void)utf8_next(text, &i);
    }
    return n == to ? (struct str){text.p + begin, i - begin} : STR_NONE;
}

/* Brackets of a width that no text has by chance, or characters of their own.
 */
static bool is_mark(struct str text)
{
    return str_starts(text, STR("\xe3\x80\x90")) ||
           str_starts(text, STR("\xee\x88"));
}

/* The older form: from where to where a citation stands. */
static enum footnote_rc read_citation(struct citing *c, const struct json *o,
                                      struct str text, struct footnote_err *err)
{
    int64_t from = -1, to = -1;
    struct quote *q;

    (void)value_whole(FIELD(o, "start_ix"), &from);
    (void)value_whole(FIELD(o, "end_ix"), &to);
    q = next_quote(c, between(text, from, to), 1);
    if (!q)
        return too_many(c, err);
    TRY(add_number(c, q, FIELD(o, "metadata"), err));
    if (is_mark(q->text))
        c->quotes_n += 1;
    else if (q->n)
        import_note(c->im, IMPORT_CHANGED, c->row,
                    "a citation of \"%.40s\" points to no mark in its text; "
                    "its source is kept",
                    c->names[q->numbers[0] - 1].p);
    return FOOTNOTE_OK;
}

/* ---- The text ------------------------------------------------------------ */

/* What no source is said for was never shown. */
static size_t mark(void *arg, struct str rest, struct buf *to)
{
    const struct citing *c = arg;

    for (size_t i = 0; i < c->quotes_n; i++) {
        const struct quote *q = &c->quotes[i];

        if (!str_starts(rest, q->text))
            continue;
        for (size_t k = 0; k < q->n; k++)
            buf_printf(to, "[%u]", q->numbers[k]);
        return q->text.n;
    }
    return 0;
}

static enum footnote_rc cite(struct citing *c, const struct json *meta,
                             struct message *m, struct footnote_err *err)
{
    const struct json *refs = FIELD(meta, "content_references");
    const struct json *old = FIELD(meta, "citations");

    if (list_length(refs))
        for (const struct json *o = refs->first; o; o = o->next)
            TRY(read_reference(c, o, err));
    if (c->sources_n == 0 && list_length(old))
        for (const struct json *o = old->first; o; o = o->next)
            TRY(read_citation(c, o, m->content, err));
    TRY(rewrite(c->im, m->content, mark, c, &m->content, err));
    return number_found(c->im, c->sources, c->sources_n, &m->sources,
                        &m->sources_n, err);
}

/* ---- Messages ------------------------------------------------------------ */

static bool is_one_of(struct str word, const struct names *words)
{
    for (size_t i = 0; i < IMPORT_NAMES_MAX && words->item[i]; i++)
        if (str_eq(word, str_c(words->item[i])))
            return true;
    return false;
}

/* Not to a tool, no thoughts, nothing that is hidden there. */
static bool is_shown(const struct json *o, struct str text,
                     enum footnote_role *role)
{
    struct str type = TEXT_OF(FIELD(o, "content"), "content_type");
    struct str to = TEXT_OF(o, "recipient");
    bool hidden = false;

    (void)value_flag(
        FIELD(FIELD(o, "metadata"), "is_visually_hidden_from_conversation"),
        &hidden);
    if (!role_read(TEXT_OF(FIELD(o, "author"), "role"), role) ||
        *role == FOOTNOTE_SYSTEM || hidden)
        return false;
    if (*role == FOOTNOTE_USER)
        return is_one_of(type, NAMES("text", "multimodal_text"));
    return is_one_of(type, NAMES("text", "multimodal_text")) && text.n &&
           (!to.p || str_eq(to, STR("all"))) &&
           !is_one_of(TEXT_OF(o, "channel"), NAMES("analysis", "commentary"));
}

static enum footnote_rc add_node(struct import *im, struct tree *t,
                                 const struct row *row, const struct json *n,
                                 struct citing *c, struct footnote_err *err)
{
    const struct json *o = FIELD(n, "message");
    struct tree_node *node = tree_add(im, t);
    struct message *m;

    if (!node)
        return err_set(err, FOOTNOTE_TOOBIG, "over %d messages",
                       IMPORT_MESSAGES_MAX);
    m = &node->m.m;
    node->row = row;
    node->id = n->key;
    node->parent = TEXT_OF(n, "parent");
    m->id = TEXT_OF(o, "id");
    m->content = message_text(im->a, FIELD(FIELD(o, "content"), "parts"));
    if (!m->content.p)
        m->content = STR("");
    (void)value_time(FIELD(o, "create_time"), &m->created_ms);
    node->shown = m->id.p && is_shown(o, m->content, &m->role);
    if (!node->shown || m->role != FOOTNOTE_ASSISTANT)
        return FOOTNOTE_OK;
    c->row = row;
    c->quotes_n = c->sources_n = 0;
    return cite(c, FIELD(o, "metadata"), m, err);
}

static enum footnote_rc read(struct import *im, struct str key,
                             struct import_session *out,
                             struct footnote_err *err)
{
    struct citing *c = arena_new(im->a, struct citing);
    const struct json *mapping;
    struct tree t = {.n = 0};
    struct rows rows;

    if (!c)
        return arena_rc(im->a, err);
    c->im = im;
    TRY(staged_rows(im, CONVERSATIONS, key, &rows, err));
    session_head(out, rows.items[0].o);
    (void)value_time(FIELD(rows.items[0].o, "create_time"), &out->created_ms);
    (void)value_time(FIELD(rows.items[0].o, "update_time"), &out->active_ms);
    mapping = FIELD(rows.items[0].o, "mapping");
    if (!mapping || mapping->type != JSON_OBJECT)
        return row_refuse(im, &rows.items[0], err, "mapping is no object");
    for (const struct json *n = mapping->first; n; n = n->next)
        TRY(add_node(im, &t, &rows.items[0], n, c, err));
    for (size_t i = 1; i < rows.n; i++)
        import_note(im, IMPORT_LEFT_OUT, &rows.items[i],
                    "conversation %.*s stands there twice", STR_ARG(key));
    return tree_end(im, &t, TEXT_OF(rows.items[0].o, "current_node"), out, err);
}

const struct import_kind import_chatgpt = {"chatgpt",
                                           {{.names = {{"conversations"}},
                                             .key = {{"conversation_id", "id"}},
                                             .id = {{"conversation_id", "id"}},
                                             .needed = true,
                                             .by_session = true}},
                                           read,
                                           NULL};
