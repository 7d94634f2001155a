/* main.c - how well search finds, on judged collections: bench/quality DIR,
 * and on real documents: bench/quality real [--each] FOLDER [QUESTIONS...].
 *
 * DIR holds collections as `footnote eval` reads them.  They are not part of
 * this repository: a missing one is reported and the rest is measured.  Every
 * row has the wanted figure beside the measured one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/eval/confidence_figures.h"
#include "fts.h"
#include "real.h"

enum { TOP = 10, DRAWS = 4 };
#define COLLECTION_BYTES_MAX ((size_t)2 << 30)
#define SEARCH_BYTES_MAX     ((size_t)256 << 20)

struct set {
    const char *name;
    bool scoped, history;
    double wanted;
};

static const struct set sets[] = {
    {"cranfield", false, false, 0.39},
    {"tutorialvqa-dev", false, false, 0.41},
    {"tutorialvqa-dev", true, false, 0.70},
    {"xquad-en", false, false, 0.965},
    {"clapnq-show", false, false, 0.95},
    {"mtragun-show", false, true, 0.83},
    {"xquad-es", false, false, 0.94},
    {"xquad-ru", false, false, 0.94},
    {"xquad-ar", false, false, 0.94},
    {"xquad-zh", false, false, 0.94},
    {"xquad-th", false, false, 0.85},
};

struct opened {
    struct arena arena;
    struct collection collection;
    struct bench_course course;
};

static bool open_set(const char *folder, const char *name, struct opened *o)
{
    char path[4096];
    struct footnote_err err;
    enum footnote_rc rc;

    *o = (struct opened){.arena = ARENA(COLLECTION_BYTES_MAX)};
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    rc = collection_read(&o->arena, path, &o->collection, &err);
    if (rc == FOOTNOTE_OK)
        rc = collection_open(&o->arena, &o->collection, NULL, &o->course, &err);
    if (rc == FOOTNOTE_OK)
        return true;
    printf("%-16s not measured: %s\n", name, err.text);
    return false;
}

static void close_set(struct opened *o)
{
    collection_close(&o->course);
    arena_free(&o->arena);
}

static void must(enum footnote_rc rc, const struct footnote_err *err)
{
    if (rc == FOOTNOTE_OK)
        return;
    fprintf(stderr, "quality: %s\n", err->text);
    exit(1);
}

/* ---- Typing errors ------------------------------------------------------ */

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* The words of at least four letters: where they begin and end. */
static size_t long_words(struct str s, size_t (*words)[2], size_t max)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n && n < max;) {
        size_t end = i;

        while (end < s.n && is_letter(s.p[end]))
            end++;
        if (end - i >= 4) {
            words[n][0] = i;
            words[n++][1] = end;
        }
        i = end > i ? end : i + 1;
    }
    return n;
}

/* One letter exchanged, left out, doubled or changed in one long word. */
static struct str mistype(struct arena *a, struct str s, uint64_t *seed)
{
    size_t words[64][2], n = long_words(s, words, 64), w, at;
    char *text = arena_alloc(a, s.n + 2);
    size_t len = s.n;

    if (!n || !text)
        return s;
    w = draw(seed, (uint32_t)n);
    at =
        words[w][0] + 1 + draw(seed, (uint32_t)(words[w][1] - words[w][0] - 2));
    memcpy(text, s.p, s.n);
    switch (draw(seed, 4)) {
    case 0:
        text[at] = s.p[at + 1];
        text[at + 1] = s.p[at];
        break;
    case 1:
        memmove(text + at, s.p + at + 1, s.n - at - 1);
        len--;
        break;
    case 2:
        memmove(text + at + 1, s.p + at, s.n - at);
        len++;
        break;
    default: text[at] = (char)('a' + draw(seed, 26)); break;
    }
    return (struct str){text, len};
}

/* ---- nDCG --------------------------------------------------------------- */

