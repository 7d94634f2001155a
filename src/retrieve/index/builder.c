/* builder.c - passages in, a segment out.
 *
 * Passages are kept as numbers in flat arrays: for each passage its terms in
 * order, and its distinct terms with their counts.  builder_finish() inverts
 * the counts: first how many passages a term has, then where its list begins,
 * then the lists.
 *
 * A title counts twice for every passage of its document; only once for a
 * recording, whose title says little about a single minute. */
#include <assert.h>
#include <stdlib.h>

#include "retrieve/index/segment_writer.h"
#include "retrieve/index/words.h"
#include "store/document/document.h"

#define ITEMS_MAX ((size_t)1 << 30)

struct built_passage {
    uint32_t position;
    uint32_t tokens_end, counts_end; /* in the builder's arrays */
    uint32_t document;
    uint8_t length;
};

struct term_count {
    uint32_t term;
    uint32_t count;
};

struct builder {
    struct analyser *analyser;
    struct words_set words;
    struct buf documents;   /* struct segment_document */
    struct buf passages;    /* struct built_passage */
    struct buf tokens;      /* uint32_t */
    struct buf term_counts; /* struct term_count */
    struct buf title;       /* uint32_t: terms of the document's title */
    struct buf last; /* uint32_t by term: its last term_count's index + 1 */
    uint32_t title_length, weight;
    const atomic_bool *stop;
};

enum footnote_rc builder_open(struct analyser *a, struct builder **out,
                              struct footnote_err *err)
{
    struct builder *b = calloc(1, sizeof(*b));

    *out = b;
    if (!b)
        return err_set(err, FOOTNOTE_NOMEM, "building an index");
    b->analyser = a;
    b->documents = b->passages = b->tokens = b->term_counts = b->title =
        b->last = BUF(ITEMS_MAX * sizeof(struct term_count));
    return FOOTNOTE_OK;
}

void builder_close(struct builder *b)
{
    if (!b)
        return;
    words_free(&b->words);
    buf_free(&b->documents);
    buf_free(&b->passages);
    buf_free(&b->tokens);
    buf_free(&b->term_counts);
    buf_free(&b->title);
    buf_free(&b->last);
    free(b);
}

/* ---- Arrays in buffers -------------------------------------------------- */

#define PUSH(b, item)                                                          \
    buf_add((b), (struct str){(const void *)&(item), sizeof(item)})
#define ITEMS(b, type) ((type *)(void *)(b).p)
#define COUNT(b, type) ((b).n / sizeof(type))

size_t builder_passages_n(const struct builder *b)
{
    return COUNT(b->passages, struct built_passage);
}

/* ---- Passages ----------------------------------------------------------- */

static enum footnote_rc term_of(struct builder *b, struct str word,
                                uint32_t *out, struct footnote_err *err)
{
    const uint32_t zero = 0;

    TRY(words_add(&b->words, word, out, err));
    if (*out >= COUNT(b->last, uint32_t))
        PUSH(&b->last, zero);
    return buf_rc(&b->last, err);
}

/* Counts a term of the passage whose counts begin at index `first`. */
static void count(struct builder *b, size_t first, uint32_t term,
                  uint32_t times)
{
    uint32_t *last = &ITEMS(b->last, uint32_t)[term];
    struct term_count fresh = {term, times};

    if (*last > first) {
        ITEMS(b->term_counts, struct term_count)[*last - 1].count += times;
        return;
    }
    PUSH(&b->term_counts, fresh);
    *last = (uint32_t)COUNT(b->term_counts, struct term_count);
}

static enum language language_now(const struct builder *b)
{
    size_t n = COUNT(b->documents, struct segment_document);

    return (enum language)ITEMS(b->documents, struct segment_document)[n - 1]
        .language;
}

/* Counts the words of a text; those of a body are also kept in order. */
static enum footnote_rc count_text(struct builder *b, size_t first,
                                   struct str text, bool body, uint32_t *length,
                                   struct footnote_err *err)
{
    uint32_t times = body ? 1 : b->weight, kept = 0;
    struct token t;

    analyse(b->analyser, text, language_now(b));
    while (analyse_next(b->analyser, &t)) {
        uint32_t term;

        TRY(term_of(b, t.term, &term, err));
        count(b, first, term, times);
        if (t.stop)
            continue;
        *length += times;
        if (body && kept++ < SEGMENT_FORWARD_MAX)
            PUSH(&b->tokens, term);
    }
    TRY(buf_rc(&b->tokens, err));
    return buf_rc(&b->term_counts, err);
}

enum footnote_rc builder_document(struct builder *b,
                                  const struct segment_document *d,
                                  struct str title, struct footnote_err *err)
{
    struct token t;

    PUSH(&b->documents, *d);
    TRY(buf_rc(&b->documents, err));
    b->weight = d->kind == DOCUMENT_LECTURE ? 1 : 2;
    b->title_length = 0;
    buf_reset(&b->title);
    analyse(b->analyser, title, language_now(b));
    while (analyse_next(b->analyser, &t)) {
        uint32_t term;

        TRY(term_of(b, t.term, &term, err));
        PUSH(&b->title, term);
        b->title_length += t.stop ? 0 : b->weight;
    }
    return buf_rc(&b->title, err);
}

enum footnote_rc builder_passage(struct builder *b, int64_t position,
                                 struct str heading, struct str text, bool last,
                                 struct footnote_err *err)
{
    size_t first = COUNT(b->term_counts, struct term_count);
    uint32_t length = b->title_length;
    struct built_passage p = {.position = (uint32_t)position};

