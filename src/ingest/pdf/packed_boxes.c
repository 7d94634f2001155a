/* packed_boxes.c - where a passage stands on its page, in a few bytes. */
#include "ingest/pdf/packed_boxes.h"
#include "store/document/document.h"
#include <assert.h>
#include <math.h>

enum {
    PARTS = 1000,        /* of the page, each way */
    WORD_BYTES_MAX = 12, /* four numbers of up to three bytes */
};

/* --- Numbers ----------------------------------------------------------------
 */

static void add_number(struct buf *out, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        buf_add_c(out, (char)(v | 0x80));
    buf_add_c(out, (char)v);
}

static bool next_number(struct str *rest, uint64_t *v)
{
    *v = 0;
    for (int shift = 0; rest->n && shift < 21; shift += 7) {
        unsigned char c = (unsigned char)rest->p[0];
        *rest = str_skip(*rest, 1);
        *v |= (uint64_t)(c & 0x7f) << shift;
        if (c < 0x80)
            return true;
    }
    return false;
}

static uint64_t folded(int64_t v)
{
    return v < 0 ? ((uint64_t)-v << 1) - 1 : (uint64_t)v << 1;
}

static int64_t unfolded(uint64_t v)
{
    return v & 1 ? -(int64_t)(v >> 1) - 1 : (int64_t)(v >> 1);
}

/* --- In ---------------------------------------------------------------------
 */

/* Thousandths of the page.  A word may be outside of its page; far outside, it
 * is moved closer. */
static int64_t thousandths(double v, double whole)
{
    double p = whole > 0 ? round(v / whole * PARTS) : 0;

    return (int64_t)fmax(-PARTS, fmin(2 * PARTS, p));
}

static bool is_near(int64_t a, int64_t b)
{
    return a - b <= 1 && b - a <= 1;
}

static void add_word(const struct page_words *page, const struct page_word *w,
                     struct packed_boxes *last, struct buf *out)
{
    int64_t left = thousandths(w->x, page->width);
    int64_t top = thousandths(w->y, page->height);
    int64_t right = thousandths(w->x + w->w, page->width);
    int64_t height = thousandths(w->y + w->h, page->height) - top;
    bool same = last->h && is_near(top, last->y) && is_near(height, last->h);

    assert(right >= left && height >= 0);
    add_number(out, folded(left - last->end) << 1 | same);
    add_number(out, (uint64_t)(right - left));
    last->end = right;
    if (same)
        return;
    add_number(out, folded(top - last->y));
    add_number(out, (uint64_t)height);
    last->y = top;
    last->h = height;
}

void boxes_pack(const struct page_words *page, const struct page_marks *marks,
                struct buf *out)
{
    struct packed_boxes last = {.rest = STR_NONE};

    for (size_t i = 0; i < marks->ranges_n; i++)
        for (size_t j = marks->ranges[i].from; j < marks->ranges[i].to; j++)
            if (out->n <= PASSAGE_BOXES_BYTES_MAX - WORD_BYTES_MAX)
                add_word(page, &page->words[j], &last, out);
}

/* --- Out --------------------------------------------------------------------
 */

bool boxes_next(struct packed_boxes *b, struct page_box *out)
{
    uint64_t gap, width, down, height;

    if (!next_number(&b->rest, &gap) || !next_number(&b->rest, &width))
        return false;
    if ((gap & 1) == 0) {
        if (!next_number(&b->rest, &down) || !next_number(&b->rest, &height))
            return false;
        b->y += unfolded(down);
        b->h = (int64_t)height;
    }
    b->end += unfolded(gap >> 1);
    *out = (struct page_box){(double)b->end / PARTS, (double)b->y / PARTS,
                             (double)width / PARTS, (double)b->h / PARTS};
    b->end += (int64_t)width;
    return true;
}
