/* clashing_names.h - functions of the embedding program that have the names of
 * ours. */
#ifndef CLASHING_NAMES_H
#define CLASHING_NAMES_H

int arena_alloc(void);
int buf_add(void);
int db_open(void);
int json_read(void);
int store_write(void);
int utf8_valid(void);

extern int names_called; /* how often any of them was */

#endif
