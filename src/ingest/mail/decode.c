/* decode.c - bytes and words of mail. */
#include "ingest/mail/decode.h"
#include "ingest/text/charset.h"
#include "ingest/text/lines.h"

#include <stdio.h>

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* `words`: an underscore is a space, and lines do not end softly. */
static void from_quoted(struct buf *out, struct str s, bool words)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool escape = c == '=' && i + 2 < s.n && hex(s.p[i + 1]) >= 0 &&
                      hex(s.p[i + 2]) >= 0;

        if (escape) {
            buf_add_c(out, (char)(hex(s.p[i + 1]) * 16 + hex(s.p[i + 2])));
            i += 2;
        } else if (words && c == '_') {
            buf_add_c(out, ' ');
        } else if (words || c != '=') {
            buf_add_c(out, c);
        } else { /* the line goes on */
            while (i + 1 < s.n && strchr(" \t\r", s.p[i + 1]))
                i++;
            i += i + 1 < s.n && s.p[i + 1] == '\n';
        }
    }
}

static int digit64(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' || c == '-' ? 62
           : c == '/' || c == '_' ? 63
                                  : -1;
}

static void from_base64(struct buf *out, struct str s)
{
    uint32_t held = 0;
    int bits = 0;

    for (size_t i = 0; i < s.n && s.p[i] != '='; i++) {
        int v = digit64(s.p[i]);

        if (v < 0)
            continue;
        held = held << 6 | (uint32_t)v;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            buf_add_c(out, (char)(held >> bits & 0xff));
        }
    }
}

void mail_decode(struct buf *out, struct str body, struct str encoding)
{
    encoding = lines_trim(encoding);
    if (lines_same(encoding, STR("quoted-printable")))
        from_quoted(out, body, false);
    else if (lines_same(encoding, STR("base64")))
        from_base64(out, body);
    else
        buf_add(out, body);
}

/* "=?charset?Q?text?=" at the start of s: its bytes, or 0. */
static size_t encoded_word(struct buf *out, struct clean *k, struct str s)
{
    enum { WORD_BYTES_MAX = 2000 };
    struct str rest = str_skip(s, 2), charset, text;
    size_t n = str_find(rest, '?');
    struct buf bytes = BUF(WORD_BYTES_MAX);

    if (n + 3 >= rest.n || rest.p[n + 2] != '?')
        return 0;
    charset = (struct str){rest.p, n};
    charset.n = str_find(charset, '*'); /* and a language */
    char kind = (char)(rest.p[n + 1] | 0x20);
    text = str_skip(rest, n + 3);
    size_t end = 0;
    while (end + 1 < text.n && end < WORD_BYTES_MAX &&
           !(text.p[end] == '?' && text.p[end + 1] == '='))
        end++;
    if (end + 1 >= text.n || end == WORD_BYTES_MAX ||
        (kind != 'q' && kind != 'b'))
        return 0;
    text.n = end;
    if (kind == 'q')
        from_quoted(&bytes, text, true);
    else
        from_base64(&bytes, text);
    charset_append(out, k, buf_str(&bytes), charset);
    buf_free(&bytes);
    return (size_t)(text.p + end + 2 - s.p);
}

void mail_words(struct buf *out, struct clean *k, struct str value)
{
    while (value.n) {
        size_t n =
            str_starts(value, STR("=?")) ? encoded_word(out, k, value) : 0;

        if (n) { /* blanks between two of them are none */
            size_t blanks = 0;

            value = str_skip(value, n);
            while (blanks < value.n && strchr(" \t\r\n", value.p[blanks]))
                blanks++;
            if (str_starts(str_skip(value, blanks), STR("=?")))
                value = str_skip(value, blanks);
            continue;
        }
        n = 1;
        while (n < value.n && value.p[n] != '=')
            n++;
        charset_append(out, k, (struct str){value.p, n}, STR_NONE);
        value = str_skip(value, n);
    }
    lines_squeeze(out);
}

struct str mail_parameter(struct str value, const char *name)
{
    size_t at = str_find(value, ';');

    while (at < value.n) {
        struct str rest = lines_trim(str_skip(value, at + 1)), v;
        size_t n = 0;

        while (n < rest.n && rest.p[n] != '=' && rest.p[n] != ';')
            n++;
        struct str key = lines_trim((struct str){rest.p, n});
        if (n < rest.n && rest.p[n] == '=') {
            v = lines_trim(str_skip(rest, n + 1));
            bool quoted = v.n && *v.p == '"';
            if (quoted) {
                v = str_skip(v, 1);
                v.n = str_find(v, '"');
            } else {
                v.n = str_find(v, ';');
                v = lines_trim(v);
            }
            if (lines_same(key, str_c(name)))
                return v;
            at = (size_t)(v.p + v.n + quoted - value.p);
        } else {
            at = (size_t)(rest.p + n - value.p);
        }
        while (at < value.n && value.p[at] != ';')
            at++;
    }
    return STR_NONE;
}

/* The next word, between blanks and commas. */
static struct str next_word(struct str *s)
{
    size_t n = 0;

    while (s->n && strchr(" \t,\r\n", *s->p))
        *s = str_skip(*s, 1);
    while (n < s->n && !strchr(" \t,\r\n", s->p[n]))
        n++;
    struct str word = {s->p, n};
    *s = str_skip(*s, n);
    return word;
}

bool mail_date(struct str value, char out[11])
{
    static const char months[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    int64_t day, year;
    struct str word = next_word(&value);

    if (!str_i64(word, &day)) /* its name comes first */
        word = next_word(&value);
    struct str month = next_word(&value), number = next_word(&value);
    if (!str_i64(word, &day) || day < 1 || day > 31 || month.n < 3 ||
        !str_i64(number, &year))
        return false;
    year += year < 50 ? 2000 : year < 100 ? 1900 : 0;
    month.n = 3;
    for (int m = 0; m < 12; m++)
        if (lines_same(month, (struct str){months + 3 * (size_t)m, 3}) &&
            year >= 1900 && year < 10000) {
            char text[32];

            snprintf(text, sizeof(text), "%04lld-%02d-%02lld", (long long)year,
                     m + 1, (long long)day);
            memcpy(out, text, 11);
            return true;
        }
    return false;
}
