/* jailed_child.h - the program that reads files in the jail, and a hand on it
 * while it runs. */
#ifndef HELP_JAILED_CHILD_H
#define HELP_JAILED_CHILD_H
#include <stdbool.h>
#include <sys/types.h>

#include "ingest/jailed/jailed.h"

/* The program to be executed in the jail: the release, since sanitizers have
 * no room in there.  Static. */
const char *jailed_program(void);
/* That program with so much time that none of it is over while a test waits;
 * static. */
const struct jailed_options *jailed_usual(void);

/* A page within all limits that takes its reader most of a second, so that it
 * is found before it has ended; in `a`. */
struct str jailed_long_page(struct arena *a);

/* A child of this process that is not stopped; 0: none. */
pid_t jailed_child_find(void);
/* Waits until there is one, and stops it before its end. */
pid_t jailed_child_hold(void);
/* It is gone, or nobody has asked yet how it ended. */
bool jailed_child_is_dead(pid_t pid);

#endif
