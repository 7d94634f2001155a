/* picture.c - three formats, walked chunk by chunk.
 *
 *     PNG    signature, then chunks: length type data crc ... IEND
 *     JPEG   FFD8, then segments: FF type length data; after SOS, scan data
 *            until the next marker ... FFD9
 *     WebP   RIFF size WEBP, then chunks: type length data, padded to even */
#include "object/picture.h"

#include <strings.h>

#define PNG_MAGIC "\x89PNG\r\n\x1a\n"

struct walk {
    struct str bytes;
    size_t at;
    struct picture *out;
    struct footnote_err *err;
};

/* ---- Bytes -------------------------------------------------------------- */

static uint32_t big(const char *p, size_t n)
{
    uint32_t v = 0;

    for (size_t i = 0; i < n; i++)
        v = v << 8 | (unsigned char)p[i];
    return v;
}

static uint32_t little(const char *p, size_t n)
{
    uint32_t v = 0;

    for (size_t i = n; i > 0; i--)
        v = v << 8 | (unsigned char)p[i - 1];
    return v;
}

static size_t left(const struct walk *w)
{
    return w->bytes.n - w->at;
}

static const char *here(const struct walk *w)
{
    return w->bytes.p + w->at;
}

static enum footnote_rc cut(const struct walk *w)
{
    return err_set(w->err, FOOTNOTE_INVALID,
                   "picture: it is cut off or damaged");
}

static enum footnote_rc trailing(const struct walk *w)
{
    return err_set(w->err, FOOTNOTE_INVALID,
                   "picture: there are bytes behind its end, so it is not "
                   "only a picture");
}

static enum footnote_rc moving(const struct walk *w)
{
    return err_set(w->err, FOOTNOTE_INVALID,
                   "picture: it moves; a page does not");
}

/* Notes and profiles may hold anything; what a browser could run must not be
 * in there. */