    assert(COUNT(b->documents, struct segment_document) > 0);
    if (builder_passages_n(b) >= SEGMENT_PASSAGES_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "too many passages in a course");
    for (size_t i = 0; i < COUNT(b->title, uint32_t); i++)
        count(b, first, ITEMS(b->title, uint32_t)[i], b->weight);
    TRY(count_text(b, first, heading, false, &length, err));
    TRY(count_text(b, first, text, true, &length, err));
    p.document = (uint32_t)COUNT(b->documents, struct segment_document) - 1;
    p.tokens_end = (uint32_t)COUNT(b->tokens, uint32_t);
    p.counts_end = (uint32_t)COUNT(b->term_counts, struct term_count);
    p.length = last ? LENGTH_LAST : length_code(length);
    PUSH(&b->passages, p);
    return buf_rc(&b->passages, err);
}

/* ---- The end ------------------------------------------------------------ */

struct inverted { /* lists of passages by term */
    uint32_t terms_n;
    uint32_t *df, *order, *number; /* number_by_df() */
    size_t *start;      /* of a term's list, by its number; grows to its end */
    uint32_t *passages; /* all lists, one after the other */
    uint8_t *counts;
};

static void inverted_free(struct inverted *t)
{
    free(t->df);
    free(t->order);
    free(t->number);
    free(t->start);
    free(t->passages);
    free(t->counts);
}

static void number_terms(const struct builder *b, struct inverted *t)
{
    size_t at = 0;

    for (size_t i = 0; i < COUNT(b->term_counts, struct term_count); i++)
        t->df[ITEMS(b->term_counts, struct term_count)[i].term]++;
    number_by_df(t->df, t->terms_n, t->order, t->number);
    for (uint32_t i = 0; i < t->terms_n; i++) {
        t->start[i] = at;
        at += t->df[t->order[i]];
    }
}

static void invert_counts(const struct builder *b, struct inverted *t)
{
    const struct built_passage *p = ITEMS(b->passages, struct built_passage);
    const struct term_count *term_counts =
        ITEMS(b->term_counts, struct term_count);
    uint32_t at = 0;

    for (uint32_t i = 0; i < builder_passages_n(b); i++)
        for (; at < p[i].counts_end; at++) {
            size_t *next = &t->start[t->number[term_counts[at].term]];

            t->passages[*next] = i;
            t->counts[(*next)++] =
                (uint8_t)(term_counts[at].count < TF_MAX ? term_counts[at].count
                                                         : TF_MAX);
        }
}

static enum footnote_rc invert(const struct builder *b, struct inverted *t,
                               struct footnote_err *err)
{
    size_t postings = COUNT(b->term_counts, struct term_count), n = b->words.n;

    t->terms_n = b->words.n;
    t->df = calloc(n + 1, sizeof(*t->df));
    t->order = calloc(n + 1, sizeof(*t->order));
    t->number = calloc(n + 1, sizeof(*t->number));
    t->start = calloc(n + 1, sizeof(*t->start));
    t->passages = calloc(postings + 1, sizeof(*t->passages));
    t->counts = calloc(postings + 1, sizeof(*t->counts));
    if (!t->df || !t->order || !t->number || !t->start || !t->passages ||
        !t->counts)
        return err_set(err, FOOTNOTE_NOMEM, "building an index");
    number_terms(b, t);
    invert_counts(b, t);
    return FOOTNOTE_OK;
}

static void add_passages(const struct builder *b, const struct inverted *t,
                         struct segment_writer *w)
{
    const struct segment_document *d =
        ITEMS(b->documents, struct segment_document);
    const struct built_passage *p = ITEMS(b->passages, struct built_passage);
    const uint32_t *tokens = ITEMS(b->tokens, uint32_t);
    uint32_t at = 0, document = 0;

    for (size_t i = 0; i < builder_passages_n(b) && !is_stopped(b->stop); i++) {
        while (document <= p[i].document)
            segment_writer_add_document(w, &d[document++]);
        for (; at < p[i].tokens_end; at++)
            segment_writer_add_forward(w, t->number[tokens[at]]);
        segment_writer_add_passage(w, p[i].position, p[i].length);
    }
    while (document < COUNT(b->documents, struct segment_document))
        segment_writer_add_document(w, &d[document++]);
}

static void add_terms(const struct builder *b, const struct inverted *t,
                      struct segment_writer *w)
{
    size_t at = 0;

    for (uint32_t i = 0; i < t->terms_n; i++) {
        uint32_t term = t->order[i];

        if (t->df[term] == 0 || is_stopped(b->stop))
            break; /* from here on only in titles of empty documents */
        segment_writer_add_term(w, words_get(&b->words, term), t->passages + at,
                                t->counts + at, t->df[term]);
        at += t->df[term];
    }
}

static enum footnote_rc assemble(const struct builder *b, struct inverted *t,
                                 struct segment **out, struct footnote_err *err)
{
    AUTO(segment_writer_free) struct segment_writer w;

    segment_writer_init(&w);
    TRY(invert(b, t, err));
    add_passages(b, t, &w);
    TRY(check_stopped(b->stop, err));
    TRY(segment_writer_end_passages(&w, err));
    add_terms(b, t, &w);
    TRY(check_stopped(b->stop, err));
    return segment_writer_finish(&w, out, err);
}

enum footnote_rc builder_finish(struct builder *b, const atomic_bool *stop,
                                struct segment **out, struct footnote_err *err)
{
    struct inverted t = {.terms_n = 0};
    enum footnote_rc rc;

    *out = NULL;
    b->stop = stop;
    rc = assemble(b, &t, out, err);
    inverted_free(&t);
    if (rc != FOOTNOTE_OK)
        return rc;
    words_clear(&b->words);
    buf_reset(&b->documents);
    buf_reset(&b->passages);
    buf_reset(&b->tokens);
    buf_reset(&b->term_counts);
    buf_reset(&b->last);
    return FOOTNOTE_OK;
}
