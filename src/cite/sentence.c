/* sentence.c - cuts sentences, each with the markers that follow its full stop.
 */
#include "cite/sentence.h"
#include "cite/marker.h"
#include "language/abbreviation.h"

static bool eat_any(struct str text, size_t *at, const struct str *tokens,
                    size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (str_starts(str_skip(text, *at), tokens[i])) {
            *at += tokens[i].n;
            return true;
        }
    }
    return false;
}

/* ASCII, or the ideographic full stop, exclamation and question marks: *wide,
 * for these need no space behind them. */
static bool eat_stop(struct str text, size_t *at, bool *wide)
{
    static const struct str narrow[] = {{".", 1}, {"!", 1}, {"?", 1}};
    static const struct str wides[] = {
        {"\xe3\x80\x82", 3}, {"\xef\xbc\x81", 3}, {"\xef\xbc\x9f", 3}};

    if (eat_any(text, at, narrow, 3))
        return true;
    if (!eat_any(text, at, wides, 3))
        return false;
    *wide = true;
    return true;
}

/* Quotes, parentheses and emphasis that close together with the sentence. */
static bool eat_closer(struct str text, size_t *at)
{
    static const struct str closers[] = {
        {"\"", 1},           {"'", 1},        {")", 1}, {"*", 1}, {"_", 1},
        {"\xe2\x80\x9d", 3},                  /* U+201D */
        {"\xe2\x80\x99", 3}, {"\xc2\xbb", 2}, /* U+2019, U+00BB */
    };
    return eat_any(text, at, closers, sizeof(closers) / sizeof(closers[0]));
}

static size_t skip_spaces(struct str text, size_t at)
{
    while (at < text.n && (text.p[at] == ' ' || text.p[at] == '\t'))
        at++;
    return at;
}

/* Behind markers and the spaces around them; `at` itself when there is none. */
static size_t skip_markers(struct str text, size_t at)
{
    struct marker m;
    size_t next = skip_spaces(text, at);

    while (next < text.n && marker_match(text, next, &m) == MARKER_YES) {
        at = m.end;
        next = skip_spaces(text, at);
    }
    return at;
}

/* Whether the stops from `stop` to `at` end the sentence that begins at
 * `start`. "e.g. heat" goes on: a small letter begins none.  So does "eg.
 * Heat". */
static bool ends_sentence(struct str text, size_t start, size_t stop, size_t at)
{
    if (at == text.n || skip_markers(text, at) > at)
        return true;
    size_t next = skip_spaces(text, at);
    if (next == at)
        return false;
    if (next == text.n)
        return true;
    return (text.p[next] < 'a' || text.p[next] > 'z') &&
           !(at == stop + 1 && text.p[stop] == '.' &&
             abbreviation_at(str_skip(text, start), stop - start));
}

/* Behind the full stop of the sentence that begins at `at`. */
static size_t sentence_end(struct str text, size_t start)
{
    size_t at = start;

    while (at < text.n) {
        bool wide = false, ascii = (unsigned char)text.p[at] < 0xe3;
        size_t stop = at;

        if ((ascii && !strchr(".!?", text.p[at])) ||
            !eat_stop(text, &at, &wide)) {
            at++;
            continue;
        }
        for (bool more = true; more;)
            more = eat_stop(text, &at, &wide) || eat_closer(text, &at);
        if (wide || ends_sentence(text, start, stop, at))
            return at;
    }
    return at;
}

bool sentence_next(struct str text, size_t *at, struct str *sentence)
{
    size_t start = skip_spaces(text, *at);

    if (start >= text.n)
        return false;
    *at = skip_markers(text, sentence_end(text, start));
    size_t next = skip_spaces(text, *at);
    if (next < text.n &&
        abbreviation_is_item((struct str){text.p + start, *at - start}))
        *at = skip_markers(text, sentence_end(text, next));
    *sentence = (struct str){text.p + start, *at - start};
    return true;
}
