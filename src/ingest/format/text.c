/* text.c - plain text: paragraphs, and pages where form feeds end them. */
#include "ingest/format/text_part.h"
#include "ingest/text/charset.h"
#include "ingest/text/lines.h"

/* A shorter line was ended by the writer, not by the margin. */
enum { WRAPPED_BYTES = 45 };

struct paragraph {
    struct format_reader *r;
    struct chunk_piece piece;
    enum chunk_gap next; /* the gap before the next piece */
    bool wrapped;        /* the margin ended the last line */
};

static enum footnote_rc flush(struct paragraph *p, struct footnote_err *err)
{
    enum footnote_rc rc = FOOTNOTE_OK;

    if (p->piece.text.n)
        rc = chunk_add(&p->r->chunker, &p->piece, err);
    p->piece.text = STR("");
    p->wrapped = false;
    return rc;
}

/* A line that the margin ended is one paragraph with the next line. */
static enum footnote_rc add_line(struct paragraph *p, struct str line,
                                 struct footnote_err *err)
{
    if (lines_trim(line).n == 0) {
        p->next = GAP_BLOCK;
        return flush(p, err);
    }
    if (!p->wrapped) {
        TRY(flush(p, err));
        p->piece.gap = p->next;
        p->piece.text = line;
        p->next = GAP_LINE;
    }
    /* Its lines are neighbours in the file, so a paragraph is one view. */
    p->piece.text.n = (size_t)(line.p + line.n - p->piece.text.p);
    p->wrapped = line.n >= WRAPPED_BYTES;
    return FOOTNOTE_OK;
}

enum footnote_rc text_part(struct format_reader *r, struct str text,
                           struct footnote_err *err)
{
    struct paragraph p = {.r = r, .next = GAP_BLOCK};
    struct str line;

    while (lines_next(&text, &line))
        TRY(add_line(&p, line, err));
    return flush(&p, err);
}

enum footnote_rc read_text(struct format_reader *r, struct footnote_err *err)
{
    struct paragraph p = {.r = r};
    struct str text, line;

    TRY(charset_decode(r->a, r->bytes, r->declared, &text,
                       &r->facts->hidden_text, &r->facts->encoding, err));
    size_t all = text.n;
    bool pages = str_find(text, '\f') < text.n;
    while (text.n) {
        size_t n = str_find(text, '\f');
        p.piece.page = pages ? ++r->facts->pages : 0;
        struct str page = {text.p, n};
        while (lines_next(&page, &line))
            TRY(add_line(&p, line, err));
        p.next = GAP_BLOCK;
        TRY(flush(&p, err));
        text = str_skip(text, n < text.n ? n + 1 : n);
        /* Decoding changes how many bytes there are. */
        TRY(read_progress(r, r->bytes.n * (all - text.n) / all, r->bytes.n,
                          err));
    }
    return chunk_break(&r->chunker, err);
}
