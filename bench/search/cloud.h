/* cloud.h - vectors made from numbers: always the same.
 *
 * They lean one way, as those of embedders do, and lie around a thousand
 * subjects.  Questions lie near a passage.  One thread each. */
#ifndef BENCH_SEARCH_CLOUD_H
#define BENCH_SEARCH_CLOUD_H
#include <stddef.h>

enum { CLOUD_SIZE = 384 }; /* numbers of each */

struct cloud;
struct cloud *cloud_open(void); /* NULL: no memory */
void cloud_close(struct cloud *c);
void cloud_passage(struct cloud *c, size_t i, float out[CLOUD_SIZE]);
/* Of a question about passage i. */
void cloud_question(struct cloud *c, size_t i, float out[CLOUD_SIZE]);

#endif
