/* prior.c - what a thread has cited before is a little more likely to be what
 * it asks for now.
 *
 *     s' = s / max + .2 min(1, log2(1 + citations of the document) / 3)
 *                  + .05 min(1, log2(1 + citations of the passage) / 2)
 *
 * More for the document than for the passage, and never enough to lift what
 * hardly matches.  Helps threads that stay with a document, costs little when
 * they change the subject. */
#include <math.h>
#include <stdlib.h>

#include "retrieve/search/search.h"
#include "store/document/search.h"

#define DOCUMENT_SHARE 0.2F
#define PASSAGE_SHARE  0.05F

static float worth(int64_t cited_n, float share, float full)
{
    float part = log2f(1 + (float)cited_n) / full;

    return share * (part < 1 ? part : 1);
}

static int64_t cited_document(const struct search_scope *scope, int64_t key)
{
    int64_t n = 0;

    for (size_t i = 0; i < scope->citations_n; i++)
        if (scope->citations[i].document_key == key)
            n += scope->citations[i].cited_n;
    return n;
}

static int64_t cited_passage(const struct search_scope *scope, struct str key)
{
    for (size_t i = 0; i < scope->citations_n; i++)
        if (str_eq(scope->citations[i].source_key, key))
            return scope->citations[i].cited_n;
    return 0;
}

static bool counts(const struct finding *f)
{
    return f->scope.citations_n > 0 && !f->s->no_prior;
}

void prior_documents(const struct finding *f, struct ranked *ranked, size_t n)
{
    float max = n ? ranked[0].score : 1;

    for (size_t i = 0; i < n; i++) {
        const struct segment *s = f->query.parts[ranked[i].part].segment;
        uint32_t d = segment_document_of(s, ranked[i].passage);

        ranked[i].score /= max > 0 ? max : 1;
        if (counts(f))
            ranked[i].score +=
                worth(cited_document(&f->scope, s->documents[d].key),
                      DOCUMENT_SHARE, 3);
    }
    if (counts(f))
        rank_sort(ranked, n);
}

static int by_score(const void *a, const void *b)
{
    const struct found *x = a, *y = b;

    if (x->score < y->score || y->score < x->score)
        return x->score < y->score ? 1 : -1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return x->passage < y->passage ? -1 : x->passage > y->passage;
}

void prior_passages(const struct finding *f, struct found *found, size_t n)
{
    if (!counts(f))
        return;
    for (size_t i = 0; i < n; i++)
        found[i].score +=
            worth(cited_passage(&f->scope, found[i].key), PASSAGE_SHARE, 2);
    qsort(found, n, sizeof(*found), by_score);
}
