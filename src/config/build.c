/* build.c - the version of the program; the Makefile defines the macros. */
#include "config/config.h"
#include "sql.h"

#ifndef FOOTNOTE_VERSION
#define FOOTNOTE_VERSION "unknown"
#endif
#ifndef FOOTNOTE_GIT
#define FOOTNOTE_GIT "unknown"
#endif

struct config_build config_build(void)
{
    return (struct config_build){.version = STR(FOOTNOTE_VERSION),
                                 .git = STR(FOOTNOTE_GIT),
                                 .compiler = STR(__VERSION__),
                                 .schema = sql_set.migrations_n};
}
