/* docx.c - the shown path as a document of an office program, with a true
 * footnote at each place where an answer cites a source.
 *
 * Texts are shown as they were written, with their line breaks; Markdown is not
 * made of them.  A footnote quotes the sentence that carries the claim. */
#include "base/utf8.h"
#include "export/cited.h"
#include "export/export.h"
#include "export/zip_out.h"

#define XML  "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define WORD "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
#define OFFICE                                                                 \
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
#define PACKAGE "http://schemas.openxmlformats.org/package/2006"
#define TYPE    "application/vnd.openxmlformats-officedocument.wordprocessingml."

enum { QUOTE_CHARS = 300, PART_BYTES_MAX = 128 * 1024 * 1024 };

struct docx {
    struct arena *a;
    const struct shown_session *s;
    struct buf body, notes;
    unsigned notes_n;
};

/* ---- Text ---------------------------------------------------------------- */

/* What XML cannot hold is left out: controls, U+FFFE and U+FFFF. */
static void escaped(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n;) {
        size_t at = i;
        uint32_t c = utf8_next(s, &i);

        if (c == '&')
            buf_add(b, STR("&amp;"));
        else if (c == '<')
            buf_add(b, STR("&lt;"));
        else if (c == '>')
            buf_add(b, STR("&gt;"));
        else if (c == '\t' ||
                 (c >= ' ' && c != 0x7f && c != 0xfffe && c != 0xffff))
            buf_add(b, (struct str){s.p + at, i - at});
    }
}

static void run(struct buf *b, struct str s)
{
    buf_add(b, STR("<w:r><w:t xml:space=\"preserve\">"));
    escaped(b, s);
    buf_add(b, STR("</w:t></w:r>"));
}

/* Each line is a paragraph. */
static void plain(struct buf *b, struct str text)
{
    for (;;) {
        struct str line = {text.p, str_find(text, '\n')};

        if (line.n)
            run(b, line);
        if (line.n == text.n)
            return;
        buf_add(b, STR("</w:p>\n<w:p>"));
        text = str_skip(text, line.n + 1);
    }
}

/* ---- Footnotes ----------------------------------------------------------- */

static void note_text(struct docx *d, struct buf *b, const struct message *m,
                      const struct reference *r, struct str words)
{
    const struct cited c = {m, r};
    struct str quote =
        cited_line(d->a, words.p ? words : r->source.preview, QUOTE_CHARS);
    struct str url = cited_url(&r->source);

    buf_add_c(b, ' ');
    buf_add(b, cited_title(&r->source));
    struct buf place = BUF(1024);
    cited_place(&place, &r->source);
    if (place.n) {
        buf_add(b, STR(", "));
        buf_add(b, buf_str(&place));
    }
    buf_free(&place);
    buf_add_c(b, '.');
    if (quote.n) {
        buf_add(b, STR(" \xE2\x80\x9C"));
        buf_add(b, quote);
        buf_add(b, STR("\xE2\x80\x9D"));
    }
    if (url.n) {
        buf_add_c(b, ' ');
        buf_add(b, url);
    }
    if (d->s->base_url.n) {
        buf_add_c(b, ' ');
        cited_link(b, d->s, &c);
    }
}

static void note(void *arg, struct buf *b, const struct message *m,
                 const struct mark *at, const struct reference *r)
{
    struct docx *d = arg;
    struct buf text = BUF((size_t)1024 * 1024);

    d->notes_n++;
    buf_printf(b,
               "<w:r><w:rPr><w:rStyle w:val=\"FootnoteReference\"/></w:rPr>"
               "<w:footnoteReference w:id=\"%u\"/></w:r>",
               d->notes_n);
    note_text(d, &text, m, r, cited_words(m, at->start_utf16, r));
    buf_printf(&d->notes,
               "<w:footnote w:id=\"%u\"><w:p><w:pPr><w:pStyle "
               "w:val=\"FootnoteText\"/></w:pPr><w:r><w:rPr><w:rStyle "
               "w:val=\"FootnoteReference\"/></w:rPr><w:footnoteRef/></w:r>",
               d->notes_n);
    run(&d->notes, buf_str(&text));
    buf_add(&d->notes, STR("</w:p></w:footnote>\n"));
    buf_free(&text);
}

/* ---- The body ------------------------------------------------------------ */

static void styled(struct buf *b, const char *style, struct str text)
{
    buf_printf(b, "<w:p><w:pPr><w:pStyle w:val=\"%s\"/></w:pPr>", style);
    plain(b, text);
    buf_add(b, STR("</w:p>\n"));
}

static enum footnote_rc body(struct docx *d, struct footnote_err *err)
{
    const struct history *h = d->s->history;
    const struct cited_writer writer = {.plain = plain, .note = note, .arg = d};

    styled(&d->body, "Title", h->head.title.n ? h->head.title : h->head.id);
    for (size_t i = 0; i < h->messages_n; i++) {
        const struct message *m = &h->messages[i];

        if (!cited_is_read(m))
            continue;
        if (m->role == FOOTNOTE_USER) {
            styled(&d->body, "Heading1", m->content);
            continue;
        }
        buf_add(&d->body, STR("<w:p>"));
        TRY(cited_text(&d->body, d->a, m, i + 1, &writer, err));
        buf_add(&d->body, STR("</w:p>\n"));
    }
    TRY(buf_rc(&d->body, err));
    return buf_rc(&d->notes, err);
}

