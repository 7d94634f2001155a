/* picture.c - three formats, walked chunk by chunk.
 *
 *     PNG    signature, then chunks: length type data crc ... IEND
 *     JPEG   FFD8, then segments: FF type length data; after SOS, scan data
 *            until the next marker ... FFD9
 *     WebP   RIFF size WEBP, then chunks: type length data, padded to even */
#include "object/picture.h"

#include <assert.h>
#include <strings.h>

#define PNG_MAGIC "\x89PNG\r\n\x1a\n"

struct picture_walk {
    struct str bytes;
    size_t at;
    struct picture *out;
    struct footnote_err *err;
};

/* ---- Bytes -------------------------------------------------------------- */

static uint32_t big_endian(const char *p, size_t n)
{
    uint32_t v = 0;

    for (size_t i = 0; i < n; i++)
        v = v << 8 | (unsigned char)p[i];
    return v;
}

static uint32_t little_endian(const char *p, size_t n)
{
    uint32_t v = 0;

    for (size_t i = n; i > 0; i--)
        v = v << 8 | (unsigned char)p[i - 1];
    return v;
}

static size_t bytes_left(const struct picture_walk *w)
{
    assert(w->at <= w->bytes.n);
    return w->bytes.n - w->at;
}

static const char *bytes_here(const struct picture_walk *w)
{
    return w->bytes.p + w->at;
}

static enum footnote_rc damaged(const struct picture_walk *w)
{
    return err_set(w->err, FOOTNOTE_INVALID,
                   "picture: it is cut off or damaged");
}

static enum footnote_rc refuse_trailing(const struct picture_walk *w)
{
    return err_set(w->err, FOOTNOTE_INVALID,
                   "picture: there are bytes behind its end, so it is not "
                   "only a picture");
}

static enum footnote_rc refuse_moving(const struct picture_walk *w)
{
    return err_set(w->err, FOOTNOTE_INVALID,
                   "picture: it moves; a page does not");
}

