/* eval.c - `footnote eval DIR`: how well search finds the judged documents.
 *
 * The collection becomes a temporary course, and every query goes through the
 * search code of the server. */
#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/eval/claim_figures.h"
#include "cli/eval/collection.h"
#include "cli/eval/confidence_figures.h"
#include "cli/services.h"

enum { TOP = 10, FAR_TOP = 100 };
#define COLLECTION_BYTES_MAX ((size_t)4 << 30)
#define SEARCH_BYTES_MAX     ((size_t)256 << 20)

struct eval {
    struct cli *cli;
    struct collection collection;
    struct bench_course course;
    bool scoped, history, answers;
    /* Sums over the queries that have judgements, or answers. */
    double ndcg, recall, recall_far, mrr;
    double ndcg_words, ndcg_vectors; /* where there is an embedder */
    size_t unhelped_n; /* by an embedder or a reranker that failed */
    size_t judged_n;
    size_t answer_1, answer_3, answers_n;
    double *ms;
    size_t ms_n;
};

/* ---- Answers ------------------------------------------------------------ */

static char lower(char c)
{
    if (c >= 'A' && c <= 'Z')
        c = (char)(c | 0x20);
    return c;
}

static bool contains_text(struct str text, struct str part)
{
    for (size_t i = 0; i + part.n <= text.n; i++) {
        size_t n = 0;

        while (n < part.n && lower(text.p[i + n]) == lower(part.p[n]))
            n++;
        if (n == part.n)
            return true;
    }
    return false;
}

static bool has_answer(const struct collection_query *q, struct str sentence)
{
    for (size_t i = 0; i < q->answers_n; i++)
        if (contains_text(sentence, q->answers[i]))
            return true;
    return false;
}

static enum footnote_rc measure_answers(struct eval *e,
                                        const struct collection_query *q,
                                        const struct search *s,
                                        struct footnote_err *err)
{
    struct best_sentence best[3];
    bool any = false;
    size_t n = 0;

    TRY(retriever_sentences(e->course.retriever, s, best, 3, &n, err));
    for (size_t i = 0; i < n; i++)
        any |= has_answer(q, best[i].sentence);
    e->answer_1 += n > 0 && has_answer(q, best[0].sentence);
    e->answer_3 += any;
    e->answers_n++;
    return FOOTNOTE_OK;
}

/* ---- Queries ------------------------------------------------------------ */

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct search make_search(const struct eval *e, struct arena *a,
                                 const struct collection_query *q, size_t limit)
{
    struct search s = {.who = e->course.who,
                       .course = STR("eval"),
                       .query = q->text,
                       .limit = limit};

    if (e->scoped)
        s.filter = collection_filter(a, &e->collection, q);
    s.earlier = &q->previous;
    s.earlier_n = e->history && q->previous.p ? 1 : 0;
    return s;
}

/* What words and vectors find apart. */
static enum footnote_rc measure_parts(struct eval *e, struct arena *a,
                                      const struct collection_query *q,
                                      struct footnote_err *err)
{
    struct search words = make_search(e, a, q, TOP), vectors = words;

    words.by = SEARCH_BY_WORDS;
    vectors.by = SEARCH_BY_VECTORS;
    TRY(retriever_search(e->course.retriever, a, &words, err));
    TRY(retriever_search(e->course.retriever, a, &vectors, err));
    e->ndcg_words += measure_ndcg(&e->collection, q, &words, TOP);
    e->ndcg_vectors += measure_ndcg(&e->collection, q, &vectors, TOP);
    return FOOTNOTE_OK;
}

static enum footnote_rc measure_query(struct eval *e, struct arena *a,
                                      const struct collection_query *q,
                                      struct footnote_err *err)
{
    struct search near = make_search(e, a, q, TOP);
    struct search far = make_search(e, a, q, FAR_TOP);
    double start = now_ms();

    TRY(retriever_search(e->course.retriever, a, &near, err));
    e->unhelped_n += near.words_alone || near.not_reranked;
    assert(e->ms_n < e->collection.queries_n);
    e->ms[e->ms_n++] = now_ms() - start;
    if (e->answers && q->answers_n)
        TRY(measure_answers(e, q, &near, err));
    if (q->judgements_n == 0)
        return FOOTNOTE_OK;
    e->judged_n++;
    e->ndcg += measure_ndcg(&e->collection, q, &near, TOP);
    e->recall += measure_recall(&e->collection, q, &near, TOP);
    e->mrr += measure_reciprocal_rank(&e->collection, q, &near, TOP);
    if (retriever_embedder(e->course.retriever))
        TRY(measure_parts(e, a, q, err));
    TRY(retriever_search(e->course.retriever, a, &far, err));
    e->recall_far += measure_recall(&e->collection, q, &far, FAR_TOP);
    return FOOTNOTE_OK;
}

