/* vectors.h - what the nearest of many vectors cost. */
#ifndef BENCH_SEARCH_VECTORS_H
#define BENCH_SEARCH_VECTORS_H
#include <stddef.h>

void measure_vectors(size_t n, size_t size);

#endif
