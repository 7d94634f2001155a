/* pdf_structure_test.c - what is a heading, a running line, contents, code. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ingest/pdf/outline.h"
#include "ingest/pdf/page_picture.h"
#include "ingest/pdf/pdf.h"
#include "ingest/text/leaders.h"
#include "made_pdf.h"
#include "store/document/document.h"

enum { PASSAGES = 512 };

struct got {
    struct arena a;
    struct passage passages[PASSAGES];
    size_t n;
    struct pdf_place place; /* the last one */
    int64_t stop_behind;    /* so many pages; 0: never */
    struct extract_facts facts;
};

static enum footnote_rc take_passage(void *arg, const struct passage *p,
                                     struct footnote_err *err)
{
    struct got *g = arg;
    struct passage *copy = &g->passages[g->n++];

    CHECK(g->n < PASSAGES);
    *copy = *p;
    copy->text = arena_str(&g->a, p->text);
    copy->heading = arena_str(&g->a, p->heading);
    copy->extra = arena_str(&g->a, p->extra);
    return arena_rc(&g->a, err);
}

static enum footnote_rc reached(void *arg, const struct pdf_place *at,
                                struct footnote_err *err)
{
    struct got *g = arg;

    g->place = *at;
    if (at->pages == g->stop_behind)
        return err_set(err, FOOTNOTE_ENDED, "killed");
    return FOOTNOTE_OK;
}

static enum footnote_rc run(struct got *g, int fd, struct pdf_place from)
{
    const struct passage_sink sink = {.arg = g, .passage = take_passage};
    const struct pdf_job job = {fd, from, &sink, reached, NULL};

    return pdf_run(&job, &g->a, &g->facts, NULL);
}

/* Reads a PDF that is then closed. */
static struct got *read_made(int fd)
{
    struct got *g = calloc(1, sizeof(*g));

    CHECK(g);
    g->a = ARENA(EXTRACT_ARENA_MAX);
    CHECK_INT(run(g, fd, (struct pdf_place){0}), FOOTNOTE_OK);
    close(fd);
    return g;
}

static void got_free(struct got **g)
{
    arena_free(&(*g)->a);
    free(*g);
}

static bool has(struct str text, const char *part)
{
    return text.n && memmem(text.p, text.n, part, strlen(part));
}

static const struct passage *with(const struct got *g, const char *text)
{
    for (size_t i = 0; i < g->n; i++)
        if (has(g->passages[i].text, text))
            return &g->passages[i];
    FAIL("no passage has \"%s\"", text);
}

static void check_heading(const struct got *g, const char *text,
                          const char *want)
{
    struct str heading = with(g, text)->heading;

    CHECK_TEXT(heading.p ? heading : STR(""), str_c(want));
}

/* So many lines of prose that speak of `what`, from y down. */
static int add_prose(struct buf *out, int y, int lines, const char *what)
{
    for (int i = 0; i < lines; i++, y -= 14)
        made_line(out, "F1", 11, 60, y,
                  "This is line %d about %s, and it is as long as lines are, "
                  "which is long.",
                  i + 1, what);
    return y;
}

/* ---- Headings ------------------------------------------------------------ */

/* "Cooling" is printed as its text is; "Unseen" is on no page. */
static void draw_outlined(int i, struct buf *out)
{
    static const char *const about[] = {"engines", "ice", "rain"};

    if (i == 0)
        made_line(out, "F1", 11, 60, 820, "A book of three pages");
    made_line(out, "F1", 11, 60, 780, "%s",
              i == 0   ? "2.1 Heating"
              : i == 1 ? "Cooling"
                       : "7 Looks like a heading");
    add_prose(out, 750, 20, about[i]);
}

TEST(pdf_headings_are_those_that_the_outline_names_and_the_page_has)
{
    static const struct made_title titles[] = {
        {"Heating", 0}, {"Cooling", 1}, {"Unseen", 2}, {NULL, 0}};
    AUTO(got_free)
    struct got *g = read_made(made_pdf(3, "595 842", draw_outlined, titles));

    check_heading(g, "about engines", "2.1 Heating");
    check_heading(g, "about ice", "Cooling");
    check_heading(g, "about rain", ""); /* not Cooling any more */
}

