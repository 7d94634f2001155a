/* noted.c - notes on the sentences of an answer that are not carried. */
#include "export/noted.h"

#include "base/utf8.h"

enum { SENTENCE_CHARS = 160, WORD_CHARS = 60 };

/* A place in a text, in bytes and in UTF-16 units. */
struct place {
    size_t at;
    uint32_t units;
};

/* Goes on to `units`, or to the end of the text. */
static void go(struct str text, struct place *p, uint32_t units)
{
    while (p->units < units && p->at < text.n)
        p->units += utf8_next(text, &p->at) > 0xffff ? 2 : 1;
}

/* From `at` on, which is not behind `start`. */
static struct str part(struct str text, struct place at, uint32_t start,
                       uint32_t end)
{
    go(text, &at, start);
    size_t from = at.at;
    go(text, &at, end);
    return (struct str){text.p + from, at.at - from};
}

static struct str one_line(struct arena *a, struct str s, size_t chars)
{
    struct str cut = utf8_cut(s, chars);
    struct str copy = arena_printf(a, "%.*s%s", STR_ARG(cut),
                                   cut.n < s.n ? "\xE2\x80\xA6" : "");
    char *bytes = (char *)(uintptr_t)copy.p; /* the arena's, so ours */

    for (size_t i = 0; i < copy.n; i++)
        if ((unsigned char)bytes[i] < ' ')
            bytes[i] = ' ';
    return copy;
}

static const char *why_of(const struct sentence_verdict *s)
{
    if (s->reason == REASON_UNKNOWN)
        return s->number ? "no source has the number " : "no source is meant";
    switch (s->kind) {
    case VERDICT_NO_SOURCE:
        return s->number ? "no source given; carried by " : "no source given";
    case VERDICT_CARRIED: break;
    case VERDICT_PARTLY: return "partly carried by ";
    case VERDICT_NOT_FOUND: return "not found in ";
    case VERDICT_CONTRADICTS: return "contradicts ";
    }
    return "";
}

static struct str why(struct arena *a, struct str text, struct place at,
                      const struct sentence_verdict *s)
{
    struct str first = arena_printf(a, "%s", why_of(s)), word;

    if (s->number)
        first = arena_printf(a, "%.*s[%u]", STR_ARG(first), s->number);
    if (s->word_end <= s->word_start || s->word_start < s->start ||
        s->kind == VERDICT_NO_SOURCE)
        return first;
    word = part(text, at, s->word_start, s->word_end);
    return arena_printf(a, "%.*s: %.*s", STR_ARG(first),
                        STR_ARG(one_line(a, word, WORD_CHARS)));
}

enum footnote_rc noted_sentences(struct arena *a, const struct message *m,
                                 const struct verdict_record *r,
                                 struct noted **out, size_t *n,
                                 struct footnote_err *err)
{
    struct place at = {.at = 0};

    *n = 0;
    *out = arena_many(a, r->n - r->carried + 1, struct noted);
    for (size_t i = 0; *out && i < r->n; i++) {
        const struct sentence_verdict *s = &r->sentences[i];

        if (s->kind == VERDICT_CARRIED)
            continue;
        if (s->start < at.units)
            at = (struct place){.at = 0};
        go(m->content, &at, s->start);
        (*out)[(*n)++] = (struct noted){
            one_line(a, part(m->content, at, s->start, s->end), SENTENCE_CHARS),
            why(a, m->content, at, s)};
    }
    return arena_rc(a, err);
}

void noted_head(struct buf *b, const struct verdict_record *r,
                void (*escaped)(struct buf *b, struct str s))
{
    bool words = str_eq(r->judge, STR(VERDICT_JUDGE_TEXT));

    if (!words) {
        escaped(b, r->judge);
        buf_add(b, STR(": "));
    }
    buf_printf(b, "%zu of %zu sentences carried by %s; not these:", r->carried,
               r->n, words ? "the words of their sources" : "their sources");
}
