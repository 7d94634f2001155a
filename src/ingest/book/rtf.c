/* rtf.c - rich text: headings, paragraphs, lists, tables, notes.
 *
 * RTF is groups of words: "{\\b bold\\par}".  A group inherits what its parent
 * has set; the first word of some groups says that they are no text. */
#include "base/utf8.h"
#include "ingest/book/rtf_words.h"
#include "ingest/format/reader.h"
#include "ingest/text/charset.h"
#include "ingest/text/lines.h"

#include "store/document/reason.h"

enum {
    GROUPS_MAX = 250, /* inside of each other */
    FONTS_MAX = 2000,
    STYLES_MAX = 2000,
    WORD_BYTES = 32,
    BYTES_HELD = 256, /* in an encoding of old, until they are decoded */
    TEXT_BYTES_MAX = 64 * 1024 * 1024,
    LEVELS_MAX = 9
};

enum place { IN_TEXT, IN_NOTE, IN_FONTS, IN_STYLES, IN_INFO, IN_TITLE };

struct group {
    enum place place;
    bool skip, hidden, star; /* star: may be ignored, by who does not know it */
    int64_t fallback;        /* characters behind each \\u */
    int64_t font, style;
};

struct rtf {
    struct format_reader *r;
    struct str s;
    size_t at;
    struct group stack[GROUPS_MAX];
    size_t depth;
    struct str page;             /* the encoding of the file */
    struct str fonts[FONTS_MAX]; /* theirs; absent: the file's */
    unsigned char levels[STYLES_MAX];
    char bytes[BYTES_HELD]; /* of one encoding */
    size_t bytes_n;
    uint32_t high;  /* first half of a pair */
    int64_t ignore; /* characters to skip: a fallback */
    struct buf text, note, name;
    struct clean clean;
    int level;
    bool in_table, item, after_item;
};

static struct group *top(struct rtf *d)
{
    return &d->stack[d->depth];
}

/* ---- Characters --------------------------------------------------------- */

static struct buf *out_of(struct rtf *d)
{
    switch (top(d)->place) {
    case IN_TEXT: return &d->text;
    case IN_NOTE: return &d->note;
    case IN_FONTS:
    case IN_STYLES:
    case IN_INFO:
    case IN_TITLE: break;
    }
    return &d->name;
}

static struct str encoding_now(const struct rtf *d)
{
    int64_t font = d->stack[d->depth].font;
    struct str own = font >= 0 && font < FONTS_MAX ? d->fonts[font] : STR_NONE;

    return own.p ? own : d->page;
}

static void decode_held(struct rtf *d)
{
    struct str bytes = {d->bytes, d->bytes_n};

    d->bytes_n = 0;
    if (bytes.n)
        charset_append(out_of(d), &d->clean, bytes, encoding_now(d));
}

/* Whether the character is to be kept; counts those of a fallback. */
static bool is_kept(struct rtf *d)
{
    const struct group *g = top(d);

    if (d->ignore > 0) {
        d->ignore--;
        return false;
    }
    if (g->skip)
        return false;
    d->clean.hidden |= g->hidden;
    return !g->hidden;
}

static void add_byte(struct rtf *d, char c)
{
    if (!is_kept(d))
        return;
    if (d->bytes_n == BYTES_HELD)
        decode_held(d);
    d->bytes[d->bytes_n++] = c;
}

static void add_char(struct rtf *d, uint32_t c)
{
    char s[4];

    if (!is_kept(d))
        return;
    decode_held(d);
    if (c >= 0xd800 && c < 0xdc00) {
        d->high = c;
        return;
    }
    if (c >= 0xdc00 && c < 0xe000 && d->high)
        c = 0x10000 + ((d->high - 0xd800) << 10) + (c - 0xdc00);
    else if (c >= 0xd800 && c < 0xe000)
        c = 0xfffd;
    d->high = 0;
    c = clean_char(&d->clean, c);
    if (c)
        buf_add(out_of(d), (struct str){s, utf8_put(c, s)});
}

