/* claim_figures.c - `footnote eval --claims DIR`: how well verdicts tell
 * claims that their sources support from others, and from false copies. */
#include "cli/eval/claim_figures.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "cite/judge/judge.h"
#include "cli/eval/claims.h"

#define JUDGE_BYTES_MAX ((size_t)64 << 20)

/* Scores of two groups, for the area under the curve. */
struct scores {
    double *better, *worse;
    size_t better_n, worse_n;
};

struct run {
    struct judge *judge;
    struct arena *arena; /* for the scores */
    const struct claims *claims;
    struct scores labels, edits[EDITS];
    size_t kinds[EDITS + 1][VERDICT_CONTRADICTS + 1]; /* true claims, last */
    size_t gold_n, gold_best;
    size_t sentences_n;
    double ms;
};

static double area(const struct scores *s)
{
    return figures_area(s->better, s->better_n, s->worse, s->worse_n);
}

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static enum footnote_rc judge_one(struct run *r, struct arena *a,
                                  const struct judge_source *source,
                                  struct str claim, struct verdict *out,
                                  struct footnote_err *err)
{
    double start = now_ms();

    TRY(judge_sentence(r->judge, a, claim, source, out, err));
    r->ms += now_ms() - start;
    r->sentences_n++;
    return FOOTNOTE_OK;
}

static void note_best(struct run *r, const struct claim_case *c,
                      const struct verdict *v)
{
    const char *start = c->source.p + v->start, *end = c->source.p + v->end;

    if (c->gold_n == 0)
        return;
    r->gold_n++;
    for (size_t i = 0; i < c->gold_n; i++)
        if (start < c->gold[i].p + c->gold[i].n && c->gold[i].p < end) {
            r->gold_best++;
            return;
        }
}

static enum footnote_rc judge_edits(struct run *r, struct arena *a,
                                    const struct claim_case *c,
                                    const struct judge_source *source,
                                    double score, struct footnote_err *err)
{
    size_t n = r->claims->n, here = (size_t)(c - r->claims->cases);

    for (enum claim_edit e = 0; e < EDITS; e++) {
        struct scores *s = &r->edits[e];
        struct str copy = STR_NONE;
        struct verdict v;

        /* A name of the next claim, or of the one after it. */
        for (size_t i = 1; !copy.p && i < n && i < 10; i++)
            TRY(claim_edited(a, c, r->claims->cases[(here + i) % n].claim, e,
                             &copy, err));
        if (!copy.p)
            continue;
        TRY(judge_one(r, a, source, copy, &v, err));
        r->kinds[e][v.kind]++;
        s->better[s->better_n++] = score;
        s->worse[s->worse_n++] = v.score;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc judge_case(struct run *r, struct arena *a,
                                   const struct claim_case *c,
                                   struct footnote_err *err)
{
    struct judge_source *source;
    struct verdict v;
    double start = now_ms();

    TRY(judge_source_read(r->judge, a, c->title, c->source, &source, err));
    r->ms += now_ms() - start;
    TRY(judge_one(r, a, source, c->claim, &v, err));
    if (!c->supported) {
        r->labels.worse[r->labels.worse_n++] = v.score;
        return FOOTNOTE_OK;
    }
    r->labels.better[r->labels.better_n++] = v.score;
    r->kinds[EDITS][v.kind]++;
    note_best(r, c, &v);
    return judge_edits(r, a, c, source, v.score, err);
}

static enum footnote_rc scores_new(struct arena *a, size_t n, struct scores *s,
                                   struct footnote_err *err)
{
    s->better = arena_many(a, n + 1, double);
    s->worse = arena_many(a, n + 1, double);
    return arena_rc(a, err);
}

static enum footnote_rc judge_all(struct run *r, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(JUDGE_BYTES_MAX);
    size_t n = r->claims->n;

    TRY(scores_new(r->arena, n, &r->labels, err));
    for (int e = 0; e < EDITS; e++)
        TRY(scores_new(r->arena, n, &r->edits[e], err));
    for (size_t i = 0; i < n; i++) {
        TRY(judge_case(r, &a, &r->claims->cases[i], err));
        arena_reset(&a);
    }
    return FOOTNOTE_OK;
}

static double share(size_t n, size_t of)
{
    return of ? (double)n / (double)of : nan("");
}

static void put_figures(const struct run *r, struct figures *f)
{
    const size_t *kinds = r->kinds[EDITS];
    size_t n = r->labels.better_n;

    figures_add(f, "supported", area(&r->labels));
    figures_add(f, "negation", area(&r->edits[EDIT_NEGATION]));
    figures_add(f, "name", area(&r->edits[EDIT_NAME]));
    figures_add(f, "number", area(&r->edits[EDIT_NUMBER]));
    figures_add(f, "best_gold", share(r->gold_best, r->gold_n));
    figures_add(f, "carried", share(kinds[VERDICT_CARRIED], n));
    figures_add(f, "partly", share(kinds[VERDICT_PARTLY], n));
    figures_add(f, "not_found", share(kinds[VERDICT_NOT_FOUND], n));
    figures_add(f, "contradicts", share(kinds[VERDICT_CONTRADICTS], n));
    figures_add(f, "ms", r->ms / (double)(r->sentences_n ? r->sentences_n : 1));
}

enum footnote_rc claim_figures(struct arena *a, const char *folder,
                               struct figures *out, struct footnote_err *err)
{
    AUTO(judge_closep) struct judge *judge = NULL;
    struct claims claims;
    struct run r = {.arena = a, .claims = &claims};

    TRY(claims_read(a, folder, &claims, err));
    TRY(judge_open(&judge, err));
    r.judge = judge;
    TRY(judge_all(&r, err));
    put_figures(&r, out);
    return FOOTNOTE_OK;
}
