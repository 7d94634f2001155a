/* journal_test.c - journal entries out of files and lines. */
#include "ingest/format/journal.h"
#include "read_passages.h"

#include <string.h>

static void check_date(const char *text, const char *want)
{
    char day[11];
    size_t n;
    bool found = journal_date(str_c(text), day, &n);

    if (found != (want != NULL) || (want && strcmp(day, want) != 0))
        FAIL("\"%s\" is the day %s", text, found ? day : "none");
}

TEST(a_day_is_read_in_the_ways_people_write_it)
{
    check_date("2026-02-26", "2026-02-26");
    check_date("2026/02/26.md", "2026-02-26");
    check_date("20260226 Heat", "2026-02-26");
    check_date("2026_02_26", "2026-02-26");
    check_date("2024-02-29T10:00:00Z", "2024-02-29");
    check_date("2026-02-29", NULL);
    check_date("2026-13-01", NULL);
    check_date("2026-02-261", NULL);
    check_date("2026-0226", NULL);
    check_date("26.2.2026", NULL);
    check_date("", NULL);
}

static void check_entry(const char *name, const char *text, const char *date,
                        const char *title)
{
    struct arena a = ARENA(SCRATCH);
    struct journal_entry e;
    struct footnote_err err;

    CHECK_OK(journal_markdown(&a, str_c(text), str_c(name), &e, &err), &err);
    CHECK_TEXT(e.date, str_c(date));
    CHECK_TEXT(e.title, str_c(title));
    arena_free(&a);
}

TEST(an_entry_is_dated_by_its_front_matter_or_its_name)
{
    check_entry("x/2026-02-26 First heat.md", "Text.", "2026-02-26",
                "First heat");
    check_entry("2026/02/26.md", "# A *day*\n\nText.", "2026-02-26", "A day");
    check_entry("2026-02-26_on_work.markdown", "Text.", "2026-02-26",
                "on work");
    check_entry("2026-02-26.md", "Text.", "2026-02-26", "");
    check_entry("2026-02-26.md",
                "---\ntitle: 'T'\ndate: 2025-01-02 10:00\n---\n"
                "# H\n",
                "2025-01-02", "T");
    check_entry("notes/plain.md", "Text.", NULL, "plain");
    check_entry("2020-01-01/2026-02-26 Heat.md", "Text.", "2026-02-26", "Heat");
}

TEST(front_matter_is_no_text_of_the_entry)
{
    struct arena a = ARENA(SCRATCH);
    struct journal_entry e;

    CHECK_OK(journal_markdown(&a, STR("---\r\ntitle: T\r\n---\r\nHeat.\r\n"),
                              STR("a.md"), &e, NULL),
             NULL);
    CHECK_TEXT(e.text, STR("Heat.\n"));
    arena_free(&a);
}

TEST(lines_of_json_are_entries)
{
    struct arena a = ARENA(SCRATCH);
    struct journal_lines j = journal_open(
        STR("\xef\xbb\xbf{\"date\":\"2026-02-26\",\"title\":\"Heat\",\"text\":"
            "\"It\\nflows.\",\"mood\":3}\r\n\n"
            "{\"date\":\"2026-02-27\",\"text\":\"More.\"}"));
    struct journal_entry e;
    struct footnote_err err;
    bool more;

    CHECK_OK(journal_next(&j, &a, &e, &more, &err), &err);
    CHECK(more);
    CHECK_TEXT(e.date, STR("2026-02-26"));
    CHECK_TEXT(e.title, STR("Heat"));
    CHECK_TEXT(e.text, STR("It\nflows."));
    CHECK_OK(journal_next(&j, &a, &e, &more, &err), &err);
    CHECK_TEXT(e.title, STR(""));
    CHECK_INT(j.line, 3);
    CHECK_OK(journal_next(&j, &a, &e, &more, &err), &err);
    CHECK(!more);
    arena_free(&a);
}

static void check_bad_line(const char *line, const char *word)
{
    struct arena a = ARENA(SCRATCH);
    char text[300];
    struct footnote_err err;
    struct journal_entry e;
    bool more;

    snprintf(text, sizeof(text),
             "\n%s\n{\"date\":\"2026-02-26\",\"text\":\"ok\"}\n", line);
    struct journal_lines j = journal_open(str_c(text));
    CHECK_INT(journal_next(&j, &a, &e, &more, &err), FOOTNOTE_INVALID);
    if (!strstr(err.text, "line 2") || !strstr(err.text, word))
        FAIL("\"%s\" does not say \"%s\"", err.text, word);
    CHECK_OK(journal_next(&j, &a, &e, &more, &err), &err);
    CHECK_TEXT(e.text, STR("ok"));
    arena_free(&a);
}

TEST(a_bad_line_is_named_and_the_next_is_read)
{
    check_bad_line("{\"date\":\"2026-02-30\",\"text\":\"x\"}", "no day");
    check_bad_line("{\"date\":\"2026-02-26\"}", "\"text\" must be there");
    check_bad_line("{\"date\":3,\"text\":\"x\"}", "\"date\" must be there");
    check_bad_line("[1]", "no JSON object");
    check_bad_line("{\"date\":", "byte");
}
