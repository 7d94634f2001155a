/* page_test.c - one page of a PDF: words in boxes, pictures, marked passages.
 */
#include "base/json.h"
#include "ingest/pdf/packed_boxes.h"
#include "store/document/document.h"
#include "test.h"
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#define FILES "tests/ingest/files/"

static struct page_words words_of(const char *path, int64_t n, struct arena *a)
{
    struct page_words page;
    struct footnote_err err;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    CHECK(fd >= 0);
    CHECK_OK(page_words(fd, n, a, &page, &err), &err);
    close(fd);
    return page;
}

TEST(page_words_have_boxes_inside_of_the_page)
{
    AUTO(arena_free) struct arena a = ARENA(PAGE_ARENA_MAX);
    struct page_words page = words_of(FILES "slides.pdf", 4, &a);

    CHECK_F64(page.width, 720);
    CHECK_F64(page.height, 405);
    CHECK(page.words_n > 40);
    CHECK_TEXT(page.words[0].text, STR("Speed"));
    for (size_t i = 0; i < page.words_n; i++) {
        const struct page_word *w = &page.words[i];
        CHECK(w->x >= 0 && w->y >= 0 && w->w > 0 && w->h > 0);
        CHECK(w->x + w->w <= 720 && w->y + w->h <= 405);
    }
    CHECK(str_starts(page.text, STR("Speed\n• A wave carries energy")));
}

TEST(page_words_are_json_of_the_documented_form)
{
    AUTO(arena_free) struct arena a = ARENA(PAGE_ARENA_MAX);
    AUTO(buf_free) struct buf b = BUF(1 << 20);
    struct page_words page = words_of(FILES "slides.pdf", 1, &a);
    struct footnote_err err;
    struct json *json;

    page_words_json(&page, NULL, 0, &b);
    CHECK_OK(json_read(&a, buf_str(&b), &json, &err), &err);
    struct json *words = json_get(json, STR("words"));
    CHECK(words && words->type == JSON_ARRAY && words->n == page.words_n);
    CHECK_TEXT(json_get(words->first, STR("t"))->s, STR("Sound"));
    CHECK(json_get(words->first, STR("x")) && json_get(words->first, STR("h")));
    CHECK_INT(json_get(json, STR("width"))->i, 720);
}

TEST(page_that_is_not_there_is_not_found)
{
    AUTO(arena_free) struct arena a = ARENA(PAGE_ARENA_MAX);
    AUTO(buf_free) struct buf png = BUF(PAGE_PICTURE_BYTES_MAX);
    int fd = open(FILES "slides.pdf", O_RDONLY | O_CLOEXEC);
    struct page_words page;
    struct footnote_err err;

    CHECK_INT(page_words(fd, 8, &a, &page, &err), FOOTNOTE_NOTFOUND);
    CHECK_INT(page_picture(fd, 8, 1, &png, &err), FOOTNOTE_NOTFOUND);
    CHECK_INT(page_picture(fd, 0, 1, &png, &err), FOOTNOTE_NOTFOUND);
    close(fd);
}

static unsigned be32(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;

    return (unsigned)u[0] << 24 | (unsigned)u[1] << 16 | (unsigned)u[2] << 8 |
           u[3];
}

TEST(page_picture_is_a_png_of_its_page)
{
    AUTO(buf_free) struct buf png = BUF(PAGE_PICTURE_BYTES_MAX);
    int fd = open(FILES "slides.pdf", O_RDONLY | O_CLOEXEC);
    struct footnote_err err;

    CHECK_OK(page_picture(fd, 4, 1, &png, &err), &err);
    CHECK(png.n > 1000 && memcmp(png.p, "\x89PNG\r\n\x1a\n", 8) == 0);
    CHECK_INT(be32(png.p + 16), 1100); /* 720 points at 110 dots an inch */
    CHECK_INT(be32(png.p + 20), 619);
    CHECK(memcmp(png.p + png.n - 8, "IEND", 4) == 0);
    buf_reset(&png);
    CHECK_OK(page_picture(fd, 4, 2, &png, &err), &err);
    CHECK_INT(be32(png.p + 16), 2200);
    CHECK_INT(be32(png.p + 20), 1238);
    close(fd);
}

/* --- Marks ------------------------------------------------------------------
 */

static struct page_marks marks_of(const struct page_words *page,
                                  const char *passage, struct arena *a)
{
    struct page_marks marks;
    struct footnote_err err;

    CHECK_OK(page_mark(page, str_c(passage), a, &marks, &err), &err);
    return marks;
}

TEST(page_mark_finds_a_sentence)
{
    AUTO(arena_free) struct arena a = ARENA(PAGE_ARENA_MAX);
    struct page_words page = words_of(FILES "paper.pdf", 1, &a);
    struct page_marks m =
        marks_of(&page,
                 "Advection fog arrives with a warm wind over cold water. "
                 "Radiation fog is made at night over land,",
                 &a);

    CHECK_INT(m.ranges_n, 1);
    CHECK_TEXT(page.words[m.ranges[0].from].text, STR("Advection"));
    CHECK_TEXT(page.words[m.ranges[0].to - 1].text, STR("land,"));
}

/* "infra-" and "red" stand on two lines; the passage has them in one word, and
 * ligatures on either side. */
