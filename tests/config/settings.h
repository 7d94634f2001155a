/* settings.h - reads settings from an environment, words and files of a test.
 */
#ifndef SETTINGS_H
#define SETTINGS_H
#include <sys/types.h>

#include "config/table.h"
#include "test.h"

enum { ARENA_BYTES = 64 * 1024 * 1024, WORDS_MAX = 16, PATH_BYTES = 512 };

#define SECRET "0123456789abcdef0123456789abcdef" /* just long enough */

/* Declared with AUTO(free_settings); env and words end with NULL. */
struct settings {
    const char *env[WORDS_MAX];
    const char *words[WORDS_MAX];
    struct arena arena, texts; /* arena without a limit gets one */
    struct config_input in;
    struct config config;
    struct footnote_err err;
};

/* Runs config_read(), in a home whose own file exists, so that none of this
 * machine's is read. */
enum footnote_rc read_settings(struct settings *g);
void free_settings(struct settings *g);
/* Where the value of a setting came from. */
struct str where_of(const struct settings *g, const char *name);

/* A file in the test's folder; the path is static, until the next call. */
const char *path_of(const char *name);
void write_file(const char *name, const char *text, mode_t mode);

#define HAS(text, part)                                                        \
    do {                                                                       \
        if (!strstr((text), (part)))                                           \
            FAIL("\"%s\" has no \"%s\"", (text), (part));                      \
    } while (0)

#endif
