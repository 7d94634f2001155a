/* pdf_test.c - PDFs become passages; bad ones become sentences.
 *
 * The files are in files/, and files/README.md says how each was made. */
#include "ingest/pdf/packed_boxes.h"
#include "ingest/pdf/pdf.h"
#include "made_pdf.h"
#include "store/document/document.h"
#include "test.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define FILES "tests/ingest/files/"

/* What a run gave, in memory. */
struct got {
    struct arena a;
    struct passage passages[4096];
    size_t passages_n;
    int64_t done, total, stop_after;
    struct pdf_place places[64];
    size_t places_n;
};

static enum footnote_rc take_passage(void *arg, const struct passage *p,
                                     struct footnote_err *err)
{
    struct got *g = arg;
    struct passage *copy = &g->passages[g->passages_n++];

    CHECK(g->passages_n < sizeof(g->passages) / sizeof(*g->passages));
    *copy = *p;
    copy->text = arena_str(&g->a, p->text);
    copy->heading = arena_str(&g->a, p->heading);
    copy->boxes = arena_str(&g->a, p->boxes);
    copy->on_page = arena_str(&g->a, p->on_page);
    return arena_rc(&g->a, err);
}

static enum footnote_rc take_progress(void *arg, int64_t done, int64_t total,
                                      struct footnote_err *err)
{
    struct got *g = arg;

    /* Every page, one after the other; again while the whole is looked at. */
    CHECK(done == g->done || done == g->done + 1);
    g->done = done;
    g->total = total;
    if (done && done == g->stop_after)
        return err_set(err, FOOTNOTE_ENDED, "killed");
    return FOOTNOTE_OK;
}

static enum footnote_rc take_place(void *arg, const struct pdf_place *at,
                                   struct footnote_err *err)
{
    struct got *g = arg;

    (void)err;
    CHECK_INT(at->position, g->passages_n ? (int64_t)g->passages_n : 0);
    g->places[g->places_n++ % 64] = *at;
    return FOOTNOTE_OK;
}

static struct got *got_new(void)
{
    struct got *g = calloc(1, sizeof(*g));

    CHECK(g);
    g->a = ARENA(EXTRACT_ARENA_MAX);
    return g;
}

static void got_free(struct got **g)
{
    arena_free(&(*g)->a);
    free(*g);
}

static int open_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        FAIL("%s cannot be opened", path);
    return fd;
}

static enum footnote_rc run_from(int fd, struct pdf_place from, struct got *g,
                                 struct extract_facts *facts,
                                 struct footnote_err *err)
{
    const struct passage_sink sink = {g, take_passage, take_progress};
    const struct pdf_job job = {fd, from, &sink, take_place, NULL};

    return pdf_run(&job, &g->a, facts, err);
}

static void run(const char *path, struct got *g, struct extract_facts *facts)
{
    int fd = open_file(path);
    struct footnote_err err;

    CHECK_OK(run_from(fd, (struct pdf_place){0}, g, facts, &err), &err);
    close(fd);
}

static void has(struct str text, const char *part)
{
    if (!memmem(text.p, text.n, part, strlen(part)))
        FAIL("\"%.*s\" does not have \"%s\"", STR_ARG(text), part);
}

/* Three lines of text and a running foot. */
static void draw_slide(int i, struct buf *out)
{
    static const char *const who[] = {
        "the farmers", "sailors",   "children of the coast",   "most birds",
        "the bakers",  "all gulls", "everyone who lives there"};

    buf_printf(
        out,
        "BT /F1 12 Tf 40 300 Td (Page number %d of the long book of %s.) "
        "Tj 0 -20 Td (It says that station %d measured %d degrees at noon, "
        "which surprised %s) Tj 0 -20 Td (since the winter of year %d had "
        "been so mild for %s.) Tj 0 -200 Td (The long book, page %d) Tj ET",
        i + 1, who[i % 7], i + 1, i * 7 % 31, who[(i + 2) % 7], 1000 + i,
        who[(i + 5) % 7], i + 1);
}

/* A PDF of slides. */
static int long_pdf(int pages)
{
    return made_pdf(pages, "720 405", draw_slide, NULL);
}

