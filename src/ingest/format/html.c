/* html.c - web pages: what a visitor reads, without what surrounds it.
 *
 * libxml2 repairs the tags and reports them one by one; no tree is built.
 * Scripts and styles, navigation, footers, forms, and elements that are not
 * shown are dropped.  A page of which nothing is left is read again, and then
 * loses only what is not shown, because some pages put everything into a <nav>
 * or leave one open. */
#include "ingest/format/html.h"
#include "base/utf8.h"
#include "ingest/format/html_tags.h"
#include "ingest/format/journal.h"
#include "ingest/format/markup.h"
#include "ingest/format/reader.h"
#include "ingest/format/xml.h"
#include "ingest/text/charset.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"

#include "store/document/reason.h"
#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>

enum {
    HTML_BYTES_MAX = 8 * 1024 * 1024,
    CHARSET_BYTES = 2048,    /* within these a page declares its charset */
    ROW_BYTES_MAX = 2 * 1024 /* a longer row of a table is layout */
};

/* ---- State -------------------------------------------------------------- */

struct html {
    struct format_reader *r;
    htmlParserCtxtPtr ctxt;
    enum footnote_rc rc;
    struct footnote_err *err;
    bool all;             /* the second time: drop only what is not shown */
    bool dropped;         /* something that is shown was dropped */
    int depth, skip_from; /* skip_from 0: nothing is being dropped */
    struct buf text;
    struct clean clean;
    enum chunk_gap gap;
    int heading; /* level of the open one */
    bool title;  /* inside of <title> */
    bool in_row, first_cell;
    int code; /* depth of <pre> */
};

static void stop_on(struct html *h, enum footnote_rc rc)
{
    if (h->rc != FOOTNOTE_OK || rc == FOOTNOTE_OK)
        return;
    h->rc = rc;
    xmlStopParser(h->ctxt);
}

/* ---- Out ---------------------------------------------------------------- */

/* Whether the text is only the "- " of a list item so far. */
static bool is_bare_item(const struct html *h)
{
    return str_eq(lines_trim(buf_str(&h->text)), STR("-"));
}

/* Ends the open block of any kind. */
static void flush(struct html *h)
{
    bool some = lines_trim(buf_str(&h->text)).n > 0 && !is_bare_item(h);

    stop_on(h, buf_rc(&h->text, h->err));
    if (h->in_row)
        lines_squeeze(&h->text);
    if (some && h->rc == FOOTNOTE_OK) {
        struct chunk_piece p = {.text = buf_str(&h->text), .gap = h->gap};
        p.whole = h->code > 0 || (h->in_row && p.text.n <= ROW_BYTES_MAX);
        stop_on(h, chunk_add(&h->r->chunker, &p, h->err));
        h->gap = GAP_BLOCK;
    }
    buf_reset(&h->text);
}

static void end_heading(struct html *h)
{
    struct str text = lines_trim(buf_str(&h->text));

    stop_on(h, buf_rc(&h->text, h->err));
    if (h->rc == FOOTNOTE_OK)
        stop_on(h, chunk_heading(&h->r->chunker, h->heading, text, h->err));
    buf_reset(&h->text);
    h->heading = 0;
}

/* A copy with single spaces, for text that the chunker does not see. */
static struct str one_line(struct arena *a, struct str s)
{
    struct str out = arena_str(a, lines_trim(s));
    char *p = (char *)(uintptr_t)out.p; /* our own copy */
    size_t n = 0;

    for (size_t i = 0; p && i < out.n; i++) {
        if ((unsigned char)p[i] > ' ')
            p[n++] = p[i];
        else if (n && p[n - 1] != ' ')
            p[n++] = ' ';
    }
    out.n = n;
    return out;
}

/* ---- Events ------------------------------------------------------------- */

static void read_meta(struct html *h, const xmlChar **attributes)
{
    struct str key = html_attribute(attributes, "property");
    struct str value = html_attribute(attributes, "content");
    char day[11];
    size_t n;

    if (!key.p)
        key = html_attribute(attributes, "name");
    if ((lines_same(key, STR("article:published_time")) ||
         lines_same(key, STR("date"))) &&
        value.p && journal_date(value, day, &n))
        h->r->facts->date = arena_str(h->r->a, str_c(day));
    else if (lines_same(key, STR("og:title")) && value.p && utf8_valid(value))
        h->r->facts->title = one_line(h->r->a, value);
}

