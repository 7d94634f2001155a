/* charset.c - guesses the encoding of a text, and decodes it.
 *
 * Every decoder hands over one character at a time, so that cleaning is done
 * in one place and the text is written once.  A character that cannot be
 * decoded becomes U+FFFD, as browsers do. */
#include "ingest/text/charset.h"
#include "base/utf8.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"

#include "store/document/reason.h"
#include <assert.h>
#include <iconv.h>

enum encoding { UTF_8, UTF_16LE, UTF_16BE, WINDOWS_1252, OTHER, BINARY };
enum { REPLACEMENT = 0xfffd, SAMPLE_BYTES = 64 * 1024 };

/* ---- Guessing ----------------------------------------------------------- */

/* Length of the UTF-8 character at s.p[at]; 0 when there is none. */
static size_t utf8_length(struct str s, size_t at)
{
    unsigned char c = (unsigned char)s.p[at];
    size_t n = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

    if (n == 0 || c > 0xf4 || n > s.n - at)
        return 0;
    return utf8_valid((struct str){s.p + at, n}) ? n : 0;
}

/* UTF-8 may be damaged: one broken character in five is still UTF-8. */
static bool mostly_utf8(struct str s)
{
    size_t good = 0, bad = 0;

    if (s.n > SAMPLE_BYTES)
        s.n = utf8_whole((struct str){s.p, SAMPLE_BYTES});
    for (size_t at = 0; at < s.n;) {
        size_t n = utf8_length(s, at);
        bad += n == 0;
        good += n > 1;
        at += n ? n : 1;
    }
    return good >= 4 * bad;
}

static enum encoding guess_utf16(struct str s)
{
    size_t even = 0, odd = 0;

    for (size_t i = 0; i + 1 < s.n; i += 2) {
        even += s.p[i] == 0;
        odd += s.p[i + 1] == 0;
    }
    /* ASCII in UTF-16 is zero in every second byte, and in no other. */
    if (odd > s.n / 8 && even <= odd / 64)
        return UTF_16LE;
    return even > s.n / 8 && odd <= even / 64 ? UTF_16BE : BINARY;
}

static enum encoding guess(struct str s)
{
    size_t controls = 0;
    struct str head = {s.p, s.n < SAMPLE_BYTES ? s.n : SAMPLE_BYTES};

    for (size_t i = 0; i < head.n; i++)
        controls += (unsigned char)head.p[i] < ' ' &&
                    (head.p[i] < '\t' || head.p[i] > '\r') && head.p[i] != 0x1b;
    if (head.n && memchr(head.p, 0, head.n))
        return guess_utf16(head);
    if (controls > head.n / 32 + 2)
        return BINARY;
    return utf8_valid(s) || mostly_utf8(s) ? UTF_8 : WINDOWS_1252;
}

static bool skip_byte_order_mark(struct str *s, enum encoding *e)
{
    static const struct {
        struct str mark;
        enum encoding encoding;
    } marks[] = {{{"\xef\xbb\xbf", 3}, UTF_8},
                 {{"\xff\xfe", 2}, UTF_16LE},
                 {{"\xfe\xff", 2}, UTF_16BE}};

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (!str_starts(*s, marks[i].mark))
            continue;
        *s = str_skip(*s, marks[i].mark.n);
        *e = marks[i].encoding;
        return true;
    }
    return false;
}

bool charset_is_text(struct str head)
{
    enum encoding e;

    head.n = head.n == CHARSET_HEAD_BYTES ? utf8_whole(head) : head.n;
    return skip_byte_order_mark(&head, &e) || guess(head) != BINARY;
}

/* ---- Declared encodings ------------------------------------------------- */

/* Only these names reach iconv, which looks for others in files.  UTF-8 is not
 * among them: the bytes show it better than a claim does. */
static const char *const declarable[] = {
    "windows-1250", "windows-1251", "windows-1253", "windows-1254",
    "windows-1255", "windows-1256", "windows-1257", "windows-1258",
    "iso-8859-2",   "iso-8859-3",   "iso-8859-4",   "iso-8859-5",
    "iso-8859-6",   "iso-8859-7",   "iso-8859-8",   "iso-8859-9",
    "iso-8859-10",  "iso-8859-13",  "iso-8859-15",  "iso-8859-16",
    "koi8-r",       "koi8-u",       "shift_jis",    "euc-jp",
    "gbk",          "gb18030",      "big5",         "euc-kr",
    "gb2312",       "macintosh",    "iso-2022-jp",  "cp949",
    "tis-620",      "viscii",       "ibm866",       "ibm855",
    "ibm852",       "maccyrillic",  "iso-8859-11",  "johab",
    "euc-tw",
};

