/* multipart_head.c - the headers of a part: its names and its type.
 *
 * Names come as clients write them: a token or a quoted string, in which
 * browsers write %22 for a quote and others \"; or filename*, which then
 * counts.  Folders in a file's name are dropped: it is a label. */
#include <strings.h>

#include "base/utf8.h"
#include "http/core/multipart.h"
#include "http/core/parse.h"

#define BROKEN "the multipart body is broken: "

static bool is_word(struct str s, const char *word)
{
    return s.n == strlen(word) && strncasecmp(s.p, word, s.n) == 0;
}

static struct str trim(struct str s)
{
    while (s.n && (*s.p == ' ' || *s.p == '\t'))
        s = str_skip(s, 1);
    while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
        s.n--;
    return s;
}

/* ---- Parameters --------------------------------------------------------- */

static struct str token(struct str *rest)
{
    struct str t = {rest->p, 0};

    while (t.n < rest->n && head_is_token((unsigned char)rest->p[t.n]))
        t.n++;
    *rest = str_skip(*rest, t.n);
    return t;
}

/* Behind the first quote.  False when it has no end, or no room. */
static bool unquote(struct str *rest, char *room, size_t room_n,
                    struct str *out)
{
    size_t n = 0;

    while (rest->n && *rest->p != '"') {
        size_t skip = 1;
        char c = *rest->p;

        if (c == '\\' && rest->n > 1 && strchr("\"\\", rest->p[1])) {
            c = rest->p[1];
            skip = 2;
        } else if (str_starts(*rest, STR("%22"))) {
            c = '"';
            skip = 3;
        }
        if (n == room_n)
            return false;
        room[n++] = c;
        *rest = str_skip(*rest, skip);
    }
    *out = (struct str){room, n};
    if (rest->n == 0)
        return false;
    *rest = str_skip(*rest, 1);
    return true;
}

static bool read_value(struct str *rest, char *room, size_t room_n,
                       struct str *out)
{
    if (!rest->n || *rest->p != '"') {
        *out = token(rest);
        return out->n > 0;
    }
    *rest = str_skip(*rest, 1);
    return unquote(rest, room, room_n, out);
}

bool parameter_next(struct str *rest, char *room, size_t room_n,
                    struct parameter *out)
{
    *out = (struct parameter){.name = {"", 0}, .value = {"", 0}};
    *rest = trim(*rest);
    if (rest->n == 0)
        return false;
    if (*rest->p == ';') {
        *rest = trim(str_skip(*rest, 1));
        out->name = token(rest);
    }
    if (out->name.n && rest->n && *rest->p == '=') {
        *rest = str_skip(*rest, 1);
        if (read_value(rest, room, room_n, &out->value))
            return true;
    }
    out->name = STR("");
    *rest = STR("");
    return true;
}

/* ---- Content-Disposition ------------------------------------------------ */

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* UTF-8'language'percent-encoded (RFC 8187). */
static bool read_extended(struct str v, char *room, size_t room_n,
                          struct str *out)
{
    struct str utf8 = STR("utf-8'");
    size_t n = 0;

    if (v.n < utf8.n || strncasecmp(v.p, utf8.p, utf8.n) != 0)
        return false;
    v = str_skip(v, utf8.n);
    if (str_find(v, '\'') == v.n)
        return false;
    v = str_skip(v, str_find(v, '\'') + 1);
    while (v.n && n < room_n) {
        bool coded = *v.p == '%';
        int high = coded && v.n > 2 ? hex(v.p[1]) : -1;
        int low = coded && v.n > 2 ? hex(v.p[2]) : -1;

        if (coded && (high < 0 || low < 0))
            return false;
        room[n] = *v.p;
        if (coded)
            room[n] = (char)(high * 16 + low);
        n++;
        v = str_skip(v, coded ? 3 : 1);
    }
    *out = (struct str){room, n};
    return v.n == 0;
}

static bool is_label(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
            return false;
    return utf8_valid(s);
}

bool multipart_filename(struct str given, struct str *out)
{
    size_t at = given.n; /* behind the last folder */

    while (at > 0 && given.p[at - 1] != '/' && given.p[at - 1] != '\\')
        at--;
    *out = str_skip(given, at);
    return out->n <= MULTIPART_FILENAME_BYTES_MAX && is_label(*out);
}

struct disposition { /* what its parameters say */
    struct str name, filename, extended;
};

static struct str *parameter_of(struct disposition *d, struct str name)
{
    if (is_word(name, "name"))
        return &d->name;
    if (is_word(name, "filename"))
        return &d->filename;
    return is_word(name, "filename*") ? &d->extended : NULL;
}

/* Texts go to `room`, one behind the other. */
static enum footnote_rc read_disposition(struct str v, char *room,
                                         size_t room_n, struct disposition *d,
                                         struct footnote_err *err)
{
    struct parameter p;

