/* marking.c - where a text cites its sources, and what they carry of it.
 *
 * Judging costs sentences times bytes of previews, and both are the sender's
 * choice.  So each preview is read once, for all sentences that cite it, and
 * there is a budget: beyond it the message has no verdicts, and a source whose
 * sentences were not all judged has no support. */
#include "store/source/marking.h"

#include "base/utf8.h"
#include "cite/answer_sentences.h"
#include "store/source/judges.h"
#include "store/source/reference.h"
#include "store/source/spans.h"
#include "store/source/verdict_form.h"
#include "store/state.h"

enum {
    JUDGE_BYTES = 256 /* what a verdict costs beside the bytes it reads */
};

struct marking {
    struct arena *out;    /* spans and verdicts */
    struct arena source;  /* one preview's words */
    struct arena scratch; /* one verdict's */
    const struct mark *marks;
    size_t n;
    const struct answer_sentence *sentences;
    struct sentence_verdict *verdicts; /* of each, the best so far */
    double *scores;                    /* its score, once it is judged */
    bool *judged;
    size_t sentences_n;
    struct judge *judge;
    size_t budget; /* for sentences that cite */
    size_t spare;  /* for those that cite nothing */
    bool spent;
    uint32_t pairs[2 * SPANS_MAX];
};

static enum footnote_rc find_marks(struct marking *m, struct str content,
                                   struct footnote_err *err)
{
    struct answer_sentence *sentences;
    struct mark *marks;

    TRY(marks_find(m->out, content, &marks, &m->n, err));
    m->marks = marks;
    if (!m->budget)
        return FOOTNOTE_OK;
    TRY(answer_sentences(m->out, content, marks, m->n, &sentences,
                         &m->sentences_n, err));
    m->sentences = sentences;
    m->verdicts =
        arena_many(m->out, m->sentences_n + 1, struct sentence_verdict);
    m->scores = arena_many(m->out, m->sentences_n + 1, double);
    m->judged = arena_many(m->out, m->sentences_n + 1, bool);
    TRY(arena_rc(m->out, err));
    for (size_t i = 0; i < m->sentences_n; i++) {
        m->verdicts[i].start = (uint32_t)sentences[i].start_utf16;
        m->verdicts[i].end = (uint32_t)sentences[i].end_utf16;
    }
    return FOOTNOTE_OK;
}

/* ---- Judging ------------------------------------------------------------ */

static size_t at_most(size_t n, size_t max)
{
    return n < max ? n : max;
}

static bool spend(size_t *budget, struct str sentence, struct str preview)
{
    size_t bytes = JUDGE_BYTES + at_most(sentence.n, JUDGE_SENTENCE_BYTES_MAX) +
                   at_most(preview.n, JUDGE_SOURCE_BYTES_MAX);
    bool enough = *budget >= bytes;

    *budget = enough ? *budget - bytes : 0;
    return enough;
}

static bool cites(const struct marking *m, const struct answer_sentence *s,
                  const struct new_reference *r)
{
    for (size_t i = 0; i < s->marks_n; i++)
        if (mark_names(&m->marks[s->mark + i], r->number, r->is_image))
            return true;
    return false;
}

static uint32_t utf16_of(struct str text, size_t bytes)
{
    return (uint32_t)utf8_utf16((struct str){text.p, bytes});
}

/* Where some words of a sentence stand in the content. */
static void place_words(const struct sentence_verdict *of, struct str sentence,
                        struct str words, uint32_t *start, uint32_t *end)
{
    *start = of->start + utf16_of(sentence, (size_t)(words.p - sentence.p));
    *end = *start + utf16_of(words, words.n);
}

/* Keeps a verdict when it is the best of the sources that the sentence cites.
 */
static void keep(struct marking *m, size_t i, const struct new_reference *r,
                 const struct verdict *v)
{
    const struct answer_sentence *s = &m->sentences[i];
    struct sentence_verdict *best = &m->verdicts[i];

    if (m->judged[i] && v->score <= m->scores[i])
        return;
    m->judged[i] = true;
    m->scores[i] = v->score;
    best->kind = s->marks_n ? v->kind : VERDICT_NO_SOURCE;
    best->reason = v->reason;
    best->number = r->number;
    best->support = (uint32_t)v->support;
    best->from = utf16_of(r->preview, v->start);
    best->to = utf16_of(r->preview, v->end);
    best->word_start = best->word_end = best->missing_n = 0;
    if (v->word.p)
        place_words(best, s->text, v->word, &best->word_start, &best->word_end);
    if (best->kind != VERDICT_PARTLY)
        return;
    for (size_t k = 0; k < v->missing_n; k++)
        place_words(best, s->text, v->missing[k], &best->missing[2 * k],
                    &best->missing[2 * k + 1]);
    best->missing_n = (uint32_t)v->missing_n;
}

/* One sentence against one source.  One that cites nothing is told what carries
 * it, if anything that was read does. */
static enum footnote_rc judge_one(struct marking *m, size_t i,
                                  struct new_reference *r,
                                  const struct judge_source *source,
                                  struct footnote_err *err)
{
    const struct answer_sentence *s = &m->sentences[i];
    struct verdict v;

