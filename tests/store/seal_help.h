/* seal_help.h - rows in every table with seals, and reads of all of them. */
#ifndef SEAL_HELP_H
#define SEAL_HELP_H

/* Rows of ANN and BEN. */
void seal_fill(void);
/* How many of the reads say that something is wrong.  Whatever they say, they
 * show nothing wrong: that fails the test. */
int damaged_reads(void);

#endif
