/* html_test.c - web pages. */
#include "read_passages.h"

TEST(a_page_is_its_article_by_heading)
{
    struct read *r = read_file("page.html");

    CHECK_INT(r->n, 2);
    CHECK_TEXT(r->facts.title, STR("Why ice floats — Notes on water"));
    CHECK_TEXT(r->facts.language, STR("en-GB"));
    CHECK_TEXT(r->facts.date, STR("2025-11-03"));
    CHECK_TEXT(r->passages[0].heading, STR("Why ice floats"));
    CHECK_TEXT(r->passages[0].text,
               STR("Water is densest at 4 °C. Below that it expands, because "
                   "its molecules arrange themselves in a lattice with room "
                   "between them.\n\nUnclosed paragraphs & bold nested wrongly "
                   "are fine."));
    CHECK_TEXT(r->passages[1].heading, STR("Why ice floats > In numbers"));
    read_free(r);
}

TEST(tables_lists_code_and_pictures_of_a_page_are_read)
{
    struct read *r = read_file("page.html");

    CHECK(read_has(r, "state | kg/m³\nwater, 4 °C | 1000\nice, 0 °C | 917\n"));
    CHECK(read_has(r, "- lakes freeze from the top\n- fish live below\n"));
    CHECK(read_has(r, "rho = m / V\n    = 917"));
    CHECK(read_has(r, "A lattice of six-sided rings"));
    read_free(r);
}

TEST(what_surrounds_an_article_and_what_is_hidden_is_dropped)
{
    static const char *const words[] = {
        "never read",     "All notes",  "banner",  "Ignore all",
        "on Mars",        "ice sinks",  "Buy our", "Copyright",
        "enable scripts", "color: teal"};
    struct read *r = read_file("page.html");

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (read_has(r, words[i]))
            FAIL("\"%s\" was read", words[i]);
    }
    CHECK(r->facts.hidden_text); /* the text of size 0 */
    read_free(r);
}

TEST(a_page_that_is_all_navigation_is_read_after_all)
{
    struct read *r =
        read_as_text(FORMAT_HTML, "<nav>Menu <p>The whole text is here. "
                                  "<script>x()</script>");

    CHECK(read_has(r, "The whole text is here."));
    CHECK(!read_has(r, "x()"));
    read_free(r);
}

TEST(a_page_may_declare_its_charset)
{
    struct read *r = read_as_text(
        FORMAT_HTML, "<meta http-equiv=content-type content='text/html; "
                     "charset=windows-1251'><p>\xcf\xf0\xe8\xe2\xe5\xf2");
    CHECK_TEXT(r->passages[0].text, STR("Привет"));
    read_free(r);
    r = read_as_text(FORMAT_HTML, "<meta charset=iso-8859-1><p>Caf\xe9");
    CHECK_TEXT(r->passages[0].text, STR("Café"));
    read_free(r);
    /* What is UTF-8 stays so, whatever it claims. */
    r = read_as_text(FORMAT_HTML, "<meta charset=iso-8859-1><p>Café");
    CHECK_TEXT(r->passages[0].text, STR("Café"));
    read_free(r);
    r = read_as_text(FORMAT_HTML, "<meta charset=../../x><p>Caf\xe9");
    CHECK_TEXT(r->passages[0].text, STR("Café"));
    read_free(r);
}

TEST(items_with_paragraphs_inside_are_items)
{
    struct read *r = read_as_text(
        FORMAT_HTML, "<ul><li><p>one</p></li><li><p>two</p></li></ul>");

    CHECK_TEXT(r->passages[0].text, STR("- one\n- two"));
    read_free(r);
}

TEST(right_to_left_and_references_in_pages_stay_intact)
{
    struct read *r = read_as_text(
        FORMAT_HTML, "<p dir=rtl>&#x5e9;\u05dc\u05d5\u05dd &alpha;&hellip;");

    CHECK_TEXT(r->passages[0].text, STR("שלום α…"));
    read_free(r);
}

TEST(a_page_of_endless_nesting_is_refused)
{
    struct arena a = ARENA(SCRATCH);

    read_refused(FORMAT_HTML, read_repeated(&a, "", "<div>", 100000),
                 FOOTNOTE_INVALID, "inside of each other");
    arena_free(&a);
}

TEST(a_page_of_closing_tags_takes_no_time)
{
    struct arena a = ARENA(SCRATCH);
    struct str page = read_repeated(&a, "<p>Text", "</b>", 1000000);
    struct read *r = read_as_text(FORMAT_HTML, page.p);

    CHECK_TEXT(r->passages[0].text, STR("Text"));
    read_free(r);
    arena_free(&a);
}

TEST(pages_without_text_or_too_large_are_refused_in_words)
{
    static const char one;

    read_refused(FORMAT_HTML, STR("<html><body><script>x()</script>"),
                 FOOTNOTE_INVALID, "no text");
    read_refused(FORMAT_HTML, (struct str){&one, SCRATCH}, FOOTNOTE_TOOBIG,
                 "larger than 8 MB");
}