/* Sentences that go on over pages, and all speak of the same. */
static void draw_prose(int i, struct buf *out)
{
    buf_add(out, STR("BT /F1 11 Tf 50 780 Td"));
    for (int k = 0; k < 12; k++)
        buf_printf(out,
                   " (Sentence number %d speaks of the temperature of harbour "
                   "%d, and of its ships.) Tj 0 -14 Td",
                   12 * i + k, 37 * (12 * i + k) % 101);
    buf_add(out, STR(" ET"));
}

/* --- Slides -----------------------------------------------------------------
 */

TEST(pdf_slides_are_one_passage_each_and_build_ups_once)
{
    AUTO(got_free) struct got *g = got_new();
    struct extract_facts facts;

    run(FILES "slides.pdf", g, &facts);
    CHECK_TEXT(facts.title, STR("Sound and waves"));
    CHECK_INT(facts.pages, 7);
    CHECK_STR(facts.warning, ""); /* two words are no picture */
    CHECK_INT(g->done, 7);
    CHECK_INT(g->total, 7);
    /* 2 is built up to 4.  1 and 6 have a few words, and are their own. */
    CHECK_INT(g->passages_n, 5);
    static const int pages[] = {1, 4, 5, 6, 7};
    for (int i = 0; i < 5; i++)
        CHECK_INT(g->passages[i].page, pages[i]);
    CHECK_TEXT(g->passages[1].heading, STR("Speed"));
    has(g->passages[1].text, "In water it is four times faster");
    CHECK_TEXT(g->passages[2].heading, STR("Pitch and loudness"));
    CHECK_TEXT(g->passages[3].text, STR("Part two"));
    has(g->passages[4].text, "called the fundamental");
}

TEST(pdf_pages_without_text_are_told_and_passed_over)
{
    AUTO(got_free) struct got *g = got_new();
    struct extract_facts facts;

    run(FILES "image-only.pdf", g, &facts);
    CHECK_INT(facts.pages, 3);
    has(str_c(facts.warning), "1 of 3 pages has no text");
    CHECK_TEXT(facts.title, STR("The first page has text that can be read, and "
                                "enough of it to be"));
    CHECK(g->passages_n >= 1);
}

TEST(pdf_right_to_left_text_comes_in_reading_order)
{
    AUTO(got_free) struct got *g = got_new();
    struct extract_facts facts;

    run(FILES "rtl.pdf", g, &facts);
    CHECK_INT(g->passages_n, 1);
    has(g->passages[0].text, "החום זורם מן החם אל הקר");
    CHECK(!facts.hidden_text); /* poppler's own marks are no one's secret */
}

/* Every page of the long book ends with the same line but for its number. */
TEST(pdf_lines_that_every_page_repeats_are_left_out)
{
    AUTO(got_free) struct got *g = got_new();
    struct extract_facts facts;
    struct footnote_err err;
    int fd = long_pdf(6);

    CHECK_OK(run_from(fd, (struct pdf_place){0}, g, &facts, &err), &err);
    CHECK_INT(g->passages_n, 6);
    for (size_t i = 0; i < 6; i++) {
        struct str text = g->passages[i].text;
        CHECK(!memmem(text.p, text.n, "The long book, page", 19));
        has(text, "degrees at noon, which surprised");
    }
    close(fd);
}

/* --- Papers -----------------------------------------------------------------
 */

TEST(pdf_paper_in_two_columns_is_read_column_by_column)
{
    AUTO(got_free) struct got *g = got_new();
    struct extract_facts facts;

    run(FILES "paper.pdf", g, &facts);
    CHECK_TEXT(facts.title,
               STR("On the Efficient Classification of Coastal Fog"));
    CHECK_STR(facts.warning, "");
    CHECK(g->passages_n >= 6 && g->passages_n <= 14);
    bool across = false, hyphen = false;
    for (size_t i = 0; i < g->passages_n; i++) {
        const struct passage *p = &g->passages[i];
        CHECK_INT(p->page, 1);
        CHECK_INT(p->position, (int64_t)i + 1);
        /* The end of the first column and the start of the second. */
        across = across ||
                 memmem(p->text.p, p->text.n, "Then it is radiation fog.", 25);
        hyphen = hyphen || memmem(p->text.p, p->text.n,
                                  "the observers on the ground", 27);
    }
    CHECK(across);
    CHECK(hyphen);
}

