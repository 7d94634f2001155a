/* fuse.c - words and vectors together: .7 of the score by words and .3 of the
 * score by vectors, each stretched to 0 to 1.  Fusing ranks instead of scores
 * was tried: a weak embedding model makes a good ranking by words worse. */
#include <assert.h>

#include "retrieve/search/search.h"

enum { NEAREST = 100 };
#define WORDS_SHARE   0.7F
#define VECTORS_SHARE 0.3F

/* Finds a passage of the store in the index; false: it is not there any more.
 */
static bool locate(const struct query *q, const struct near_passage *n,
                   struct ranked *out)
{
    for (uint32_t i = 0; i < q->ranges_n; i++) {
        const struct segment_range *p = &q->ranges[i];
        const struct segment *s = p->segment;
        uint32_t d = segment_document(s, n->document);

        if (d == s->documents_n ||
            (int64_t)s->documents[d].version != n->version)
            continue;
        for (uint32_t k = s->documents[d].first; k < s->documents[d + 1].first;
             k++)
            if (s->positions[k] == n->position &&
                !passage_is_dead(p->dead, k) && k >= p->from && k < p->to) {
                *out = (struct ranked){i, k, 0};
                return true;
            }
    }
    return false;
}

static float stretch(float score, float low, float high)
{
    return high > low ? (score - low) / (high - low) : 1;
}

static struct ranked *find_ranked(struct ranked *ranked, size_t n,
                                  const struct ranked *place)
{
    for (size_t i = 0; i < n; i++)
        if (ranked[i].range == place->range &&
            ranked[i].passage == place->passage)
            return &ranked[i];
    return NULL;
}

/* A passage that still waits for its vector loses nothing by that. */
static void keep_new(const struct search_run *run, struct ranked *r)
{
    const struct segment *s = run->query.ranges[r->range].segment;
    const struct segment_document *d =
        &s->documents[segment_document_of(s, r->passage)];

    if (!dense_compared(&run->near, d->key, d->version,
                        s->positions[r->passage]))
        r->score *= 1 + VECTORS_SHARE / WORDS_SHARE;
}

static void mix(const struct search_run *run, struct ranked *ranked, size_t *n)
{
    float low = *n ? ranked[*n - 1].score : 0, high = *n ? ranked[0].score : 0;
    const struct near_passage *near = run->near.near;
    size_t near_n = run->near.n;

    for (size_t i = 0; i < *n; i++) {
        ranked[i].score = WORDS_SHARE * stretch(ranked[i].score, low, high);
        keep_new(run, &ranked[i]);
    }
    for (size_t i = 0; i < near_n; i++) {
        float more =
            VECTORS_SHARE *
            stretch(near[i].score, near[near_n - 1].score, near[0].score);
        struct ranked place, *there;

        if (!locate(&run->query, &near[i], &place))
            continue;
        there = find_ranked(ranked, *n, &place);
        if (!there && *n < QUERY_TOP) {
            there = &ranked[(*n)++];
            *there = place;
        }
        if (there)
            there->score += more;
    }
    assert(*n <= QUERY_TOP);
    rank_sort(ranked, *n);
}

/* Once for both attempts of a search. */
static void find_nearest(struct search_run *run)
{
    const struct vectors_only only = {run->scope.documents,
                                      run->scope.documents_n};
    struct dense_question q = {.who = run->search->who,
                               .text = run->search->query,
                               .courses = run->scope.courses,
                               .courses_n = run->scope.courses_n,
                               .only = run->scope.limited ? &only : NULL,
                               .wait = run->search->patience == SEARCH_WAIT};

    run->asked_near = true;
    if (q.text.n > 0 && q.text.n <= RETRIEVE_QUERY_BYTES)
        dense_find(run->retriever->dense, &run->scratch, &q, NEAREST,
                   &run->near);
    run->search->words_alone = run->near.failed;
}

enum footnote_rc fuse_vectors(struct search_run *run, struct ranked *ranked,
                              size_t *n, struct footnote_err *err)
{
    if (!run->asked_near)
        find_nearest(run);
    if (run->search->by == SEARCH_BY_VECTORS)
        *n = 0;
    if (run->near.n > 0)
        mix(run, ranked, n);
    return arena_rc(&run->scratch, err);
}
