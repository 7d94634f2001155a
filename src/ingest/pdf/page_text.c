/* page_text.c - from what pdftotext prints to a page's own lines. */
#include "ingest/pdf/page_text.h"
#include "base/utf8.h"
#include "ingest/pdf/pdf.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"

/* Appends a line with single spaces: columns are set apart by many. */
static void add_squeezed(struct buf *out, struct str line)
{
    bool gap = false;

    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];
        if (c == ' ' || c == '\t') {
            gap = true;
            continue;
        }
        if (gap)
            buf_add_c(out, ' ');
        gap = false;
        buf_add_c(out, c);
    }
    buf_add_c(out, '\n');
}

/* pdftotext puts embeddings (U+202A to U+202C) around text from the right.
 * The file does not have them, so they do not count as hidden text. */
static void add_clean(struct clean *clean, struct buf *out, struct str raw)
{
    static const struct str embedding = {"\xe2\x80", 2};

    while (raw.n) {
        const char *at = memmem(raw.p, raw.n, embedding.p, embedding.n);
        size_t n = at ? (size_t)(at - raw.p) : raw.n;
        clean_add(clean, out, (struct str){raw.p, n});
        raw = str_skip(raw, n);
        if (raw.n == 0)
            return;
        unsigned char last = (unsigned char)raw.p[2];
        if (last < 0xaa || last > 0xac)
            clean_add(clean, out, (struct str){raw.p, 3});
        raw = str_skip(raw, 3);
    }
}

bool page_text_clean(struct str raw, struct buf *out, bool *hidden)
{
    AUTO(buf_free) struct buf seen = BUF(PAGES_BYTES_MAX);
    struct clean clean = {0};
    struct str rest, line;
    bool empty = true; /* the line before */

    if (!utf8_valid(raw))
        return false;
    add_clean(&clean, &seen, raw);
    rest = buf_str(&seen);
    while (lines_next(&rest, &line)) {
        line = lines_trim(line);
        if (line.n || !empty)
            add_squeezed(out, line);
        empty = line.n == 0;
    }
    *hidden = *hidden || clean.hidden;
    return true;
}

size_t page_text_chars(struct str text, size_t most)
{
    size_t n = 0;

    for (size_t i = 0; i < text.n && n < most;)
        if (utf8_next(text, &i) > ' ')
            n++;
    return n;
}

/* A number, as that of a page or in a figure, is no title. */
static bool has_letters(struct str line)
{
    size_t n = 0;

    for (size_t i = 0; i < line.n && n < 2;) {
        uint32_t c = utf8_next(line, &i);

        n += c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
    return n == 2;
}

struct str page_text_title(struct str text)
{
    struct str line;

    while (lines_next(&text, &line)) {
        line = lines_trim(line);
        if (page_text_chars(line, 3) == 3 && chunk_words(line) > 0 &&
            has_letters(line))
            return utf8_cut(line, PDF_TITLE_BYTES_MAX / 4);
    }
    return STR_NONE;
}
