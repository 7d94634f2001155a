/* clashing_names.c - a program's own functions, which the library must neither
 * call nor refuse to be linked with. */
#include "clashing_names.h"

int names_called;

int arena_alloc(void)
{
    return ++names_called;
}

int buf_add(void)
{
    return ++names_called;
}

int db_open(void)
{
    return ++names_called;
}

int json_read(void)
{
    return ++names_called;
}

int store_write(void)
{
    return ++names_called;
}

int utf8_valid(void)
{
    return ++names_called;
}
