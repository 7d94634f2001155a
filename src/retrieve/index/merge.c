/* merge.c - several segments become one, without their dead passages.
 *
 * Nothing is analysed again: documents are put in order by key, every passage
 * gets its new number, terms meet by their words, and lists are decoded,
 * renumbered and encoded.  Passages of one segment stay in their order, so a
 * term's new list is its old lists merged. */
#include <assert.h>
#include <stdlib.h>

#include "retrieve/index/segment_writer.h"
#include "retrieve/index/words.h"

struct merge_document { /* a live document, and the input that has it */
    const struct segment_document *document;
    uint32_t input;
};

struct merging {
    const struct segment_input *in;
    size_t n;
    const atomic_bool *stop;
    struct merge_document *documents; /* by key */
    size_t documents_n;
    uint32_t **passage; /* per input: new number by old, or UINT32_MAX */
    uint32_t **term;    /* per input: number in words by old */
    struct words_set words;
    uint32_t *df, *order, *number; /* number_by_df() */
    uint32_t *list, *spare;        /* passages of one term */
    uint8_t *counts, *spare_counts;
};

static void merging_free(struct merging *m)
{
    for (size_t i = 0; i < m->n; i++) {
        if (m->passage)
            free(m->passage[i]);
        if (m->term)
            free(m->term[i]);
    }
    free(m->passage);
    free(m->term);
    free(m->documents);
    words_free(&m->words);
    free(m->df);
    free(m->order);
    free(m->number);
    free(m->list);
    free(m->spare);
    free(m->counts);
    free(m->spare_counts);
}

/* ---- Documents and passages --------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const struct merge_document *x = a, *y = b;

    return x->document->key < y->document->key
               ? -1
               : x->document->key > y->document->key;
}

/* A document without passages counts as dead. */
static void gather_documents(struct merging *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const struct segment *s = m->in[i].segment;

        for (uint32_t d = 0; d < s->documents_n; d++) {
            uint32_t first = s->documents[d].first;

            if (first < s->documents[d + 1].first &&
                !passage_is_dead(m->in[i].dead, first))
                m->documents[m->documents_n++] =
                    (struct merge_document){&s->documents[d], i};
        }
    }
    qsort(m->documents, m->documents_n, sizeof(*m->documents), by_key);
}

static void number_passages(struct merging *m)
{
    uint32_t passages_n = 0;

    for (size_t i = 0; i < m->n; i++)
        memset(m->passage[i], 0xff,
               m->in[i].segment->passages_n * sizeof(uint32_t));
    for (size_t i = 0; i < m->documents_n; i++) {
        const struct segment_document *d = m->documents[i].document;

        assert(i == 0 || m->documents[i - 1].document->key < d->key);
        for (uint32_t p = d[0].first; p < d[1].first; p++)
            m->passage[m->documents[i].input][p] = passages_n++;
    }
}

/* ---- Terms -------------------------------------------------------------- */

/* The live postings of an input's term, renumbered. */
static uint32_t live_list(const struct merging *m, size_t input, uint32_t term,
                          uint32_t *list, uint8_t *counts)
{
    struct postings p;
    uint32_t n = 0;

    postings_open(&p, m->in[input].segment, term);
    for (uint32_t b = 0; b < p.blocks_n; b++) {
        postings_decode(&p, b);
        for (uint32_t i = 0; i < p.n; i++) {
            uint32_t now = m->passage[input][p.passages[i]];

            if (now == UINT32_MAX)
                continue;
            list[n] = now;
            counts[n++] = p.counts[i];
        }
    }
    return n;
}

static enum footnote_rc number_terms(struct merging *m,
                                     struct footnote_err *err)
{
    uint32_t n;

    for (size_t i = 0; i < m->n; i++)
        for (uint32_t t = 0; t < m->in[i].segment->terms_n; t++)
            TRY(words_add(&m->words, segment_word(m->in[i].segment, t),
                          &m->term[i][t], err));
    n = m->words.n;
    m->df = calloc(n + 1, sizeof(*m->df));
    m->order = calloc(n + 1, sizeof(*m->order));
    m->number = calloc(n + 1, sizeof(*m->number));
    if (!m->df || !m->order || !m->number)
        return err_set(err, FOOTNOTE_NOMEM, "merging indexes");
    for (size_t i = 0; i < m->n; i++)
        for (uint32_t t = 0;
             t < m->in[i].segment->terms_n && !is_stopped(m->stop); t++)
            m->df[m->term[i][t]] += live_list(m, i, t, m->list, m->counts);
    number_by_df(m->df, n, m->order, m->number);
    return check_stopped(m->stop, err);
}

/* ---- Lists -------------------------------------------------------------- */

/* Two ascending runs, [0, a) and [a, n), into one. */
static void merge_runs(struct merging *m, uint32_t a, uint32_t n)
{
    uint32_t i = 0, j = a;

    for (uint32_t k = 0; k < n; k++) {
        bool left = j == n || (i < a && m->list[i] < m->list[j]);
        uint32_t from = left ? i++ : j++;

        m->spare[k] = m->list[from];
        m->spare_counts[k] = m->counts[from];
    }
    memcpy(m->list, m->spare, n * sizeof(*m->list));
    memcpy(m->counts, m->spare_counts, n);
}