/* Comments and profiles may hold anything but what a browser could run. */
static enum footnote_rc check_notes(const struct picture_walk *w, const char *p,
                                    size_t n)
{
    static const char *const tags[] = {"<html", "<script",    "<!doctype",
                                       "<svg",  "<iframe",    "<body",
                                       "<head", "javascript:"};

    for (size_t i = 0; i < n; i++) {
        if (p[i] != '<' && p[i] != 'j' && p[i] != 'J')
            continue;
        for (size_t t = 0; t < sizeof(tags) / sizeof(*tags); t++)
            if (strlen(tags[t]) <= n - i &&
                strncasecmp(p + i, tags[t], strlen(tags[t])) == 0)
                return err_set(w->err, FOOTNOTE_INVALID,
                               "picture: there is a web page inside of it");
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc set_size(struct picture_walk *w, int64_t width,
                                 int64_t height)
{
    w->out->width = width;
    w->out->height = height;
    if (width < 1 || height < 1)
        return err_set(w->err, FOOTNOTE_INVALID, "picture: it has no size");
    if (width > PICTURE_PIXELS_MAX / height)
        return err_set(w->err, FOOTNOTE_TOOBIG,
                       "picture: %lld x %lld is over %d megapixels",
                       (long long)width, (long long)height,
                       PICTURE_PIXELS_MAX / 1000000);
    return FOOTNOTE_OK;
}

/* ---- PNG ---------------------------------------------------------------- */

static bool is_type(const char *p, const char *name)
{
    return memcmp(p, name, 4) == 0;
}

static enum footnote_rc png_chunk(struct picture_walk *w, const char *type,
                                  const char *data, uint32_t n)
{
    if (is_type(type, "IHDR"))
        return n == 13 && w->out->width == 0
                   ? set_size(w, big_endian(data, 4), big_endian(data + 4, 4))
                   : damaged(w);
    if (w->out->width == 0)
        return damaged(w); /* it begins with its size */
    if (is_type(type, "acTL"))
        return refuse_moving(w);
    return is_type(type, "IDAT") ? FOOTNOTE_OK : check_notes(w, data, n);
}

static enum footnote_rc read_png(struct picture_walk *w)
{
    bool any = false;

    w->out->type = STR("image/png");
    w->out->extension = STR("png");
    for (w->at = 8; bytes_left(w) >= 12;) {
        uint32_t n = big_endian(bytes_here(w), 4);
        const char *type = bytes_here(w) + 4;

        if (n > bytes_left(w) - 12)
            return damaged(w);
        TRY(png_chunk(w, type, type + 4, n));
        any = any || is_type(type, "IDAT");
        w->at += (size_t)n + 12;
        if (is_type(type, "IEND")) {
            if (n != 0 || !any)
                return damaged(w);
            return bytes_left(w) ? refuse_trailing(w) : FOOTNOTE_OK;
        }
    }
    return damaged(w);
}

/* ---- JPEG --------------------------------------------------------------- */

enum {
    JPEG_SOI = 0xD8,
    JPEG_EOI = 0xD9,
    JPEG_SOS = 0xDA,
    JPEG_DHT = 0xC4,
    JPEG_JPG = 0xC8,
    JPEG_DAC = 0xCC,
    JPEG_APP0 = 0xE0,
    JPEG_APP15 = 0xEF,
    JPEG_COM = 0xFE
};

/* Skips compressed data, to which FF00 and restart markers belong. */
static void skip_scan(struct picture_walk *w)
{
    for (; bytes_left(w) >= 2; w->at++) {
        unsigned char next = (unsigned char)bytes_here(w)[1];

        if ((unsigned char)bytes_here(w)[0] == 0xFF && next != 0 &&
            next != 0xFF && !(next >= 0xD0 && next <= 0xD7))
            return;
    }
}

static enum footnote_rc jpeg_segment(struct picture_walk *w, unsigned marker)
{
    const char *data = bytes_here(w) + 2;
    uint32_t n;

    if (bytes_left(w) < 2)
        return damaged(w);
    n = big_endian(bytes_here(w), 2);
    if (n < 2 || n > bytes_left(w))
        return damaged(w);
    if (marker >= 0xC0 && marker <= 0xCF && marker != JPEG_DHT &&
        marker != JPEG_JPG && marker != JPEG_DAC) { /* a frame has the size */
        if (n < 8)
            return damaged(w);
        TRY(set_size(w, big_endian(data + 3, 2), big_endian(data + 1, 2)));
    }
    if ((marker >= JPEG_APP0 && marker <= JPEG_APP15) || marker == JPEG_COM)
        TRY(check_notes(w, data, n - 2));
    w->at += n;
    if (marker == JPEG_SOS)
        skip_scan(w);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_jpeg(struct picture_walk *w)
{
    w->out->type = STR("image/jpeg");
    w->out->extension = STR("jpg");
    w->at = 2;
    while (bytes_left(w) >= 2) {
        unsigned marker = (unsigned char)bytes_here(w)[1];

        if ((unsigned char)bytes_here(w)[0] != 0xFF || marker == 0)
            return damaged(w);
        if (marker == 0xFF) { /* padding */
            w->at++;
            continue;
        }
        w->at += 2;
        if (marker == JPEG_EOI) {
            if (w->out->width == 0)
                return damaged(w);
            return bytes_left(w) ? refuse_trailing(w) : FOOTNOTE_OK;
        }
        TRY(jpeg_segment(w, marker));
    }
    return damaged(w);
}

/* ---- WebP --------------------------------------------------------------- */

/* Sizes are stored less one, but for the oldest kind. */
static enum footnote_rc webp_chunk(struct picture_walk *w, const char *type,
                                   const char *data, uint32_t n)
{
    if (is_type(type, "ANIM") || is_type(type, "ANMF"))
        return refuse_moving(w);
    if (is_type(type, "VP8X"))
        return n >= 10 ? set_size(w, (int64_t)little_endian(data + 4, 3) + 1,
                                  (int64_t)little_endian(data + 7, 3) + 1)
                       : damaged(w);
    if (is_type(type, "VP8 "))
        return n >= 10 ? set_size(w, little_endian(data + 6, 2) & 0x3FFF,
                                  little_endian(data + 8, 2) & 0x3FFF)
                       : damaged(w);
    if (is_type(type, "VP8L")) {
        uint32_t v = n >= 5 ? little_endian(data + 1, 4) : 0;

        return n >= 5 ? set_size(w, (int64_t)(v & 0x3FFF) + 1,
                                 (int64_t)(v >> 14 & 0x3FFF) + 1)
                      : damaged(w);
    }
    return is_type(type, "ALPH") ? FOOTNOTE_OK : check_notes(w, data, n);
}

static enum footnote_rc read_webp(struct picture_walk *w)
{
    size_t whole = (size_t)little_endian(w->bytes.p + 4, 4) + 8;
    bool any = false;

    w->out->type = STR("image/webp");
    w->out->extension = STR("webp");
    if (whole > w->bytes.n)
        return damaged(w);
    if (whole < w->bytes.n)
        return refuse_trailing(w);
    for (w->at = 12; bytes_left(w) >= 8;) {
        const char *type = bytes_here(w);
        uint32_t n = little_endian(type + 4, 4);

        if (n > bytes_left(w) - 8 || n % 2 > bytes_left(w) - 8 - n)
            return damaged(w);
        TRY(webp_chunk(w, type, type + 8, n));
        any = any || is_type(type, "VP8 ") || is_type(type, "VP8L");
        w->at += 8 + (size_t)n + n % 2;
    }
    return any && bytes_left(w) == 0 ? FOOTNOTE_OK : damaged(w);
}

/* ---- All of them -------------------------------------------------------- */

enum footnote_rc picture_read(struct str bytes, struct picture *out,
                              struct footnote_err *err)
{
    struct picture_walk w = {.bytes = bytes, .out = out, .err = err};

    *out = (struct picture){.width = 0};
    if (bytes.n > PICTURE_BYTES_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "picture: it is over %d MB",
                       PICTURE_BYTES_MAX >> 20);
    if (str_starts(bytes, STR(PNG_MAGIC)))
        return read_png(&w);
    if (bytes.n > 4 && str_starts(bytes, STR("\xFF\xD8\xFF")))
        return read_jpeg(&w);
    if (bytes.n > 12 && str_starts(bytes, STR("RIFF")) &&
        is_type(bytes.p + 8, "WEBP"))
        return read_webp(&w);
    return err_set(err, FOOTNOTE_INVALID,
                   "picture: it is no PNG, JPEG or WebP");
}
