/* claim.c - which words carry a claim. */
#include "retrieve/search/claim.h"

#include "cite/judge/judge.h"
#include "cite/sentence.h"

enum {
    CLAIM_SENTENCES_MAX = 16,
    CARRY_MIN = 200 /* of 1000: less says nothing of it */
};

enum footnote_rc claim_passage_read(struct arena *a, struct str text,
                                    struct claim_passage *out,
                                    struct footnote_err *err)
{
    *out = (struct claim_passage){.text = text};
    TRY(split_words(a, text, CLAIM_PASSAGE_WORDS_MAX, &out->words,
                    &out->words_n, err));
    return letters_new(a, out->words, out->words_n, &out->letters, err);
}

/* A claim as it is looked for. */
struct wanted {
    struct letters letters;
    struct str last; /* its last word: "%." has no letters */
};

static enum footnote_rc read_wanted(struct arena *a, struct str text,
                                    struct wanted *out,
                                    struct footnote_err *err)
{
    struct str *words;
    size_t n;

    TRY(split_words(a, text, CLAIM_PASSAGE_WORDS_MAX, &words, &n, err));
    out->last = n ? words[n - 1] : STR("");
    return letters_new(a, words, n, &out->letters, err);
}

/* ---- In the passage ----------------------------------------------------- */

/* Sets claim->marked and the rest when all of the text stands in the passage.
 */
static enum footnote_rc find_verbatim(struct arena *a,
                                      const struct claim_passage *p,
                                      struct str text, struct claim *claim,
                                      struct footnote_err *err)
{
    struct wanted wanted;
    struct find_words find = {
        .text = &wanted.letters, .in = &p->letters, .near = true};

    TRY(read_wanted(a, text, &wanted, err));
    find.marked = arena_many(a, p->words_n + 1, bool);
    TRY(arena_rc(a, err));
    find_words(&find);
    if (find.found == 0 || find.found < letters_n(&wanted.letters))
        return FOOTNOTE_OK;
    claim->carry = text;
    claim->exact = true;
    claim->marked = find.marked;
    return FOOTNOTE_OK;
}

/* The sentence that the claim's last one shares most with. */
static enum footnote_rc find_carrying(struct arena *a,
                                      const struct claim_passage *p,
                                      struct str last, struct str *out,
                                      struct footnote_err *err)
{
    AUTO(judge_closep) struct judge *judge = NULL;
    struct judge_source *source;
    struct verdict v;

    TRY(judge_open(&judge, err));
    TRY(judge_source_read(judge, a, STR_NONE, p->text, &source, err));
    TRY(judge_sentence(judge, a, last, source, &v, err));
    if (v.covered >= CARRY_MIN)
        *out = (struct str){p->text.p + v.start, v.end - v.start};
    return FOOTNOTE_OK;
}

static void mark_inside(const struct claim_passage *p, struct str s,
                        bool *marked)
{
    for (size_t i = 0; i < p->words_n; i++)
        marked[i] = p->words[i].p >= s.p && p->words[i].p < s.p + s.n;
}

/* The claim's sentences, the last ones of too many. */
static size_t cut_sentences(struct str text,
                            struct str sentences[CLAIM_SENTENCES_MAX])
{
    size_t at = 0, n = 0;
    struct str s;

    while (sentence_next(text, &at, &s)) {
        if (n == CLAIM_SENTENCES_MAX)
            memmove(sentences, sentences + 1, --n * sizeof(*sentences));
        sentences[n++] = s;
    }
    return n;
}

enum footnote_rc claim_find(struct arena *a, const struct claim_passage *p,
                            struct claim *claim, struct footnote_err *err)
{
    struct str sentences[CLAIM_SENTENCES_MAX];
    size_t n = cut_sentences(claim->text, sentences);
    const char *end = claim->text.p + claim->text.n;

    claim->carry = STR_NONE;
    claim->exact = false;
    claim->marked = arena_many(a, p->words_n + 1, bool);
    TRY(arena_rc(a, err));
    /* "See Fig. 3." may have been cut behind "Fig.": one more sentence is taken
     * as long as all of it is verbatim. */
    for (size_t i = n; i > 0; i--) {
        const char *start = sentences[i - 1].p, *before = claim->carry.p;

        TRY(find_verbatim(a, p, (struct str){start, (size_t)(end - start)},
                          claim, err));
        if (claim->carry.p == before)
            break;
    }
    if (claim->exact || n == 0)
        return FOOTNOTE_OK;
    TRY(find_carrying(a, p, sentences[n - 1], &claim->carry, err));
    if (claim->carry.p)
        mark_inside(p, claim->carry, claim->marked);
    return FOOTNOTE_OK;
}

enum footnote_rc claim_mark(struct arena *a, const struct claim_passage *p,
                            struct claim *claim, struct footnote_err *err)
{
    claim->exact = false;
    claim->marked = arena_many(a, p->words_n + 1, bool);
    TRY(arena_rc(a, err));
    mark_inside(p, claim->carry, claim->marked);
    if (claim->carry.n == 0)
        claim->carry = STR_NONE; /* there is nothing to be looked for */
    return FOOTNOTE_OK;
}

/* ---- On pages ----------------------------------------------------------- */

