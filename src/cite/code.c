/* code.c - fenced blocks and code spans, as CommonMark has them.
 *
 * Three limits of our own keep what a stream must hold back bounded: a span is
 * at most MARK_CODE_BYTES_MAX long, what follows an opening fence in its line
 * is looked at no further than that, and a run of more than BACKTICKS_MAX
 * backticks opens nothing. */
#include "cite/code.h"
#include "cite/marks.h"

#include <assert.h>

enum { FENCE_MIN = 3, INDENT_MAX = 3, BACKTICKS_MAX = 128 };
#define BLANKS " \t\r"

size_t code_run(struct str text, size_t at)
{
    size_t n = 1;

    assert(at < text.n);
    while (at + n < text.n && text.p[at + n] == text.p[at])
        n++;
    return n;
}

static size_t line_end(struct str text, size_t at)
{
    return at + str_find(str_skip(text, at), '\n');
}

/* Behind the characters of `set` at `at`, at most `max` of them. */
static size_t skip_any(struct str text, size_t at, const char *set, size_t max)
{
    size_t i = at;
    while (i < text.n && i - at < max && text.p[i] && strchr(set, text.p[i]))
        i++;
    return i;
}

/* The fence characters in the line at `at`: their place and number, or 0. */
static size_t fence_run(struct str text, size_t at, size_t *place)
{
    *place = skip_any(text, at, " ", INDENT_MAX);
    if (*place == text.n || (text.p[*place] != '`' && text.p[*place] != '~'))
        return 0;
    size_t run = code_run(text, *place);
    return run >= FENCE_MIN ? run : 0;
}

/* A line that opens with backticks and has another one is a paragraph that
 * begins with a code span. */
static enum certain opens_with_backticks(struct str text, bool whole, size_t at)
{
    size_t i = at;
    for (; i < text.n && i - at < MARK_CODE_BYTES_MAX; i++) {
        if (text.p[i] == '`')
            return CERTAIN_NO;
        if (text.p[i] == '\n')
            return CERTAIN_YES;
    }
    return whole || i < text.n ? CERTAIN_YES : UNCERTAIN;
}

static enum certain opens_fence(struct str text, bool whole, size_t at,
                                size_t *place, size_t *run)
{
    *run = fence_run(text, at, place);
    if (!*run)
        return CERTAIN_NO;
    if (text.p[*place] == '~')
        return CERTAIN_YES;
    if (*run > BACKTICKS_MAX)
        return CERTAIN_NO;
    return opens_with_backticks(text, whole, *place + *run);
}

static bool closes_fence(struct str text, size_t at, char fence, size_t run)
{
    size_t place;
    size_t n = fence_run(text, at, &place);

    if (n < run || text.p[place] != fence)
        return false;
    return skip_any(text, place + n, BLANKS, SIZE_MAX) == line_end(text, at);
}

/* The last line may still become or stop being the closing one while it grows.
 * Nothing follows it yet, so that changes nothing. */
static size_t block_end(struct str text, size_t at, char fence, size_t run)
{
    size_t end = line_end(text, at);

    while (end < text.n) {
        size_t line = end + 1;
        end = line_end(text, line);
        if (closes_fence(text, line, fence, run))
            return end;
    }
    return text.n;
}

enum certain code_fence(struct str text, bool whole, size_t at, size_t *end)
{
    size_t place, run;
    enum certain sure = opens_fence(text, whole, at, &place, &run);

    if (sure == CERTAIN_YES)
        *end = block_end(text, place + run, text.p[place], run);
    return sure;
}

/* Whether the paragraph ends before the line at `at`. */
static enum certain paragraph_ends(struct str text, bool whole, size_t at)
{
    size_t place, run, i = skip_any(text, at, BLANKS, MARK_CODE_BYTES_MAX);

    if (i < text.n && text.p[i] == '\n')
        return CERTAIN_YES;
    return opens_fence(text, whole, at, &place, &run);
}

/* One step of the search for the `run` backticks that close a span.  True when
 * the search is over: *found says how, and with CERTAIN_YES *i is behind the
 * backticks. */
static bool search_step(struct str text, bool whole, size_t run, size_t *i,
                        enum certain *found)
{
    size_t at = *i;

    if (text.p[at] == '\n') {
        enum certain ends = paragraph_ends(text, whole, ++*i);
        *found = ends == CERTAIN_YES ? CERTAIN_NO : UNCERTAIN;
        return ends != CERTAIN_NO;
    }
    if (text.p[at] != '`') {
        ++*i;
        return false;
    }
    size_t n = code_run(text, at);
    *i = at + n;
    if (!whole && *i == text.n && n <= run) { /* it may still grow */
        *found = UNCERTAIN;
        return true;
    }
    *found = CERTAIN_YES;
    return n == run;
}

enum certain code_span(struct str text, bool whole, size_t at, size_t *end)
{
    size_t run = code_run(text, at);
    size_t first = at + run, i = first;
    enum certain found;

    *end = first;
    if (run > BACKTICKS_MAX)
        return CERTAIN_NO;
    while (i < text.n && i - first <= MARK_CODE_BYTES_MAX) {
        if (!search_step(text, whole, run, &i, &found))
            continue;
        if (found == CERTAIN_YES)
            *end = i;
        return found;
    }
    return whole || i - first > MARK_CODE_BYTES_MAX ? CERTAIN_NO : UNCERTAIN;
}
