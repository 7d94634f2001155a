/* judge.c - the verdict: from the features to a score, and its reason.
 *
 * The weights were found on claims that people had labelled, and are kept as
 * they are: docs/verdicts.md says on what, and how far they reach. */
#include "cite/judge/judge.h"

#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "cite/judge/inner.h"
#include "cite/marks.h"
#include "language/passage_sentence.h"

static const double FOUND = .5, CARRIED = .55, NEARLY_WHOLE = .8;

enum footnote_rc judge_open(struct judge **out, struct footnote_err *err)
{
    struct judge *j = calloc(1, sizeof(*j));

    *out = NULL;
    if (!j)
        return err_set(err, FOOTNOTE_NOMEM, "opening a judge");
    enum footnote_rc rc = analyser_open(&j->words, err);
    if (rc != FOOTNOTE_OK) {
        free(j);
        return rc;
    }
    *out = j;
    return FOOTNOTE_OK;
}

void judge_close(struct judge *j)
{
    if (!j)
        return;
    for (int i = 0; i < LANGUAGES; i++)
        lexicon_close(j->lexicons[i]);
    analyser_close(j->words);
    free(j);
}

enum footnote_rc judge_lexicon(struct judge *j, enum language language,
                               const struct lexicon **out,
                               struct footnote_err *err)
{
    if (!j->lexicons[language])
        TRY(lexicon_open(j->words, language, &j->lexicons[language], err));
    *out = j->lexicons[language];
    return FOOTNOTE_OK;
}

/* The start of s, ending with a whole character. */
static struct str cut(struct str s, size_t bytes_max)
{
    if (s.n <= bytes_max)
        return s;
    s.n = bytes_max;
    s.n = utf8_whole(s);
    return s;
}

/* ---- The source --------------------------------------------------------- */

static enum footnote_rc read_sentences(struct reading *r,
                                       struct judge_source *s,
                                       struct footnote_err *err)
{
    struct str rest = s->passage, sentence;

    while (passage_sentence_take(&rest, &sentence)) {
        if (s->sentences_n < JUDGE_SENTENCES_MAX)
            s->sentences_n++;
        uint32_t i = s->sentences_n - 1;
        struct str *last = &s->sentences[i];
        if (!last->p)
            *last = sentence;
        last->n = (size_t)(sentence.p + sentence.n - last->p);
        TRY(reading_add(r, sentence, i, err));
        s->first[i + 1] = (uint32_t)s->text.n;
    }
    return FOOTNOTE_OK;
}

enum footnote_rc judge_source_read(struct judge *j, struct arena *a,
                                   struct str title, struct str passage,
                                   struct judge_source **out,
                                   struct footnote_err *err)
{
    struct judge_source *s = *out = arena_new(a, struct judge_source);

    if (!s)
        return arena_rc(a, err);
    title = cut(title, JUDGE_SENTENCE_BYTES_MAX);
    s->passage = cut(passage, JUDGE_SOURCE_BYTES_MAX);
    struct reading r = {.judge = j,
                        .arena = a,
                        .out = &s->text,
                        .room = title.n + s->passage.n + 2};
    s->sentences = arena_many(a, JUDGE_SENTENCES_MAX, struct str);
    s->first = arena_many(a, JUDGE_SENTENCES_MAX + 1, uint32_t);
    s->text.words = arena_many(a, r.room, struct judge_word);
    TRY(arena_rc(a, err));
    s->text.language = language_guess(j->words, s->passage);
    TRY(judge_lexicon(j, s->text.language, &s->text.lexicon, err));
    s->sentences[0] = title;
    s->sentences_n = 1;
    TRY(reading_add(&r, title, 0, err));
    s->first[1] = (uint32_t)s->text.n;
    return read_sentences(&r, s, err);
}

/* ---- The sentence ------------------------------------------------------- */

/* A copy with spaces for markers. */
static enum footnote_rc blank_marks(struct arena *a, struct str sentence,
                                    struct str *out, struct footnote_err *err)
{
    struct str copy = arena_str(a, sentence);
    char *bytes = (char *)(uintptr_t)copy.p; /* the arena's, so ours */
    struct mark *marks;
    size_t n;

    TRY(marks_find(a, sentence, &marks, &n, err));
    TRY(arena_rc(a, err));
    for (size_t i = 0; i < n; i++)
        memset(bytes + marks[i].start, ' ', marks[i].end - marks[i].start);
    *out = copy;
    return FOOTNOTE_OK;
}

/* Words of a language that differs from the source's would match nothing, so
 * the source's decides, and the sentence's only where the source has none. */
static enum footnote_rc read_claim(struct judge *j, struct arena *a,
                                   struct str sentence,
                                   const struct judge_source *source,
                                   struct judge_text *out,
                                   struct footnote_err *err)
{
    struct reading r = {
        .judge = j, .arena = a, .out = out, .room = sentence.n + 2};

    *out = (struct judge_text){.language = source->text.language,
                               .lexicon = source->text.lexicon};
    out->words = arena_many(a, r.room, struct judge_word);
    TRY(arena_rc(a, err));
    return reading_add(&r, sentence, 0, err);
}