/* ---- The package --------------------------------------------------------- */

static const char types[] =
    XML "<Types xmlns=\"" PACKAGE "/content-types\">"
        "<Default Extension=\"rels\" ContentType=\"application/"
        "vnd.openxmlformats-package.relationships+xml\"/>"
        "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
        "<Override PartName=\"/word/document.xml\" ContentType=\"" TYPE
        "document.main+xml\"/>"
        "<Override PartName=\"/word/styles.xml\" ContentType=\"" TYPE
        "styles+xml\"/>"
        "<Override PartName=\"/word/footnotes.xml\" ContentType=\"" TYPE
        "footnotes+xml\"/></Types>";

static const char package[] =
    XML "<Relationships xmlns=\"" PACKAGE "/relationships\">"
        "<Relationship Id=\"rId1\" Type=\"" OFFICE
        "/officeDocument\" Target=\"word/document.xml\"/></Relationships>";

static const char relations[] =
    XML "<Relationships xmlns=\"" PACKAGE "/relationships\">"
        "<Relationship Id=\"rId1\" Type=\"" OFFICE
        "/styles\" Target=\"styles.xml\"/>"
        "<Relationship Id=\"rId2\" Type=\"" OFFICE
        "/footnotes\" Target=\"footnotes.xml\"/></Relationships>";

#define STYLE(kind, id, name, rest)                                            \
    "<w:style w:type=\"" kind "\" w:styleId=\"" id "\"><w:name w:val=\"" name  \
    "\"/>" rest "</w:style>"
static const char styles[] = XML "<w:styles xmlns:w=\"" WORD "\">" STYLE(
    "paragraph", "Title", "Title", "<w:rPr><w:b/><w:sz w:val=\"36\"/></w:rPr>")
    STYLE("paragraph", "Heading1", "heading 1",
          "<w:pPr><w:keepNext/><w:spacing w:before=\"240\"/>"
          "<w:outlineLvl w:val=\"0\"/></w:pPr>"
          "<w:rPr><w:b/><w:sz w:val=\"26\"/></w:rPr>")
        STYLE("paragraph", "FootnoteText", "footnote text",
              "<w:rPr><w:sz w:val=\"18\"/></w:rPr>")
            STYLE("character", "FootnoteReference", "footnote reference",
                  "<w:rPr><w:vertAlign "
                  "w:val=\"superscript\"/></w:rPr>") "</w:styles>";

static enum footnote_rc add_part(struct zip_out *z, const char *name,
                                 const char *head, struct buf *content,
                                 const char *tail, struct footnote_err *err)
{
    struct buf part = BUF(PART_BYTES_MAX);
    enum footnote_rc rc;

    buf_add(&part, str_c(head));
    buf_add(&part, buf_str(content));
    buf_add(&part, str_c(tail));
    rc = buf_rc(&part, err);
    if (rc == FOOTNOTE_OK)
        rc = zip_out_add(z, str_c(name), buf_str(&part), err);
    buf_free(&part);
    return rc;
}

static enum footnote_rc package_all(struct docx *d, struct buf *b,
                                    struct footnote_err *err)
{
    struct zip_out z = ZIP_OUT(b);

    TRY(zip_out_add(&z, STR("[Content_Types].xml"), str_c(types), err));
    TRY(zip_out_add(&z, STR("_rels/.rels"), str_c(package), err));
    TRY(zip_out_add(&z, STR("word/_rels/document.xml.rels"), str_c(relations),
                    err));
    TRY(zip_out_add(&z, STR("word/styles.xml"), str_c(styles), err));
    TRY(add_part(&z, "word/document.xml",
                 XML "<w:document xmlns:w=\"" WORD "\"><w:body>\n", &d->body,
                 "</w:body></w:document>\n", err));
    TRY(add_part(&z, "word/footnotes.xml",
                 XML "<w:footnotes xmlns:w=\"" WORD
                     "\"><w:footnote w:type=\"separator\" w:id=\"-1\"><w:p>"
                     "<w:r><w:separator/></w:r></w:p></w:footnote><w:footnote "
                     "w:type=\"continuationSeparator\" w:id=\"0\"><w:p><w:r>"
                     "<w:continuationSeparator/></w:r></w:p></w:footnote>\n",
                 &d->notes, "</w:footnotes>\n", err));
    return zip_out_end(&z, err);
}

enum footnote_rc export_docx(struct buf *b, struct arena *a,
                             const struct shown_session *s,
                             struct footnote_err *err)
{
    struct docx d = {.a = a,
                     .s = s,
                     .body = BUF(PART_BYTES_MAX),
                     .notes = BUF(PART_BYTES_MAX)};
    enum footnote_rc rc = body(&d, err);

    if (rc == FOOTNOTE_OK)
        rc = package_all(&d, b, err);
    buf_free(&d.body);
    buf_free(&d.notes);
    return rc;
}
