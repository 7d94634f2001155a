/* process.h - one test in processes of its own, for the harness only. */
#ifndef PROCESS_H
#define PROCESS_H
#include "test.h"
#include <sys/types.h>

/* Runs t in a child below a supervisor, and returns the supervisor's process
 * id.  Whatever the test prints goes to the file `out`; what ended it, too.
 * The supervisor kills all that the test left running, runs the test_after()
 * functions, removes `dir`, and exits with 0 when the test passed. */
pid_t process_start(const struct test *t, const char *dir, int out);

/* In this process (TEST_NOFORK); returns only when the test passed. */
void process_run_here(const struct test *t, const char *dir);

#endif