static enum footnote_rc measure_all(struct eval *e, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(SEARCH_BYTES_MAX);

    e->ms = arena_many(&e->cli->arena, e->collection.queries_n + 1, double);
    TRY(arena_rc(&e->cli->arena, err));
    for (size_t i = 0; i < e->collection.queries_n; i++) {
        TRY(measure_query(e, &a, &e->collection.queries[i], err));
        if (i == 0)
            e->ms_n = 0; /* the first search built the index */
        arena_reset(&a);
    }
    return FOOTNOTE_OK;
}

/* ---- Output ------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static double share(double sum, size_t n)
{
    return n ? sum / (double)n : 0;
}

static double quantile(const struct eval *e, double q)
{
    size_t i = (size_t)(q * (double)e->ms_n);

    if (e->ms_n == 0)
        return 0;
    return e->ms[i < e->ms_n ? i : e->ms_n - 1];
}

static void put_figures(struct eval *e, struct figures *f)
{
    qsort(e->ms, e->ms_n, sizeof(*e->ms), by_value);
    figures_add(f, "ndcg@10", share(e->ndcg, e->judged_n));
    figures_add(f, "recall@10", share(e->recall, e->judged_n));
    figures_add(f, "recall@100", share(e->recall_far, e->judged_n));
    figures_add(f, "mrr", share(e->mrr, e->judged_n));
    if (retriever_embedder(e->course.retriever)) {
        figures_add(f, "words_ndcg@10", share(e->ndcg_words, e->judged_n));
        figures_add(f, "vectors_ndcg@10", share(e->ndcg_vectors, e->judged_n));
    }
    if (e->unhelped_n)
        figures_add(f, "unhelped",
                    share((double)e->unhelped_n, e->collection.queries_n));
    figures_add(f, "p50_ms", quantile(e, 0.5));
    figures_add(f, "p99_ms", quantile(e, 0.99));
    if (!e->answers)
        return;
    figures_add(f, "answer@1", share((double)e->answer_1, e->answers_n));
    figures_add(f, "answer@3", share((double)e->answer_3, e->answers_n));
}

/* ---- The verb ----------------------------------------------------------- */

static int eval_claims(struct cli *c)
{
    struct figures figures = {.n = 0};
    struct footnote_err err;
    enum footnote_rc rc =
        claim_figures(&c->arena, c->operands[0].p, &figures, &err);

    return rc == FOOTNOTE_OK ? figures_print(c, &figures)
                             : cli_fail(c, rc, &err);
}

static int eval_confidence(struct cli *c, struct str outside)
{
    struct figures figures = {.n = 0};
    struct footnote_err err;
    enum footnote_rc rc = confidence_figures(&c->arena, c->operands[0].p,
                                             outside.p, &figures, &err);

    return rc == FOOTNOTE_OK ? figures_print(c, &figures)
                             : cli_fail(c, rc, &err);
}

static int eval_search(struct eval *e)
{
    struct cli *c = e->cli;
    struct retriever_options o = services_retriever(&c->config);
    struct figures figures = {.n = 0};
    struct footnote_err err;
    enum footnote_rc rc =
        collection_read(&c->arena, c->operands[0].p, &e->collection, &err);

    if (rc == FOOTNOTE_OK)
        rc = collection_open(&c->arena, &e->collection, &o, &e->course, &err);
    if (rc == FOOTNOTE_OK)
        rc = measure_all(e, &err);
    collection_close(&e->course);
    if (rc != FOOTNOTE_OK)
        return cli_fail(c, rc, &err);
    put_figures(e, &figures);
    return figures_print(c, &figures);
}

int verb_eval(struct cli *c)
{
    struct eval e = {.cli = c};
    bool claims = false, confidence = false;
    struct str outside = STR_NONE;
    const struct cli_option options[] = {
        {.name = "json", .on = &c->json},
        {.name = "scoped", .on = &e.scoped},
        {.name = "history", .on = &e.history},
        {.name = "answers", .on = &e.answers},
        {.name = "claims", .on = &claims},
        {.name = "confidence", .on = &confidence},
        {.name = "outside", .text = &outside}};
    int code = cli_read(c, options, sizeof(options) / sizeof(options[0]));

    if (code == CLI_GO_ON)
        code = cli_expect(c, 1, 1, "the collection's folder");
    if (code != CLI_GO_ON)
        return code;
    c->arena.max_bytes = COLLECTION_BYTES_MAX;
    return claims       ? eval_claims(c)
           : confidence ? eval_confidence(c, outside)
                        : eval_search(&e);
}
