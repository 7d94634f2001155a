/* confidence_figures.c - `footnote eval --confidence DIR`.
 *
 * Questions that have an answer are asked of the collection, and once more of
 * a copy without the documents that answer them: the second is the hardest, as
 * all that stands around the answer is still there. */
#include "cli/eval/confidence_figures.h"

#include <math.h>

#define SEARCH_BYTES_MAX ((size_t)256 << 20)

struct group {
    double *confidence;
    size_t n, low_n;
};

static enum footnote_rc ask(const struct bench_course *b, struct str question,
                            struct group *g, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(SEARCH_BYTES_MAX);
    struct search s = {.who = b->who, .course = STR("eval"), .query = question};

    TRY(retriever_search(b->retriever, &a, &s, err));
    g->confidence[g->n++] = s.confidence;
    g->low_n += s.low_confidence;
    return FOOTNOTE_OK;
}

/* The questions of `from` with judgements, or those without. */
static enum footnote_rc ask_all(struct arena *a, const struct bench_course *b,
                                const struct collection *from, bool judged,
                                struct group *g, struct footnote_err *err)
{
    g->confidence = arena_many(a, from->queries_n + 1, double);
    TRY(arena_rc(a, err));
    for (size_t i = 0; i < from->queries_n; i++)
        if ((from->queries[i].judgements_n > 0) == judged)
            TRY(ask(b, from->queries[i].text, g, err));
    return FOOTNOTE_OK;
}

/* ---- The two courses ----------------------------------------------------- */

struct asked {
    struct group answered, unanswerable, removed, outside;
};

static enum footnote_rc ask_whole(struct arena *a, struct collection *c,
                                  const struct collection *outside,
                                  struct asked *out, struct footnote_err *err)
{
    AUTO(collection_close) struct bench_course b = {.store = NULL};

    TRY(collection_open(a, c, NULL, &b, err));
    TRY(ask_all(a, &b, c, true, &out->answered, err));
    TRY(ask_all(a, &b, c, false, &out->unanswerable, err));
    if (outside)
        TRY(ask_all(a, &b, outside, true, &out->outside, err));
    return FOOTNOTE_OK;
}

static enum footnote_rc ask_rest(struct arena *a, const struct collection *c,
                                 struct asked *out, struct footnote_err *err)
{
    AUTO(collection_close) struct bench_course b = {.store = NULL};
    struct collection rest;

    TRY(collection_without_judged(a, c, &rest, err));
    TRY(collection_open(a, &rest, NULL, &b, err));
    return ask_all(a, &b, c, true, &out->removed, err);
}

/* ---- Figures ------------------------------------------------------------- */

static double area(const struct group *better, const struct group *worse)
{
    return figures_area(better->confidence, better->n, worse->confidence,
                        worse->n);
}

static double low(const struct group *g)
{
    return g->n ? (double)g->low_n / (double)g->n : nan("");
}

enum footnote_rc confidence_figures(struct arena *a, const char *folder,
                                    const char *outside, struct figures *out,
                                    struct footnote_err *err)
{
    struct collection c, other;
    struct asked asked = {.answered = {.n = 0}};
    const struct group *yes = &asked.answered;

    TRY(collection_read(a, folder, &c, err));
    if (outside)
        TRY(collection_read(a, outside, &other, err));
    TRY(ask_whole(a, &c, outside ? &other : NULL, &asked, err));
    TRY(ask_rest(a, &c, &asked, err));
    figures_add(out, "auc_outside", area(yes, &asked.outside));
    figures_add(out, "auc_removed", area(yes, &asked.removed));
    figures_add(out, "auc_no_answer", area(yes, &asked.unanswerable));
    figures_add(out, "false_alarms", low(yes));
    figures_add(out, "low_outside", low(&asked.outside));
    figures_add(out, "low_removed", low(&asked.removed));
    figures_add(out, "low_no_answer", low(&asked.unanswerable));
    return FOOTNOTE_OK;
}