/* Some of the words: those of the passage, or all of its pages. */
struct part {
    struct str *words;
    uint32_t *page;
    size_t *at; /* of each among all */
    size_t n;
    struct letters letters;
};

static enum footnote_rc take_part(struct arena *a, const struct claim_place *pl,
                                  const bool *taken, struct part *out,
                                  struct footnote_err *err)
{
    *out = (struct part){.words = arena_many(a, pl->words_n + 1, struct str),
                         .page = arena_many(a, pl->words_n + 1, uint32_t),
                         .at = arena_many(a, pl->words_n + 1, size_t)};
    TRY(arena_rc(a, err));
    for (size_t i = 0; i < pl->words_n; i++) {
        if (!taken[i])
            continue;
        out->words[out->n] = pl->words[i];
        out->page[out->n] = pl->page[i];
        out->at[out->n++] = i;
    }
    return letters_new(a, out->words, out->n, &out->letters, err);
}

/* Signs that end the claim, if they stand behind its last marked word. */
static void mark_last_signs(const struct part *part, const struct wanted *text,
                            bool *marked)
{
    for (size_t i = part->n; i > 1; i--) {
        if (!marked[i - 2])
            continue;
        if (part->letters.at[i - 1] == part->letters.at[i] &&
            str_eq(part->words[i - 1], text->last))
            marked[i - 1] = true;
        return;
    }
}

/* Marks the text among the part's words if at least `least` of its letters are
 * there. */
static enum footnote_rc mark_in_part(struct arena *a, const struct part *part,
                                     const struct wanted *text, size_t least,
                                     bool *marked, bool *found,
                                     struct footnote_err *err)
{
    struct find_words find = {.text = &text->letters,
                              .in = &part->letters,
                              .page = part->page,
                              .near = true,
                              .marked = arena_many(a, part->n + 1, bool)};

    TRY(arena_rc(a, err));
    find_words(&find);
    *found = find.found > 0 && find.found >= least;
    mark_last_signs(part, text, find.marked);
    for (size_t i = 0; *found && i < part->n; i++)
        marked[part->at[i]] = find.marked[i];
    return FOOTNOTE_OK;
}

/* The pages that have words of the passage. */
static enum footnote_rc take_pages(struct arena *a,
                                   const struct claim_place *pl,
                                   struct part *out, struct footnote_err *err)
{
    bool *taken = arena_many(a, pl->words_n + 1, bool);

    TRY(arena_rc(a, err));
    for (size_t i = 0; i < pl->words_n;) {
        size_t end = i;
        bool has = false;

        for (; end < pl->words_n && pl->page[end] == pl->page[i]; end++)
            has = has || pl->passage[end];
        memset(taken + i, has, end - i);
        i = end;
    }
    return take_part(a, pl, taken, out, err);
}

/* All of it among the passage's words; else all of it on their pages, whose
 * order may be another; else the half that is there. */
static enum footnote_rc place_claim(struct arena *a, const struct part *passage,
                                    const struct part *pages,
                                    const struct claim *claim, bool *marked,
                                    struct footnote_err *err)
{
    struct wanted text;
    bool found;

    if (!claim->carry.p)
        return FOOTNOTE_OK;
    TRY(read_wanted(a, claim->carry, &text, err));
    size_t all = letters_n(&text.letters);
    TRY(mark_in_part(a, passage, &text, all, marked, &found, err));
    if (!found)
        TRY(mark_in_part(a, pages, &text, all, marked, &found, err));
    if (!found)
        TRY(mark_in_part(a, passage, &text, all / 2, marked, &found, err));
    return FOOTNOTE_OK;
}

static enum footnote_rc place_passage(struct arena *a,
                                      const struct claim_passage *p,
                                      struct claim_place *pl, bool *there,
                                      struct footnote_err *err)
{
    struct letters in;
    struct find_words find = {.text = &p->letters,
                              .in = &in,
                              .page = pl->page,
                              .from = pl->from,
                              .near = true,
                              .marked = pl->passage};

    TRY(letters_new(a, pl->words, pl->words_n, &in, err));
    find_words(&find);
    *there = find.found > 0 && 2 * find.found >= letters_n(&p->letters);
    if (!*there)
        memset(pl->passage, 0, pl->words_n * sizeof(*pl->passage));
    return FOOTNOTE_OK;
}

enum footnote_rc claim_find_place(struct arena *a,
                                  const struct claim_passage *p,
                                  const struct claim *claims, size_t claims_n,
                                  struct claim_place *place,
                                  struct footnote_err *err)
{
    struct part passage, pages;
    bool there;

    place->passage = arena_many(a, place->words_n + 1, bool);
    place->claims = arena_many(a, claims_n + 1, bool *);
    TRY(arena_rc(a, err));
    for (size_t i = 0; i < claims_n; i++)
        place->claims[i] = arena_many(a, place->words_n + 1, bool);
    TRY(arena_rc(a, err));
    TRY(place_passage(a, p, place, &there, err));
    if (!there)
        return FOOTNOTE_OK;
    TRY(take_part(a, place, place->passage, &passage, err));
    TRY(take_pages(a, place, &pages, err));
    for (size_t i = 0; i < claims_n; i++)
        TRY(place_claim(a, &passage, &pages, &claims[i], place->claims[i],
                        err));
    return FOOTNOTE_OK;
}
