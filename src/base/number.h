/* number.h - numbers as decimal text, whatever the locale.  Any thread. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H
#include "base/str.h"

enum { NUMBER_BYTES = 32 };

/* Writes the shortest decimal that reads back as v, and returns its length.
 * Plain between 1e-6 and 1e16, with an exponent outside: 0.000001, 1e-7.
 * v is finite. */
size_t number_print(double v, char out[NUMBER_BYTES]);

/* The same for whole numbers: a third of the time that snprintf() takes. */
size_t number_print_i64(int64_t v, char out[NUMBER_BYTES]);
/* The two digits of each number from 0 to 99, and where they go. */
extern const char number_pairs[];
static inline void number_put_pair(char *out, unsigned v)
{
    memcpy(out, number_pairs + 2 * (size_t)v, 2);
}

/* Reads a number that is known to follow JSON's grammar, correctly rounded;
 * false when it is too large for a double. */
bool number_read(struct str s, double *out);

#endif