static void draw_large(int i, struct buf *out)
{
    int y = 780;

    if (i == 0)
        made_line(out, "F1", 18, 60, y, "Thermodynamics");
    made_line(out, "F1", 14, 60, y -= 40, "The law number %c", 'A' + i);
    add_prose(out, y - 40, 20, i ? "order" : "energy");
}

TEST(pdf_headings_are_lines_in_larger_print)
{
    AUTO(got_free)
    struct got *g = read_made(made_pdf(2, "595 842", draw_large, NULL));

    CHECK_TEXT(g->facts.title, STR("Thermodynamics"));
    check_heading(g, "about energy", "The law number A");
    check_heading(g, "about order", "The law number B");
}

/* The same PDF with a title of its own: the trailer is its last part, and
 * nothing points into it. */
static int titled(int fd, const char *title)
{
    static char bytes[1 << 16];
    ssize_t n = pread(fd, bytes, sizeof(bytes) - 1, 0);
    char *root = memmem(bytes, (size_t)n, "/Root 1 0 R", 11);
    AUTO(buf_free) struct buf b = BUF(1 << 20);

    CHECK(n > 0 && root);
    buf_add(&b, (struct str){bytes, (size_t)(root - bytes)});
    buf_printf(&b, "/Info<</Title(%s)>>", title);
    buf_add(&b, (struct str){root, (size_t)(bytes + n - root)});
    CHECK(pwrite(fd, b.p, b.n, 0) == (ssize_t)b.n);
    return fd;
}

TEST(pdf_that_its_program_named_is_called_by_its_first_heading)
{
    static const char *const programs[] = {
        "about:blank", "untitled", "https://example.org/print",
        "Microsoft Word - draft", "chapter.html"};

    for (size_t i = 0; i < sizeof(programs) / sizeof(char *); i++) {
        AUTO(got_free)
        struct got *g = read_made(
            titled(made_pdf(2, "595 842", draw_large, NULL), programs[i]));

        CHECK_TEXT(g->facts.title, STR("Thermodynamics"));
    }
    AUTO(got_free)
    struct got *g =
        read_made(titled(made_pdf(2, "595 842", draw_large, NULL), "Heat"));

    CHECK_TEXT(g->facts.title, STR("Heat"));
}

static void draw_figure(int i, struct buf *out)
{
    made_line(out, "F1", 12, 60, 780, "%d", 8000 + i);
    made_line(out, "F1", 12, 60, 700, "Ports of this machine are listed here.");
}

TEST(pdf_is_not_called_by_a_number)
{
    AUTO(got_free)
    struct got *g = read_made(made_pdf(2, "595 842", draw_figure, NULL));

    CHECK_TEXT(g->facts.title, STR("Ports of this machine are listed here."));
}

static void draw_numbered(int i, struct buf *out)
{
    static const char *const names[] = {"Heat", "Work", "Order", "Ends"};
    int y = 780;

    if (i == 0) {
        made_line(out, "F1", 11, 60, y, "Contents");
        for (int k = 0; k < 4; k++)
            made_line(out, "F1", 11, 60, y -= 20,
                      "%d %s . . . . . . . . . . . %d", k + 1, names[k], k + 2);
        return;
    }
    made_line(out, "F1", 11, 60, y, "%d %s", i, names[i - 1]);
    add_prose(out, y - 40, 20, names[i - 1]);
}

TEST(pdf_numbers_of_headings_begin_again_behind_the_contents)
{
    AUTO(got_free)
    struct got *g = read_made(made_pdf(5, "595 842", draw_numbered, NULL));

    check_heading(g, "about Heat", "1 Heat");
    check_heading(g, "about Ends", "4 Ends");
}

TEST(pdf_contents_are_marked_and_have_no_dotted_lines)
{
    AUTO(got_free)
    struct got *g = read_made(made_pdf(5, "595 842", draw_numbered, NULL));
    const struct passage *p = with(g, "Contents");

    CHECK_TEXT(p->extra, PASSAGE_TALL_CONTENTS);
    CHECK_TEXT(p->text,
               STR("Contents\n1 Heat 2\n2 Work 3\n3 Order 4\n4 Ends 5"));
    CHECK(!p->heading.n);
    CHECK_TEXT(with(g, "about Heat")->extra, PASSAGE_TALL);
}

