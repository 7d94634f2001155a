/* journal.c - journal entries out of Markdown files and lines of JSON. */
#include "ingest/format/journal.h"
#include "base/json.h"
#include "ingest/format/front_matter.h"
#include "ingest/format/markdown_inline.h"
#include "ingest/text/charset.h"
#include "ingest/text/lines.h"

#include <stdio.h>

/* ---- Days --------------------------------------------------------------- */

static bool read_digits(struct str s, size_t at, size_t n, int *out)
{
    *out = 0;
    if (at + n > s.n)
        return false;
    for (size_t i = at; i < at + n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
        *out = *out * 10 + (s.p[i] - '0');
    }
    return true;
}

bool journal_date(struct str s, char out[11], size_t *bytes)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day;
    bool gap = s.n > 4 && strchr("-/._", s.p[4]);
    size_t n = gap ? 10 : 8;

    if (s.n < n || !read_digits(s, 0, 4, &year) ||
        !read_digits(s, gap ? 5 : 4, 2, &month) ||
        !read_digits(s, n - 2, 2, &day) || (gap && s.p[7] != s.p[4]) ||
        year < 1 || month < 1 || month > 12)
        return false;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (day < 1 || day > days[month - 1] + (month == 2 && leap))
        return false;
    if (s.n > n && s.p[n] >= '0' && s.p[n] <= '9')
        return false;
    snprintf(out, 11, "%04d-%02d-%02d", year % 10000, month % 100, day % 100);
    *bytes = n;
    return true;
}

/* ---- Markdown ----------------------------------------------------------- */

/* The last date in a name; *rest is the name behind it.  Folders may be dated
 * as well. */
static struct str date_of_name(struct arena *a, struct str name,
                               struct str *rest)
{
    char day[11];
    size_t n;

    for (size_t i = name.n; i-- > 0;) {
        if (i && name.p[i - 1] >= '0' && name.p[i - 1] <= '9')
            continue;
        if (journal_date(str_skip(name, i), day, &n)) {
            *rest = str_skip(name, i + n);
            return arena_str(a, str_c(day));
        }
    }
    *rest = lines_basename(name);
    return STR_NONE;
}

/* "-first_thoughts.md" -> "first thoughts" */
static struct str title_of_name(struct arena *a, struct str rest)
{
    static const char joints[] = {' ', '-', '_', '.', ','};
    size_t extension = lines_extension(rest).n;

    rest = lines_basename(rest);
    if (extension && extension + 1 <= rest.n)
        rest.n -= extension + 1;
    else if (rest.n > 1 && *rest.p == '.')
        rest.n = 0; /* nothing but ".md" is left */
    while (rest.n && memchr(joints, *rest.p, sizeof(joints)))
        rest = str_skip(rest, 1);
    struct str title = arena_str(a, rest);
    for (size_t i = 0; title.p && i < title.n; i++) {
        if (title.p[i] == '_')
            ((char *)(uintptr_t)title.p)[i] = ' '; /* our own copy */
    }
    return title;
}

static struct str first_heading(struct arena *a, struct str text)
{
    struct buf plain = BUF(EXTRACT_HEAD_BYTES);
    struct clean clean = {0};
    struct str line, found = STR_NONE;

    while (lines_next(&text, &line)) {
        if (line.n > 2 && line.n < EXTRACT_HEAD_BYTES && line.p[0] == '#' &&
            line.p[1] == ' ') {
            markdown_inline(&clean, &plain, lines_trim(str_skip(line, 2)));
            found = arena_str(a, buf_str(&plain));
            break;
        }
    }
    buf_free(&plain);
    return found.n ? found : STR_NONE;
}

enum footnote_rc journal_markdown(struct arena *a, struct str bytes,
                                  struct str filename,
                                  struct journal_entry *out,
                                  struct footnote_err *err)
{
    struct front_matter front;
    struct str rest, text;
    bool hidden = false;
    const char *encoding;
    char day[11];
    size_t n;

    *out = (struct journal_entry){.text = STR("")};
    TRY(charset_decode(a, bytes, STR_NONE, &text, &hidden, &encoding, err));
    front_matter_take(&text, &front);
    out->date = date_of_name(a, filename, &rest);
    if (front.date.p && journal_date(front.date, day, &n))
        out->date = arena_str(a, str_c(day));
    out->title =
        front.title.p ? arena_str(a, front.title) : first_heading(a, text);
    if (!out->title.p)
        out->title = title_of_name(a, rest);
    out->text = text;
    return arena_rc(a, err);
}

/* ---- Lines of JSON ------------------------------------------------------ */

struct journal_lines journal_open(struct str bytes)
{
    if (str_starts(bytes, STR("\xef\xbb\xbf")))
        bytes = str_skip(bytes, 3);
    return (struct journal_lines){.rest = bytes};
}

static enum footnote_rc read_text_member(const struct json *o, struct str key,
                                         bool must, struct str *out,
                                         struct footnote_err *err)
{
    const struct json *v = json_get(o, key);

    *out = STR("");
    if (!v && !must)
        return FOOTNOTE_OK;
    if (!v || v->type != JSON_STR)
        return err_set(err, FOOTNOTE_INVALID, "\"%.*s\" must be there, as text",
                       STR_ARG(key));
    *out = v->s;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_entry(struct arena *a, struct str line,
                                   struct journal_entry *out,
                                   struct footnote_err *err)
{
    struct json *o;
    struct str date;
    char day[11];
    size_t n;

    if (line.n > JOURNAL_LINE_BYTES_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "is longer than %d bytes",
                       JOURNAL_LINE_BYTES_MAX);
    TRY(json_read(a, line, &o, err));
    if (o->type != JSON_OBJECT)
        return err_set(err, FOOTNOTE_INVALID, "is no JSON object");
    TRY(read_text_member(o, STR("date"), true, &date, err));
    TRY(read_text_member(o, STR("title"), false, &out->title, err));
    TRY(read_text_member(o, STR("text"), true, &out->text, err));
    if (!journal_date(date, day, &n))
        return err_set(err, FOOTNOTE_INVALID,
                       "\"date\" is no day such as 2026-02-26");
    out->date = arena_str(a, str_c(day));
    out->title = arena_str(a, out->title);
    out->text = arena_str(a, out->text);
    return arena_rc(a, err);
}

enum footnote_rc journal_next(struct journal_lines *j, struct arena *a,
                              struct journal_entry *out, bool *more,
                              struct footnote_err *err)
{
    struct str line;

    *more = false;
    *out = (struct journal_entry){.text = STR("")};
    do {
        if (!lines_next(&j->rest, &line))
            return FOOTNOTE_OK;
        j->line++;
        line = lines_trim(line);
    } while (line.n == 0);
    *more = true;
    enum footnote_rc rc = read_entry(a, line, out, err);
    if (rc != FOOTNOTE_OK)
        err_prefix(err, "line %lld", (long long)j->line);
    return rc;
}
