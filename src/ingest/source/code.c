/* code.c - programs, settings and data as text: lines, with their numbers. */
#include "ingest/format/reader.h"
#include "ingest/text/charset.h"
#include "ingest/text/lines.h"

enum { PROGRESS_LINES = 1000 };

enum footnote_rc read_code(struct format_reader *r, struct footnote_err *err)
{
    struct chunk_piece p = {.gap = GAP_BLOCK, .whole = true};
    struct str text;

    TRY(charset_decode(r->a, r->bytes, r->declared, &text,
                       &r->facts->hidden_text, &r->facts->encoding, err));
    size_t all = text.n;
    for (p.line = 1; lines_next(&text, &p.text); p.line++) {
        p.last_line = p.line;
        if (lines_trim(p.text).n) {
            TRY(chunk_add(&r->chunker, &p, err));
            p.gap = GAP_LINE;
        } else {
            p.gap = GAP_BLOCK;
        }
        if (p.line % PROGRESS_LINES == 0)
            TRY(read_progress(r, r->bytes.n * (all - text.n) / all, r->bytes.n,
                              err));
    }
    return chunk_break(&r->chunker, err);
}