TEST(pdf_numbered_headings_are_the_path_of_what_follows)
{
    AUTO(got_free) struct got *g = got_new();
    struct extract_facts facts;

    run(FILES "paper.pdf", g, &facts);
    CHECK_TEXT(g->passages[g->passages_n - 1].heading, STR("4. Discussion"));
    has(g->passages[g->passages_n - 1].text, "an open question.");
}

/* --- Bad files --------------------------------------------------------------
 */

static void bad(const char *path, enum footnote_rc rc, const char *why)
{
    AUTO(got_free) struct got *g = got_new();
    struct extract_facts facts;
    struct footnote_err err = {0};
    int fd = open_file(path);

    CHECK_INT(run_from(fd, (struct pdf_place){0}, g, &facts, &err), rc);
    has(str_c(err.text), why);
    close(fd);
}

TEST(pdf_with_a_password_is_refused_in_words)
{
    bad(FILES "encrypted.pdf", FOOTNOTE_INVALID, "protected with a password");
}

TEST(pdf_that_is_broken_is_refused_in_words)
{
    bad(FILES "broken.pdf", FOOTNOTE_INVALID, "damaged and cannot be opened");
    bad("tests/test.h", FOOTNOTE_INVALID, "not a PDF");
    bad("/dev/null", FOOTNOTE_INVALID, "damaged");
}

TEST(pdf_with_too_many_pages_is_refused_by_their_number)
{
    bad(FILES "many-pages.pdf", FOOTNOTE_TOOBIG,
        "has 6000 pages and at most 5000");
}

/* A kilobyte that wants hundreds of gigabytes of memory. */
TEST(pdf_bomb_ends_as_an_error)
{
    bad(FILES "bomb.pdf", FOOTNOTE_TOOBIG, "needs more memory");
}

/* --- Long files -------------------------------------------------------------
 */

TEST(pdf_of_1000_pages_is_read_with_progress)
{
    AUTO(got_free) struct got *g = got_new();
    struct extract_facts facts;
    struct footnote_err err;
    int fd = long_pdf(1000);

    CHECK_OK(run_from(fd, (struct pdf_place){0}, g, &facts, &err), &err);
    CHECK_INT(g->done, 1000);
    CHECK_INT(g->places_n, (1000 + PDF_BATCH - 1) / PDF_BATCH);
    CHECK_INT(g->passages_n, 1000);
    CHECK_INT(g->passages[999].page, 1000);
    has(g->passages[999].text, "Page number 1000 of the long book of");
}

/* Killed in the middle of a batch, and started again at the last place that
 * was kept: together the passages of an undisturbed run. */
TEST(pdf_run_that_was_killed_goes_on_where_it_was)
{
    AUTO(got_free) struct got *whole = got_new();
    AUTO(got_free) struct got *cut = got_new();
    struct extract_facts facts;
    struct footnote_err err;
    int fd = long_pdf(200);

    CHECK_OK(run_from(fd, (struct pdf_place){0}, whole, &facts, &err), &err);
    cut->stop_after = 150;
    CHECK_INT(run_from(fd, (struct pdf_place){0}, cut, &facts, &err),
              FOOTNOTE_ENDED);
    CHECK_INT(cut->places_n, 2);
    struct pdf_place at = cut->places[1];
    CHECK_INT(at.pages, 2 * PDF_BATCH);
    cut->passages_n = (size_t)at.position; /* what is met again is ignored */
    cut->done = at.pages;
    cut->stop_after = 0;
    CHECK_OK(run_from(fd, at, cut, &facts, &err), &err);
    CHECK_INT(cut->passages_n, whole->passages_n);
    for (size_t i = 0; i < whole->passages_n; i++) {
        CHECK_INT(cut->passages[i].position, whole->passages[i].position);
        CHECK_INT(cut->passages[i].page, whole->passages[i].page);
        CHECK_TEXT(cut->passages[i].text, whole->passages[i].text);
    }
}

/* --- Facts ------------------------------------------------------------------
 */