    if (!is_word(token(&v), "form-data"))
        return err_set(err, FOOTNOTE_INVALID, BROKEN "a part is no form-data");
    while (parameter_next(&v, room, room_n, &p)) {
        struct str *to = parameter_of(d, p.name);

        if (p.name.n == 0 || (to && to->p))
            return err_set(err, FOOTNOTE_INVALID,
                           BROKEN "a Content-Disposition cannot be read");
        if (!to)
            continue;
        *to = p.value;
        if (p.value.p == room) {
            room += p.value.n;
            room_n -= p.value.n;
        }
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc keep_name(struct multipart *m, struct str name,
                                  struct footnote_err *err)
{
    if (name.n == 0 || name.n > MULTIPART_NAME_BYTES_MAX || !is_label(name))
        return err_set(err, FOOTNOTE_INVALID,
                       BROKEN "a part has no name, or none that we can read");
    for (size_t i = 0; i < m->parts; i++)
        if (str_eq(name, (struct str){m->names[i], m->names_n[i]}))
            return err_field_str(err, FOOTNOTE_INVALID, name, "came twice");
    if (m->parts == MULTIPART_PARTS_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "more than %d parts",
                       MULTIPART_PARTS_MAX);
    memcpy(m->names[m->parts], name.p, name.n);
    m->names_n[m->parts++] = name.n;
    return FOOTNOTE_OK;
}

static enum footnote_rc name_part(struct multipart *m, struct str disposition,
                                  struct form_part *out,
                                  struct footnote_err *err)
{
    char room[MULTIPART_HEAD_BYTES_MAX];
    struct disposition d = {.name = STR_NONE};
    struct str file;

    TRY(read_disposition(disposition, room, sizeof(room), &d, err));
    TRY(keep_name(m, d.name.p ? d.name : STR(""), err));
    out->name = (struct str){m->names[m->parts - 1], m->names_n[m->parts - 1]};
    file = d.filename;
    if (d.extended.p &&
        !read_extended(d.extended, m->filename, sizeof(m->filename), &file))
        return err_set(err, FOOTNOTE_INVALID, BROKEN "filename* is not UTF-8");
    if (!file.p)
        return FOOTNOTE_OK;
    if (!multipart_filename(file, &file))
        return err_set(err, FOOTNOTE_INVALID,
                       BROKEN "a file's name is too long, or is not UTF-8");
    memmove(m->filename, file.p, file.n);
    out->filename = (struct str){m->filename, file.n};
    return FOOTNOTE_OK;
}

/* ---- The head as a whole ------------------------------------------------ */

static bool is_text(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (((unsigned char)s.p[i] < 0x20 && s.p[i] != '\t') || s.p[i] == 0x7f)
            return false;
    return true;
}

static enum footnote_rc read_line(struct str *head, struct parameter *out,
                                  struct footnote_err *err)
{
    struct str line = {head->p, str_find(*head, '\r')};
    struct str rest = line;

    *head = str_skip(*head, line.n);
    out->name = token(&rest);
    if (out->name.n == 0 || rest.n == 0 || *rest.p != ':' || !is_text(rest) ||
        !str_starts(*head, STR("\r\n")))
        return err_set(err, FOOTNOTE_INVALID,
                       BROKEN "a part's header is no header");
    *head = str_skip(*head, 2);
    out->value = trim(str_skip(rest, 1));
    return FOOTNOTE_OK;
}

enum footnote_rc multipart_head(struct multipart *m, struct form_part *out,
                                struct footnote_err *err)
{
    struct str head = {m->head, m->head_n - 2}; /* without its empty line */
    struct str disposition = STR_NONE;
    struct parameter h;

    *out = (struct form_part){.name = STR_NONE};
    while (head.n) {
        TRY(read_line(&head, &h, err));
        if (is_word(h.name, "content-disposition") && disposition.p)
            return err_set(err, FOOTNOTE_INVALID,
                           BROKEN "a part has two Content-Dispositions");
        if (is_word(h.name, "content-disposition"))
            disposition = h.value;
        else if (is_word(h.name, "content-type") && h.value.n)
            out->type = h.value;
        else if (is_word(h.name, "content-transfer-encoding") &&
                 !is_word(h.value, "binary") && !is_word(h.value, "8bit") &&
                 !is_word(h.value, "7bit")) /* RFC 7578, 4.7 */
            return err_set(err, FOOTNOTE_INVALID,
                           "the encoding of a part is not 8bit or binary");
    }
    if (!disposition.p)
        return err_set(err, FOOTNOTE_INVALID,
                       BROKEN "a part has no Content-Disposition");
    return name_part(m, disposition, out, err);
}
