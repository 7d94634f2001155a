/* keys_test.c - the keys of sources, by tests/cite/keys.tsv. */
#include "base/json.h"
#include "case_files.h"
#include "cite/source.h"
#include "test.h"

enum { SCRATCH = 4 * 1024 * 1024 };

static struct str text_of(const struct json *o, const char *name)
{
    const struct json *v = json_get(o, str_c(name));
    return v ? v->s : STR_NONE;
}

static int64_t count_of(const struct json *o, const char *name, bool *has)
{
    const struct json *v = json_get(o, str_c(name));
    *has = v != NULL;
    return v ? v->i : 0;
}

static double seconds_of(const struct json *o, const char *name, bool *has)
{
    const struct json *v = json_get(o, str_c(name));
    *has = v != NULL;
    if (!v)
        return 0;
    return v->type == JSON_I64 ? (double)v->i : v->f;
}

static struct source source_of(const struct json *o)
{
    const struct json *meta = json_get(o, STR("meta"));
    bool has_part;
    struct source s = {
        .id = text_of(o, "sourceId"),
        .preview = text_of(o, "contentPreview"),
        .title = text_of(o, "title"),
        .url = text_of(o, "url"),
        .document = text_of(o, "documentId"),
        .lecture = text_of(o, "lectureId"),
        .date = text_of(o, "date"),
        .s3key = text_of(o, "s3key"),
        .meta = meta ? meta->raw : STR_NONE,
    };
    s.page = count_of(o, "slideNumber", &s.has_page);
    s.start = seconds_of(o, "startSeconds", &s.has_start);
    s.end = seconds_of(o, "endSeconds", &s.has_end);
    s.part = count_of(o, "part", &has_part);
    (void)source_type_parse(text_of(o, "sourceType"), &s.type);
    return s;
}

/* The key, or the name of the error. */
static struct str key_or_code(struct arena *a, const struct source *s)
{
    struct str key = STR_NONE;
    enum footnote_rc rc = source_check(s, NULL);

    if (rc == FOOTNOTE_OK)
        rc = source_key(a, s, &key, NULL);
    return rc == FOOTNOTE_OK ? key : str_c(rc_name(rc));
}

static void check_row(struct arena *a, struct str line)
{
    struct footnote_err err;
    struct json *fields;
    struct str json = {line.p, str_find(line, '\t')};

    if (json.n == line.n)
        FAIL("no tab in: %.*s", STR_ARG(line));
    struct str want = str_skip(line, json.n + 1);
    CHECK_OK(json_read(a, json, &fields, &err), &err);
    struct source s = source_of(fields);
    struct str got = key_or_code(a, &s);
    if (!str_eq(got, want))
        FAIL("%.*s has the key \"%.*s\"", STR_ARG(line), STR_ARG(got));
}

TEST(source_keys_follow_the_vector_file)
{
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);
    struct str rest = read_cases(&a, "tests/cite/keys.tsv");
    int rows = 0;

    while (rest.n) {
        struct str line = {rest.p, str_find(rest, '\n')};
        CHECK(line.n < rest.n); /* the last line ends as well */
        rest = str_skip(rest, line.n + 1);
        if (line.p[0] == '#')
            continue;
        check_row(&a, line);
        rows++;
    }
    CHECK(rows >= 40);
}

TEST(a_source_key_without_memory_is_an_error)
{
    AUTO(arena_free) struct arena a = ARENA(8);
    struct source s = {.type = FOOTNOTE_WEB, .url = STR("https://example.org")};
    struct str key;

    CHECK_INT(source_key(&a, &s, &key, NULL), FOOTNOTE_NOMEM);
}
