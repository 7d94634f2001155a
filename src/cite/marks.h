/* marks.h - the markers of an answer's text: [1], [1,2], [1-3], [^Page].
 *
 * One grammar for server and web client; tests/cite/marks.json holds the cases
 * for both.  Pure functions; any thread.
 *
 *     marker  = "[" list "]"  |  "[^Page]"
 *     list    = item *( *SP ("," / ";") *SP item )
 *     item    = number [ *SP ("-" / en dash) *SP number ]      low to high
 *               [ "," locator ]   "p. 6-7", "slide 3", "8:19": passed over
 *     number  = 1*9 digit          ASCII or full-width; leading zeros allowed
 *
 * A backslash before "[" makes it text; so do fenced code blocks (``` or ~~~)
 * and code spans (backticks).  "[1](...)", "[1][ref]" and, at the start of a
 * line, "[1]:" (a link, a reference link and a definition) are ordinary
 * markdown, hence text, except that "[1][2]" are two markers.  Full-width
 * brackets (U+3010, U+FF3B) and separators count as theirs, and no link begins
 * with them.  A number without a source is text as well, which the caller
 * decides.  docs/markers.md has the whole grammar. */
#ifndef CITE_MARKS_H
#define CITE_MARKS_H
#include "base/arena.h"

struct mark {
    size_t start, end;             /* bytes of the whole marker */
    size_t start_utf16, end_utf16; /* the same as JavaScript counts */
    uint32_t from, to;             /* one item; from == to unless a range */
    bool page;                     /* [^Page]; from and to are 0 */
};

enum {
    MARK_RANGE_MAX = 200,       /* a wider range is text */
    MARK_BYTES_MAX = 128,       /* a longer marker is text */
    MARK_CODE_BYTES_MAX = 1024, /* a longer code span is text */
    MARKS_MAX = 20000,          /* of one text; those behind are text */
    /* What marks_settled() holds back is always less. */
    MARK_HELD_BYTES_MAX = 2 * MARK_CODE_BYTES_MAX + 2 * MARK_BYTES_MAX,
    MARK_BACK_BYTES = 8 /* before *from, for marks_settled_from() */
};

/* Whether it names the source with this number; [^Page] names any picture. */
static inline bool mark_names(const struct mark *m, uint32_t number,
                              bool is_image)
{
    return m->page ? is_image : m->from <= number && number <= m->to;
}

/* The markers of valid UTF-8 `text`, in order, MARKS_MAX at most; [1,2] gives
 * two with the same span.  *out lives in `a`. */
enum footnote_rc marks_find(struct arena *a, struct str text, struct mark **out,
                            size_t *n, struct footnote_err *err);

/* The same while text streams in: how many bytes of `text` (all so far, it may
 * end inside a character) can be shown because no marker can still begin or be
 * open behind them.  Never less for more text; the markers that marks_find()
 * sees in these bytes are those that it will see there in the whole text. */
size_t marks_settled(struct str text);
/* The same without reading all of it again: *from is 0 at first, then what the
 * last call has left there.  The caller may drop text that is more than
 * MARK_BACK_BYTES before *from; *from then counts from the new beginning. */
size_t marks_settled_from(struct str text, size_t *from);

#endif
