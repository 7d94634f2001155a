/* case_files.c - reads the case files of tests/cite. */
#include "case_files.h"
#include "test.h"

struct str read_cases(struct arena *a, const char *path)
{
    enum { BYTES_MAX = 1024 * 1024 };
    FILE *f = fopen(path, "rb");
    char *bytes = arena_alloc(a, BYTES_MAX);
    size_t n = f && bytes ? fread(bytes, 1, BYTES_MAX, f) : 0;

    if (f)
        fclose(f);
    if (n == 0 || n == BYTES_MAX)
        FAIL("%s cannot be read", path);
    return (struct str){bytes, n};
}