static double score(const struct trial *t, const struct doubts *d)
{
    double z = t->g3;

    z -= .9 * (d->numbers < 2 ? d->numbers : 2);
    z -= d->names ? .35 : 0;
    z -= .09 * (d->names < 3 ? d->names : 3);
    z -= .12 * (d->pairs < 2 ? d->pairs : 2);
    z -= .07 * (d->lonely_numbers < 2 ? d->lonely_numbers : 2);
    z -= .07 * (d->lonely_names < 2 ? d->lonely_names : 2);
    z -= d->denies ? .7 : 0;
    z -= d->dropped ? .4 : 0;
    z -= d->opposite ? .2 : 0;
    return z;
}

static enum verdict_kind kind_of(const struct trial *t, const struct doubts *d,
                                 double z)
{
    bool apart = d->pairs || d->lonely_numbers || d->lonely_names;

    if (t->g3 < FOUND)
        return VERDICT_NOT_FOUND;
    if (d->denies || d->dropped || d->opposite || d->clash)
        return VERDICT_CONTRADICTS;
    if (z < CARRIED || (t->c1 >= NEARLY_WHOLE && apart))
        return VERDICT_PARTLY;
    return VERDICT_CARRIED;
}

struct doubt {
    enum verdict_reason reason;
    const struct judge_word *word;
};

static struct doubt first_doubt(const struct doubts *d, enum verdict_kind kind)
{
    const struct doubt contradictions[] = {{REASON_DENIES, d->denied},
                                           {REASON_DROPPED, d->undenied},
                                           {REASON_OPPOSITE, d->opposed},
                                           {REASON_CLASH, d->clashing}};
    const struct doubt others[] = {{REASON_NUMBER, d->number},
                                   {REASON_NAME, d->name},
                                   {REASON_APART, d->apart}};

    for (size_t i = 0; kind == VERDICT_CONTRADICTS && i < 4; i++)
        if (contradictions[i].word)
            return contradictions[i];
    for (size_t i = 0; kind != VERDICT_CARRIED && i < 3; i++)
        if (others[i].word)
            return others[i];
    return (struct doubt){kind == VERDICT_CARRIED ? REASON_NONE : REASON_WORDS,
                          NULL};
}

/* The sentence of the passage that carries most; the title is no place to look
 * at. */
static void find_span(const struct trial *t, struct verdict *v)
{
    const struct judge_source *s = t->source;
    uint32_t best = 0;

    for (uint32_t i = 1; i < s->sentences_n; i++)
        if (t->covered[i] > (best ? t->covered[best] : 0))
            best = i;
    if (!best)
        return;
    v->covered = (int)lround(1000 * t->covered[best]);
    v->start = (size_t)(s->sentences[best].p - s->passage.p);
    v->end = v->start + s->sentences[best].n;
}

/* The word in the caller's sentence: `plain` has the same bytes at the same
 * places. */
static struct str word_in(struct str sentence, struct str plain,
                          const struct judge_word *word)
{
    if (!word)
        return STR_NONE;
    return (struct str){sentence.p + (word->text.p - plain.p), word->text.n};
}

/* The runs of words that are not carried: function words belong to the run that
 * they stand in.  What was not looked at is in none. */
static void find_missing(const struct trial *t, struct str sentence,
                         struct str plain, struct verdict *v)
{
    struct str *run = NULL;

    for (size_t i = 0; i < t->claim->n; i++) {
        const struct judge_word *w = &t->claim->words[i];
        const struct item *item = trial_item(t, i);

        if (!item || (item->three >= CREDIT_FOUND && word_counts(w))) {
            run = NULL;
        } else if (word_counts(w)) {
            struct str word = word_in(sentence, plain, w);

            if (!run && v->missing_n == JUDGE_MISSING_MAX)
                return;
            if (!run) {
                run = &v->missing[v->missing_n++];
                *run = word;
            }
            run->n = (size_t)(word.p + word.n - run->p);
        }
    }
}

enum footnote_rc judge_sentence(struct judge *j, struct arena *a,
                                struct str sentence,
                                const struct judge_source *source,
                                struct verdict *out, struct footnote_err *err)
{
    struct judge_text claim;
    struct trial t = {.arena = a, .claim = &claim, .source = source};
    struct doubts d = {.numbers = 0};
    struct str plain = STR_NONE;

    *out = (struct verdict){.kind = VERDICT_NOT_FOUND, .reason = REASON_WORDS};
    sentence = cut(sentence, JUDGE_SENTENCE_BYTES_MAX);
    TRY(blank_marks(a, sentence, &plain, err));
    TRY(read_claim(j, a, plain, source, &claim, err));
    TRY(trial_run(&t, err));
    doubts_find(&t, &d);
    denials_find(&t, &d);
    TRY(arena_rc(a, err));
    out->score = score(&t, &d);
    out->kind = kind_of(&t, &d, out->score);
    struct doubt doubt = first_doubt(&d, out->kind);
    out->reason = doubt.reason;
    out->word = word_in(sentence, plain, doubt.word);
    out->support = (int)lround(1000 * fmin(fmax(out->score, 0), 1));
    find_span(&t, out);
    if (out->kind == VERDICT_PARTLY)
        find_missing(&t, sentence, plain, out);
    return FOOTNOTE_OK;
}
