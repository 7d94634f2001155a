/* fuse.c - words and vectors together: .7 of the one and .3 of the other, each
 * stretched to 0 to 1 over what it found.  (By ranks instead of scores, a
 * weak model of embeddings makes a good ranking by words worse.) */
#include "retrieve/search/search.h"

enum { NEAREST = 100 };
#define WORDS_SHARE   0.7F
#define VECTORS_SHARE 0.3F

static bool is_dead(const struct part *p, uint32_t passage)
{
    return p->dead && (p->dead[passage / 64] >> passage % 64 & 1);
}

/* Where a passage of the store is in the index; false: nowhere, by now. */
static bool locate(const struct query *q, const struct near *n,
                   struct ranked *out)
{
    for (uint32_t i = 0; i < q->parts_n; i++) {
        const struct part *p = &q->parts[i];
        const struct segment *s = p->segment;
        uint32_t d = segment_document(s, n->document);

        if (d == s->documents_n ||
            (int64_t)s->documents[d].version != n->version)
            continue;
        for (uint32_t k = s->documents[d].first; k < s->documents[d + 1].first;
             k++)
            if (s->positions[k] == n->position && !is_dead(p, k) &&
                k >= p->from && k < p->to) {
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

static struct ranked *find(struct ranked *ranked, size_t n,
                           const struct ranked *place)
{
    for (size_t i = 0; i < n; i++)
        if (ranked[i].part == place->part &&
            ranked[i].passage == place->passage)
            return &ranked[i];
    return NULL;
}

static void mix(const struct finding *f, const struct near *near, size_t near_n,
                struct ranked *ranked, size_t *n)
{
    float low = *n ? ranked[*n - 1].score : 0, high = *n ? ranked[0].score : 0;

    for (size_t i = 0; i < *n; i++)
        ranked[i].score = WORDS_SHARE * stretch(ranked[i].score, low, high);
    for (size_t i = 0; i < near_n; i++) {
        float more =
            VECTORS_SHARE *
            stretch(near[i].score, near[near_n - 1].score, near[0].score);
        struct ranked place, *there;

        if (!locate(&f->query, &near[i], &place))
            continue;
        there = find(ranked, *n, &place);
        if (!there && *n < QUERY_TOP) {
            there = &ranked[(*n)++];
            *there = place;
        }
        if (there)
            there->score += more;
    }
    rank_sort(ranked, *n);
}

/* Once in a search, also when that is tried twice. */
static enum footnote_rc ask(struct finding *f, struct footnote_err *err)
{
    struct dense_question q = {.who = f->s->who,
                               .text = f->s->query,
                               .courses = f->scope.courses,
                               .courses_n = f->scope.courses_n,
                               .document = f->scope.document_key,
                               .docs_version = f->scope.docs_version};

    f->near = arena_many(&f->scratch, NEAREST, struct near);
    TRY(arena_rc(&f->scratch, err));
    if (q.text.n > 0 && q.text.n <= RETRIEVE_QUERY_BYTES)
        f->near_n =
            dense_nearest(f->r->dense, &f->scratch, &q, f->near, NEAREST);
    return FOOTNOTE_OK;
}

enum footnote_rc fuse(struct finding *f, struct ranked *ranked, size_t *n,
                      struct footnote_err *err)
{
    if (!f->near)
        TRY(ask(f, err));
    if (f->near_n > 0)
        mix(f, f->near, f->near_n, ranked, n);
    return FOOTNOTE_OK;
}
