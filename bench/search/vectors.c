/* vectors.c - what the nearest of many vectors cost, and how many of them the
 * first look by bits misses.
 *
 * The vectors lean one way, as those of embedders do, and lie around a thousand
 * subjects.  Questions lie near a passage.  The embedder's time is its own. */
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "retrieve/dense/vectors.h"

enum { SUBJECTS = 1000, QUESTIONS = 300, CHECKED = 20, NEAREST = 100 };

static uint64_t seed = 1;

/* About normal. */
static float noise(void)
{
    float sum = 0;

    for (int i = 0; i < 4; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        sum += (float)(seed >> 40) / 16777216.0F - 0.5F;
    }
    return sum;
}

static void add_noise(float *out, const float *around, float share, size_t size)
{
    double sum = 0;

    for (size_t i = 0; i < size; i++) {
        out[i] = around[i] + share * noise();
        sum += (double)out[i] * (double)out[i];
    }
    for (size_t i = 0; i < size; i++)
        out[i] = (float)((double)out[i] / sqrt(sum));
}

static double wall_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double cpu_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static struct vectors *make(float *all, float *subjects, size_t n, size_t size)
{
    float *lean = calloc(size, sizeof(*lean)),
          *zero = calloc(size, sizeof(*zero));
    struct vector_block *b = vector_block_new(1, 1, n, size);
    struct vectors *v = NULL;

    if (lean && zero && b) {
        add_noise(lean, zero, 1, size);
        for (size_t i = 0; i < SUBJECTS; i++)
            add_noise(subjects + i * size, lean, 0.08F, size);
        for (size_t i = 0; i < n; i++) {
            add_noise(all + i * size, subjects + (i / 7 % SUBJECTS) * size,
                      0.08F, size);
            vector_block_add(b, (int64_t)i + 1, (const char *)(all + i * size));
        }
        v = vectors_new(&b, 1, size, (struct str){"m", 1});
    }
    free(lean);
    free(zero);
    return v;
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

void measure_vectors(size_t n, size_t size)
{
    float *all = calloc(n * size, sizeof(*all));
    float *subjects = calloc(SUBJECTS * size, sizeof(*subjects));
    float *question = calloc(size, sizeof(*question));
    struct arena scratch = ARENA((size_t)64 << 20);
    double ms[QUESTIONS], cpu[QUESTIONS];
    struct vectors *v =
        all && subjects && question ? make(all, subjects, n, size) : NULL;
    size_t missed = 0;

    if (!v)
        exit(1);
    for (size_t q = 0; q < QUESTIONS; q++) {
        struct near_passage near[NEAREST];
        double began = wall_ms(), cpu_began = cpu_ms();
        size_t found = 0;

        add_noise(question, all + q * 6151 % n * size, 0.06F, size);
        began = wall_ms();
        cpu_began = cpu_ms();
        vectors_nearest(v, &scratch, question, NULL, near, &found, NEAREST);
        ms[q] = wall_ms() - began;
        cpu[q] = cpu_ms() - cpu_began;
        arena_reset(&scratch);
        if (q < CHECKED)
            missed += count_missed(v, question, near, found);
    }
    qsort(ms, QUESTIONS, sizeof(*ms), by_value);
    qsort(cpu, QUESTIONS, sizeof(*cpu), by_value);
    printf("%zu vectors of %zu: cpu p50 %.2f ms, p99 %.2f ms; wall p50 %.2f ms "
           "(wanted 8); %.0f MB; %.1f %% of the nearest %d missed\n",
           v->n, v->size, cpu[QUESTIONS / 2], cpu[QUESTIONS * 99 / 100],
           ms[QUESTIONS / 2], (double)v->bytes / 1e6,
           100.0 * (double)missed / (CHECKED * NEAREST), NEAREST);
    vectors_drop(v);
    arena_free(&scratch);
    free(all);
    free(subjects);
    free(question);
}