static uint32_t whole_list(struct merging *m, uint32_t *const *back,
                           uint32_t word)
{
    uint32_t n = 0;

    for (size_t i = 0; i < m->n; i++) {
        uint32_t more;

        if (back[i][word] == NO_TERM)
            continue;
        more = live_list(m, i, back[i][word], m->list + n, m->counts + n);
        if (n && more && m->list[n] < m->list[n - 1])
            merge_runs(m, n, n + more);
        n += more;
    }
    return n;
}

/* back[input][word] is the input's own number of a word, or NO_TERM. */
static enum footnote_rc invert_terms(const struct merging *m, uint32_t **back,
                                     struct footnote_err *err)
{
    for (size_t i = 0; i < m->n; i++) {
        back[i] = malloc((m->words.n + 1) * sizeof(**back));
        if (!back[i])
            return err_set(err, FOOTNOTE_NOMEM, "merging indexes");
        memset(back[i], 0xff, (m->words.n + 1) * sizeof(**back));
        for (uint32_t t = 0; t < m->in[i].segment->terms_n; t++)
            back[i][m->term[i][t]] = t;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc add_terms(struct merging *m, struct segment_writer *w,
                                  struct footnote_err *err)
{
    uint32_t **back = calloc(m->n + 1, sizeof(*back));
    enum footnote_rc rc = back ? invert_terms(m, back, err)
                               : err_set(err, FOOTNOTE_NOMEM, "merging");

    for (uint32_t i = 0; rc == FOOTNOTE_OK && i < m->words.n; i++) {
        uint32_t word = m->order[i];

        if (m->df[word] == 0 || is_stopped(m->stop))
            break; /* only dead passages have this word and all after it */
        segment_writer_add_term(w, words_get(&m->words, word), m->list,
                                m->counts, whole_list(m, back, word));
    }
    for (size_t i = 0; back && i < m->n; i++)
        free(back[i]);
    free(back);
    return rc;
}

static void add_passages(const struct merging *m, struct segment_writer *w)
{
    uint32_t terms[SEGMENT_FORWARD_MAX];

    for (size_t i = 0; i < m->documents_n && !is_stopped(m->stop); i++) {
        const struct segment_document *d = m->documents[i].document;
        uint32_t input = m->documents[i].input;
        const struct segment *s = m->in[input].segment;

        segment_writer_add_document(w, d);
        for (uint32_t p = d[0].first; p < d[1].first; p++) {
            size_t n = segment_forward(s, p, terms, SEGMENT_FORWARD_MAX);

            for (size_t t = 0; t < n; t++)
                segment_writer_add_forward(w,
                                           m->number[m->term[input][terms[t]]]);
            segment_writer_add_passage(w, s->positions[p], s->lengths[p]);
        }
    }
}

/* ---- All of it ---------------------------------------------------------- */

static enum footnote_rc prepare(struct merging *m, struct footnote_err *err)
{
    size_t documents = 0, passages = 0;

    m->passage = calloc(m->n + 1, sizeof(*m->passage));
    m->term = calloc(m->n + 1, sizeof(*m->term));
    for (size_t i = 0; m->passage && m->term && i < m->n; i++) {
        const struct segment *s = m->in[i].segment;

        m->passage[i] = calloc(s->passages_n + 1ul, sizeof(uint32_t));
        m->term[i] = calloc(s->terms_n + 1ul, sizeof(uint32_t));
        if (!m->passage[i] || !m->term[i])
            return err_set(err, FOOTNOTE_NOMEM, "merging indexes");
        documents += s->documents_n;
        passages += s->passages_n;
    }
    m->documents = calloc(documents + 1, sizeof(*m->documents));
    m->list = calloc(passages + 1, sizeof(*m->list));
    m->spare = calloc(passages + 1, sizeof(*m->spare));
    m->counts = calloc(passages + 1, 1);
    m->spare_counts = calloc(passages + 1, 1);
    if (!m->passage || !m->term || !m->documents || !m->list || !m->spare ||
        !m->counts || !m->spare_counts)
        return err_set(err, FOOTNOTE_NOMEM, "merging indexes");
    return FOOTNOTE_OK;
}

static enum footnote_rc assemble(struct merging *m, struct segment **out,
                                 struct footnote_err *err)
{
    AUTO(segment_writer_free) struct segment_writer w;

    segment_writer_init(&w);
    TRY(prepare(m, err));
    gather_documents(m);
    number_passages(m);
    TRY(number_terms(m, err));
    add_passages(m, &w);
    TRY(check_stopped(m->stop, err));
    TRY(segment_writer_end_passages(&w, err));
    TRY(add_terms(m, &w, err));
    TRY(check_stopped(m->stop, err));
    return segment_writer_finish(&w, out, err);
}

enum footnote_rc segment_merge(const struct segment_input *in, size_t n,
                               const atomic_bool *stop, struct segment **out,
                               struct footnote_err *err)
{
    struct merging m = {.in = in, .n = n, .stop = stop};
    enum footnote_rc rc;

    *out = NULL;
    rc = assemble(&m, out, err);
    merging_free(&m);
    return rc;
}
