/* fts.h - the same questions through SQLite's FTS5, for comparison. */
#ifndef QUALITY_FTS_H
#define QUALITY_FTS_H
#include "cli/eval/collection.h"

/* nDCG@top of FTS5 with porter stems, titles twice as heavy, function words
 * left out of the questions.  Ends the program when there is no FTS5. */
double fts_ndcg(const struct collection *c, size_t top);

#endif
