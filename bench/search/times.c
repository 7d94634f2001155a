/* times.c - what questions cost, and which are asked. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

double cpu_ms(void)
{
    return cpu_seconds_now() * 1e3;
}

double times_print(const char *what, struct times *t, const char *wanted)
{
    double p50 = quantile(t->ms, t->n, 0.5);

    printf("  %-13s %8.3f ms p50 %8.3f ms p99   %s\n", what, p50,
           quantile(t->ms, t->n, 0.99), wanted);
    return p50;
}

uint32_t asked_about(uint32_t k, uint32_t passages)
{
    return (uint32_t)((uint64_t)k * 2654435761u % passages);
}
