/* chunk_test.c - how prose is cut: by words, between sentences, overlapping,
 * never across a heading. */
#include "ingest/text/chunk.h"
#include "read_passages.h"

#include "store/document/document.h"

#include <stdlib.h>
#include <string.h>

/* `n` sentences of ten words: "Sentence 17 has ten words ...". */
static char *sentences(int n)
{
    enum { BYTES = 80 };
    char *text = read_need(calloc((size_t)n + 1, BYTES)), *at = text;

    for (int i = 1; i <= n; i++)
        at += snprintf(at, BYTES,
                       "Sentence %d has ten words and says not much else. ", i);
    return text;
}

static struct read *read_prose(const char *text)
{
    return read_as_text(FORMAT_TEXT, text);
}

static size_t words_of(const struct passage *p)
{
    return chunk_words(p->text);
}

static bool begins(const struct passage *p, const char *text)
{
    return str_starts(p->text, str_c(text));
}

TEST(passages_have_about_ninety_words)
{
    char *text = sentences(100);
    struct read *r = read_prose(text);

    CHECK(r->n >= 11 && r->n <= 13);
    for (size_t i = 0; i + 1 < r->n; i++)
        CHECK(words_of(&r->passages[i]) >= 80 &&
              words_of(&r->passages[i]) <= CHUNK_WORDS + CHUNK_REST_WORDS);
    read_free(r);
    free(text);
}

TEST(a_passage_begins_with_the_last_sentence_of_the_one_before)
{
    char *text = sentences(30);
    struct read *r = read_prose(text);

    CHECK(begins(read_passage(r, 0), "Sentence 1 has"));
    CHECK(begins(read_passage(r, 1), "Sentence 9 has"));
    CHECK(memmem(r->passages[0].text.p, r->passages[0].text.n, "Sentence 9 ",
                 11));
    CHECK(begins(read_passage(r, 2), "Sentence 17 has"));
    read_free(r);
    free(text);
}

TEST(no_passage_is_a_rest_of_a_few_words)
{
    for (int n = 1; n < 40; n++) {
        char *text = sentences(n);
        struct read *r = read_prose(text);
        const struct passage *last = read_passage(r, r->n - 1);
        CHECK(n < 3 || words_of(last) > CHUNK_REST_WORDS);
        read_free(r);
        free(text);
    }
}

TEST(every_sentence_is_in_some_passage)
{
    char *text = sentences(57);
    struct read *r = read_prose(text);

    for (int i = 1; i <= 57; i++) {
        char word[32];
        snprintf(word, sizeof(word), "Sentence %d has", i);
        CHECK(read_has(r, word));
    }
    read_free(r);
    free(text);
}

TEST(a_heading_ends_the_passage_and_its_overlap)
{
    struct read *r = read_as_text(
        FORMAT_MARKDOWN, "# One\n\nHeat flows. It does.\n\n## Two\n\nWork "
                         "is done.\n\n# Three\n\nThe end.\n");

    CHECK_INT(r->n, 3);
    CHECK_TEXT(r->passages[0].heading, STR("One"));
    CHECK_TEXT(r->passages[0].text, STR("Heat flows. It does."));
    CHECK_TEXT(r->passages[1].heading, STR("One > Two"));
    CHECK_TEXT(r->passages[1].text, STR("Work is done."));
    CHECK_TEXT(r->passages[2].heading, STR("Three"));
    read_free(r);
}

static struct read *read_repeats(const char *unit, size_t n)
{
    struct arena a = ARENA(SCRATCH);
    struct read *r =
        read_as_text(FORMAT_TEXT, read_repeated(&a, "", unit, n).p);

    arena_free(&a);
    return r;
}

TEST(a_sentence_without_an_end_is_cut_between_words)
{
    struct read *r = read_repeats("word  ", 1000);
    size_t words = 0;

    for (size_t i = 0; i < r->n; i++) {
        CHECK(words_of(&r->passages[i]) <= 150);
        words += words_of(&r->passages[i]);
    }
    CHECK(words >= 1000);
    read_free(r);
}

TEST(a_word_of_a_megabyte_is_cut_between_characters)
{
    enum { LETTERS = 512 * 1024 };
    struct read *r = read_repeats("é", LETTERS); /* which checks its texts */
    size_t bytes = 0;

    for (size_t i = 0; i < r->n; i++)
        bytes += r->passages[i].text.n;
    CHECK(bytes >= (size_t)LETTERS * 2);
    read_free(r);
}

TEST(text_without_spaces_is_cut_by_characters)
{
    struct read *r = read_repeats("熱は高温から低温へ流れる。", 60);

    CHECK(r->n > 5);
    CHECK(words_of(&r->passages[0]) < 130);
    read_free(r);
}

TEST(code_is_kept_whole_and_as_it_is)
{
    static const char code[] =
        "```c\nint x;\n\n    x = 1. + 2;  /* a. B */\n```";
    char text[200];
    snprintf(text, sizeof(text), "# T\n\nBefore it.\n\n%s\n\nBehind it.", code);
    struct read *r = read_as_text(FORMAT_MARKDOWN, text);

    CHECK_INT(r->n, 1);
    CHECK(read_has(r, code));
    read_free(r);
}