/* ---- Out ---------------------------------------------------------------- */

static enum footnote_rc send_text(struct rtf *d, struct buf *b, bool row,
                                  struct footnote_err *err)
{
    struct chunk_piece p = {.whole = row};

    if (row)
        lines_squeeze(b);
    p.text = lines_trim(buf_str(b));
    p.gap = row || (d->item && d->after_item) ? GAP_LINE : GAP_BLOCK;
    d->after_item = d->item;
    return p.text.n ? chunk_add(&d->r->chunker, &p, err) : FOOTNOTE_OK;
}

static enum footnote_rc send_note(struct rtf *d, struct footnote_err *err)
{
    struct chunk_piece p = {.gap = GAP_LINE};

    TRY(buf_rc(&d->note, err));
    p.text = lines_trim(buf_str(&d->note));
    enum footnote_rc rc =
        p.text.n ? chunk_add(&d->r->chunker, &p, err) : FOOTNOTE_OK;
    buf_reset(&d->note);
    return rc;
}

/* Ends the open block. */
static enum footnote_rc flush(struct rtf *d, bool row, struct footnote_err *err)
{
    enum footnote_rc rc;

    decode_held(d);
    struct str text = lines_trim(buf_str(&d->text));
    TRY(buf_rc(&d->text, err));
    if (text.n && d->level && !row) {
        if (!d->r->facts->title.p)
            d->r->facts->title = arena_str(d->r->a, text);
        rc = chunk_heading(&d->r->chunker, d->level, text, err);
    } else {
        rc = send_text(d, &d->text, row, err);
    }
    buf_reset(&d->text);
    d->item = false;
    TRY(rc);
    return d->note.n ? send_note(d, err) : FOOTNOTE_OK;
}

static enum footnote_rc end_paragraph(struct rtf *d, struct footnote_err *err)
{
    if (top(d)->place != IN_TEXT || d->in_table) {
        add_char(d, ' ');
        return FOOTNOTE_OK;
    }
    return top(d)->skip ? FOOTNOTE_OK : flush(d, false, err);
}

static enum footnote_rc end_row(struct rtf *d, struct footnote_err *err)
{
    decode_held(d);
    lines_trim_end(&d->text);
    if (d->text.n && d->text.p[d->text.n - 1] == '|')
        d->text.n--;
    d->in_table = false;
    return flush(d, true, err);
}

/* ---- Names in tables ---------------------------------------------------- */

/* "heading 2;" of style 7: paragraphs of it are headings. */
static void name_style(struct rtf *d, const struct group *g)
{
    struct str name = lines_trim(buf_str(&d->name));
    int64_t level;

    if (name.n && name.p[name.n - 1] == ';')
        name.n--;
    if (lines_begins(name, STR("heading ")) &&
        str_i64(str_skip(name, 8), &level) && level >= 1 &&
        level <= LEVELS_MAX && g->style >= 0 && g->style < STYLES_MAX)
        d->levels[g->style] = (unsigned char)level;
}

static void end_group(struct rtf *d)
{
    const struct group *g = top(d);
    struct str name;

    decode_held(d);
    if (g->place == IN_STYLES)
        name_style(d, g);
    name = lines_trim(buf_str(&d->name));
    if (g->place == IN_TITLE && name.n && !d->r->facts->title.p)
        d->r->facts->title = arena_str(d->r->a, name);
    if (g->place > IN_NOTE)
        buf_reset(&d->name);
    d->ignore = 0;
    if (d->depth)
        d->depth--;
}

/* ---- Control words ------------------------------------------------------ */

struct control {
    char word[WORD_BYTES];
    size_t n;
    bool has;
    int64_t value;
};

