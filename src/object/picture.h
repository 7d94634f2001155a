/* picture.h - whether bytes are a picture that we keep and serve.  Any thread.
 *
 * Known by its bytes alone, whatever anybody says that it is: PNG, JPEG or
 * WebP, one picture, from its first byte to its last.  The chunks are walked
 * and the size is read; nothing is unpacked, so a bomb cannot go off here, and
 * what would unpack to more than 40 megapixels is refused.  What could be read
 * as a page as well (bytes behind the end, markup in a comment) is refused
 * too. */
#ifndef OBJECT_PICTURE_H
#define OBJECT_PICTURE_H
#include "base/err.h"
#include "base/str.h"

enum {
    PICTURE_BYTES_MAX = 20 * 1024 * 1024,
    PICTURE_PIXELS_MAX = 40 * 1000 * 1000
};

struct picture {
    struct str type, extension; /* "image/png", "png"; static */
    int64_t width, height;
};
/* INVALID, or TOOBIG, with a sentence for whoever brought it. */
enum footnote_rc picture_read(struct str bytes, struct picture *out,
                              struct footnote_err *err);

#endif