TEST(code_is_not_repeated_by_the_overlap)
{
    static const char code[] =
        "```\nlet the code have some ten words here too\n```";
    char *before = sentences(8), *behind = sentences(20), text[4096];
    snprintf(text, sizeof(text), "%s\n\n%s\n\n%s", before, code, behind);
    struct read *r = read_as_text(FORMAT_MARKDOWN, text);
    int seen = 0;

    for (size_t i = 0; i < r->n; i++)
        seen += memmem(r->passages[i].text.p, r->passages[i].text.n, code,
                       sizeof(code) - 1) != NULL;
    CHECK_INT(seen, 1);
    CHECK(begins(read_passage(r, 1), "Sentence 1 has"));
    read_free(r);
    free(before);
    free(behind);
}

TEST(a_passage_has_the_page_of_what_is_new_in_it)
{
    char *first = sentences(9), *second = sentences(12), text[4096];
    snprintf(text, sizeof(text), "%s\f%s", first, second);
    struct read *r = read_prose(text);

    CHECK_INT(read_passage(r, 0)->page, 1);
    CHECK(begins(read_passage(r, 1), "Sentence 9 has"));
    CHECK_INT(r->passages[1].page, 2);
    read_free(r);
    free(first);
    free(second);
}

struct joined {
    char text[4096];
    int64_t pages[8];
    size_t n;
};

static enum footnote_rc join(void *arg, const struct passage *p,
                             struct footnote_err *err)
{
    struct joined *j = arg;

    (void)err;
    CHECK(j->n < 8);
    j->pages[j->n++] = p->page;
    snprintf(j->text + strlen(j->text), sizeof(j->text) - strlen(j->text),
             "[%.*s]", STR_ARG(p->text));
    return FOOTNOTE_OK;
}

static void add_page(struct chunker *c, int64_t page, enum chunk_gap gap,
                     const char *text)
{
    struct chunk_piece piece = {.text = str_c(text), .gap = gap, .page = page};
    struct footnote_err err;

    CHECK_OK(chunk_add(c, &piece, &err), &err);
}

TEST(a_sentence_that_goes_on_behind_a_page_is_one_sentence)
{
    struct joined j = {.n = 0};
    struct passage_sink sink = {&j, join, NULL};
    struct footnote_err err;
    AUTO(chunk_free) struct chunker c;

    chunk_init(&c, &sink);
    add_page(&c, 1, GAP_BLOCK, "One. All heat flows");
    add_page(&c, 2, GAP_PAGE, "from warm to cold bod-");
    add_page(&c, 3, GAP_PAGE, "ies. Two.");
    CHECK_OK(chunk_break(&c, &err), &err);
    CHECK_STR(j.text, "[One. All heat flows from warm to cold bodies. Two.]");
    CHECK_INT(j.pages[0], 1);
}

/* Its first half is in a passage already, which overlaps the next one by it. */
TEST(a_sentence_that_goes_on_is_whole_in_the_next_passage)
{
    char *text = sentences(12);
    struct joined j = {.n = 0};
    struct passage_sink sink = {&j, join, NULL};
    struct footnote_err err;
    AUTO(chunk_free) struct chunker c;

    chunk_init(&c, &sink);
    add_page(&c, 1, GAP_BLOCK, text);
    c.held_n = 1; /* as it is when a passage has just been sent */
    c.overlap_n = 1;
    c.words = c.held[0].words;
    c.text.n = c.held[0].bytes;
    add_page(&c, 2, GAP_PAGE, "and so on.");
    CHECK_OK(chunk_break(&c, &err), &err);
    CHECK(strstr(j.text, "not much else. and so on.]"));
    free(text);
}

/* ---- What stops --------------------------------------------------------- */

static enum footnote_rc full(void *arg, const struct passage *p,
                             struct footnote_err *err)
{
    int *left = arg;

    (void)p;
    if (--*left < 0)
        return err_set(err, FOOTNOTE_BUSY, "no room");
    return FOOTNOTE_OK;
}

TEST(a_sink_that_refuses_stops_the_reading)
{
    char *text = sentences(200);
    int left = 3;
    struct passage_sink sink = {&left, full, NULL};
    struct arena a = ARENA(EXTRACT_ARENA_MAX);
    struct extract_facts facts;
    struct footnote_err err;

    struct extract_file file = {.bytes = str_c(text), .filename = STR("x")};
    CHECK_INT(extract_run(FORMAT_TEXT, &file, &a, &sink, &facts, &err),
              FOOTNOTE_BUSY);
    CHECK_STR(err.text, "no room");
    CHECK_INT(left, -1);
    arena_free(&a);
    free(text);
}

TEST(an_arena_that_is_too_small_is_an_error)
{
    struct passage_sink sink = {NULL, NULL, NULL};
    struct arena a = ARENA(16);
    struct extract_facts facts;
    struct footnote_err err;

    struct extract_file file = {.bytes = STR("More than sixteen bytes."),
                                .filename = STR("x")};
    CHECK_INT(extract_run(FORMAT_TEXT, &file, &a, &sink, &facts, &err),
              FOOTNOTE_NOMEM);
    arena_free(&a);
}
