/* html.c - the shown path as one page that needs nothing else: no script, no
 * picture, no style from elsewhere.
 *
 * Texts are shown as they were written, with their line breaks; Markdown is
 * not made of them.  Everything is escaped, and the page's own policy forbids
 * what it does not have. */
#include "export/cited.h"
#include "export/export.h"
#include "export/noted.h"

#include "base/utf8.h"

enum { QUOTE_CHARS = 1000 };

void export_html_escape(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        switch (s.p[i]) {
        case '&': buf_add(b, STR("&amp;")); break;
        case '<': buf_add(b, STR("&lt;")); break;
        case '>': buf_add(b, STR("&gt;")); break;
        case '"': buf_add(b, STR("&quot;")); break;
        case '\'': buf_add(b, STR("&#39;")); break;
        default: /* a page has no control characters but these */
            if ((unsigned char)s.p[i] >= ' ' || s.p[i] == '\n' ||
                s.p[i] == '\t')
                buf_add_c(b, s.p[i]);
        }
}

static void escaped(struct buf *b, struct str s)
{
    export_html_escape(b, s);
}

static void mark(struct buf *b, size_t message, const struct reference *r)
{
    buf_printf(b, "<a href=\"#ref-%zu-%u\">[%u]</a>", message, r->number,
               r->number);
}

static const struct cited_writer writer = {escaped, mark};

static void link(struct buf *b, struct str url, struct str text)
{
    buf_add(b, STR(" <a rel=\"noreferrer\" href=\""));
    escaped(b, url);
    buf_add(b, STR("\">"));
    escaped(b, text);
    buf_add(b, STR("</a>"));
}

static void entry(struct buf *b, struct arena *a, const struct shown_session *s,
                  const struct message *m, size_t message,
                  const struct reference *r)
{
    const struct cited c = {m, r};
    struct str quote = cited_quote(a, &r->source, QUOTE_CHARS);
    struct str url = cited_url(&r->source);
    struct buf place = BUF(1024), own = BUF(4096);

    buf_printf(b, "<li id=\"ref-%zu-%u\" value=\"%u\"><cite dir=\"auto\">",
               message, r->number, r->number);
    escaped(b, cited_title(&r->source));
    buf_add(b, STR("</cite>"));
    cited_place(&place, &r->source);
    if (place.n) {
        buf_add(b, STR(", "));
        escaped(b, buf_str(&place));
    }
    if (s->base_url.n) {
        cited_link(&own, s, &c);
        link(b, buf_str(&own), STR("open"));
    }
    if (url.n)
        link(b, url, url);
    if (quote.n) {
        buf_add(b, STR("<blockquote dir=\"auto\">"));
        escaped(b, quote);
        buf_add(b, STR("</blockquote>"));
    }
    buf_add(b, STR("</li>\n"));
    buf_free(&place);
    buf_free(&own);
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
    buf_add(b, STR("<aside>"));
    noted_head(b, r, escaped);
    buf_add(b, STR("\n<ul>\n"));
    for (size_t i = 0; i < n; i++) {
        buf_add(b, STR("<li><q dir=\"auto\">"));
        escaped(b, list[i].sentence);
        buf_add(b, STR("</q>: "));
        escaped(b, list[i].why);
        buf_add(b, STR("</li>\n"));
    }
    buf_add(b, STR("</ul></aside>\n"));
    return FOOTNOTE_OK;
}

static enum footnote_rc answer(struct buf *b, struct arena *a,
                               const struct shown_session *s,
                               const struct message *m, size_t message,
                               struct footnote_err *err)
{
    bool any = false;

    buf_add(b, STR("<article dir=\"auto\">"));
    TRY(cited_text(b, a, m, message, &writer, err));
    buf_add(b, STR("</article>\n"));
    for (size_t k = 0; k < m->sources_n; k++) {
        if (!m->sources[k].cited)
            continue;
        buf_add(b, any ? STR("") : STR("<ol>\n"));
        any = true;
        entry(b, a, s, m, message, &m->sources[k]);
    }
    buf_add(b, any ? STR("</ol>\n") : STR(""));
    for (size_t i = 0; i < m->verdicts_n; i++)
        TRY(verdicts(b, a, m, &m->verdicts[i], err));
    return FOOTNOTE_OK;
}

static void head(struct buf *b, struct str title)
{
    buf_add(b,
            STR("<!doctype html>\n<html lang=\"\">\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" "
                "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
                "<title>"));
    escaped(b, title);
    buf_add(b, STR("</title>\n<style>body{max-width:42rem;margin:2rem auto;"
                   "padding:0 1rem;font:17px/1.6 serif}h2,article{white-space:"
                   "pre-wrap;overflow-wrap:anywhere}h2{font-size:1.1em}"
                   "blockquote{border-left:3px solid #ffe45c;margin:.3rem 0;"
                   "padding-left:.8rem}li{overflow-wrap:anywhere}aside{color:"
                   "#555;font-size:.85em}</style>\n"
                   "<h1 dir=\"auto\">"));
    escaped(b, title);
    buf_add(b, STR("</h1>\n"));
}

enum footnote_rc export_html(struct buf *b, struct arena *a,
                             const struct shown_session *s,
                             struct footnote_err *err)
{
    const struct history *h = s->history;

    head(b, h->head.title.n ? h->head.title : h->head.id);
    for (size_t i = 0; i < h->messages_n; i++) {
        const struct message *m = &h->messages[i];

        if (!cited_is_read(m))
            continue;
        if (m->role == FOOTNOTE_ASSISTANT) {
            TRY(answer(b, a, s, m, i + 1, err));
            continue;
        }
        buf_add(b, STR("<h2 dir=\"auto\">"));
        escaped(b, m->content);
        buf_add(b, STR("</h2>\n"));
    }
    buf_add(b, STR("</html>\n"));
    return buf_rc(b, err);
}
