/* made_zip.h - archives made of texts, so that tests say what is in them. */
#ifndef MADE_ZIP_H
#define MADE_ZIP_H
#include "base/arena.h"

/* Names and texts in turn, up to a NULL.  The first member is stored, as a
 * "mimetype" has to be, the others are packed. */
struct str made_zip(struct arena *a, const char *const *parts);

#endif