static void read_facts(struct html *h, const char *name,
                       const xmlChar **attributes)
{
    struct str value;

    if (strcmp(name, "html") == 0) {
        value = html_attribute(attributes, "lang");
        if (value.n && utf8_valid(value))
            h->r->facts->language = arena_str(h->r->a, value);
    } else if (strcmp(name, "meta") == 0) {
        read_meta(h, attributes);
    } else if (strcmp(name, "img") == 0) {
        value = html_attribute(attributes, "alt");
        if (value.n && utf8_valid(value))
            clean_add(&h->clean, &h->text, value);
    }
}

static void open_block(struct html *h, const char *name)
{
    /* A paragraph inside of a cell is part of the row. */
    if (h->in_row && (strcmp(name, "p") == 0 || strcmp(name, "div") == 0)) {
        buf_add_c(&h->text, ' ');
        return;
    }
    if (is_bare_item(h))
        return;
    flush(h);
    h->in_row = false;
    h->gap = GAP_BLOCK;
}

static void open_tag(struct html *h, const char *name, enum html_role role)
{
    switch (role) {
    case ROLE_INLINE:
    case ROLE_UNSEEN: break;
    case ROLE_AROUND:
    case ROLE_BLOCK: open_block(h, name); break;
    case ROLE_ITEM:
        flush(h);
        h->in_row = false;
        buf_add(&h->text, STR("- "));
        break;
    case ROLE_ROW:
        flush(h);
        if (h->in_row)
            h->gap = GAP_LINE; /* the row before has no end tag */
        h->in_row = h->first_cell = true;
        break;
    case ROLE_CELL:
        if (!h->in_row)
            flush(h);
        else if (!h->first_cell)
            buf_add(&h->text, STR(" | ")); /* squeezed when the row ends */
        h->first_cell = false;
        break;
    case ROLE_BREAK: buf_add_c(&h->text, h->in_row ? ' ' : '\n'); break;
    case ROLE_CODE:
        open_block(h, name);
        h->code++;
        break;
    case ROLE_TITLE:
        flush(h);
        h->title = true;
        break;
    case ROLE_HEADING:
        open_block(h, name);
        h->heading = name[1] - '0';
        break;
    }
}

static void on_start(void *arg, const xmlChar *tag, const xmlChar **attributes)
{
    struct html *h = arg;
    const char *name = (const char *)tag;
    enum html_role role = html_role(name);

    /* libxml2 searches all open tags at each end. */
    if (++h->depth > MARKUP_DEPTH_MAX)
        stop_on(h, refuse(h->err, DAMAGED,
                          "the page has more than %d elements inside of "
                          "each other; it is broken",
                          MARKUP_DEPTH_MAX));
    if (h->rc != FOOTNOTE_OK || h->skip_from)
        return;
    if (role == ROLE_UNSEEN || html_is_hidden(attributes, &h->clean.hidden)) {
        h->skip_from = h->depth;
        return;
    }
    if (!h->all && html_is_around(role, attributes)) {
        h->skip_from = h->depth;
        h->dropped = true;
        return;
    }
    open_tag(h, name, role);
    read_facts(h, name, attributes);
}

static void close_tag(struct html *h, enum html_role role)
{
    struct str text;

    switch (role) {
    case ROLE_HEADING:
        if (h->heading)
            end_heading(h);
        break;
    case ROLE_TITLE:
        text = one_line(h->r->a, buf_str(&h->text));
        if (text.n && !h->r->facts->title.p)
            h->r->facts->title = text;
        h->title = false;
        buf_reset(&h->text);
        break;
    case ROLE_CODE:
        flush(h);
        h->code -= h->code > 0;
        break;
    case ROLE_ITEM:
        flush(h);
        h->gap = GAP_LINE;
        break;
    case ROLE_ROW:
        flush(h);
        h->gap = GAP_LINE;
        h->in_row = false;
        break;
    case ROLE_AROUND:
    case ROLE_BLOCK:
        if (!h->in_row && !h->heading)
            flush(h);
        break;
    case ROLE_INLINE:
    case ROLE_UNSEEN:
    case ROLE_CELL:
    case ROLE_BREAK: break;
    }
}

static void on_end(void *arg, const xmlChar *tag)
{
    struct html *h = arg;
    int depth = h->depth;

    if (depth > 0)
        h->depth--;
    if (h->rc != FOOTNOTE_OK)
        return;
    if (h->skip_from) {
        if (depth <= h->skip_from)
            h->skip_from = 0;
        return;
    }
    close_tag(h, html_role((const char *)tag));
}

static void on_text(void *arg, const xmlChar *text, int n)
{
    struct html *h = arg;
    struct str s = {(const char *)text, (size_t)n};

    if (h->rc == FOOTNOTE_OK && !h->skip_from)
        clean_add(&h->clean, &h->text, s);
}

