/* seed.c - what a thread is likely to go on about, whatever was asked: the
 * documents that it cited most, each by the passage that fits best, and the
 * newest journal entries.  They come behind what was found. */
#include "retrieve/search/search.h"
#include "store/document/search.h"
#include "store/store.h"

/* ---- The most cited documents ------------------------------------------- */

static int64_t cited_n(const struct search_scope *scope, int64_t key)
{
    int64_t n = 0;

    for (size_t i = 0; i < scope->citations_n; i++)
        if (scope->citations[i].document_key == key)
            n += scope->citations[i].cited_n;
    return n;
}

static bool is_among(const int64_t *keys, size_t n, int64_t key)
{
    for (size_t i = 0; i < n; i++)
        if (keys[i] == key)
            return true;
    return false;
}

static size_t most_cited(const struct finding *f, int64_t *keys)
{
    size_t n = 0;

    while (n < SEED_DOCUMENTS) {
        int64_t best = 0, most = 0;

        for (size_t i = 0; i < f->scope.citations_n; i++) {
            int64_t key = f->scope.citations[i].document_key;

            if (key && !is_among(keys, n, key) &&
                cited_n(&f->scope, key) > most) {
                best = key;
                most = cited_n(&f->scope, key);
            }
        }
        if (!best)
            break;
        keys[n++] = best;
    }
    return n;
}

static bool is_dead(const struct part *p, uint32_t passage)
{
    return p->dead && (p->dead[passage / 64] >> passage % 64 & 1);
}

/* The passage of a document that fits best, or its first. */
static enum footnote_rc best_of(struct finding *f, int64_t key,
                                struct ranked *out, size_t *n,
                                struct footnote_err *err)
{
    struct part *parts =
        arena_many(&f->scratch, f->query.parts_n + 1, struct part);
    struct query q = f->query;
    struct ranked first = {.score = 0};
    bool has_first = false;

    TRY(arena_rc(&f->scratch, err));
    for (uint32_t i = 0; i < q.parts_n; i++) {
        const struct segment *s = q.parts[i].segment;
        uint32_t d = segment_document(s, key);

        parts[i] = q.parts[i];
        parts[i].from = d < s->documents_n ? s->documents[d].first : 0;
        parts[i].to = d < s->documents_n ? s->documents[d + 1].first : 0;
        if (parts[i].from < parts[i].to && !is_dead(&parts[i], parts[i].from)) {
            first = (struct ranked){i, parts[i].from, 0};
            has_first = true;
        }
    }
    q.parts = parts;
    TRY(rank_top(&q, out, 1, n, err));
    if (*n == 0 && has_first) {
        *out = first;
        *n = 1;
    }
    return FOOTNOTE_OK;
}

/* ---- Journal entries ---------------------------------------------------- */

static enum footnote_rc recent(struct finding *f, struct found *found,
                               size_t *n, struct footnote_err *err)
{
    size_t left = SEED_JOURNALS;

    for (size_t i = 0; i < f->scope.courses_n && left > 0; i++) {
        struct journal_recent op = {.course = f->scope.courses[i].key,
                                    .limit = left};
        size_t got = 0;

        TRY(store_read(f->r->store, f->s->who, &f->scratch, OP(journal_recent),
                       &op, err));
        for (size_t k = 0; k < op.hits_n; k++)
            found[*n + k] = (struct found){.language = LANGUAGE_EN};
        TRY(hits_fill(f, op.hits, op.hits_n, found + *n, &got, err));
        *n += got;
        left -= got < left ? got : left;
    }
    return FOOTNOTE_OK;
}

/* ---- Both --------------------------------------------------------------- */

static bool is_there(const struct search *s, const struct hit *h)
{
    for (size_t i = 0; i < s->hits_n; i++)
        if (str_eq(s->hits[i].doc_ref, h->doc_ref) &&
            str_eq(s->hits[i].text, h->text))
            return true;
    return false;
}

enum footnote_rc seed(struct finding *f, float max, struct footnote_err *err)
{
    struct found found[SEED_DOCUMENTS + SEED_JOURNALS];
    int64_t keys[SEED_DOCUMENTS];
    size_t keys_n = most_cited(f, keys), n = 0;

    for (size_t i = 0; i < keys_n; i++) {
        struct ranked best;
        size_t ranked_n = 0, got = 0;

        TRY(best_of(f, keys[i], &best, &ranked_n, err));
        TRY(hits_fetch(f, &best, ranked_n, found + n, &got, err));
        n += got;
    }
    TRY(recent(f, found, &n, err));
    for (size_t i = 0; i < n; i++) {
        struct hit *h = &found[i].hit;
        uint64_t groups =
            query_cover(&f->query, f->analyser, h->text, found[i].language);

        if (is_there(f->s, h))
            continue;
        h->score = max > 0 ? (double)(found[i].score / max) : 0;
        h->score = h->score < 1 ? h->score : 1;
        h->coverage = query_share(&f->query, groups);
        f->s->hits[f->s->hits_n++] = *h;
    }
    return FOOTNOTE_OK;
}