/* A heading on the third page and no other. */
static void draw_once(int i, struct buf *out)
{
    char about[32];

    if (i == 2 || i == 61)
        made_line(out, "F1", 16, 60, 790, i == 2 ? "Early" : "Late");
    snprintf(about, sizeof(about), "page <%d>", i + 1);
    add_prose(out, 750, 12, about);
}

TEST(pdf_heading_is_carried_for_ten_pages_and_across_batches)
{
    AUTO(got_free)
    struct got *g = read_made(made_pdf(80, "595 842", draw_once, NULL));

    check_heading(g, "page <2>", "");
    check_heading(g, "page <3>", "Early");
    check_heading(g, "page <13>", "Early");
    check_heading(g, "page <14>", "");
    check_heading(g, "page <64>", "Late");
    check_heading(g, "page <65>", "Late"); /* of the next batch */
    check_heading(g, "page <72>", "Late");
    check_heading(g, "page <73>", "");
}

TEST(pdf_of_prose_that_was_killed_goes_on_with_the_same_headings)
{
    int fd = made_pdf(80, "595 842", draw_once, NULL);
    AUTO(got_free) struct got *whole = read_made(dup(fd));
    AUTO(got_free) struct got *cut = calloc(1, sizeof(*cut));

    cut->a = ARENA(EXTRACT_ARENA_MAX);
    cut->stop_behind = PDF_BATCH;
    CHECK_INT(run(cut, fd, (struct pdf_place){0}), FOOTNOTE_ENDED);
    CHECK_INT(run(cut, fd, cut->place), FOOTNOTE_OK);
    CHECK_INT(cut->n, whole->n);
    for (size_t i = 0; i < whole->n; i++) {
        CHECK_TEXT(cut->passages[i].text, whole->passages[i].text);
        CHECK_TEXT(cut->passages[i].heading, whole->passages[i].heading);
    }
    close(fd);
}

TEST(pdf_outline_is_read_as_it_is_printed)
{
    AUTO(arena_free) struct arena a = ARENA(1 << 24);
    struct outline o;

    CHECK_INT(outline_parse(STR("<text>&lt;outline&gt;</text>\n"
                                "<item page=\"1\">No</item>\n"
                                "<outline>\n<item page=\"2\">A &amp; <b>B</b>"
                                "</item>\n<outline>\n<item page=\"1\">C</item>"
                                "\n<item>D</item>\n<item page=\"x\">E</item>\n"
                                "</outline>\n<item page=\"3\"> </item>\n"
                                "<item page=\"3\">F"),
                            &a, &o, NULL),
              FOOTNOTE_OK);
    CHECK_INT(o.n, 2);
    CHECK_TEXT(o.titles[0].text, STR("C"));
    CHECK_INT(o.titles[0].level, 2);
    CHECK_TEXT(o.titles[1].text, STR("A & B"));
    CHECK_INT(o.titles[1].page, 2);
}

/* ---- Running lines ------------------------------------------------------- */

/* The first ten pages are a cover and contents, without a head. */
static void draw_headed(int i, struct buf *out)
{
    char about[32];

    snprintf(about, sizeof(about), "case <%d>", i);
    add_prose(out, 720, 10, about);
    if (i >= 10) {
        made_line(out, "F1", 9, 60, 810, "Chapter %d: %s", i / 15,
                  i < 15   ? "Heat"
                  : i < 30 ? "Work"
                           : "Order");
        made_line(out, "F1", 9, 500, 810, "%d", i);
    }
}

TEST(pdf_running_heads_are_learned_from_all_pages)
{
    AUTO(got_free)
    struct got *g = read_made(made_pdf(45, "595 842", draw_headed, NULL));

    for (size_t i = 0; i < g->n; i++)
        CHECK(!has(g->passages[i].text, "Chapter"));
    (void)with(g, "case <44>");
}

/* ---- Code and lists -------------------------------------------------------
 */