static void on_error(void *arg, xmlErrorPtr error)
{
    (void)arg, (void)error; /* every page has some */
}

static const htmlSAXHandler handler = {.startElement = on_start,
                                       .endElement = on_end,
                                       .characters = on_text,
                                       .ignorableWhitespace = on_text,
                                       .serror = on_error,
                                       .initialized = XML_SAX2_MAGIC};

bool is_html(struct str head)
{
    head = lines_trim(head);
    return lines_begins(head, STR("<!doctype html")) ||
           lines_begins(head, STR("<html")) ||
           (lines_begins(head, STR("<?xml")) &&
            memmem(head.p, head.n, "<html", 5));
}

/* ---- Together ----------------------------------------------------------- */

/* The value of "charset=" near the top; absent when there is none. */
static struct str declared_charset(struct str bytes)
{
    static const char key[] = "charset=";

    if (bytes.n > CHARSET_BYTES)
        bytes.n = CHARSET_BYTES;
    for (size_t i = 0; i + sizeof(key) < bytes.n; i++) {
        struct str rest = str_skip(bytes, i);
        size_t n = 0;

        if (!lines_begins(rest, STR("charset=")))
            continue;
        rest = str_skip(rest, sizeof(key) - 1);
        if (rest.n && (*rest.p == '"' || *rest.p == '\''))
            rest = str_skip(rest, 1);
        while (n < rest.n && !strchr("\"' ;/>", rest.p[n]))
            n++;
        return (struct str){rest.p, n};
    }
    return STR_NONE;
}

static enum footnote_rc parse(struct html *h, struct str text)
{
    htmlParserCtxtPtr ctxt = htmlCreateMemoryParserCtxt(text.p, (int)text.n);

    if (!ctxt)
        return err_set(h->err, FOOTNOTE_NOMEM, "no memory to read the page");
    h->ctxt = ctxt;
    /* The text is decoded; the charset that it declares no longer holds. */
    htmlCtxtUseOptions(ctxt, HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
    xmlSwitchEncoding(ctxt, XML_CHAR_ENCODING_UTF8);
    *ctxt->sax = handler;
    ctxt->userData = h;
    htmlParseDocument(ctxt);
    if (h->rc == FOOTNOTE_OK && ctxt->errNo == XML_ERR_NO_MEMORY)
        h->rc = err_set(h->err, FOOTNOTE_NOMEM, "no memory to read the page");
    htmlFreeParserCtxt(ctxt);
    flush(h);
    return h->rc;
}

static enum footnote_rc read_page(struct format_reader *r, struct str text,
                                  bool all, bool *dropped,
                                  struct footnote_err *err)
{
    struct html h = {.r = r,
                     .err = err,
                     .all = all,
                     .text = BUF(HTML_BYTES_MAX),
                     .gap = GAP_BLOCK};
    enum footnote_rc rc = parse(&h, text);

    buf_free(&h.text);
    r->facts->hidden_text |= h.clean.hidden;
    *dropped = h.dropped;
    TRY(rc);
    TRY(arena_rc(r->a, err));
    return chunk_break(&r->chunker, err);
}

/* Reads the page `bytes`, which may be a part of r->bytes. */
static enum footnote_rc read_bytes(struct format_reader *r, struct str bytes,
                                   struct footnote_err *err)
{
    int64_t before = r->chunker.position;
    struct str text;
    bool dropped;

    xml_init();
    if (bytes.n > HTML_BYTES_MAX)
        return refuse(err, TOO_LARGE,
                      "the page is larger than %d MB, the most for HTML",
                      HTML_BYTES_MAX / (1024 * 1024));
    struct str own = declared_charset(bytes);
    TRY(charset_decode(r->a, bytes, charset_known(own) ? own : r->declared,
                       &text, &r->facts->hidden_text, &r->facts->encoding,
                       err));
    if (text.n == 0)
        return FOOTNOTE_OK;
    TRY(markup_check(text, MARKUP_HTML, err));
    TRY(read_page(r, text, false, &dropped, err));
    if (r->chunker.position != before || !dropped)
        return FOOTNOTE_OK;
    return read_page(r, text, true, &dropped, err);
}

enum footnote_rc read_html(struct format_reader *r, struct footnote_err *err)
{
    return read_bytes(r, r->bytes, err);
}

enum footnote_rc html_part(struct format_reader *r, struct str bytes,
                           struct footnote_err *err)
{
    struct extract_facts part = {.warning = ""}, *facts = r->facts;

    r->facts = &part;
    enum footnote_rc rc = read_bytes(r, bytes, err);
    r->facts = facts;
    facts->hidden_text |= part.hidden_text;
    return rc;
}