    arena_reset(&m->scratch);
    TRY(judge_sentence(m->judge, &m->scratch, s->text, source, &v, err));
    if (s->marks_n && v.support > r->support)
        r->support = v.support;
    if (s->marks_n || v.kind == VERDICT_CARRIED)
        keep(m, i, r, &v);
    return FOOTNOTE_OK;
}

/* All sentences that cite the source, and those that cite nothing. */
static enum footnote_rc judge_source(struct marking *m, struct new_reference *r,
                                     struct footnote_err *err)
{
    struct judge_source *source = NULL;

    arena_reset(&m->source);
    for (size_t i = 0; i < m->sentences_n; i++) {
        const struct answer_sentence *s = &m->sentences[i];

        if (s->marks_n && !cites(m, s, r))
            continue;
        if (!spend(s->marks_n ? &m->budget : &m->spare, s->text, r->preview)) {
            if (!s->marks_n)
                continue;
            m->spent = true;
            r->support = -1;
            return FOOTNOTE_OK;
        }
        if (!source)
            TRY(judge_source_read(m->judge, &m->source, r->title, r->preview,
                                  &source, err));
        TRY(judge_one(m, i, r, source, err));
    }
    return FOOTNOTE_OK;
}

/* Sentences whose sources have no words cannot be judged, and are left out. */
static enum footnote_rc pack(struct marking *m, struct new_references *list,
                             struct footnote_err *err)
{
    size_t n = 0;

    for (size_t i = 0; i < m->sentences_n; i++)
        if (!m->sentences[i].marks_n || m->judged[i] ||
            m->verdicts[i].reason == REASON_UNKNOWN)
            m->verdicts[n++] = m->verdicts[i];
    return n ? verdicts_pack(m->out, m->verdicts, n, &list->verdicts, err)
             : FOOTNOTE_OK;
}

/* A sentence that cites is not found until a source has it; the reader is told
 * of one that names a number without a source. */
static enum footnote_rc judge_all(struct marking *m,
                                  struct new_references *list,
                                  struct footnote_err *err)
{
    for (size_t i = 0; i < m->sentences_n; i++) {
        const struct answer_sentence *s = &m->sentences[i];

        if (!s->marks_n)
            continue;
        m->verdicts[i].kind = VERDICT_NOT_FOUND;
        m->verdicts[i].reason = REASON_WORDS;
        for (size_t k = 0; k < list->n; k++)
            if (cites(m, s, &list->items[k]))
                m->verdicts[i].number = list->items[k].number;
        if (m->verdicts[i].number)
            continue;
        m->verdicts[i].reason = REASON_UNKNOWN;
        m->verdicts[i].number = m->marks[s->mark].from;
    }
    for (size_t i = 0; i < list->n && !m->spent; i++)
        if (list->items[i].preview.p)
            TRY(judge_source(m, &list->items[i], err));
    list->spent = m->spent;
    return m->spent ? FOOTNOTE_OK : pack(m, list, err);
}

static void mark_one(struct marking *m, struct new_reference *r)
{
    size_t n = 0;

    for (size_t i = 0; i < m->n && n < SPANS_MAX; i++) {
        const struct mark *mark = &m->marks[i];

        if (!mark_names(mark, r->number, r->is_image) ||
            (n && m->pairs[2 * n - 2] == mark->start_utf16))
            continue; /* [1,1] is one place */
        m->pairs[2 * n] = (uint32_t)mark->start_utf16;
        m->pairs[2 * n + 1] = (uint32_t)mark->end_utf16;
        n++;
    }
    r->spans = spans_pack(m->out, m->pairs, n);
    r->support = -1;
}

static enum footnote_rc mark_all(struct marking *m, struct str content,
                                 struct new_references *list,
                                 struct footnote_err *err)
{
    TRY(find_marks(m, content, err));
    for (size_t i = 0; i < list->n; i++)
        mark_one(m, &list->items[i]);
    TRY(arena_rc(m->out, err));
    return m->budget ? judge_all(m, list, err) : FOOTNOTE_OK;
}

enum footnote_rc new_references_mark(struct tx *tx, struct str content,
                                     struct new_references *list, size_t budget,
                                     struct footnote_err *err)
{
    struct marking *m;
    enum footnote_rc rc = FOOTNOTE_OK;

    list->verdicts = STR_NONE;
    list->spent = false;
    if (list->n == 0 || !content.p)
        return FOOTNOTE_OK;
    m = arena_new(tx->scratch, struct marking);
    if (!m)
        return arena_rc(tx->scratch, err);
    m->out = tx->scratch;
    m->source = ARENA(MARKING_ARENA_BYTES);
    m->scratch = ARENA(MARKING_ARENA_BYTES);
    m->budget = m->spare = budget;
    if (budget)
        rc = judges_take(tx->store->judges, &m->judge, err);
    if (rc == FOOTNOTE_OK)
        rc = mark_all(m, content, list, err);
    judges_give(tx->store->judges, m->judge);
    arena_free(&m->source);
    arena_free(&m->scratch);
    return rc;
}
