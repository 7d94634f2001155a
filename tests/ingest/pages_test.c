/* pages_test.c - slides: one passage each, small ones too, build-ups once. */
#include "ingest/text/pages.h"
#include "read_passages.h"

#include "store/document/document.h"

#include <stdlib.h>

/* 30 words. */
#define LONG                                                                   \
    "a b c d e f g h i j k l m n o p q r s t u v w x y z heat work one two"

struct kept {
    struct arena a;
    struct passage p[32];
    size_t n;
    struct chunker chunker;
    struct pages pages;
    struct passage_sink sink;
};

static enum footnote_rc keep(void *arg, const struct passage *p,
                             struct footnote_err *err)
{
    struct kept *k = arg;

    (void)err;
    CHECK(k->n < 32);
    k->p[k->n] = *p;
    k->p[k->n].text = arena_str(&k->a, p->text);
    k->p[k->n].heading = arena_str(&k->a, p->heading);
    k->p[k->n++].extra = arena_str(&k->a, p->extra);
    return FOOTNOTE_OK;
}

/* Pages with heading, text and notes; an absent text ends the list. */
static struct kept *push_all(const struct page_content *pages)
{
    struct kept *k = read_need(calloc(1, sizeof(*k)));
    struct footnote_err err;

    k->a = ARENA(SCRATCH);
    k->sink = (struct passage_sink){k, keep, NULL};
    chunk_init(&k->chunker, &k->sink);
    pages_init(&k->pages, &k->chunker);
    for (int64_t i = 1; pages->text.p; pages++, i++) {
        struct page_content page = *pages;
        page.number = i;
        CHECK_OK(pages_push(&k->pages, &page, &err), &err);
    }
    CHECK_OK(pages_end(&k->pages, &err), &err);
    pages_free(&k->pages);
    chunk_free(&k->chunker);
    return k;
}

static void kept_free(struct kept *k)
{
    arena_free(&k->a);
    free(k);
}

#define PAGE(h, t)                                                             \
    {                                                                          \
        .heading = {"" h, sizeof(h) - 1}, .text = { "" t, sizeof(t) - 1 }      \
    }
#define END                                                                    \
    {                                                                          \
        .text = { NULL, 0 }                                                    \
    }

TEST(a_slide_is_a_passage_with_its_page_and_heading)
{
    static const struct page_content pages[] = {PAGE("Heat", "Heat\n" LONG),
                                                PAGE("", "Work " LONG), END};
    struct kept *k = push_all(pages);

    CHECK_INT(k->n, 2);
    CHECK_INT(k->p[0].page, 1);
    CHECK_TEXT(k->p[0].heading, STR("Heat"));
    CHECK_TEXT(k->p[0].text, STR("Heat\n" LONG));
    CHECK_INT(k->p[1].page, 2);
    CHECK(!k->p[1].heading.p);
    kept_free(k);
}

TEST(a_small_page_is_not_joined_to_the_next)
{
    static const struct page_content pages[] = {
        PAGE("T", "A title"), PAGE("Heat", LONG), PAGE("", "The end"), END};
    struct kept *k = push_all(pages);

    CHECK_INT(k->n, 3);
    for (size_t i = 0; i < 3; i++)
        CHECK_INT(k->p[i].page, (int64_t)i + 1);
    CHECK_TEXT(k->p[0].text, STR("A title"));
    CHECK_TEXT(k->p[1].heading, STR("Heat"));
    CHECK(!k->p[2].heading.p);
    kept_free(k);
}

TEST(slides_that_build_up_are_one_passage_with_the_last_page)
{
    static const struct page_content pages[] = {
        PAGE("", "Title page"),
        PAGE("Heat", "Heat\nIt flows.\n2 / 9"),
        PAGE("Heat", "Heat\nIt flows.\nAlways.\n3 / 9"),
        PAGE("Heat", "Heat\nIt flows.\nIn between.\nAlways.\n" LONG "\n4 / 9"),
        PAGE("", "Another slide " LONG),
        END};
    struct kept *k = push_all(pages);

    CHECK_INT(k->n, 3);
    CHECK_INT(k->p[1].page, 4);
    CHECK_TEXT(k->p[1].text,
               STR("Heat\nIt flows.\nIn between.\nAlways.\n" LONG "\n4 / 9"));
    CHECK_INT(k->p[2].page, 5);
    kept_free(k);
}

TEST(a_slide_that_only_looks_alike_is_kept)
{
    static const struct page_content pages[] = {
        PAGE("Heat", "Heat\nIt flows down.\n" LONG),
        PAGE("Heat", "Heat\nIt flows up.\n" LONG), END};
    struct kept *k = push_all(pages);

    CHECK_INT(k->n, 2);
    kept_free(k);
}

TEST(a_dense_page_is_cut_and_keeps_its_page)
{
    static const struct page_content pages[] = {
        PAGE("", LONG),
        PAGE("Dense", LONG ".\n" LONG ".\n" LONG ".\n" LONG ".\n" LONG
                           ".\n" LONG ".\n" LONG ".\n"),
        END};
    struct kept *k = push_all(pages);

    CHECK(k->n > 2);
    for (size_t i = 1; i < k->n; i++) {
        CHECK_INT(k->p[i].page, 2);
        CHECK_TEXT(k->p[i].heading, STR("Dense"));
        CHECK(chunk_words(k->p[i].text) < PAGES_WORDS_MAX);
    }
    kept_free(k);
}

TEST(notes_are_flagged_and_stand_behind_their_slide)
{
    const struct page_content pages[] = {
        {.heading = STR("Heat"), .text = STR(LONG), .notes = STR("Say hello.")},
        {.text = STR("Next " LONG), .notes = STR("")},
        END};
    struct kept *k = push_all(pages);

    CHECK_INT(k->n, 3);
    CHECK(!k->p[0].extra.p);
    CHECK_TEXT(k->p[1].text, STR("Say hello."));
    CHECK_TEXT(k->p[1].extra, STR("{\"notes\":true}"));
    CHECK_TEXT(k->p[1].heading, STR("Heat"));
    CHECK_INT(k->p[1].page, 1);
    CHECK(!k->p[2].extra.p);
    kept_free(k);
}

TEST(pages_without_text_make_no_passage)
{
    static const struct page_content pages[] = {PAGE("", LONG), PAGE("", " \n"),
                                                PAGE("", "Next " LONG), END};
    struct kept *k = push_all(pages);

    CHECK_INT(k->n, 2);
    CHECK_INT(k->p[1].page, 3);
    kept_free(k);
}
