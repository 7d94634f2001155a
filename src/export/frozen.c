/* frozen.c - what a link shows to people without an account: the page of a
 * share, with its answers, quotes and pictures of pages.
 *
 * No script, and nothing from elsewhere: its policy allows the style by its
 * digest, and pictures of this host.  Everything is escaped. */
#include "export/frozen.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/sha256.h"
#include "export/cited.h"
#include "export/noted.h"

enum { QUOTE_CHARS = 1000, DATE_BYTES = 10 };

static const char style[] =
    ":root{color-scheme:light}*{box-sizing:border-box}"
    "body{margin:0;background:#f0f0ea;color:#1b1b2a;"
    "font:17px/1.6 Georgia,serif}"
    "main{max-width:46rem;margin:1.5rem auto;background:#fff;"
    "padding:clamp(1.1rem,5vw,4rem);border-radius:4px;"
    "box-shadow:0 1px 12px #0001}"
    "small,footer,h2.r,aside,.who{font:13px/1.5 system-ui,sans-serif;"
    "color:#5c5c66}"
    "h1{font-size:1.6rem;line-height:1.25;margin:.3rem 0 .6rem;"
    "overflow-wrap:anywhere}h2{font-size:1.15rem;margin:2rem 0 .5rem;"
    "white-space:pre-wrap;overflow-wrap:anywhere}"
    "hr{border:0;border-top:1px solid #e2e2dc;margin:1.2rem 0}"
    "article{white-space:pre-wrap;overflow-wrap:anywhere}"
    "a{color:#2c3cc4}a.n{font:600 12px/1 system-ui,sans-serif;background:"
    "#e8eafb;border-radius:4px;padding:3px 6px;text-decoration:none;"
    "margin:0 1px;white-space:nowrap}"
    "h2.r{color:#1b1b2a;margin:1.6rem 0 .4rem}ol{list-style:none;padding:0;"
    "margin:0}li{display:grid;grid-template-columns:13rem 1fr;gap:1rem;"
    "padding:1rem 0;border-top:1px solid #e2e2dc}"
    "li:target{background:#fffbe0}.bare{grid-template-columns:1fr}"
    "img{width:100%;border:1px solid #d9d9d2;border-radius:4px;display:block}"
    "cite{font:600 14px/1.4 system-ui,sans-serif;overflow-wrap:anywhere}"
    "blockquote{margin:.5rem 0 0;padding-left:.8rem;"
    "border-left:3px solid #ffe45c;font-size:.95rem;overflow-wrap:anywhere}"
    "@media(max-width:40rem){body{background:#fff}main{margin:0;box-shadow:"
    "none}li{grid-template-columns:1fr}}"
    "@media print{body{background:#fff}main{box-shadow:none;margin:0;padding:0}"
    "li{break-inside:avoid}}";

/* ---- Words -------------------------------------------------------------- */

enum word {
    W_SHARED,
    W_FROZEN,
    W_UNTIL,
    W_REFERENCES,
    W_FILE,
    W_PAGE,
    W_FOOT,
    W_ENDED,
    W_ENDED_TEXT,
    W_GONE,
    WORDS_N
};
// clang-format off
static const char *const words[WORDS_N][2] = {
    [W_SHARED] = {"A shared answer", "Una respuesta compartida"},
    [W_FROZEN] = {"Frozen on", "Fija desde el"},
    [W_UNTIL] = {"Readable until", "Se puede leer hasta el"},
    [W_REFERENCES] = {"References", "Referencias"},
    [W_FILE] = {"Download the file", "Descargar el archivo"},
    [W_PAGE] = {"Page", "Página"},
    [W_FOOT] = {("Written by a machine from the sources above; each number "
                 "leads to the words it rests on."),
                ("Escrita por una máquina a partir de las fuentes de arriba; "
                 "cada número lleva a las palabras en que se apoya.")},
    [W_ENDED] = {"This link has ended.", "Este enlace ha terminado."},
    [W_ENDED_TEXT] = {"Ask the person who sent it for a new one.",
                      "Pide uno nuevo a quien te lo envió."},
    [W_GONE] = {"This source can no longer be read.",
                "Esta fuente ya no se puede leer."}};
// clang-format on

static struct str word(bool spanish, enum word w)
{
    return str_c(words[w][spanish]);
}

