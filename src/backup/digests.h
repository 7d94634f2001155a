/* digests.h - a set of digests.  One thread. */
#ifndef BACKUP_DIGESTS_H
#define BACKUP_DIGESTS_H
#include "base/sha256.h"

struct digests {
    struct sha256 *slots; /* all zeros: free */
    size_t n, slots_n;    /* slots_n: a power of two, or 0 */
};

bool digests_has(const struct digests *s, const struct sha256 *d);
enum footnote_rc digests_add(struct digests *s, const struct sha256 *d,
                             struct footnote_err *err);
void digests_free(struct digests *s); /* fit for AUTO */

#endif
