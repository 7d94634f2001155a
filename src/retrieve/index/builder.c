/* builder.c - passages in, a segment out.
 *
 * What comes is kept as numbers in flat arrays: for each passage its terms in
 * order, and its distinct terms with their counts.  The end turns the second
 * kind round by counting: first how many passages a term has, then where its
 * list begins, then the lists.
 *
 * A title counts twice, once for recordings, whose titles say little of what
 * is said when; it counts for every passage of its document. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json_reader.h"
#include "base/str.h"
#include "retrieve/index/parts.h"
#include "retrieve/index/segment.h"
#include "retrieve/index/words.h"
#include "store/document/document.h"

#define ITEMS_MAX ((size_t)1 << 30)

struct passage_in {
    uint32_t position, tokens, pairs; /* where its parts end */
    uint32_t document;
    uint8_t length;
};

struct pair {
    uint32_t term;
    uint32_t count;
};

struct builder {
    struct analyser *analyser;
    struct words_set words;
    struct buf documents; /* struct segment_document */
    struct buf passages;  /* struct passage_in */
    struct buf tokens;    /* uint32_t */
    struct buf pairs;     /* struct pair */
    struct buf title;     /* uint32_t: terms of the document's title */
    struct buf seen;      /* uint32_t by term: its pair's index + 1 */
    uint32_t title_length, weight;
};

enum footnote_rc builder_open(struct analyser *a, struct builder **out,
                              struct footnote_err *err)
{
    struct builder *b = calloc(1, sizeof(*b));

    *out = b;
    if (!b)
        return err_set(err, FOOTNOTE_NOMEM, "building an index");
    b->analyser = a;
    b->documents = b->passages = b->tokens = b->pairs = b->title = b->seen =
        BUF(ITEMS_MAX * sizeof(struct pair));
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
    buf_free(&b->pairs);
    buf_free(&b->title);
    buf_free(&b->seen);
    free(b);
}

/* ---- Arrays in buffers -------------------------------------------------- */

static void push(struct buf *b, const void *item, size_t bytes)
{
    buf_add(b, (struct str){item, bytes});
}
#define PUSH(b, item)  push((b), &(item), sizeof(item))
#define ITEMS(b, type) ((type *)(void *)(b).p)
#define COUNT(b, type) ((b).n / sizeof(type))

size_t builder_passages_n(const struct builder *b)
{
    return COUNT(b->passages, struct passage_in);
}

/* ---- Passages ----------------------------------------------------------- */

static enum footnote_rc term_of(struct builder *b, struct str word,
                                uint32_t *out, struct footnote_err *err)
{
    const uint32_t zero = 0;

    TRY(words_add(&b->words, word, out, err));
    if (*out >= COUNT(b->seen, uint32_t))
        PUSH(&b->seen, zero);
    return buf_rc(&b->seen, err);
}

/* Counts a term of the passage whose pairs begin at `first`. */
static void count(struct builder *b, size_t first, uint32_t term,
                  uint32_t times)
{
    uint32_t *seen = &ITEMS(b->seen, uint32_t)[term];
    struct pair fresh = {term, times};

    if (*seen > first) {
        ITEMS(b->pairs, struct pair)[*seen - 1].count += times;
        return;
    }
    PUSH(&b->pairs, fresh);
    *seen = (uint32_t)COUNT(b->pairs, struct pair);
}

static enum language language_now(const struct builder *b)
{
    size_t n = COUNT(b->documents, struct segment_document);

    return (enum language)ITEMS(b->documents, struct segment_document)[n - 1]
        .language;
}

static enum footnote_rc count_title(struct builder *b, struct footnote_err *err)
{
    size_t first = COUNT(b->pairs, struct pair);

    for (size_t i = 0; i < COUNT(b->title, uint32_t); i++)
        count(b, first, ITEMS(b->title, uint32_t)[i], b->weight);
    return buf_rc(&b->pairs, err);
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
    return buf_rc(&b->pairs, err);
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
                                 struct str heading, struct str text,
                                 struct footnote_err *err)
{
    size_t first = COUNT(b->pairs, struct pair);
    uint32_t length = b->title_length;
    struct passage_in p = {.position = (uint32_t)position};

    if (builder_passages_n(b) >= SEGMENT_PASSAGES_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "too many passages in a course");
    TRY(count_title(b, err));
    TRY(count_text(b, first, heading, false, &length, err));
    TRY(count_text(b, first, text, true, &length, err));
    p.document = (uint32_t)COUNT(b->documents, struct segment_document) - 1;
    p.tokens = (uint32_t)COUNT(b->tokens, uint32_t);
    p.pairs = (uint32_t)COUNT(b->pairs, struct pair);
    p.length = length_code(length);
    PUSH(&b->passages, p);
    return buf_rc(&b->passages, err);
}

/* ---- The end ------------------------------------------------------------ */

struct turned { /* by term, in the order of their new numbers */
    uint32_t terms_n;
    uint32_t *df, *order, *number; /* order: number -> term */
    size_t *start;                 /* of a term's list, by its number */
    uint32_t *passages;
    uint8_t *counts;
};

