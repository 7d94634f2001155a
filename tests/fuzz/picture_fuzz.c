/* picture_fuzz.c - page pictures: whatever the bytes are, there is an answer,
 * and what is taken has a size within the limits and begins as it should. */
#include <assert.h>

#include "object/picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct str s = {n ? (const char *)bytes : "", n};
    struct footnote_err err;
    struct picture p;

    if (picture_read(s, &p, &err) != FOOTNOTE_OK)
        return 0;
    assert(p.type.p && p.extension.p);
    assert(p.width > 0 && p.height > 0);
    assert(p.width * p.height <= PICTURE_PIXELS_MAX);
    assert(bytes[0] == 0x89 || bytes[0] == 0xFF || bytes[0] == 'R');
    return 0;
}