static enum footnote_rc check_notes(const struct walk *w, const char *p,
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

static enum footnote_rc set_size(struct walk *w, int64_t width, int64_t height)
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

static bool is(const char *p, const char *name)
{
    return memcmp(p, name, 4) == 0;
}

static enum footnote_rc png_chunk(struct walk *w, const char *type,
                                  const char *data, uint32_t n)
{
    if (is(type, "IHDR"))
        return n == 13 && w->out->width == 0
                   ? set_size(w, big(data, 4), big(data + 4, 4))
                   : cut(w);
    if (w->out->width == 0)
        return cut(w); /* it begins with its size */
    if (is(type, "acTL"))
        return moving(w);
    return is(type, "IDAT") ? FOOTNOTE_OK : check_notes(w, data, n);
}

static enum footnote_rc png(struct walk *w)
{
    bool any = false;

    w->out->type = STR("image/png");
    w->out->extension = STR("png");
    for (w->at = 8; left(w) >= 12;) {
        uint32_t n = big(here(w), 4);
        const char *type = here(w) + 4;

        if (n > left(w) - 12)
            return cut(w);
        TRY(png_chunk(w, type, type + 4, n));
        any = any || is(type, "IDAT");
        w->at += (size_t)n + 12;
        if (is(type, "IEND")) {
            if (n != 0 || !any)
                return cut(w);
            return left(w) ? trailing(w) : FOOTNOTE_OK;
        }
    }
    return cut(w);
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

static bool is_frame(unsigned marker)
{
    return marker >= 0xC0 && marker <= 0xCF && marker != JPEG_DHT &&
           marker != JPEG_JPG && marker != JPEG_DAC;
}

/* Compressed data: FF00 and restarts belong to it. */
static void skip_scan(struct walk *w)
{
    for (; left(w) >= 2; w->at++) {
        unsigned char next = (unsigned char)here(w)[1];

        if ((unsigned char)here(w)[0] == 0xFF && next != 0 && next != 0xFF &&
            !(next >= 0xD0 && next <= 0xD7))
            return;
    }
}

static enum footnote_rc jpeg_segment(struct walk *w, unsigned marker)
{
    const char *data = here(w) + 2;
    uint32_t n;

    if (left(w) < 2)
        return cut(w);
    n = big(here(w), 2);
    if (n < 2 || n > left(w))
        return cut(w);
    if (is_frame(marker)) {
        if (n < 8)
            return cut(w);
        TRY(set_size(w, big(data + 3, 2), big(data + 1, 2)));
    }
    if ((marker >= JPEG_APP0 && marker <= JPEG_APP15) || marker == JPEG_COM)
        TRY(check_notes(w, data, n - 2));
    w->at += n;
    if (marker == JPEG_SOS)
        skip_scan(w);
    return FOOTNOTE_OK;
}

static enum footnote_rc jpeg(struct walk *w)
{
    w->out->type = STR("image/jpeg");
    w->out->extension = STR("jpg");
    w->at = 2;
    while (left(w) >= 2) {
        unsigned marker = (unsigned char)here(w)[1];

        if ((unsigned char)here(w)[0] != 0xFF || marker == 0)
            return cut(w);
        if (marker == 0xFF) { /* padding */
            w->at++;
            continue;
        }
        w->at += 2;
        if (marker == JPEG_EOI) {
            if (w->out->width == 0)
                return cut(w);
            return left(w) ? trailing(w) : FOOTNOTE_OK;
        }
        TRY(jpeg_segment(w, marker));
    }
    return cut(w);
}

/* ---- WebP --------------------------------------------------------------- */

/* Sizes are kept less one, but for the oldest kind. */
static enum footnote_rc webp_chunk(struct walk *w, const char *type,
                                   const char *data, uint32_t n)
{
    if (is(type, "ANIM") || is(type, "ANMF"))
        return moving(w);
    if (is(type, "VP8X"))
        return n >= 10 ? set_size(w, (int64_t)little(data + 4, 3) + 1,
                                  (int64_t)little(data + 7, 3) + 1)
                       : cut(w);
    if (is(type, "VP8 "))
        return n >= 10 ? set_size(w, little(data + 6, 2) & 0x3FFF,
                                  little(data + 8, 2) & 0x3FFF)
                       : cut(w);
    if (is(type, "VP8L")) {
        uint32_t v = n >= 5 ? little(data + 1, 4) : 0;

        return n >= 5 ? set_size(w, (int64_t)(v & 0x3FFF) + 1,
                                 (int64_t)(v >> 14 & 0x3FFF) + 1)
                      : cut(w);
    }
    return is(type, "ALPH") ? FOOTNOTE_OK : check_notes(w, data, n);
}

static enum footnote_rc webp(struct walk *w)
{
    size_t whole = (size_t)little(w->bytes.p + 4, 4) + 8;
    bool any = false;

    w->out->type = STR("image/webp");
    w->out->extension = STR("webp");
    if (whole > w->bytes.n)
        return cut(w);
    if (whole < w->bytes.n)
        return trailing(w);
    for (w->at = 12; left(w) >= 8;) {
        const char *type = here(w);
        uint32_t n = little(type + 4, 4);

        if (n > left(w) - 8 || n % 2 > left(w) - 8 - n)
            return cut(w);
        TRY(webp_chunk(w, type, type + 8, n));
        any = any || is(type, "VP8 ") || is(type, "VP8L");
        w->at += 8 + (size_t)n + n % 2;
    }
    return any && left(w) == 0 ? FOOTNOTE_OK : cut(w);
}

/* ---- All of them -------------------------------------------------------- */

enum footnote_rc picture_read(struct str bytes, struct picture *out,
                              struct footnote_err *err)
{
    struct walk w = {.bytes = bytes, .out = out, .err = err};

    *out = (struct picture){.width = 0};
    if (bytes.n > PICTURE_BYTES_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "picture: it is over %d MB",
                       PICTURE_BYTES_MAX >> 20);
    if (str_starts(bytes, STR(PNG_MAGIC)))
        return png(&w);
    if (bytes.n > 4 && str_starts(bytes, STR("\xFF\xD8\xFF")))
        return jpeg(&w);
    if (bytes.n > 12 && str_starts(bytes, STR("RIFF")) &&
        is(bytes.p + 8, "WEBP"))
        return webp(&w);
    return err_set(err, FOOTNOTE_INVALID,
                   "picture: it is no PNG, JPEG or WebP");
}
