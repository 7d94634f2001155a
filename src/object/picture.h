/* picture.h - whether bytes are a picture that we keep and serve.  Any thread.
 *
 * Only the bytes count, never a claimed type: PNG, JPEG or WebP, one picture
 * from the first byte to the last.  The chunks are walked and the size is read;
 * nothing is unpacked, so a bomb cannot go off here.  A picture of more than 40
 * megapixels is refused, and so is one that could also be read as a web page
 * (bytes behind the end, markup in a comment). */
#ifndef OBJECT_PICTURE_H
#define OBJECT_PICTURE_H
#include "base/err.h"

enum {
    PICTURE_BYTES_MAX = 20 * 1024 * 1024,
    PICTURE_PIXELS_MAX = 40 * 1000 * 1000
};

struct picture {
    struct str type, extension; /* "image/png", "png"; static */
    int64_t width, height;
};
/* INVALID or TOOBIG, with a sentence for the person who brought it. */
enum footnote_rc picture_read(struct str bytes, struct picture *out,
                              struct footnote_err *err);

#endif