/* Words that open a group of their own. */
static bool opens(struct rtf *d, struct str word)
{
    struct group *g = top(d);

    if (str_eq(word, STR("fonttbl")))
        g->place = IN_FONTS;
    else if (str_eq(word, STR("stylesheet")))
        g->place = IN_STYLES;
    else if (str_eq(word, STR("info")))
        g->place = IN_INFO;
    else if (str_eq(word, STR("title")) && g->place == IN_INFO)
        g->place = IN_TITLE;
    else if (str_eq(word, STR("footnote")) && !g->skip) {
        g->place = IN_NOTE;
        if (d->note.n)
            buf_add_c(&d->note, ' ');
        buf_add(&d->note, STR("Note: "));
    } else if (rtf_is_unread(word) || (g->star && !rtf_is_shown(word))) {
        if (!g->skip &&
            (str_eq(word, STR("listtext")) || str_eq(word, STR("pntext")))) {
            buf_add(&d->text, STR("- "));
            d->item = true;
        }
        g->skip = true;
    } else {
        return false;
    }
    return true;
}

static void set_style(struct rtf *d, int64_t style)
{
    top(d)->style = style;
    if (top(d)->place == IN_TEXT && style >= 0 && style < STYLES_MAX)
        d->level = d->levels[style];
}

static void set_outline(struct rtf *d, int64_t level)
{
    const struct group *g = top(d);

    if (level < 0 || level >= LEVELS_MAX)
        return;
    if (g->place == IN_TEXT)
        d->level = (int)level + 1;
    else if (g->place == IN_STYLES && g->style >= 0 && g->style < STYLES_MAX)
        d->levels[g->style] = (unsigned char)(level + 1);
}

static void set_font(struct rtf *d, int64_t font)
{
    decode_held(d);
    top(d)->font = font;
}

/* Words that change how what follows is read. */
static void set(struct rtf *d, struct str word, bool on, int64_t value)
{
    struct group *g = top(d);

    if (str_eq(word, STR("ansicpg")))
        d->page = rtf_code_page(value);
    else if (str_eq(word, STR("mac")))
        d->page = rtf_code_page(10000);
    else if (str_eq(word, STR("f")))
        set_font(d, value);
    else if (str_eq(word, STR("fcharset")) && g->place == IN_FONTS &&
             g->font >= 0 && g->font < FONTS_MAX)
        d->fonts[g->font] = rtf_charset(value);
    else if (str_eq(word, STR("uc")))
        g->fallback = value < 0 || value > 16 ? 1 : value;
    else if (str_eq(word, STR("v")) || str_eq(word, STR("deleted")))
        g->hidden = on;
    else if (str_eq(word, STR("plain")))
        g->hidden = false;
    else if (str_eq(word, STR("s")))
        set_style(d, value);
    else if (str_eq(word, STR("outlinelevel")))
        set_outline(d, value);
    else if (str_eq(word, STR("intbl")))
        d->in_table |= !g->skip;
    else if (str_eq(word, STR("pard")) && g->place == IN_TEXT && !g->skip) {
        d->level = 0;
        d->in_table = false;
    }
}

static enum footnote_rc run_word(struct rtf *d, const struct control *c,
                                 struct footnote_err *err)
{
    struct str word = {c->word, c->n};
    uint32_t sign = rtf_sign(word);

    if (str_eq(word, STR("bin"))) { /* bytes, not text */
        size_t n = c->value > 0 ? (size_t)c->value : 0;
        d->at += n < d->s.n - d->at ? n : d->s.n - d->at;
        return FOOTNOTE_OK;
    }
    if (opens(d, word))
        return FOOTNOTE_OK;
    top(d)->star = false;
    if (str_eq(word, STR("u"))) {
        add_char(d, (uint32_t)(c->value < 0 ? c->value + 65536 : c->value) &
                        0xffff);
        d->ignore = top(d)->skip ? 0 : top(d)->fallback;
    } else if (sign) {
        add_char(d, sign);
    } else if (str_eq(word, STR("par")) || str_eq(word, STR("sect"))) {
        return end_paragraph(d, err);
    } else if (str_eq(word, STR("cell")) && !top(d)->skip) {
        decode_held(d);
        lines_trim_end(&d->text);
        buf_add(&d->text, STR(" | "));
    } else if (str_eq(word, STR("row")) && !top(d)->skip) {
        return end_row(d, err);
    } else {
        set(d, word, !c->has || c->value != 0, c->has ? c->value : 0);
    }
    return FOOTNOTE_OK;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* From behind the backslash. */
static enum footnote_rc read_symbol(struct rtf *d, struct footnote_err *err)
{
    char c = d->s.p[d->at++];