/* What others call them. */
static const char *const other_names[][2] = {{"uhc", "cp949"},
                                             {"mac-cyrillic", "maccyrillic"},
                                             {"x-sjis", "shift_jis"},
                                             {"ks_c_5601-1987", "cp949"},
                                             {"windows-949", "cp949"},
                                             {"hz-gb-2312", "gb2312"},
                                             {"windows-31j", "shift_jis"}};

const char *charset_known(struct str declared)
{
    for (size_t i = 0; i < sizeof(other_names) / sizeof(other_names[0]); i++)
        if (lines_same(declared, str_c(other_names[i][0])))
            return other_names[i][1];
    for (size_t i = 0; i < sizeof(declarable) / sizeof(declarable[0]); i++)
        if (lines_same(declared, str_c(declarable[i])))
            return declarable[i];
    return NULL;
}

static const char *const names[] = {[UTF_8] = "utf-8",
                                    [UTF_16LE] = "utf-16le",
                                    [UTF_16BE] = "utf-16be",
                                    [WINDOWS_1252] = "windows-1252",
                                    [OTHER] = "",
                                    [BINARY] = ""};

const char *charset_name(struct str encoding)
{
    for (int e = UTF_8; e <= WINDOWS_1252; e++)
        if (str_eq(encoding, str_c(names[e])))
            return names[e];
    return charset_known(encoding);
}

bool charset_is_legacy(struct str bytes)
{
    enum encoding e;

    return !skip_byte_order_mark(&bytes, &e) && guess(bytes) == WINDOWS_1252;
}

/* Japanese mail of old: ASCII in which escapes switch to two-byte letters. */
static bool is_iso_2022_jp(struct str s)
{
    static const struct str escape = {"\x1b$", 2};
    struct str head = {s.p, s.n < SAMPLE_BYTES ? s.n : SAMPLE_BYTES};

    for (size_t i = 0; i < head.n; i++)
        if ((unsigned char)head.p[i] >= 0x80)
            return false;
    return head.n && memmem(head.p, head.n, escape.p, escape.n);
}

/* ---- Decoding ----------------------------------------------------------- */

struct decoder {
    char *p;
    size_t n;
    struct clean clean;
};

/* Stops at the limit; `n` is then over it, which charset_decode() checks. */
static void put_char(struct decoder *d, uint32_t c)
{
    c = clean_char(&d->clean, c);
    if (c && d->n <= CHARSET_BYTES_MAX)
        d->n += utf8_put(c, d->p + d->n);
}

static void from_utf8(struct decoder *d, struct str s)
{
    for (size_t at = 0; at < s.n;) {
        if (utf8_length(s, at)) {
            put_char(d, utf8_next(s, &at));
        } else {
            put_char(d, REPLACEMENT);
            at++;
        }
    }
}

static uint32_t unit(struct str s, size_t at, bool big)
{
    unsigned char a = (unsigned char)s.p[at], b = (unsigned char)s.p[at + 1];
    return big ? (uint32_t)(a << 8 | b) : (uint32_t)(b << 8 | a);
}

static void from_utf16(struct decoder *d, struct str s, bool big)
{
    for (size_t at = 0; at + 1 < s.n; at += 2) {
        uint32_t c = unit(s, at, big);
        uint32_t low = at + 3 < s.n ? unit(s, at + 2, big) : 0;

        if (c >= 0xd800 && c < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            at += 2;
        } else if (c >= 0xd800 && c < 0xe000) {
            c = REPLACEMENT;
        }
        put_char(d, c);
    }
}

static void from_1252(struct decoder *d, struct str s)
{
    /* For 0x80 to 0x9f; all other bytes are Latin-1. */
    static const uint16_t signs[32] = {
        0x20ac, 0x81,   0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
        0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,   0x017d, 0x8f,
        0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
        0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,   0x017e, 0x0178};

    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        put_char(d, c >= 0x80 && c < 0xa0 ? signs[c - 0x80] : c);
    }
}

/* Converts a piece at a time, so that no second copy of the text is needed. */
static void from_other(struct decoder *d, struct str s, iconv_t cd)
{
    while (s.n) {
        char piece[4096], *out = piece;
        char *in = (char *)(uintptr_t)s.p; /* iconv only reads it */
        size_t in_n = s.n, out_n = sizeof(piece);
        size_t done = iconv(cd, &in, &in_n, &out, &out_n);
        size_t used = s.n - in_n;

        from_utf8(d, (struct str){piece, sizeof(piece) - out_n});
        if (used == 0 && done == (size_t)-1) {
            put_char(d, REPLACEMENT);
            used = 1;
        }
        s = str_skip(s, used);
    }
}

