/* vectors.c - what the nearest of many vectors cost, and how many of them the
 * first look by bits misses.  The embedder's time is its own. */
#include <stdio.h>

#include "bench.h"
#include "cloud.h"
#include "retrieve/dense/vectors.h"

enum { ASKED = 300, CHECKED = 20, NEAREST = 100 };

static struct vectors *make(struct cloud *c, size_t n)
{
    struct vector_block *b = vector_block_new(1, 1, n, CLOUD_SIZE);
    float one[CLOUD_SIZE];

    if (!b)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        cloud_passage(c, i, one);
        vector_block_add(b, (int64_t)i + 1, (const char *)one);
    }
    return vectors_new(&b, 1, CLOUD_SIZE, (struct str){"m", 1});
}

/* How many of all are nearer than the last that was found, but were not. */
static size_t count_missed(const struct vectors *v, const float *question,
                           const struct near_passage *near, size_t n)
{
    size_t nearer = 0;

    for (size_t i = 0; i < v->n; i++) {
        const int16_t *p = v->blocks[0]->values + i * v->size;
        double sum = 0;

        for (size_t k = 0; k < v->size; k++)
            sum += (double)question[k] * p[k];
        nearer += sum / VECTOR_ONE > (double)near[n - 1].score + 1e-4;
    }
    return nearer > n ? nearer - n : 0;
}

void measure_vectors(size_t n)
{
    struct arena scratch = ARENA((size_t)64 << 20);
    double ms[ASKED], cpu[ASKED];
    struct cloud *c = cloud_open();
    struct vectors *v = c ? make(c, n) : NULL;
    size_t missed = 0;

    must(v != NULL, "no memory");
    for (size_t q = 0; q < ASKED; q++) {
        struct near_passage near[NEAREST];
        float question[CLOUD_SIZE];
        double began, cpu_began;
        size_t found = 0;

        cloud_question(c, q * 6151 % n, question);
        began = seconds_now();
        cpu_began = cpu_ms();
        vectors_nearest(v, &scratch, question, NULL, near, &found, NEAREST);
        ms[q] = (seconds_now() - began) * 1e3;
        cpu[q] = cpu_ms() - cpu_began;
        arena_reset(&scratch);
        if (q < CHECKED)
            missed += count_missed(v, question, near, found);
    }
    printf("%zu vectors of %zu: cpu p50 %.2f ms, p99 %.2f ms; wall p50 %.2f ms "
           "(wanted 8); %.0f MB; %.1f %% of the nearest %d missed\n",
           v->n, v->size, quantile(cpu, ASKED, 0.5), quantile(cpu, ASKED, 0.99),
           quantile(ms, ASKED, 0.5), (double)v->bytes / 1e6,
           100.0 * (double)missed / (CHECKED * NEAREST), NEAREST);
    vectors_drop(v);
    cloud_close(c);
    arena_free(&scratch);
}