    switch (c) {
    case '\'':
        if (d->at + 2 <= d->s.n && hex(d->s.p[d->at]) >= 0 &&
            hex(d->s.p[d->at + 1]) >= 0) {
            add_byte(d,
                     (char)(hex(d->s.p[d->at]) * 16 + hex(d->s.p[d->at + 1])));
            d->at += 2;
        }
        break;
    case '*': top(d)->star = true; break;
    case '~': add_char(d, ' '); break;
    case '_': add_char(d, '-'); break;
    case '\n':
    case '\r': return end_paragraph(d, err);
    case '\\':
    case '{':
    case '}': add_byte(d, c); break;
    default: break;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read_control(struct rtf *d, struct footnote_err *err)
{
    struct control c = {.n = 0};
    bool minus = false;

    if (d->at >= d->s.n)
        return FOOTNOTE_OK;
    if (!is_letter(d->s.p[d->at]))
        return read_symbol(d, err);
    for (; d->at < d->s.n && is_letter(d->s.p[d->at]); d->at++)
        if (c.n < WORD_BYTES)
            c.word[c.n++] = d->s.p[d->at];
    if (d->at < d->s.n && d->s.p[d->at] == '-') {
        minus = true;
        d->at++;
    }
    for (; d->at < d->s.n && d->s.p[d->at] >= '0' && d->s.p[d->at] <= '9';
         d->at++) {
        c.has = true;
        if (c.value < INT32_MAX)
            c.value = c.value * 10 + (d->s.p[d->at] - '0');
    }
    if (minus)
        c.value = -c.value;
    if (d->at < d->s.n && d->s.p[d->at] == ' ')
        d->at++;
    return run_word(d, &c, err);
}

/* ---- Together ----------------------------------------------------------- */

static enum footnote_rc read_groups(struct rtf *d, struct footnote_err *err)
{
    while (d->at < d->s.n) {
        char c = d->s.p[d->at++];

        if (c == '{') {
            decode_held(d);
            if (d->depth + 1 == GROUPS_MAX)
                return refuse(err, DAMAGED,
                              "the file has more than %d groups inside of "
                              "each other; it is broken",
                              GROUPS_MAX);
            d->stack[d->depth + 1] = d->stack[d->depth];
            d->depth++;
            top(d)->star = false;
            d->ignore = 0;
        } else if (c == '}') {
            end_group(d);
        } else if (c == '\\') {
            TRY(read_control(d, err));
        } else if (c != '\r' && c != '\n' && c != '\0') {
            add_byte(d, c);
        }
    }
    if (d->depth)
        return refuse(err, DAMAGED,
                      "the file ends in the middle: it is damaged");
    return FOOTNOTE_OK;
}

enum footnote_rc read_rtf(struct format_reader *r, struct footnote_err *err)
{
    struct rtf *d = arena_new(r->a, struct rtf);

    TRY(arena_rc(r->a, err));
    d->r = r;
    d->s = r->bytes;
    d->page = STR("windows-1252");
    d->stack[0].fallback = 1;
    d->stack[0].font = d->stack[0].style = -1;
    d->text = d->note = d->name = BUF(TEXT_BYTES_MAX);
    enum footnote_rc rc = read_groups(d, err);
    if (rc == FOOTNOTE_OK)
        rc = flush(d, false, err);
    buf_free(&d->text);
    buf_free(&d->note);
    buf_free(&d->name);
    TRY(rc);
    r->facts->hidden_text |= d->clean.hidden;
    return chunk_break(&r->chunker, err);
}