/* ---- Text --------------------------------------------------------------- */

static void escaped(struct buf *b, struct str s)
{
    export_html_escape(b, s);
}

static void mark(struct buf *b, size_t message, const struct reference *r)
{
    buf_printf(b, "<a class=\"n\" href=\"#ref-%zu-%u\">%u</a>", message,
               r->number, r->number);
}

static const struct cited_writer writer = {escaped, mark};

static void date(struct buf *b, int64_t ms)
{
    char text[CLOCK_TEXT + 1];

    clock_text(ms, text);
    buf_add(b, (struct str){text, DATE_BYTES});
}

static void head(struct buf *b, bool spanish, struct str title)
{
    buf_add(b, STR("<!doctype html>\n<html lang=\""));
    buf_add(b, spanish ? STR("es") : STR("en"));
    buf_add(b, STR("\">\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width\">\n"
                   "<meta name=\"robots\" content=\"noindex, nofollow\">\n"
                   "<title>"));
    escaped(b, title);
    buf_add(b, STR("</title>\n<style>"));
    buf_add(b, str_c(style));
    buf_add(b, STR("</style>\n<main>\n"));
}

/* ---- References --------------------------------------------------------- */

static bool can_be_seen(const struct reference *r)
{
    return r->state == FOOTNOTE_LIVE || r->state == FOOTNOTE_CHANGED;
}

bool frozen_has_page(const struct reference *r)
{
    return r->cited && can_be_seen(r) && r->source.has_page &&
           r->source.document.n && r->source.page > 0 &&
           r->source.type == FOOTNOTE_SLIDE;
}

bool frozen_has_file(const struct reference *r)
{
    return r->cited && can_be_seen(r) &&
           (r->source.document.n || r->source.lecture.n);
}

static void picture(struct buf *b, const struct frozen *f, size_t message,
                    const struct reference *r)
{
    buf_printf(b, "<img loading=\"lazy\" src=\"/s/%.*s/%zu/%u.png\" alt=\"",
               STR_ARG(f->token), message, r->number);
    escaped(b, word(f->spanish, W_PAGE));
    buf_printf(b, " %lld\">", (long long)r->source.page);
}

static void entry(struct buf *b, struct arena *a, const struct frozen *f,
                  size_t message, const struct reference *r)
{
    struct str quote = cited_quote(a, &r->source, QUOTE_CHARS);
    struct str url = cited_url(&r->source);
    AUTO(buf_free) struct buf place = BUF(1024);
    bool seen = frozen_has_page(r);

    buf_printf(b, "<li id=\"ref-%zu-%u\"%s>", message, r->number,
               seen ? "" : " class=\"bare\"");
    if (seen)
        picture(b, f, message, r);
    buf_printf(b, "<div><a class=\"n\">%u</a> <cite dir=\"auto\">", r->number);
    if (r->state == FOOTNOTE_WITHDRAWN || r->state == FOOTNOTE_REDACTED)
        escaped(b, word(f->spanish, W_GONE));
    else
        escaped(b, cited_title(&r->source));
    buf_add(b, STR("</cite> "));
    cited_place(&place, &r->source);
    if (place.n) {
        buf_add(b, STR("<small>"));
        escaped(b, buf_str(&place));
        buf_add(b, STR("</small>"));
    }
    if (quote.n) {
        buf_add(b, STR("<blockquote dir=\"auto\">"));
        escaped(b, quote);
        buf_add(b, STR("</blockquote>"));
    }
    if (url.n) {
        buf_add(b, STR("<small><a rel=\"noreferrer nofollow\" href=\""));
        escaped(b, url);
        buf_add(b, STR("\">"));
        escaped(b, url);
        buf_add(b, STR("</a></small>"));
    }
    if (f->share->files && frozen_has_file(r))
        buf_printf(b, "<small><a href=\"/s/%.*s/%zu/%u/file\">%s</a></small>",
                   STR_ARG(f->token), message, r->number,
                   words[W_FILE][f->spanish]);
    buf_add(b, STR("</div></li>\n"));
}