static void draw_code(int i, struct buf *out)
{
    int y = add_prose(out, 780, 6, i ? "gulls" : "loops");

    made_line(out, "F2", 11, 60, y -= 16, "for i in a:");
    made_line(out, "F2", 11, 86, y -= 14, "print(i)");
    made_line(out, "F2", 11, 86, y -= 14, "b[i]  = 2 * i");
    made_line(out, "F1", 11, 60, y -= 30, "It prints what it was given.");
    made_line(out, "F1", 11, 60, y -= 30, "- the first item of a list");
    made_line(out, "F1", 11, 60, y - 14, "- the second item");
}

TEST(pdf_code_keeps_its_lines_and_is_not_joined_to_prose)
{
    AUTO(got_free)
    struct got *g = read_made(made_pdf(2, "595 842", draw_code, NULL));
    struct str text = with(g, "for i in a")->text;

    CHECK(has(text, "\n\nfor i in a:\n    print(i)\n    b[i]  = 2 * i\n\nIt "
                    "prints what it was given."));
    CHECK(has(text, "- the first item of a list\n- the second item"));
}

/* ---- Blank pages --------------------------------------------------------- */

static void draw_some(int i, struct buf *out)
{
    if (i == 1)
        made_line(out, "F1", 11, 300, 30, "2"); /* its number, no more */
    else if (i == 3)
        buf_add(out, STR("0 0 0 rg 100 300 250 300 re f"));
    else if (i != 2)
        add_prose(out, 780, 20, "ships");
}

TEST(pdf_blank_pages_are_not_called_pictures)
{
    AUTO(got_free)
    struct got *g = read_made(made_pdf(5, "595 842", draw_some, NULL));

    CHECK_STR(g->facts.warning, "1 of 5 pages has no text that can be read: it "
                                "is a picture. It can be looked at, but not "
                                "found by search.");
}

TEST(what_is_no_graymap_is_a_picture)
{
    char blank[14 + 100] = "P5\n10 10\n255\n", *pixels = blank + 13;

    memset(pixels, 0xff, 100);
    CHECK(!graymap_is_picture((struct str){blank, 113}, NULL));
    memset(pixels + 20, 0, 5);
    CHECK(graymap_is_picture((struct str){blank, 113}, NULL));
    CHECK(graymap_is_picture((struct str){blank, 50}, NULL));
    CHECK(graymap_is_picture(STR("P5\n99999999999 1\n255\n"), NULL));
    CHECK(graymap_is_picture(STR(""), NULL));
}

/* ---- Leaders ------------------------------------------------------------- */

static void check_leaders(const char *line, const char *stripped,
                          const char *in_text)
{
    AUTO(buf_free) struct buf b = BUF(1000);

    leaders_strip(str_c(line), &b);
    CHECK_TEXT(buf_str(&b), str_c(stripped));
    buf_reset(&b);
    leaders_strip_entry(str_c(line), &b);
    CHECK_TEXT(buf_str(&b), str_c(in_text));
}

TEST(leaders_are_dropped_and_other_dots_stay)
{
    check_leaders("1.2 Heat . . . . . 7", "1.2 Heat 7", "1.2 Heat 7");
    check_leaders("Heat.......12", "Heat 12", "Heat 12");
    check_leaders("Heat \xe2\x80\xa6\xe2\x80\xa6 12", "Heat 12", "Heat 12");
    check_leaders("Engines . . 174", "Engines 174", "Engines . . 174");
    check_leaders("vector . . . . 3, 8, 12", "vector 3, 8, 12",
                  "vector 3, 8, 12");
    check_leaders("f(a, ....) is a call", "f(a, ) is a call",
                  "f(a, ....) is a call");
    check_leaders("The argument .... The body", "The argument The body",
                  "The argument .... The body");
    check_leaders("See 3.14.", "See 3.14.", "See 3.14.");
}

TEST(a_page_of_entries_is_contents)
{
    CHECK(leaders_entry(STR("Heat, 12, 14"), 20));
    CHECK(!leaders_entry(STR("Heat in 1824"), 20)); /* there is no such page */
    CHECK(!leaders_entry(STR("12"), 20));
    CHECK(leaders_contents(30, 20, 0));
    CHECK(leaders_contents(12, 4, 4));
    CHECK(!leaders_contents(30, 9, 0));
    CHECK(!leaders_contents(5, 3, 0)); /* too few to tell */
}
