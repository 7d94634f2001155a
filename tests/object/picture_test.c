/* picture_test.c - what is a page picture, and what only looks like one. */
#include "object/picture.h"

#include "base/buf.h"
#include "test.h"

static struct footnote_err err;
static struct picture picture;

/* ---- Making them -------------------------------------------------------- */

static void add_big(struct buf *b, uint32_t v, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--)
        buf_add_c(b, (char)(v >> 8 * i));
}

static void add_little(struct buf *b, uint32_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        buf_add_c(b, (char)(v >> 8 * i));
}

static void add_chunk(struct buf *b, const char *type, struct str data)
{
    add_big(b, (uint32_t)data.n, 4);
    buf_add(b, str_c(type));
    buf_add(b, data);
    add_big(b, 0, 4);
}

static void begin_png(struct buf *b, uint32_t width, uint32_t height)
{
    AUTO(buf_free) struct buf head = BUF(64);

    buf_add(b, STR("\x89PNG\r\n\x1a\n"));
    add_big(&head, width, 4);
    add_big(&head, height, 4);
    buf_add(&head, (struct str){"\x08\x02\0\0\0", 5});
    add_chunk(b, "IHDR", buf_str(&head));
}

static void end_png(struct buf *b)
{
    add_chunk(b, "IDAT", STR("x"));
    add_chunk(b, "IEND", STR(""));
}

static void add_segment(struct buf *b, unsigned marker, struct str data)
{
    buf_add_c(b, '\xFF');
    buf_add_c(b, (char)marker);
    add_big(b, (uint32_t)data.n + 2, 2);
    buf_add(b, data);
}

static void make_jpeg(struct buf *b, uint32_t width, uint32_t height,
                      struct str note)
{
    AUTO(buf_free) struct buf frame = BUF(64);

    buf_add(b, STR("\xFF\xD8"));
    add_segment(b, 0xE0, STR("JFIF"));
    add_segment(b, 0xFE, note);
    buf_add_c(&frame, 8);
    add_big(&frame, height, 2);
    add_big(&frame, width, 2);
    buf_add(&frame, STR("\3\1\x11"));
    add_segment(b, 0xC2, buf_str(&frame));
    add_segment(b, 0xDA, STR("\1\1"));
    buf_add(b, (struct str){"scan\xFF\0\xFF\xD1scan", 12});
    add_segment(b, 0xDA, STR("\1\1")); /* progressive: another scan */
    buf_add(b, STR("scan\xFF\xD9"));
}

static void make_webp(struct buf *b, const char *type, struct str data,
                      const char *more)
{
    AUTO(buf_free) struct buf body = BUF(1024);

    buf_add(&body, STR("WEBP"));
    buf_add(&body, str_c(type));
    add_little(&body, (uint32_t)data.n, 4);
    buf_add(&body, data);
    if (data.n % 2)
        buf_add_c(&body, '\0');
    if (more) {
        buf_add(&body, STR("XMP "));
        add_little(&body, (uint32_t)strlen(more), 4);
        buf_add(&body, str_c(more));
        if (strlen(more) % 2)
            buf_add_c(&body, '\0');
    }
    buf_add(b, STR("RIFF"));
    add_little(b, (uint32_t)body.n, 4);
    buf_add(b, buf_str(&body));
}

static void check_size(const struct buf *b, const char *type, int64_t width,
                       int64_t height)
{
    CHECK_OK(picture_read(buf_str(b), &picture, &err), &err);
    CHECK_TEXT(picture.type, str_c(type));
    CHECK_INT(picture.width, width);
    CHECK_INT(picture.height, height);
}

static void check_refused(struct str bytes, enum footnote_rc rc,
                          const char *word)
{
    CHECK_INT(picture_read(bytes, &picture, &err), rc);
    if (!strstr(err.text, word))
        FAIL("\"%s\" has no \"%s\"", err.text, word);
}

/* ---- Tests -------------------------------------------------------------- */

TEST(picture_formats_are_known_by_their_bytes)
{
    AUTO(buf_free) struct buf b = BUF(4096);

    begin_png(&b, 640, 480);
    add_chunk(&b, "tEXt", STR("Title\0a page"));
    end_png(&b);
    check_size(&b, "image/png", 640, 480);
    buf_reset(&b);
    make_jpeg(&b, 800, 600, STR("a note"));
    check_size(&b, "image/jpeg", 800, 600);
    buf_reset(&b);
    make_webp(&b, "VP8 ", STR("\0\0\0\x9d\x01\x2a\x40\x01\xf0\x00"), NULL);
    check_size(&b, "image/webp", 320, 240);
    buf_reset(&b);
    make_webp(&b, "VP8L", STR("\x2f\x3f\xc1\x3b\x00"), "<x:xmpmeta/>");
    check_size(&b, "image/webp", 320, 240);
}

