/* passage_sentence.c - cuts a passage into sentences. */
#include "language/passage_sentence.h"

#include <ctype.h>
#include <utf8proc.h>

#include "base/utf8.h"
#include "language/abbreviation.h"

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* No letter, digit or quotation mark. */
static bool is_symbol(uint32_t c)
{
    utf8proc_category_t k = utf8proc_category((utf8proc_int32_t)c);

    return k == UTF8PROC_CATEGORY_PD || k == UTF8PROC_CATEGORY_PO ||
           k == UTF8PROC_CATEGORY_CO ||
           (k >= UTF8PROC_CATEGORY_SM && k <= UTF8PROC_CATEGORY_SO);
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static struct str trim(struct str s)
{
    while (s.n && is_space(s.p[0]))
        s = str_skip(s, 1);
    while (s.n && is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

/* The end of the sentence that the stop at `at` ends; 0: it ends none. */
static size_t stop_end(struct str s, size_t at)
{
    const struct str stops = STR(".!?\"')]");
    size_t end = at + 1, next;

    while (end < s.n && str_find(stops, s.p[end]) < stops.n)
        end++;
    /* Closing quotation mark, three bytes. */
    if (str_starts(str_skip(s, end), STR("\xe2\x80\x9d")))
        end += 3;
    if (end == s.n)
        return end;
    if (!is_space(s.p[end]))
        return 0;
    for (next = end; next < s.n && is_space(s.p[next]);)
        next++;
    if (next < s.n && s.p[next] >= 'a' && s.p[next] <= 'z')
        return 0;
    return s.p[at] == '.' && abbreviation_at(s, at) ? 0 : end;
}

/* Whether the line that ends at `at` is a title: far shorter than the next one,
 * which begins with a capital. */
static bool is_title(struct str s, size_t at, size_t next)
{
    size_t start = at, after = str_find(str_skip(s, next), '\n');

    while (start > 0 && s.p[start - 1] != '\n')
        start--;
    return (at - start) * 3 < after * 2 && is_capital(s.p[next]);
}

/* Whether an item of a list begins here: with a bullet of any form and a space,
 * or as "2." or "b)". */
static bool is_item(struct str s)
{
    size_t i = 0;

    if (s.n == 0)
        return false;
    uint32_t c = utf8_next(s, &i);
    if (c >= 0x80)
        return i < s.n && is_space(s.p[i]) && is_symbol(c);
    if (c == '-' || c == '*')
        return true;
    while (i < s.n && i < 2 && s.p[i] >= '0' && s.p[i] <= '9')
        i++;
    return isalnum((int)c) && i + 1 < s.n && (s.p[i] == '.' || s.p[i] == ')') &&
           is_space(s.p[i + 1]);
}

/* Whether the line break at `at` ends a sentence: an empty line or an item
 * follows, or the line was a title.  Other lines are wrapped text. */
static bool is_break(struct str s, size_t at)
{
    size_t next = at + 1;

    while (next < s.n && (s.p[next] == ' ' || s.p[next] == '\t'))
        next++;
    if (next == s.n)
        return false;
    if (is_title(s, at, next))
        return true;
    return s.p[next] == '\n' || is_item(str_skip(s, next));
}

static size_t sentence_end(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        size_t end = 0;

        if (c == '.' || c == '!' || c == '?')
            end = stop_end(s, i);
        else if (c == '\n' && is_break(s, i))
            end = i + 1;
        else if (str_starts(str_skip(s, i), STR("\xe3\x80\x82")))
            end = i + 3;
        if (end && !abbreviation_is_item((struct str){s.p, end}))
            return end;
    }
    return s.n;
}

bool passage_sentence_take(struct str *rest, struct str *out)
{
    for (;;) {
        size_t end;

        *rest = trim(*rest);
        if (rest->n == 0)
            return false;
        end = sentence_end(*rest);
        *out = trim((struct str){rest->p, end});
        *rest = str_skip(*rest, end);
        if (out->n)
            return true;
    }
}

/* The first byte of Chinese and Japanese characters and their marks. */
static bool is_unspaced(unsigned char first)
{
    return first >= 0xe3 && first <= 0xe9;
}

/* Whether what ends at `end` and what begins at `next` are both written without
 * spaces. */
static bool joins_tight(struct str s, size_t end, size_t next)
{
    return end >= 3 && next < s.n && is_unspaced((unsigned char)s.p[end - 3]) &&
           is_unspaced((unsigned char)s.p[next]);
}

struct str passage_sentence_joined(struct arena *a, struct str sentence)
{
    struct str s = trim(sentence);
    char *p = arena_alloc(a, s.n + 1);
    size_t n = 0;

    if (!p)
        return STR_NONE;
    for (size_t i = 0; i < s.n;) {
        size_t gap = i, end = i;
        bool line = false;

        for (; gap < s.n && is_space(s.p[gap]); gap++)
            line |= s.p[gap] == '\n';
        if (gap == end) {
            p[n++] = s.p[i++];
            continue;
        }
        if (!line || !joins_tight(s, end, gap))
            p[n++] = ' ';
        i = gap;
    }
    p[n] = '\0';
    return (struct str){p, n};
}