static void turned_free(struct turned *t)
{
    free(t->df);
    free(t->order);
    free(t->number);
    free(t->start);
    free(t->passages);
    free(t->counts);
}

static int by_df(const void *a, const void *b, void *arg)
{
    const uint32_t *df = arg, *x = a, *y = b;

    if (df[*x] != df[*y])
        return df[*x] < df[*y] ? 1 : -1;
    return *x < *y ? -1 : *x > *y;
}

static void number_terms(const struct builder *b, struct turned *t)
{
    size_t at = 0;

    for (size_t i = 0; i < COUNT(b->pairs, struct pair); i++)
        t->df[ITEMS(b->pairs, struct pair)[i].term]++;
    for (uint32_t i = 0; i < t->terms_n; i++)
        t->order[i] = i;
    qsort_r(t->order, t->terms_n, sizeof(*t->order), by_df, t->df);
    for (uint32_t i = 0; i < t->terms_n; i++) {
        t->number[t->order[i]] = i;
        t->start[i] = at;
        at += t->df[t->order[i]];
    }
}

static void turn_pairs(const struct builder *b, struct turned *t)
{
    const struct passage_in *p = ITEMS(b->passages, struct passage_in);
    const struct pair *pairs = ITEMS(b->pairs, struct pair);
    uint32_t at = 0;

    for (uint32_t i = 0; i < builder_passages_n(b); i++)
        for (; at < p[i].pairs; at++) {
            size_t *next = &t->start[t->number[pairs[at].term]];

            t->passages[*next] = i;
            t->counts[(*next)++] =
                (uint8_t)(pairs[at].count < TF_MAX ? pairs[at].count : TF_MAX);
        }
}

static enum footnote_rc turn(const struct builder *b, struct turned *t,
                             struct footnote_err *err)
{
    size_t pairs = COUNT(b->pairs, struct pair), n = b->words.n;

    t->terms_n = b->words.n;
    t->df = calloc(n + 1, sizeof(*t->df));
    t->order = calloc(n + 1, sizeof(*t->order));
    t->number = calloc(n + 1, sizeof(*t->number));
    t->start = calloc(n + 1, sizeof(*t->start));
    t->passages = calloc(pairs + 1, sizeof(*t->passages));
    t->counts = calloc(pairs + 1, sizeof(*t->counts));
    if (!t->df || !t->order || !t->number || !t->start || !t->passages ||
        !t->counts)
        return err_set(err, FOOTNOTE_NOMEM, "building an index");
    number_terms(b, t);
    turn_pairs(b, t);
    return FOOTNOTE_OK;
}

static void add_passages(const struct builder *b, const struct turned *t,
                         struct parts *out)
{
    const struct segment_document *d =
        ITEMS(b->documents, struct segment_document);
    const struct passage_in *p = ITEMS(b->passages, struct passage_in);
    const uint32_t *tokens = ITEMS(b->tokens, uint32_t);
    uint32_t at = 0, document = 0;

    for (size_t i = 0; i < builder_passages_n(b); i++) {
        while (document <= p[i].document)
            parts_document(out, &d[document++]);
        for (; at < p[i].tokens; at++)
            parts_forward(out, t->number[tokens[at]]);
        parts_passage(out, p[i].position, p[i].length);
    }
    while (document < COUNT(b->documents, struct segment_document))
        parts_document(out, &d[document++]);
}

static void add_terms(const struct builder *b, const struct turned *t,
                      struct parts *out)
{
    size_t at = 0;

    for (uint32_t i = 0; i < t->terms_n; i++) {
        uint32_t term = t->order[i];

        if (t->df[term] == 0) /* only in titles without passages */
            break;
        parts_term(out, words_get(&b->words, term), t->passages + at,
                   t->counts + at, t->df[term]);
        at += t->df[term];
    }
}

static void reset(struct builder *b)
{
    words_clear(&b->words);
    buf_reset(&b->documents);
    buf_reset(&b->passages);
    buf_reset(&b->tokens);
    buf_reset(&b->pairs);
    buf_reset(&b->seen);
}

static enum footnote_rc assemble(const struct builder *b, struct turned *t,
                                 struct segment **out, struct footnote_err *err)
{
    AUTO(parts_free) struct parts parts;

    parts_init(&parts);
    TRY(turn(b, t, err));
    add_passages(b, t, &parts);
    TRY(buf_rc(&parts.lengths, err));
    parts_lengths(&parts);
    add_terms(b, t, &parts);
    return parts_finish(&parts, out, err);
}

enum footnote_rc builder_finish(struct builder *b, struct segment **out,
                                struct footnote_err *err)
{
    struct turned t = {.terms_n = 0};
    enum footnote_rc rc;

    *out = NULL;
    rc = assemble(b, &t, out, err);
    turned_free(&t);
    if (rc == FOOTNOTE_OK)
        reset(b);
    return rc;
}
