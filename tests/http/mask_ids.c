/* mask_ids.c - see mask_ids.h. */
#include "mask_ids.h"

#include <ctype.h>

enum { MASKED_BYTES_MAX = 64 * 1024 * 1024 };

/* Hex digits and dashes of a UUID, or the characters of a time. */
static size_t changing(struct str s)
{
    static const char *const shapes[] = {"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
                                         "9999-99-99T99:99:99.999Z",
                                         "\"created\":9999999999"};

    for (int i = 0; i < 3; i++) {
        size_t n = strlen(shapes[i]), k = 0;

        while (k < n && k < s.n &&
               (shapes[i][k] == 'x'   ? isxdigit((unsigned char)s.p[k])
                : shapes[i][k] == '9' ? isdigit((unsigned char)s.p[k])
                                      : s.p[k] == shapes[i][k]))
            k++;
        if (k == n)
            return n;
    }
    return 0;
}

struct str mask_ids(struct site *site, struct str s, const char *id)
{
    AUTO(buf_free) struct buf b = BUF(MASKED_BYTES_MAX);

    while (s.n) {
        size_t n = str_starts(s, str_c(id)) ? strlen(id) : changing(s);

        if (n)
            buf_add_c(&b, '#');
        else
            buf_add_c(&b, *s.p);
        s = str_skip(s, n ? n : 1);
    }
    return b.n ? arena_str(&site->arena, buf_str(&b)) : STR("");
}

bool text_has(struct str text, const char *part)
{
    return text.n && memmem(text.p, text.n, part, strlen(part)) != NULL;
}