TEST(pdf_facts_tell_pages_size_and_title)
{
    AUTO(arena_free) struct arena a = ARENA(65536);
    int fd = open_file(FILES "slides.pdf");
    struct pdf_facts facts;
    struct footnote_err err;

    CHECK_OK(pdf_facts(fd, 3, &a, &facts, &err), &err);
    CHECK_INT(facts.pages, 7);
    CHECK_F64(facts.width, 720);
    CHECK_F64(facts.height, 405);
    CHECK_TEXT(facts.title, STR("Sound and waves"));
    CHECK_INT(pdf_facts(fd, 8, &a, &facts, &err), FOOTNOTE_NOTFOUND);
    CHECK_INT(pdf_facts(fd, 0, &a, &facts, &err), FOOTNOTE_NOTFOUND);
    close(fd);
}

/* --- Places of passages -----------------------------------------------------
 */

/* The words that stand in the boxes of a passage, with spaces. */
static struct str marked(const struct passage *p, const struct page_words *page,
                         struct arena *a)
{
    AUTO(buf_free) struct buf b = BUF(1 << 20);
    struct packed_boxes boxes = {.rest = p->boxes};
    struct page_box box;

    while (boxes_next(&boxes, &box)) {
        double x = (box.x + box.w / 2) * page->width;
        double y = (box.y + box.h / 2) * page->height;
        for (size_t i = 0; i < page->words_n; i++) {
            const struct page_word *w = &page->words[i];
            if (x < w->x || x > w->x + w->w || y < w->y || y > w->y + w->h)
                continue;
            buf_add(&b, w->text);
            buf_add_c(&b, ' ');
        }
    }
    return arena_str(a, buf_str(&b));
}

static struct str marked_of(int fd, const struct passage *p, struct arena *a)
{
    struct page_words page;
    struct footnote_err err;

    CHECK_OK(page_words(fd, p->page, a, &page, &err), &err);
    return marked(p, &page, a);
}

static struct str marked_in(const char *path, const struct passage *p,
                            struct arena *a)
{
    int fd = open_file(path);
    struct str there = marked_of(fd, p, a);

    close(fd);
    return there;
}

static const struct passage *with(const struct got *g, const char *text)
{
    for (size_t i = 0; i < g->passages_n; i++)
        if (memmem(g->passages[i].text.p, g->passages[i].text.n, text,
                   strlen(text)))
            return &g->passages[i];
    FAIL("no passage has \"%s\"", text);
}

TEST(pdf_passages_keep_where_their_words_stand)
{
    AUTO(got_free) struct got *g = got_new();
    struct extract_facts facts;
    const struct passage *p;

    run(FILES "paper.pdf", g, &facts);
    for (size_t i = 0; i < g->passages_n; i++)
        CHECK(g->passages[i].boxes.n > 0 &&
              g->passages[i].boxes.n < g->passages[i].text.n);
    p = with(g, "Advection fog arrives");
    has(marked_in(FILES "paper.pdf", p, &g->a),
        "Advection fog arrives with a warm wind over cold water. ");
}

/* What stands on the page behind is no business of this one, though the same
 * words are on it. */
TEST(pdf_passages_are_marked_on_their_own_page_only)
{
    AUTO(got_free) struct got *g = got_new();
    int fd = made_pdf(5, "595 842", draw_prose, NULL);
    struct extract_facts facts;
    struct footnote_err err;
    size_t crossing = 0;

    CHECK_OK(run_from(fd, (struct pdf_place){0}, g, &facts, &err), &err);
    for (size_t i = 0; i < g->passages_n; i++) {
        const struct passage *p = &g->passages[i];
        struct str there = marked_of(fd, p, &g->a);
        crossing += p->on_page.n < p->text.n;
        CHECK(there.n == p->on_page.n + 1); /* a space behind the last word */
        CHECK(memcmp(there.p, p->on_page.p, p->on_page.n) == 0);
    }
    CHECK(crossing > 3);
    close(fd);
}

TEST(pdf_passages_without_places_are_no_failure)
{
    AUTO(got_free) struct got *g = got_new();
    struct extract_facts facts;
    const struct passage *p;

    run(FILES "rtl.pdf", g, &facts);
    CHECK(g->passages[0].boxes.n > 0);
    g->passages_n = 0;
    g->done = 0;
    run(FILES "slides.pdf", g, &facts);
    p = with(g, "decibel");
    has(marked_in(FILES "slides.pdf", p, &g->a), "Loudness ");
}
