/* labels.c - page labels, from what `qpdf --json` prints.
 *
 *     {"pagelabels": [{"index": 0, "label": {"/S": "/r"}},
 *                     {"index": 4, "label": {"/S": "/D", "/St": 1}}]}
 *
 * become
 *
 *     [{"page":1,"style":"i","prefix":"","first":1},
 *      {"page":5,"style":"1","prefix":"","first":1}]
 *
 * Some programs give each page a range with its number as the prefix.  Such a
 * number is taken as one, so that ranges which go on become one. */
#include "ingest/pdf/labels.h"
#include "base/json.h"
#include "base/utf8.h"
#include "ingest/jail/jail.h"
#include "ingest/pdf/poppler.h"
#include "ingest/text/clean.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PRINTED_BYTES_MAX = 1024 * 1024,
    READ_BYTES_MAX = 8 * PRINTED_BYTES_MAX,
    WRITTEN_BYTES_MAX = LABELS_MAX * 128,
    DIGITS_MAX = 6,
    DONE_WITH_WARNINGS = 3 /* qpdf's exit status */
};

/* --- What a range says ------------------------------------------------------
 */

struct label {
    int64_t page;  /* the first of the range, from 1 */
    int64_t first; /* its number */
    char style;    /* 1 i I a A; 0: no number */
    struct str prefix;
};

static char style_of(struct str s)
{
    static const char styles[][2] = {
        {'D', '1'}, {'r', 'i'}, {'R', 'I'}, {'a', 'a'}, {'A', 'A'}};

    for (size_t i = 0; s.n == 2 && i < sizeof(styles) / sizeof(*styles); i++)
        if (s.p[1] == styles[i][0])
            return styles[i][1];
    return 0;
}

/* "u:A-" is text; other forms are bytes of no known meaning. */
static bool read_prefix(struct str said, struct arena *a, struct str *out)
{
    AUTO(buf_free) struct buf b = BUF(LABELS_PREFIX_BYTES_MAX);
    struct clean clean = {0};

    *out = STR("");
    if (!said.p)
        return true;
    if (!str_starts(said, STR("u:")) || !utf8_valid(said))
        return false;
    clean_add(&clean, &b, str_skip(said, 2));
    if (b.broken || clean.hidden)
        return false;
    for (size_t i = 0; i < b.n; i++)
        if ((unsigned char)b.p[i] < ' ')
            return false;
    if (b.n)
        *out = arena_str(a, buf_str(&b));
    return true;
}

/* Makes a number of the digits at the end of a prefix. */
static void take_number(struct label *l)
{
    size_t n = l->prefix.n;

    while (n && l->prefix.n - n < DIGITS_MAX && l->prefix.p[n - 1] >= '0' &&
           l->prefix.p[n - 1] <= '9')
        n--;
    struct str digits = str_skip(l->prefix, n);
    if (digits.n == 0 || digits.p[0] == '0' || !str_i64(digits, &l->first))
        return;
    l->prefix.n = n;
    l->style = '1';
}

static bool read_label(const struct json *j, struct arena *a, struct label *out)
{
    const struct json *index = json_get(j, STR("index"));
    const struct json *label = json_get(j, STR("label"));
    const struct json *first = json_get(label, STR("/St"));

    if (!index || index->type != JSON_I64 || !label ||
        label->type != JSON_OBJECT)
        return false;
    if (first && (first->type != JSON_I64 || first->i < 1 ||
                  first->i > LABELS_NUMBER_MAX))
        return false;
    *out = (struct label){.page = index->i + 1,
                          .first = first ? first->i : 1,
                          .style = style_of(json_text(label, STR("/S")))};
    if (!read_prefix(json_text(label, STR("/P")), a, &out->prefix))
        return false;
    if (!out->style)
        take_number(out);
    return true;
}

