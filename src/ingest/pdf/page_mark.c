/* page_mark.c - finds a passage among the words of its page. */
#include "ingest/pdf/page.h"
#include "ingest/text/find_words.h"

enum { PASSAGE_WORDS_MAX = 4000 };

static void make_ranges(const bool *marked, size_t n, struct page_marks *out)
{
    for (size_t j = 0; j < n; j++) {
        if (!marked[j])
            continue;
        if (j == 0 || !marked[j - 1])
            out->ranges[out->ranges_n++].from = j;
        out->ranges[out->ranges_n - 1].to = j + 1;
    }
}

enum footnote_rc page_mark(const struct page_words *page, struct str passage,
                           struct arena *a, struct page_marks *out,
                           struct footnote_err *err)
{
    struct letters in, text;
    struct find_words find = {.text = &text, .in = &in};
    struct str *words;
    size_t n;

    *out = (struct page_marks){0};
    if (page->words_n == 0 || passage.n == 0)
        return FOOTNOTE_OK;
    find.marked = arena_many(a, page->words_n, bool);
    out->ranges = arena_many(a, page->words_n, struct page_range);
    TRY(arena_rc(a, err));
    TRY(split_words(a, passage, PASSAGE_WORDS_MAX, &words, &n, err));
    TRY(letters_new(a, words, n, &text, err));
    words = arena_many(a, page->words_n, struct str);
    TRY(arena_rc(a, err));
    for (size_t i = 0; i < page->words_n; i++)
        words[i] = page->words[i].text;
    TRY(letters_new(a, words, page->words_n, &in, err));
    find_words(&find);
    make_ranges(find.marked, page->words_n, out);
    return FOOTNOTE_OK;
}
