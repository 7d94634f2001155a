/* page_order.c - words of a page as people read them.
 *
 * pdftotext -bbox gives words as they are seen, from left to right, also those
 * of Hebrew and Arabic, whose letters are then the wrong way round:
 *
 *     as it is seen   [dlrow olleh]      as it is read   [hello][world]
 *
 * So letters of such words are turned around, except numbers, and so is the
 * order of such words that stand side by side. */
#include "ingest/pdf/page_order.h"
#include "base/utf8.h"
#include <assert.h>
#include <utf8proc.h>

/* A word with letters from the right and none from the left. */
static bool is_reversed(struct str s)
{
    bool right = false;

    for (size_t i = 0; i < s.n;) {
        uint32_t c = utf8_next(s, &i);
        int k = utf8proc_get_property((utf8proc_int32_t)c)->bidi_class;
        if (k == UTF8PROC_BIDI_CLASS_L)
            return false;
        right =
            right || k == UTF8PROC_BIDI_CLASS_R || k == UTF8PROC_BIDI_CLASS_AL;
    }
    return right;
}

/* The length of the number at the start of s: digits, and signs between them.
 */
static size_t number_bytes(struct str s)
{
    size_t n = 0, end = 0;

    while (n < s.n && ((s.p[n] >= '0' && s.p[n] <= '9') ||
                       (end && strchr(".,:/", s.p[n])))) {
        if (s.p[n] >= '0' && s.p[n] <= '9')
            end = n + 1;
        n++;
    }
    return end;
}

/* A copy with its characters in reverse order, but for numbers. */
static struct str reverse_letters(struct str s, struct arena *a)
{
    char *out = arena_alloc(a, s.n + 1);
    size_t at = s.n;

    if (!out)
        return STR_NONE;
    for (size_t i = 0; i < s.n;) {
        size_t n = number_bytes(str_skip(s, i)), next = i;
        if (n == 0) {
            utf8_next(s, &next);
            n = next - i;
        }
        at -= n;
        memcpy(out + at, s.p + i, n);
        i += n;
    }
    assert(at == 0);
    return (struct str){out, s.n};
}

bool page_same_line(const struct page_word *a, const struct page_word *b)
{
    double middle = b->y + b->h / 2;

    return middle >= a->y && middle <= a->y + a->h;
}

void page_order(struct page_words *page, struct arena *a)
{
    struct page_word *w = page->words;

    for (size_t i = 0; i < page->words_n;) {
        size_t end = i;
        while (end < page->words_n && is_reversed(w[end].text) &&
               (end == i || (page_same_line(&w[end - 1], &w[end]) &&
                             w[end].x > w[end - 1].x))) {
            w[end].text = reverse_letters(w[end].text, a);
            end++;
        }
        for (size_t k = 0; k < (end - i) / 2; k++) {
            struct page_word left = w[i + k];
            w[i + k] = w[end - 1 - k];
            w[end - 1 - k] = left;
        }
        i = end > i ? end : i + 1;
    }
}