TEST(picture_that_is_cut_anywhere_is_refused)
{
    AUTO(buf_free) struct buf b = BUF(4096);

    begin_png(&b, 640, 480);
    end_png(&b);
    for (size_t n = 0; n < b.n; n++)
        CHECK_INT(picture_read((struct str){b.p, n}, &picture, &err),
                  FOOTNOTE_INVALID);
    buf_reset(&b);
    make_jpeg(&b, 800, 600, STR("n"));
    for (size_t n = 0; n < b.n; n++)
        CHECK_INT(picture_read((struct str){b.p, n}, &picture, &err),
                  FOOTNOTE_INVALID);
    buf_reset(&b);
    make_webp(&b, "VP8L", STR("\x2f\x3f\xc1\x3b\x00"), "note");
    for (size_t n = 0; n < b.n; n++)
        CHECK_INT(picture_read((struct str){b.p, n}, &picture, &err),
                  FOOTNOTE_INVALID);
}

TEST(picture_with_a_page_behind_or_inside_is_refused)
{
    AUTO(buf_free) struct buf b = BUF(4096);

    begin_png(&b, 640, 480);
    end_png(&b);
    buf_add(&b, STR("<html><script>alert(1)</script>"));
    check_refused(buf_str(&b), FOOTNOTE_INVALID, "behind its end");
    buf_reset(&b);
    begin_png(&b, 640, 480);
    add_chunk(&b, "tEXt", STR("Comment\0<ScRiPt>alert(1)</script>"));
    end_png(&b);
    check_refused(buf_str(&b), FOOTNOTE_INVALID, "web page inside");
    buf_reset(&b);
    make_jpeg(&b, 8, 8, STR("<!DOCTYPE html>"));
    check_refused(buf_str(&b), FOOTNOTE_INVALID, "web page inside");
    buf_reset(&b);
    make_jpeg(&b, 8, 8, STR(""));
    buf_add(&b, STR("x"));
    check_refused(buf_str(&b), FOOTNOTE_INVALID, "behind its end");
    buf_reset(&b);
    make_webp(&b, "VP8L", STR("\x2f\x3f\xc1\x3b\x00"), "<svg onload=x>");
    check_refused(buf_str(&b), FOOTNOTE_INVALID, "web page inside");
    check_refused(STR("<svg xmlns='http://www.w3.org/2000/svg'/>"),
                  FOOTNOTE_INVALID, "no PNG");
    check_refused(STR("GIF89a"), FOOTNOTE_INVALID, "no PNG");
    check_refused(STR(""), FOOTNOTE_INVALID, "no PNG");
}

TEST(picture_bombs_and_moving_ones_are_refused)
{
    AUTO(buf_free) struct buf b = BUF(4096);
    AUTO(buf_free) struct buf huge = BUF(PICTURE_BYTES_MAX + 16);

    begin_png(&b, 100000, 100000);
    end_png(&b);
    check_refused(buf_str(&b), FOOTNOTE_TOOBIG, "megapixels");
    buf_reset(&b);
    begin_png(&b, 0, 10);
    end_png(&b);
    check_refused(buf_str(&b), FOOTNOTE_INVALID, "no size");
    buf_reset(&b);
    begin_png(&b, UINT32_MAX, UINT32_MAX);
    end_png(&b);
    check_refused(buf_str(&b), FOOTNOTE_TOOBIG, "megapixels");
    buf_reset(&b);
    begin_png(&b, 10, 10);
    add_chunk(&b, "acTL", (struct str){"\0\0\0\2\0\0\0\0", 8});
    end_png(&b);
    check_refused(buf_str(&b), FOOTNOTE_INVALID, "moves");
    buf_reset(&b);
    make_jpeg(&b, 65535, 65535, STR(""));
    check_refused(buf_str(&b), FOOTNOTE_TOOBIG, "megapixels");
    buf_add(&huge, STR("\x89PNG\r\n\x1a\n"));
    while (huge.n <= PICTURE_BYTES_MAX)
        buf_add(&huge, STR("0123456789abcdef"));
    check_refused((struct str){huge.p, PICTURE_BYTES_MAX + 1}, FOOTNOTE_TOOBIG,
                  "20 MB");
}