static enum footnote_rc decode(struct decoder *d, struct str s, enum encoding e,
                               const char **name, struct footnote_err *err)
{
    switch (e) {
    case UTF_8: from_utf8(d, s); return FOOTNOTE_OK;
    case UTF_16LE:
    case UTF_16BE: from_utf16(d, s, e == UTF_16BE); return FOOTNOTE_OK;
    case WINDOWS_1252: from_1252(d, s); return FOOTNOTE_OK;
    case OTHER: {
        iconv_t cd = iconv_open("UTF-8", *name);
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): iconv's way to fail */
        if (cd == (iconv_t)-1) {
            *name = "windows-1252";
            from_1252(d, s);
            return FOOTNOTE_OK;
        }
        from_other(d, s, cd);
        iconv_close(cd);
        return FOOTNOTE_OK;
    }
    case BINARY: break;
    }
    return refuse(err, NOT_TEXT,
                  "this is not a text file: it has bytes that no text has");
}

static enum footnote_rc too_large(struct footnote_err *err)
{
    return refuse(err, TOO_LARGE,
                  "the file is larger than %d MB, the most for text",
                  CHARSET_BYTES_MAX / (1024 * 1024));
}

enum footnote_rc charset_decode(struct arena *a, struct str bytes,
                                struct str declared, struct str *out,
                                bool *hidden, const char **encoding,
                                struct footnote_err *err)
{
    enum encoding e;
    const char *name = charset_known(declared);

    *out = STR("");
    if (bytes.n > CHARSET_BYTES_MAX)
        return too_large(err);
    if (!skip_byte_order_mark(&bytes, &e)) {
        e = guess(bytes);
        if (e == WINDOWS_1252 && name)
            e = OTHER;
        if (e == UTF_8 && is_iso_2022_jp(bytes)) {
            name = "iso-2022-jp";
            e = OTHER;
        }
    }
    *encoding = e == OTHER ? name : names[e];
    /* No encoding has a byte that becomes more than three bytes of UTF-8. */
    size_t most = e == UTF_8 && utf8_valid(bytes) ? bytes.n : 3 * bytes.n;
    if (most > CHARSET_BYTES_MAX)
        most = CHARSET_BYTES_MAX;
    struct decoder d = {.p = arena_alloc(a, most + 4)};
    if (!d.p)
        return arena_rc(a, err);
    TRY(decode(&d, bytes, e, encoding, err));
    if (d.n > CHARSET_BYTES_MAX)
        return too_large(err);
    assert(d.n <= most);
    *out = (struct str){d.p, d.n};
    *hidden |= d.clean.hidden;
    return FOOTNOTE_OK;
}

/* UTF-8 is what is declared most, and what is most often not there. */
static enum encoding told(struct str bytes, struct str declared)
{
    static const char *const latin[] = {"iso-8859-1", "windows-1252", "latin1",
                                        "cp1252"};
    enum encoding e;

    for (size_t i = 0; i < sizeof(latin) / sizeof(latin[0]); i++)
        if (lines_same(declared, str_c(latin[i])))
            return WINDOWS_1252;
    if (charset_known(declared))
        return OTHER;
    if (lines_same(declared, STR("utf-16le")))
        return UTF_16LE;
    if (lines_same(declared, STR("utf-16be")))
        return UTF_16BE;
    e = guess(bytes);
    return e == BINARY ? WINDOWS_1252 : e;
}

void charset_append(struct buf *out, struct clean *clean, struct str bytes,
                    struct str declared)
{
    enum { PIECE_BYTES = 16 * 1024 * 1024 };
    const char *name = charset_known(declared);
    enum encoding e;

    if (bytes.n > PIECE_BYTES)
        bytes.n = PIECE_BYTES;
    if (bytes.n == 0)
        return;
    if (!skip_byte_order_mark(&bytes, &e))
        e = told(bytes, declared);
    /* No encoding has a byte that becomes more than three bytes of UTF-8. */
    struct decoder d = {.p = buf_room(out, 3 * bytes.n + 4), .clean = *clean};
    if (!d.p || decode(&d, bytes, e, &name, NULL) != FOOTNOTE_OK)
        return;
    out->n += d.n;
    *clean = d.clean;
}
