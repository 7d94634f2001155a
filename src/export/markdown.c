/* markdown.c - the shown path as Markdown with footnotes.
 *
 * An answer is Markdown already, and stays as it is written.  A question is a
 * quotation, so that nothing in it becomes a heading. */
#include "base/utf8.h"
#include "export/cited.h"
#include "export/export.h"
#include "export/noted.h"

enum { QUOTE_CHARS = 300, TITLE_CHARS = 1000 };

static void plain(struct buf *b, struct str text)
{
    buf_add(b, text);
}

static void mark(struct buf *b, size_t message, const struct reference *r)
{
    buf_printf(b, "[^%zu-%u]", message, r->number);
}

static const struct cited_writer writer = {plain, mark};

/* One line in which nothing is Markdown. */
static void escaped(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (strchr("\\`*_[]<>#|~", s.p[i]) && s.p[i])
            buf_add_c(b, '\\');
        if ((unsigned char)s.p[i] < ' ')
            buf_add_c(b, ' ');
        else
            buf_add_c(b, s.p[i]);
    }
}

/* Every line of it, however it ends. */
static void question(struct buf *b, struct str text)
{
    buf_add(b, STR("> "));
    for (size_t i = 0; i < text.n; i++) {
        bool end = text.p[i] == '\n' || text.p[i] == '\r';

        if (text.p[i] == '\r' && i + 1 < text.n && text.p[i + 1] == '\n')
            continue;
        if (end)
            buf_add(b, STR("\n> "));
        else
            buf_add_c(b, text.p[i]);
    }
}

static void note(struct buf *b, struct arena *a, const struct shown_session *s,
                 const struct message *m, size_t message,
                 const struct reference *r)
{
    const struct cited c = {m, r};
    struct str quote = cited_quote(a, &r->source, QUOTE_CHARS);
    struct str url = cited_url(&r->source);
    struct buf place = BUF(1024);

    buf_printf(b, "[^%zu-%u]: ", message, r->number);
    escaped(b, utf8_cut(cited_title(&r->source), TITLE_CHARS));
    cited_place(&place, &r->source);
    if (place.n) {
        buf_add(b, STR(", "));
        escaped(b, buf_str(&place));
    }
    buf_free(&place);
    buf_add_c(b, '.');
    if (quote.n) {
        buf_add(b, STR(" \xE2\x80\x9C"));
        escaped(b, quote);
        buf_add(b, STR("\xE2\x80\x9D"));
    }
    if (s->base_url.n) {
        buf_add(b, STR(" <"));
        cited_link(b, s, &c);
        buf_add_c(b, '>');
    }
    if (url.n && str_find(url, '<') == url.n && str_find(url, '>') == url.n) {
        buf_add(b, STR(" <"));
        buf_add(b, url);
        buf_add_c(b, '>');
    }
    buf_add_c(b, '\n');
}

static enum footnote_rc verdicts(struct buf *b, struct arena *a,
                                 const struct message *m,
                                 const struct verdict_record *r,
                                 struct footnote_err *err)
{
    struct noted *list;
    size_t n;

    TRY(noted_sentences(a, m, r, &list, &n, err));
    if (!n)
        return FOOTNOTE_OK;
    buf_add(b, STR("\n\n*"));
    noted_head(b, r, escaped);
    buf_add(b, STR("*\n"));
    for (size_t i = 0; i < n; i++) {
        buf_add(b, STR("\n- \xE2\x80\x9C"));
        escaped(b, list[i].sentence);
        buf_add(b, STR("\xE2\x80\x9D: "));
        escaped(b, list[i].why);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc answer(struct buf *b, struct arena *a,
                               const struct message *m, size_t message,
                               struct footnote_err *err)
{
    TRY(cited_text(b, a, m, message, &writer, err));
    for (size_t i = 0; i < m->verdicts_n; i++)
        TRY(verdicts(b, a, m, &m->verdicts[i], err));
    return FOOTNOTE_OK;
}

static void notes(struct buf *b, struct arena *a, const struct shown_session *s)
{
    for (size_t i = 0; i < s->history->messages_n; i++) {
        const struct message *m = &s->history->messages[i];

        for (size_t k = 0; cited_is_read(m) && k < m->sources_n; k++)
            if (m->sources[k].cited)
                note(b, a, s, m, i + 1, &m->sources[k]);
    }
}

enum footnote_rc export_markdown(struct buf *b, struct arena *a,
                                 const struct shown_session *s,
                                 struct footnote_err *err)
{
    const struct history *h = s->history;

    if (h->head.title.n) {
        buf_add(b, STR("# "));
        escaped(b, h->head.title);
        buf_add(b, STR("\n\n"));
    }
    for (size_t i = 0; i < h->messages_n; i++) {
        const struct message *m = &h->messages[i];

        if (!cited_is_read(m))
            continue;
        if (m->role == FOOTNOTE_USER)
            question(b, m->content);
        else
            TRY(answer(b, a, m, i + 1, err));
        buf_add(b, STR("\n\n"));
    }
    notes(b, a, s);
    return buf_rc(b, err);
}