static double ndcg(struct opened *o, const struct set *set, uint64_t seed)
{
    bool mistyped = seed != 0;
    struct arena a = ARENA(SEARCH_BYTES_MAX);
    struct footnote_err err;
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < o->collection.queries_n; i++) {
        const struct collection_query *q = &o->collection.queries[i];
        struct search s = {.who = o->course.who,
                           .course = STR("eval"),
                           .limit = TOP,
                           .query = q->text};

        if (q->judgements_n == 0)
            continue;
        if (set->scoped)
            s.filter = collection_filter(&a, &o->collection, q);
        s.earlier = &q->previous;
        s.earlier_n = set->history && q->previous.p ? 1 : 0;
        if (mistyped)
            s.query = mistype(&a, q->text, &seed);
        must(retriever_search(o->course.retriever, &a, &s, &err), &err);
        sum += measure_ndcg(&o->collection, q, &s, TOP);
        n++;
        arena_reset(&a);
    }
    arena_free(&a);
    return n ? sum / (double)n : 0;
}

static void measure_sets(const char *folder)
{
    printf("%-16s %-8s %8s %8s %10s %8s %8s\n", "nDCG@10", "", "got", "wanted",
           "one typo", "costs", "FTS5");
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        const struct set *set = &sets[i];
        struct opened o;

        if (open_set(folder, set->name, &o)) {
            double plain = ndcg(&o, set, 0), typo = 0;

            for (uint64_t seed = 1; seed <= DRAWS; seed++)
                typo += ndcg(&o, set, seed * 7919) / DRAWS;

            printf("%-16s %-8s %8.4f %8.3f %10.4f %8.4f", set->name,
                   set->scoped    ? "scoped"
                   : set->history ? "history"
                                  : "",
                   plain, set->wanted, typo, plain - typo);
            if (set->scoped || set->history) /* FTS5 knows neither */
                printf("\n");
            else
                printf(" %8.4f\n", fts_ndcg(&o.collection, TOP));
        }
        close_set(&o);
    }
    printf("A typo may cost 0.015.\n\n");
}

/* ---- Confidence --------------------------------------------------------- */

static double figure(const struct figures *f, const char *key)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->items[i].key, key) == 0)
            return f->items[i].value;
    return 0;
}

/* Wanted figures; the last one is to be lower. */
static const struct {
    const char *key, *says;
    double wanted;
} confidences[] = {
    {"auc_outside", "answerable against out of corpus, AUC", 0.95},
    {"auc_removed", "against those whose passage is removed, AUC", 0.92},
    {"auc_no_answer", "against on topic without an answer, AUC", 0.81},
    {"false_alarms", "answerable, but not answered surely", 0.06},
};

static void measure_confidence(const char *folder)
{
    struct arena a = ARENA(2 * COLLECTION_BYTES_MAX);
    struct figures f = {.n = 0};
    char path[4096], outside[4096];
    struct footnote_err err;

    snprintf(path, sizeof(path), "%s/clapnq-show", folder);
    snprintf(outside, sizeof(outside), "%s/xquad-en", folder);
    if (confidence_figures(&a, path, outside, &f, &err) == FOOTNOTE_OK) {
        printf("%-44s %8s %8s\n", "confidence, clapnq-show", "got", "wanted");
        for (size_t i = 0; i < sizeof(confidences) / sizeof(*confidences); i++)
            printf("%-44s %8.4f %8.2f\n", confidences[i].says,
                   figure(&f, confidences[i].key), confidences[i].wanted);
        printf("not answered surely: %.0f %% out of corpus, %.0f %% removed, "
               "%.0f %% without an answer\n",
               100 * figure(&f, "low_outside"), 100 * figure(&f, "low_removed"),
               100 * figure(&f, "low_no_answer"));
    } else {
        printf("confidence: not measured: %s\n", err.text);
    }
    arena_free(&a);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[argc - 1] : NULL;

    if (argc > 2 && strcmp(argv[1], "real") == 0) {
        bool each = strcmp(argv[2], "--each") == 0;
        int first = each ? 3 : 2;
        static const char *const ours[] = {"bench/quality/questions.jsonl"};

        if (first + 1 < argc)
            real_measure(argv[first], (const char *const *)argv + first + 1,
                         argc - first - 1, each);
        else if (first < argc)
            real_measure(argv[first], ours, 1, each);
        return 0;
    }
    if (!folder || folder[0] == '-') {
        printf("quality: not measured, no folder of collections was given\n");
        return 0;
    }
    measure_sets(folder);
    measure_confidence(folder);
    return 0;
}
