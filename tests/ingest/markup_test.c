/* markup_test.c - what may be counted before libxml2 sees it. */
#include "base/buf.h"
#include "ingest/format/markup.h"
#include "ingest/format/xml.h"
#include "read_passages.h"

/* `before`, then so many attributes with names of their own, then `after`. */
static struct str with_attributes(struct arena *a, const char *before, size_t n,
                                  const char *value, const char *after)
{
    AUTO(buf_free) struct buf b = BUF(SCRATCH);
    struct footnote_err err;

    buf_printf(&b, "%s", before);
    for (size_t i = 0; i < n; i++)
        buf_printf(&b, " a%zx%s", i, value);
    buf_printf(&b, "%s", after);
    CHECK_OK(buf_rc(&b, &err), &err);
    return arena_str(a, buf_str(&b));
}

/* It took 17 seconds. */
TEST(a_page_with_a_megabyte_of_attributes_is_refused)
{
    struct arena a = ARENA(SCRATCH);

    read_refused(FORMAT_HTML,
                 with_attributes(&a, "<p>Heat<b", 160000, "", ">flows."),
                 FOOTNOTE_INVALID, "more than 256 attributes");
    read_refused(FORMAT_HTML,
                 with_attributes(&a, "<p>Heat<b", 160000, "='x'", ""),
                 FOOTNOTE_INVALID, "more than 256 attributes");
    arena_free(&a);
}

static enum footnote_rc on_start(void *arg, const struct xml_tag *t,
                                 struct footnote_err *err)
{
    (void)arg, (void)t, (void)err;
    return FOOTNOTE_OK;
}

static void xml_refused(struct str bytes, const char *words)
{
    static const struct xml_events events = {.start = on_start};
    struct footnote_err err = {.text = ""};

    CHECK_INT(xml_read(bytes, &events, NULL, &err), FOOTNOTE_INVALID);
    if (!strstr(err.text, words))
        FAIL("\"%s\" has no \"%s\"", err.text, words);
}

TEST(xml_with_a_megabyte_of_attributes_or_depth_is_refused)
{
    struct arena a = ARENA(SCRATCH);

    xml_refused(with_attributes(&a, "<a><b", 160000, "='x'", "/></a>"),
                "more than 256 attributes");
    xml_refused(read_repeated(&a, "", "<a>", 350000), "broken at line 1");
    arena_free(&a);
}

/* The last that is allowed and the first that is not, in every place. */
TEST(attributes_are_counted_wherever_a_tag_is)
{
    static const struct {
        const char *before, *value;
        bool counts;
        enum markup_kind kind;
    } cases[] = {
        {"<p", "", true, MARKUP_HTML},
        {"<P\n", "=\"a > b\"", true, MARKUP_HTML},
        {"<x:y", " = '>'", true, MARKUP_HTML},
        {"<p", "=x", true, MARKUP_HTML},
        {"<p", "=\"x\"b=\"y\"", true, MARKUP_HTML}, /* two each */
        {"<!-- - -- -->--><p", "", true, MARKUP_HTML},
        {"<script>if (a<b) '<!--'</script><p", "", true, MARKUP_HTML},
        {"<ScrIpt>x</b><p", "", true, MARKUP_HTML},
        {"<!doctype html><p", "", true, MARKUP_HTML},
        {"<? x ?><p", "", true, MARKUP_XML},
        {"<![CDATA[ ]] <p ]]]><p", "=''", true, MARKUP_XML},
        {"<\xc3\xa9", "=''", true, MARKUP_XML},
        {"<!-- <p", "", false, MARKUP_HTML},
        {"<script>a<b", "", false, MARKUP_HTML},
        {"<style>a<b", "", false, MARKUP_HTML},
        {"<![CDATA[ <p", "", false, MARKUP_XML},
        {"a < b", "", false, MARKUP_HTML},
        {"<\xc3\xa9", "", false, MARKUP_HTML},
        {"</p", "", false, MARKUP_HTML},
        {"<p title='", "", false, MARKUP_HTML},
        {"plain", "", false, MARKUP_HTML},
    };
    struct arena a = ARENA(SCRATCH);
    struct footnote_err err;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t each = strstr(cases[i].value, "b=") ? 2 : 1;
        struct str fits = with_attributes(&a, cases[i].before, 256 / each,
                                          cases[i].value, ">");
        struct str over = with_attributes(&a, cases[i].before, 256 / each + 1,
                                          cases[i].value, ">");

        CHECK_OK(markup_check(fits, cases[i].kind, &err), &err);
        if (markup_check(over, cases[i].kind, &err) !=
            (cases[i].counts ? FOOTNOTE_INVALID : FOOTNOTE_OK))
            FAIL("%s is not counted rightly", cases[i].before);
    }
    arena_free(&a);
}

/* libxml2 makes many names of a long one. */
TEST(a_long_name_is_many_attributes)
{
    struct arena a = ARENA(SCRATCH);

    read_refused(FORMAT_HTML, read_repeated(&a, "<p ", "abcdefghij", 100000),
                 FOOTNOTE_INVALID, "more than 256 attributes");
    arena_free(&a);
}

TEST(attributes_of_utf16_are_counted)
{
    struct arena a = ARENA(SCRATCH);
    struct str narrow = with_attributes(&a, "<a><b", 300, "='x'", "/></a>");

    for (size_t big = 0; big <= 1; big++) {
        char *wide = read_need(arena_alloc(&a, 2 * narrow.n + 2));

        memcpy(wide, big ? "\xfe\xff" : "\xff\xfe", 2);
        for (size_t i = 0; i < narrow.n; i++)
            wide[2 + 2 * i + big] = narrow.p[i];
        xml_refused((struct str){wide, 2 * narrow.n + 2},
                    "more than 256 attributes");
    }
    arena_free(&a);
}

TEST(elements_and_attributes_have_a_limit_in_all)
{
    struct arena a = ARENA(SCRATCH);
    struct footnote_err err;

    CHECK_INT(
        markup_check(read_repeated(&a, "", "<b>", MARKUP_ELEMENTS_MAX + 1),
                     MARKUP_HTML, &err),
        FOOTNOTE_TOOBIG);
    CHECK(strstr(err.text, "more than 5000000 elements"));
    arena_reset(&a);
    CHECK_INT(markup_check(read_repeated(&a, "", "<b x y z>", 1700000),
                           MARKUP_HTML, &err),
              FOOTNOTE_TOOBIG);
    CHECK(strstr(err.text, "more than 5000000 attributes"));
    arena_free(&a);
}
