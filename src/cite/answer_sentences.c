/* answer_sentences.c - cuts an answer line by line, and gives each sentence its
 * markers. */
#include "cite/answer_sentences.h"

#include "base/utf8.h"
#include "cite/code.h"
#include "cite/sentence.h"

enum { CLAIM_BYTES_MIN = 24 };

struct cutting {
    struct str text;
    const struct mark *marks;
    size_t marks_n, mark; /* the next one */
    size_t at, at_utf16;  /* a place, in bytes and in UTF-16 */
    struct answer_sentence *list;
    size_t n;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Places are asked for in ascending order. */
static size_t utf16_at(struct cutting *c, size_t at)
{
    c->at_utf16 += utf8_utf16((struct str){c->text.p + c->at, at - c->at});
    c->at = at;
    return c->at_utf16;
}

/* Without the markers that close it, and the spaces before them. */
static size_t end_of(const struct cutting *c, const struct answer_sentence *s,
                     size_t start, size_t end)
{
    for (size_t i = s->marks_n;; i--) {
        while (end > start && is_space(c->text.p[end - 1]))
            end--;
        if (i == 0 || c->marks[s->mark + i - 1].end < end)
            return end;
        if (c->marks[s->mark + i - 1].start > start)
            end = c->marks[s->mark + i - 1].start;
    }
}

static bool claims(struct str s)
{
    return s.n >= CLAIM_BYTES_MIN && s.p[0] != '#' && s.p[0] != '|' &&
           s.p[s.n - 1] != ':' && s.p[s.n - 1] != '?';
}

static void add_sentence(struct cutting *c, struct str sentence)
{
    size_t start = (size_t)(sentence.p - c->text.p), end = start + sentence.n;
    struct answer_sentence *s = &c->list[c->n];

    while (c->mark < c->marks_n && c->marks[c->mark].start < start)
        c->mark++;
    *s = (struct answer_sentence){.mark = c->mark};
    for (; c->mark < c->marks_n && c->marks[c->mark].start < end; c->mark++)
        s->marks_n++;
    s->text = (struct str){sentence.p, end_of(c, s, start, end) - start};
    if (!s->marks_n && !claims(s->text))
        return;
    s->start_utf16 = utf16_at(c, start);
    s->end_utf16 = utf16_at(c, start + s->text.n);
    c->n++;
}

/* The signs that begin an item of a list are no words of its sentence. */
static size_t skip_item(struct str line)
{
    size_t i = 0;

    while (i < line.n && is_space(line.p[i]))
        i++;
    if (i + 1 < line.n && strchr("-*+>", line.p[i]) && line.p[i + 1] == ' ')
        return i + 2;
    size_t digits = i;
    while (digits < line.n && line.p[digits] >= '0' && line.p[digits] <= '9')
        digits++;
    if (digits > i && digits + 1 < line.n &&
        (line.p[digits] == '.' || line.p[digits] == ')') &&
        line.p[digits + 1] == ' ')
        return digits + 2;
    return i;
}

static void cut_line(struct cutting *c, struct str line)
{
    struct str sentence;
    size_t at = skip_item(line);

    while (c->n < ANSWER_SENTENCES_MAX && sentence_next(line, &at, &sentence))
        add_sentence(c, sentence);
}

enum footnote_rc answer_sentences(struct arena *a, struct str text,
                                  const struct mark *marks, size_t marks_n,
                                  struct answer_sentence **out, size_t *n,
                                  struct footnote_err *err)
{
    struct cutting c = {.text = text, .marks = marks, .marks_n = marks_n};

    c.list = arena_many(a, ANSWER_SENTENCES_MAX + 1, struct answer_sentence);
    TRY(arena_rc(a, err));
    for (size_t at = 0; at < text.n && c.n < ANSWER_SENTENCES_MAX;) {
        struct str rest = str_skip(text, at);
        size_t end;

        if (code_fence(text, true, at, &end) == CERTAIN_YES) {
            at = end;
            continue;
        }
        struct str line = {rest.p, str_find(rest, '\n')};
        cut_line(&c, line);
        at += line.n + 1;
    }
    *out = c.list;
    *n = c.n;
    return FOOTNOTE_OK;
}
