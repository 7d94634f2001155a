/* unknown.c - which numbers of a text's markers have no source. */
#include "cite/unknown.h"

#include "cite/marks.h"

/* What a text of nothing but wide ranges may cost its readers. */
enum { LOOKUPS_MAX = 20 * 1000 };

static bool is_known(const uint32_t *known, size_t n, uint32_t number)
{
    size_t from = 0;

    while (from < n) {
        size_t middle = (from + n) / 2;

        if (known[middle] == number)
            return true;
        if (known[middle] < number)
            from = middle + 1;
        else
            n = middle;
    }
    return false;
}

static void add(uint32_t *list, size_t *n, uint32_t number)
{
    size_t at = *n;

    while (at > 0 && list[at - 1] > number)
        at--;
    if (at > 0 && list[at - 1] == number)
        return;
    memmove(&list[at + 1], &list[at], (*n - at) * sizeof(*list));
    list[at] = number;
    ++*n;
}

/* Most texts that have no marker have none of the bytes that begin one. */
static bool may_mark(struct str text)
{
    return text.n &&
           (memchr(text.p, '[', text.n) || memchr(text.p, 0xe3, text.n) ||
            memchr(text.p, 0xef, text.n));
}

enum footnote_rc unknown_numbers(struct arena *a, struct str text,
                                 const uint32_t *known, size_t known_n,
                                 const uint32_t **out, size_t *n,
                                 struct footnote_err *err)
{
    struct mark *marks = NULL;
    uint32_t *list;
    size_t marks_n = 0, looked = 0;

    *out = NULL;
    *n = 0;
    if (may_mark(text))
        TRY(marks_find(a, text, &marks, &marks_n, err));
    if (!marks_n)
        return FOOTNOTE_OK;
    list = arena_many(a, UNKNOWN_NUMBERS_MAX, uint32_t);
    if (!list)
        return arena_rc(a, err);
    for (size_t i = 0; i < marks_n && looked < LOOKUPS_MAX; i++) {
        if (marks[i].page)
            continue;
        for (uint32_t k = marks[i].from;
             k <= marks[i].to && *n < UNKNOWN_NUMBERS_MAX; k++, looked++)
            if (!is_known(known, known_n, k))
                add(list, n, k);
    }
    *out = list;
    return FOOTNOTE_OK;
}
