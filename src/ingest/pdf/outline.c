/* outline.c - reads the outline from what pdftohtml -xml prints:
 *
 *     <outline>
 *     <item page="7">Introduction</item>
 *     <outline>
 *     <item page="7">What is Bash?</item>
 *     </outline>
 *
 * Texts of the page before it have no "<": it is an entity there. */
#include "ingest/pdf/outline.h"
#include "base/utf8.h"
#include "ingest/pdf/poppler.h"
#include "ingest/text/clean.h"
#include "ingest/text/entity.h"
#include "ingest/text/lines.h"

#include <stdlib.h>

/* The text without tags, on one line. */
static struct str plain_text(struct str s, struct arena *a)
{
    AUTO(buf_free) struct buf b = BUF(OUTLINE_BYTES_MAX);
    struct clean clean = {0};
    bool tag = false;

    for (size_t i = 0; i < s.n && b.n < OUTLINE_TITLE_BYTES_MAX;) {
        size_t bytes = 0;
        uint32_t c = s.p[i] == '&' ? entity_at(s, i, &bytes) : 0;
        char utf8[4];

        if (c)
            i += bytes;
        else
            c = utf8_next(s, &i);
        tag = bytes == 0 && c == '<' ? true : tag;
        if (!tag && (c = clean_char(&clean, c)))
            buf_add(&b, (struct str){utf8, utf8_put(c, utf8)});
        tag = bytes == 0 && c == '>' ? false : tag;
    }
    lines_squeeze(&b);
    struct str out = buf_str(&b);
    if (out.n > OUTLINE_TITLE_BYTES_MAX)
        out.n = utf8_whole((struct str){out.p, OUTLINE_TITLE_BYTES_MAX});
    return arena_str(a, out);
}

/* "<item page="7">Introduction</item>" */
static void read_item(struct str line, int level, struct arena *a,
                      struct outline *out)
{
    struct str end = STR("</item>");
    size_t quote = str_find(line, '"'), close = str_find(line, '>');
    int64_t page;

    if (close + end.n >= line.n || quote > close)
        return;
    struct str number = str_skip(line, quote + 1);
    number.n = str_find(number, '"');
    struct str text = str_skip(line, close + 1);
    if (text.n <= end.n || !str_i64(number, &page) || page < 1)
        return;
    text.n -= end.n;
    if (!utf8_valid(text))
        return;
    text = plain_text(text, a);
    if (text.n == 0)
        return;
    out->titles[out->n] = (struct outline_title){text, page, level, out->n};
    out->n++;
}

static int by_page(const void *x, const void *y)
{
    const struct outline_title *a = x, *b = y;

    if (a->page != b->page)
        return a->page < b->page ? -1 : 1;
    return a->listed < b->listed ? -1 : a->listed > b->listed;
}

enum footnote_rc outline_parse(struct str printed, struct arena *a,
                               struct outline *out, struct footnote_err *err)
{
    struct str rest = printed, line;
    int level = 0;

    *out = (struct outline){
        .titles = arena_many(a, OUTLINE_MAX, struct outline_title)};
    TRY(arena_rc(a, err));
    while (lines_next(&rest, &line) && out->n < OUTLINE_MAX) {
        if (str_starts(line, STR("<outline>")))
            level += level < OUTLINE_DEPTH_MAX;
        else if (str_starts(line, STR("</outline>")))
            level -= level > 0;
        else if (level && str_starts(line, STR("<item")))
            read_item(line, level, a, out);
    }
    qsort(out->titles, out->n, sizeof(out->titles[0]), by_page);
    return arena_rc(a, err);
}

enum footnote_rc outline_read(int file, struct arena *a, struct outline *out,
                              struct footnote_err *err)
{
    AUTO(buf_free) struct buf printed = BUF(OUTLINE_BYTES_MAX);
    /* It prints the outline whole, whichever pages are asked for. */
    const char
        *const argv[] = {"pdftohtml", "-xml",   "-i", "-stdout", "-enc",
                         "UTF-8",     "-f",     "1",  "-l",      "1",
                         "-",         "unused", /* asked for beside -stdout */
                         NULL};
    enum footnote_rc rc =
        poppler_run(argv, file, poppler_collect, &printed, err);

    *out = (struct outline){0};
    if (rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG ||
        rc == FOOTNOTE_NOTFOUND)
        return FOOTNOTE_OK;
    TRY(rc);
    return outline_parse(buf_str(&printed), a, out, err);
}
