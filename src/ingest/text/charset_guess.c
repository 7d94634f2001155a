/* charset_guess.c - asks libuchardet, when there is enough to tell by. */
#include "ingest/text/charset_guess.h"
#include "ingest/text/charset.h"

#include <uchardet/uchardet.h>

enum {
    LOOK_BYTES = 256 * 1024,
    SIGNS_MIN = 6 /* fewer bytes beyond ASCII are some accents */
};

const char *charset_guess(struct str bytes)
{
    struct str look = {bytes.p, bytes.n < LOOK_BYTES ? bytes.n : LOOK_BYTES};
    const char *name = NULL;
    size_t signs = 0;

    for (size_t i = 0; i < look.n; i++)
        signs += (unsigned char)look.p[i] >= 0x80;
    if (signs < SIGNS_MIN)
        return NULL;
    uchardet_t u = uchardet_new();
    if (!u)
        return NULL;
    if (uchardet_handle_data(u, look.p, look.n) == 0) {
        uchardet_data_end(u);
        name = charset_known(str_c(uchardet_get_charset(u)));
    }
    uchardet_delete(u);
    return name;
}