TEST(page_mark_sees_through_hyphens_ligatures_and_case)
{
    AUTO(arena_free) struct arena a = ARENA(PAGE_ARENA_MAX);
    struct page_words page = words_of(FILES "paper.pdf", 1, &a);
    struct page_marks m =
        marks_of(&page, "AND AN INFRARED THERMOMETER THAT WAS DIRECTED", &a);

    CHECK_INT(m.ranges_n, 1);
    CHECK_TEXT(page.words[m.ranges[0].from].text, STR("and"));
    CHECK_TEXT(page.words[m.ranges[0].to - 1].text, STR("directed"));
    m = marks_of(&page, "A su\uFB03cient classi\uFB01cation therefore", &a);
    CHECK_INT(m.ranges_n, 1);
    CHECK_INT(m.ranges[0].to - m.ranges[0].from, 4);
}

/* A passage of three joined slides has one of them on this page. */
TEST(page_mark_marks_what_is_there_and_nothing_else)
{
    AUTO(arena_free) struct arena a = ARENA(PAGE_ARENA_MAX);
    struct page_words page = words_of(FILES "slides.pdf", 7, &a);
    struct page_marks m =
        marks_of(&page,
                 "Part two\n\nStanding waves\n• The lowest tone has one half "
                 "wave and is called the fundamental.",
                 &a);

    CHECK_INT(m.ranges_n, 2);
    CHECK_TEXT(page.words[m.ranges[0].from].text, STR("Standing"));
    CHECK_TEXT(page.words[m.ranges[1].to - 1].text, STR("fundamental."));
    m = marks_of(&page, "Quantum chromodynamics on the lattice", &a);
    CHECK_INT(m.ranges_n, 0);
    CHECK_INT(marks_of(&page, "", &a).ranges_n, 0);
    CHECK_INT(marks_of(&page, "• – …", &a).ranges_n, 0);
}

TEST(page_mark_finds_right_to_left_text)
{
    AUTO(arena_free) struct arena a = ARENA(PAGE_ARENA_MAX);
    struct page_words page = words_of(FILES "rtl.pdf", 1, &a);
    struct page_marks m = marks_of(&page, "החום זורם מן החם אל הקר", &a);

    CHECK_INT(m.ranges_n, 1);
    CHECK_INT(m.ranges[0].to - m.ranges[0].from, 6);
}

/* What a page is about stands in other sentences as well. */
TEST(page_mark_leaves_single_words_alone)
{
    AUTO(arena_free) struct arena a = ARENA(PAGE_ARENA_MAX);
    struct page_words page = words_of(FILES "paper.pdf", 1, &a);

    CHECK_INT(marks_of(&page, "Which thermometer sank", &a).ranges_n, 0);
    CHECK_INT(marks_of(&page, "thermometer", &a).ranges_n, 1); /* all of it */
}

/* --- Boxes ------------------------------------------------------------------
 */

/* Packs and unpacks all words of a page; each comes back where it was, to a
 * thousandth of the page. */
static size_t pack_all(const struct page_words *page)
{
    AUTO(buf_free) struct buf b = BUF(PASSAGE_BOXES_BYTES_MAX);
    struct page_range all = {0, page->words_n};
    struct packed_boxes boxes;
    struct page_box box;
    size_t n = 0;

    boxes_pack(page, &(struct page_marks){&all, 1}, &b);
    boxes = (struct packed_boxes){.rest = buf_str(&b)};
    for (; boxes_next(&boxes, &box); n++) {
        const struct page_word *w = &page->words[n];
        CHECK(n < page->words_n);
        CHECK(fabs(box.x - w->x / page->width) < .0011);
        CHECK(fabs(box.x + box.w - (w->x + w->w) / page->width) < .0011);
        CHECK(fabs(box.y - w->y / page->height) < .0021);
        CHECK(fabs(box.h - w->h / page->height) < .0021);
    }
    CHECK_INT(boxes.rest.n, 0);
    CHECK_INT(n, page->words_n);
    return b.n;
}

TEST(page_boxes_come_back_in_a_few_bytes)
{
    AUTO(arena_free) struct arena a = ARENA(PAGE_ARENA_MAX);
    struct page_words page = words_of(FILES "paper.pdf", 1, &a);

    CHECK(page.words_n > 300);
    CHECK(pack_all(&page) < 3 * page.words_n);
    page = words_of(FILES "rtl.pdf", 1, &a);
    pack_all(&page);
    page = words_of(FILES "slides.pdf", 4, &a);
    pack_all(&page);
}

TEST(page_boxes_have_a_limit)
{
    AUTO(buf_free) struct buf b = BUF(PASSAGE_BOXES_BYTES_MAX);
    static struct page_word words[PASSAGE_BOXES_BYTES_MAX];
    struct page_words page = {.width = 600, .height = 800, .words = words};
    struct page_range all = {0, PASSAGE_BOXES_BYTES_MAX};
    struct packed_boxes boxes;
    struct page_box box;
    size_t n = 0;

    page.words_n = all.to;
    for (size_t i = 0; i < page.words_n; i++)
        words[i] = (struct page_word){.text = STR("x"),
                                      .x = (double)(i % 7) * 80,
                                      .y = (double)(i % 3) * 90,
                                      .w = 50,
                                      .h = 12};
    boxes_pack(&page, &(struct page_marks){&all, 1}, &b);
    CHECK_OK(buf_rc(&b, NULL), NULL);
    boxes = (struct packed_boxes){.rest = buf_str(&b)};
    while (boxes_next(&boxes, &box))
        n++;
    CHECK(n > 1000 && n < page.words_n); /* whole ones */
    CHECK_INT(boxes.rest.n, 0);
}