/* Whether the pages of `next` are called as those of `l` that went on. */
static bool goes_on(const struct label *l, const struct label *next)
{
    return l->style && l->style == next->style &&
           str_eq(l->prefix, next->prefix) &&
           next->first - l->first == next->page - l->page;
}

/* --- All ranges -------------------------------------------------------------
 */

struct labels {
    struct label list[LABELS_MAX];
    size_t n;
};

/* False when they are strange. */
static bool read_all(const struct json *ranges, int64_t pages, struct arena *a,
                     struct labels *out)
{
    int64_t last = 0;

    if (!ranges || ranges->type != JSON_ARRAY)
        return false;
    for (const struct json *j = ranges->first; j; j = j->next) {
        struct label l;

        if (!read_label(j, a, &l) || l.page > pages)
            return false;
        if (l.page <= last || (last == 0 && l.page != 1))
            return false;
        last = l.page;
        if (out->n && goes_on(&out->list[out->n - 1], &l))
            continue;
        if (out->n == LABELS_MAX)
            return false;
        out->list[out->n++] = l;
    }
    return out->n > 0;
}

/* Pages that are called as they are counted need no labels. */
static bool is_plain(const struct labels *all)
{
    const struct label *l = &all->list[0];

    return all->n == 1 && l->style == '1' && l->first == 1 && !l->prefix.n;
}

static void write_label(struct json_out *w, const struct label *l)
{
    json_object(w);
    json_key(w, STR("page"));
    json_i64(w, l->page);
    json_key(w, STR("style"));
    json_str(w, l->style ? (struct str){&l->style, 1} : STR_NONE);
    json_key(w, STR("prefix"));
    json_str(w, l->prefix);
    json_key(w, STR("first"));
    json_i64(w, l->first);
    json_end(w, '}');
}

struct str labels_read(struct str printed, int64_t pages, struct arena *a)
{
    AUTO(arena_free) struct arena read = ARENA(READ_BYTES_MAX);
    AUTO(buf_free) struct buf b = BUF(WRITTEN_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);
    struct labels all = {.n = 0};
    struct json *said;

    if (json_read(&read, printed, &said, NULL) != FOOTNOTE_OK ||
        !read_all(json_get(said, STR("pagelabels")), pages, &read, &all) ||
        is_plain(&all))
        return STR_NONE;
    json_array(&w);
    for (size_t i = 0; i < all.n; i++)
        write_label(&w, &all.list[i]);
    json_end(&w, ']');
    return b.broken ? STR_NONE : arena_str(a, buf_str(&b));
}

/* --- qpdf -------------------------------------------------------------------
 */

static bool is_small(int file)
{
    struct stat st;

    return fstat(file, &st) == 0 && st.st_size <= LABELS_FILE_BYTES_MAX;
}

enum footnote_rc pdf_labels(int file, int64_t pages, struct arena *a,
                            struct str *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf printed = BUF(PRINTED_BYTES_MAX);
    char qpdf[JAIL_PATH_BYTES];
    struct jail_end end;

    *out = STR_NONE;
    if (!is_small(file) || !jail_find("qpdf", qpdf))
        return FOOTNOTE_OK;
    const char *const argv[] = {qpdf,         "--no-warn",
                                "--json=2",   "--json-key=pagelabels",
                                "/dev/stdin", NULL};
    const struct jail_job job = {
        .argv = argv,
        .input = file,
        .input_is_file = true,
        .wall_ms_max = POPPLER_WALL_MS,
        .cpu_s_max = POPPLER_CPU_S,
        .memory_bytes_max = (size_t)POPPLER_MEMORY_MB * 1024 * 1024,
        .output_bytes_max = PRINTED_BYTES_MAX,
        .output = poppler_collect,
        .arg = &printed,
    };
    TRY(jail_run(&job, &end, err));
    if (end.how == JAIL_EXITED &&
        (end.status == 0 || end.status == DONE_WITH_WARNINGS))
        *out = labels_read(buf_str(&printed), pages, a);
    return arena_rc(a, err);
}
