/* cloud.c - vectors that lie around subjects. */
#include "cloud.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { SUBJECTS = 1000 };

struct cloud {
    uint64_t seed;
    float subjects[SUBJECTS][CLOUD_SIZE];
};

/* About normal. */
static float noise(struct cloud *c)
{
    float sum = 0;

    for (int i = 0; i < 4; i++) {
        c->seed = c->seed * 6364136223846793005u + 1442695040888963407u;
        sum += (float)(c->seed >> 40) / 16777216.0F - 0.5F;
    }
    return sum;
}

static void add_noise(struct cloud *c, float *out, const float *around,
                      float share)
{
    double sum = 0;

    for (size_t i = 0; i < CLOUD_SIZE; i++) {
        out[i] = around[i] + share * noise(c);
        sum += (double)out[i] * (double)out[i];
    }
    for (size_t i = 0; i < CLOUD_SIZE; i++)
        out[i] = (float)((double)out[i] / sqrt(sum));
}

struct cloud *cloud_open(void)
{
    struct cloud *c = calloc(1, sizeof(*c));
    float lean[CLOUD_SIZE], zero[CLOUD_SIZE] = {0};

    if (!c)
        return NULL;
    add_noise(c, lean, zero, 1);
    for (size_t i = 0; i < SUBJECTS; i++)
        add_noise(c, c->subjects[i], lean, 0.08F);
    return c;
}

void cloud_close(struct cloud *c)
{
    free(c);
}

void cloud_passage(struct cloud *c, size_t i, float out[CLOUD_SIZE])
{
    c->seed = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    c->seed = (c->seed ^ c->seed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    c->seed = (c->seed ^ c->seed >> 27) * UINT64_C(0x94d049bb133111eb);
    c->seed ^= c->seed >> 31;
    add_noise(c, out, c->subjects[i / 7 % SUBJECTS], 0.08F);
}

void cloud_question(struct cloud *c, size_t i, float out[CLOUD_SIZE])
{
    float passage[CLOUD_SIZE];

    cloud_passage(c, i, passage);
    add_noise(c, out, passage, 0.06F);
}
