/* bibliography.c - cited sources as BibTeX, CSL-JSON and RIS.
 *
 *     slide, text, image   @misc            document, graphic    GEN, FIGURE
 *     lecture              @misc            motion_picture       VIDEO
 *     journal              @misc            entry                GEN
 *     web                  @online          webpage              ELEC
 *
 * biblatex has no @online without a url: it is @misc then.
 *
 * Texts are hostile: each format has one function that writes them. */
#include "base/json.h"
#include "base/utf8.h"
#include "export/cited.h"
#include "export/export.h"
#include "http/shape/shape.h"

enum { QUOTE_CHARS = 1000, TITLE_CHARS = 1000, ACCESSED_CHARS = 10 };

/* The day on which the answer was written: what was cited was there then. */
static void add_day(struct buf *b, const struct message *m)
{
    struct buf time = BUF(64);

    shape_time(&time, m->created_ms);
    if (time.n > ACCESSED_CHARS)
        buf_add(b, (struct str){time.p + 1, ACCESSED_CHARS});
    buf_free(&time);
}

/* YYYY-MM-DD; *out gets its parts. */
static bool day_of(struct str date, int out[3])
{
    static const size_t at[] = {0, 5, 8}, n[] = {4, 2, 2};

    if (date.n != 10 || date.p[4] != '-' || date.p[7] != '-')
        return false;
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (size_t k = at[i]; k < at[i] + n[i]; k++) {
            if (date.p[k] < '0' || date.p[k] > '9')
                return false;
            out[i] = out[i] * 10 + (date.p[k] - '0');
        }
    }
    return out[1] >= 1 && out[1] <= 12 && out[2] >= 1 && out[2] <= 31;
}

/* ---- BibTeX -------------------------------------------------------------- */

/* What means something to TeX becomes a command that prints it.  Braces come
 * in pairs then, whatever the text has. */
static void add_tex(struct buf *b, struct str s)
{
    static const char special[] = "\\{}$&#_%^~";
    static const char *const written[] = {"\\textbackslash{}",
                                          "\\textbraceleft{}",
                                          "\\textbraceright{}",
                                          "\\$",
                                          "\\&",
                                          "\\#",
                                          "\\_",
                                          "\\%",
                                          "\\textasciicircum{}",
                                          "\\textasciitilde{}"};

    for (size_t i = 0; i < s.n; i++) {
        const char *c = s.p[i] ? strchr(special, s.p[i]) : NULL;

        if (c)
            buf_add(b, str_c(written[c - special]));
        else if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
            buf_add_c(b, ' ');
        else
            buf_add_c(b, s.p[i]);
    }
}

static void tex_field(struct buf *b, const char *name, struct str value)
{
    if (!value.n)
        return;
    buf_printf(b, ",\n  %s = {", name);
    add_tex(b, value);
    buf_add_c(b, '}');
}

/* A url is not typeset: what would end it is percent-encoded. */
static void tex_url(struct buf *b, struct str url)
{
    if (!url.n)
        return;
    buf_add(b, STR(",\n  url = {"));
    for (size_t i = 0; i < url.n; i++)
        if (strchr("{}\\", url.p[i]))
            buf_printf(b, "%%%02X", (unsigned char)url.p[i]);
        else
            buf_add_c(b, url.p[i]);
    buf_add_c(b, '}');
}

static void bibtex_one(struct buf *b, struct arena *a,
                       const struct shown_session *s, const struct cited *c)
{
    const struct source *from = &c->ref->source;
    struct buf place = BUF(1024), link = BUF(4096), day = BUF(64);
    char key[CITED_KEY + 1];
    int parts[3];
    bool online = from->type == FOOTNOTE_WEB && cited_url(from).n;

    cited_key(c, key);
    cited_place(&place, from);
    if (s->base_url.n)
        cited_link(&link, s, c);
    add_day(&day, c->message);
    buf_printf(b, "@%s{%s", online ? "online" : "misc", key);
    tex_field(b, "title", utf8_cut(cited_title(from), TITLE_CHARS));
    tex_url(b, cited_url(from));
    if (day_of(from->date, parts))
        tex_field(b, "date", from->date);
    if (online)
        tex_field(b, "urldate", buf_str(&day));
    /* Programs take up `pages`; with @misc, styles print the other alone. */
    if (from->has_page)
        buf_printf(b, ",\n  pages = {%lld}", (long long)from->page);
    tex_field(b, "howpublished", buf_str(&place));
    tex_field(b, "annotation", cited_quote(a, from, QUOTE_CHARS));
    tex_field(b, "note", buf_str(&link));
    buf_add(b, STR("\n}\n"));
    buf_free(&place);
    buf_free(&link);
    buf_free(&day);
}

/* ---- CSL-JSON ------------------------------------------------------------ */

static const char *csl_type(enum footnote_type type)
{
    switch (type) {
    case FOOTNOTE_LECTURE: return "motion_picture";
    case FOOTNOTE_JOURNAL: return "entry";
    case FOOTNOTE_WEB: return "webpage";
    case FOOTNOTE_IMAGE: return "graphic";
    case FOOTNOTE_SLIDE:
    case FOOTNOTE_TEXT: break;
    }
    return "document";
}

static void csl_text(struct json_out *w, const char *key, struct str value)
{
    if (!value.n)
        return;
    json_key(w, str_c(key));
    json_str(w, value);
}