/* Only what is not carried is told, quietly. */
static enum footnote_rc verdicts(struct buf *b, struct arena *a,
                                 const struct message *m,
                                 struct footnote_err *err)
{
    for (size_t i = 0; i < m->verdicts_n; i++) {
        struct noted *list;
        size_t n;

        TRY(noted_sentences(a, m, &m->verdicts[i], &list, &n, err));
        if (!n)
            continue;
        buf_add(b, STR("<aside><hr>"));
        noted_head(b, &m->verdicts[i], escaped);
        buf_add(b, STR("<br>\n"));
        for (size_t k = 0; k < n; k++) {
            buf_add(b, STR("<q dir=\"auto\">"));
            escaped(b, list[k].sentence);
            buf_add(b, STR("</q>: "));
            escaped(b, list[k].why);
            buf_add(b, STR("<br>\n"));
        }
        buf_add(b, STR("</aside>\n"));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc answer(struct buf *b, struct arena *a,
                               const struct frozen *f, size_t message,
                               struct footnote_err *err)
{
    const struct message *m = &f->messages[message - 1];
    bool any = false;

    buf_add(b, STR("<article dir=\"auto\">"));
    TRY(cited_text(b, a, m, message, &writer, err));
    buf_add(b, STR("</article>\n"));
    TRY(verdicts(b, a, m, err));
    for (size_t k = 0; k < m->sources_n; k++) {
        if (!m->sources[k].cited)
            continue;
        if (!any) {
            buf_add(b, STR("<h2 class=\"r\">"));
            buf_add(b, word(f->spanish, W_REFERENCES));
            buf_add(b, STR("</h2>\n<ol>\n"));
        }
        any = true;
        entry(b, a, f, message, &m->sources[k]);
    }
    buf_add(b, any ? STR("</ol>\n") : STR(""));
    return FOOTNOTE_OK;
}

enum footnote_rc frozen_page(struct buf *b, struct arena *a,
                             const struct frozen *f, struct footnote_err *err)
{
    struct str title = f->title;

    if (!title.n)
        title = word(f->spanish, W_SHARED);
    head(b, f->spanish, title);
    buf_add(b, STR("<div class=\"who\">"));
    buf_add(b, word(f->spanish, W_SHARED));
    buf_add(b, STR("</div>\n<h1 dir=\"auto\">"));
    escaped(b, title);
    buf_add(b, STR("</h1>\n<div class=\"who\">"));
    buf_add(b, word(f->spanish, W_FROZEN));
    buf_add_c(b, ' ');
    date(b, f->share->created_ms);
    buf_add(b, STR(". "));
    buf_add(b, word(f->spanish, W_UNTIL));
    buf_add_c(b, ' ');
    date(b, f->share->expires_ms);
    buf_add(b, STR(".</div>\n<hr>\n"));
    for (size_t i = 0; i < f->messages_n; i++) {
        const struct message *m = &f->messages[i];

        if (!cited_is_read(m) || str_eq(m->content, title))
            continue;
        if (m->role == FOOTNOTE_ASSISTANT) {
            TRY(answer(b, a, f, i + 1, err));
            continue;
        }
        buf_add(b, STR("<h2 dir=\"auto\">"));
        escaped(b, m->content);
        buf_add(b, STR("</h2>\n"));
    }
    buf_add(b, STR("<hr><footer>"));
    buf_add(b, word(f->spanish, W_FOOT));
    buf_add(b, STR("</footer>\n</main>\n</html>\n"));
    return buf_rc(b, err);
}

enum footnote_rc frozen_ended(struct buf *b, bool spanish,
                              struct footnote_err *err)
{
    head(b, spanish, word(spanish, W_ENDED));
    buf_add(b, STR("<h1>"));
    buf_add(b, word(spanish, W_ENDED));
    buf_add(b, STR("</h1>\n<p>"));
    buf_add(b, word(spanish, W_ENDED_TEXT));
    buf_add(b, STR("</p>\n</main>\n</html>\n"));
    return buf_rc(b, err);
}

enum footnote_rc frozen_policy(struct buf *b, struct footnote_err *err)
{
    struct sha256 digest;

    TRY(sha256(str_c(style), &digest, err));
    buf_add(b, STR("default-src 'none'; img-src 'self'; base-uri 'none'; "
                   "form-action 'none'; frame-ancestors 'none'; "
                   "style-src 'sha256-"));
    buf_add_base64(b, (struct str){(const char *)digest.b, SHA256_BYTES});
    buf_add_c(b, '\'');
    return buf_rc(b, err);
}
