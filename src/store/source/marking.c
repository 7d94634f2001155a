/* marking.c - where a text cites its sources, and how far they carry it.
 *
 * Measuring costs markers times bytes of previews, and both are the sender's
 * choice.  So each preview is cut into words once, a sentence is measured once
 * for each source, and there is a budget: a source whose sentences were not all
 * measured within it has no support at all. */
#include "store/source/marking.h"

#include "cite/marks.h"
#include "cite/sentence.h"
#include "cite/support.h"
#include "store/source/reference.h"
#include "store/source/spans.h"
#include "store/store.h"

enum {
    MEASURE_BYTES = 256 /* what a measure costs beside the bytes it reads */
};

struct marking {
    struct arena *out;     /* spans */
    struct arena words;    /* one preview's */
    struct arena sentence; /* one measure's */
    const struct mark *marks;
    const struct str *sentences; /* one for each mark */
    size_t n;
    size_t budget;
    uint32_t pairs[2 * SPANS_MAX];
};

static enum footnote_rc find_marks(struct marking *m, struct str content,
                                   struct footnote_err *err)
{
    struct sentence_walk walk = {.text = content};
    struct str *sentences;
    struct mark *marks;

    TRY(marks_find(m->out, content, &marks, &m->n, err));
    sentences = arena_many(m->out, m->n + 1, struct str);
    if (!sentences)
        return arena_rc(m->out, err);
    for (size_t i = 0; i < m->n; i++)
        sentences[i] = sentence_of_marker(&walk, marks[i].start);
    m->marks = marks;
    m->sentences = sentences;
    return FOOTNOTE_OK;
}

static size_t at_most(size_t n, size_t max)
{
    return n < max ? n : max;
}

static bool spend(struct marking *m, size_t bytes)
{
    bool enough = m->budget >= bytes;

    m->budget = enough ? m->budget - bytes : 0;
    return enough;
}

static bool spend_measure(struct marking *m, struct str sentence,
                          struct str preview)
{
    return spend(m, MEASURE_BYTES +
                        at_most(sentence.n, SUPPORT_SENTENCE_BYTES_MAX) +
                        at_most(preview.n, SUPPORT_PASSAGE_BYTES_MAX));
}

/* The best support of the sentences that cite the source; -1 when none does, it
 * has no preview, or the budget is not enough. */
static enum footnote_rc measure(struct marking *m, struct new_reference *r,
                                struct footnote_err *err)
{
    struct support_passage *passage = NULL;
    const char *last = NULL;
    int best = -1;

    arena_reset(&m->words);
    for (size_t i = 0; i < m->n; i++) {
        struct str sentence = m->sentences[i];
        int support = 0;

        if (!mark_names(&m->marks[i], r->number, r->is_image) ||
            sentence.p == last)
            continue;
        if (!spend_measure(m, sentence, r->preview))
            return FOOTNOTE_OK;
        if (!passage)
            TRY(support_passage_new(&m->words, r->preview, &passage, err));
        arena_reset(&m->sentence);
        TRY(support_measure(&m->sentence, sentence, passage, &support, err));
        best = support > best ? support : best;
        last = sentence.p;
    }
    r->support = best;
    return FOOTNOTE_OK;
}

static enum footnote_rc mark_one(struct marking *m, struct new_reference *r,
                                 struct footnote_err *err)
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
    if (n > 0 && r->preview.p && m->budget > 0)
        TRY(measure(m, r, err));
    return arena_rc(m->out, err);
}

enum footnote_rc new_references_mark(struct tx *tx, struct str content,
                                     struct new_references *list, size_t budget,
                                     struct footnote_err *err)
{
    struct marking *m;
    enum footnote_rc rc;

    if (list->n == 0 || !content.p)
        return FOOTNOTE_OK;
    m = arena_new(tx->scratch, struct marking);
    if (!m)
        return arena_rc(tx->scratch, err);
    m->out = tx->scratch;
    m->words = ARENA(MARKING_ARENA_BYTES);
    m->sentence = ARENA(MARKING_ARENA_BYTES);
    m->budget = budget;
    rc = find_marks(m, content, err);
    for (size_t i = 0; i < list->n && rc == FOOTNOTE_OK; i++)
        rc = mark_one(m, &list->items[i], err);
    arena_free(&m->words);
    arena_free(&m->sentence);
    return rc;
}