static void csl_date(struct json_out *w, const char *key, struct str date)
{
    int parts[3];

    if (!day_of(date, parts))
        return;
    json_key(w, str_c(key));
    json_object(w);
    json_key(w, STR("date-parts"));
    json_array(w);
    json_array(w);
    for (int i = 0; i < 3; i++)
        json_i64(w, parts[i]);
    json_end(w, ']');
    json_end(w, ']');
    json_end(w, '}');
}

static void csl_one(struct json_out *w, struct arena *a,
                    const struct shown_session *s, const struct cited *c)
{
    const struct source *from = &c->ref->source;
    struct buf place = BUF(1024), link = BUF(4096), day = BUF(64);
    char key[CITED_KEY + 1];

    cited_key(c, key);
    cited_place(&place, from);
    if (s->base_url.n)
        cited_link(&link, s, c);
    add_day(&day, c->message);
    json_object(w);
    csl_text(w, "id", str_c(key));
    csl_text(w, "type", str_c(csl_type(from->type)));
    csl_text(w, "title", utf8_cut(cited_title(from), TITLE_CHARS));
    csl_text(w, "URL", cited_url(from));
    csl_date(w, "issued", from->date);
    if (from->type == FOOTNOTE_WEB)
        csl_date(w, "accessed", buf_str(&day));
    if (from->has_page) {
        json_key(w, STR("page"));
        buf_reset(&place);
        buf_printf(&place, "%lld", (long long)from->page);
        json_str(w, buf_str(&place));
    } else if (from->has_start) {
        csl_text(w, "dimensions", buf_str(&place));
    }
    csl_text(w, "abstract", cited_quote(a, from, QUOTE_CHARS));
    csl_text(w, "note", buf_str(&link));
    json_end(w, '}');
    buf_free(&place);
    buf_free(&link);
    buf_free(&day);
}

/* ---- RIS ----------------------------------------------------------------- */

static const char *ris_type(enum footnote_type type)
{
    switch (type) {
    case FOOTNOTE_LECTURE: return "VIDEO";
    case FOOTNOTE_WEB: return "ELEC";
    case FOOTNOTE_IMAGE: return "FIGURE";
    case FOOTNOTE_JOURNAL:
    case FOOTNOTE_SLIDE:
    case FOOTNOTE_TEXT: break;
    }
    return "GEN";
}

/* A value ends with its line, and one space is as good as two: readers find
 * tags by "  - ". */
static void ris_field(struct buf *b, const char *tag, struct str value)
{
    bool gap = true;

    if (!value.n)
        return;
    buf_printf(b, "%s  - ", tag);
    for (size_t i = 0; i < value.n; i++) {
        unsigned char c = (unsigned char)value.p[i];
        bool blank = c <= ' ' || c == 0x7f;

        if (!blank)
            buf_add_c(b, (char)c);
        else if (!gap)
            buf_add_c(b, ' ');
        gap = blank;
    }
    buf_add(b, STR("\r\n"));
}

static void ris_one(struct buf *b, struct arena *a,
                    const struct shown_session *s, const struct cited *c)
{
    const struct source *from = &c->ref->source;
    struct buf place = BUF(1024), link = BUF(4096), day = BUF(64);
    char key[CITED_KEY + 1];
    int parts[3];

    cited_key(c, key);
    cited_place(&place, from);
    if (s->base_url.n)
        cited_link(&link, s, c);
    add_day(&day, c->message);
    ris_field(b, "TY", str_c(ris_type(from->type)));
    ris_field(b, "ID", str_c(key));
    ris_field(b, "TI", utf8_cut(cited_title(from), TITLE_CHARS));
    ris_field(b, "UR", cited_url(from));
    if (day_of(from->date, parts))
        buf_printf(b, "DA  - %04d/%02d/%02d\r\n", parts[0], parts[1], parts[2]);
    if (from->type == FOOTNOTE_WEB)
        ris_field(b, "Y2", buf_str(&day));
    if (from->has_page)
        buf_printf(b, "SP  - %lld\r\n", (long long)from->page);
    else if (from->has_start)
        ris_field(b, "M1", buf_str(&place));
    ris_field(b, "AB", cited_quote(a, from, QUOTE_CHARS));
    ris_field(b, "N1", buf_str(&link));
    buf_add(b, STR("ER  - \r\n"));
    buf_free(&place);
    buf_free(&link);
    buf_free(&day);
}

/* ---- All of it ----------------------------------------------------------- */

enum footnote_rc export_bibliography(struct buf *b, struct arena *a,
                                     enum export_format format,
                                     const struct shown_session *s,
                                     struct footnote_err *err)
{
    struct json_out w = JSON_OUT(b);
    struct cited *list;
    size_t n;

    TRY(cited_all(a, s->history, &list, &n, err));
    if (format == EXPORT_CSL)
        json_array(&w);
    for (size_t i = 0; i < n; i++)
        if (format == EXPORT_CSL)
            csl_one(&w, a, s, &list[i]);
        else if (format == EXPORT_RIS)
            ris_one(b, a, s, &list[i]);
        else
            bibtex_one(b, a, s, &list[i]);
    if (format == EXPORT_CSL) {
        json_end(&w, ']');
        buf_add_c(b, '\n');
    }
    return buf_rc(b, err);
}
