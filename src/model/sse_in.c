/* sse_in.c - server-sent events, read as they arrive.
 *
 * A line is gathered until its end is there and read as a whole, so it does not
 * matter where packets cut it.  Comments are counted but not kept. */
#include "model/sse_in.h"

#include "base/utf8.h"

#define REPLACEMENT STR("\xEF\xBF\xBD")

/* ---- Text ------------------------------------------------------------------
 */

/* Bytes of the character that s begins with; 0: it is not valid. */
static size_t char_bytes(struct str s)
{
    for (size_t n = 1; n <= 4 && n <= s.n; n++)
        if (utf8_valid((struct str){s.p, n}))
            return n;
    return 0;
}

/* Replaces each byte that is part of no character by U+FFFD. */
static enum footnote_rc repair(struct buf *b, struct footnote_err *err)
{
    AUTO(buf_free) struct buf fixed = BUF(b->max);
    struct str left = buf_str(b);

    while (left.n) {
        size_t n = char_bytes(left);

        buf_add(&fixed, n ? (struct str){left.p, n} : REPLACEMENT);
        left = str_skip(left, n ? n : 1);
    }
    TRY(buf_rc(&fixed, err));
    buf_reset(b);
    buf_add(b, buf_str(&fixed));
    return buf_rc(b, err);
}

/* ---- Lines -----------------------------------------------------------------
 */

static void add_data(struct sse *s, struct str value)
{
    if (s->has_data)
        buf_add_c(&s->data, '\n');
    buf_add(&s->data, value);
    s->has_data = true;
}

/* The value begins after the colon, and after one space if there is one. */
static void read_field(struct sse *s, struct str line)
{
    size_t colon = str_find(line, ':');
    struct str name = {line.p, colon};
    struct str value = str_skip(line, colon < line.n ? colon + 1 : colon);

    if (value.n && value.p[0] == ' ')
        value = str_skip(value, 1);
    if (str_eq(name, STR("data"))) {
        add_data(s, value);
    } else if (str_eq(name, STR("error"))) {
        add_data(s, value);
        s->is_error = true;
    } else if (str_eq(name, STR("event"))) {
        s->is_error = str_eq(value, STR("error"));
    }
}

static enum footnote_rc emit_event(struct sse *s, bool *got,
                                   struct sse_event *event,
                                   struct footnote_err *err)
{
    TRY(buf_rc(&s->data, err));
    if (!utf8_valid(buf_str(&s->data)))
        TRY(repair(&s->data, err));
    *event =
        (struct sse_event){.data = buf_str(&s->data), .is_error = s->is_error};
    *got = true;
    s->emitted = true;
    return FOOTNOTE_OK;
}

static void forget_event(struct sse *s)
{
    buf_reset(&s->data);
    s->emitted = s->has_data = s->is_error = false;
}

static enum footnote_rc end_line(struct sse *s, bool *got,
                                 struct sse_event *event,
                                 struct footnote_err *err)
{
    struct str line = buf_str(&s->line);

    TRY(buf_rc(&s->line, err));
    if (!s->began && str_starts(line, STR("\xEF\xBB\xBF")))
        line = str_skip(line, 3);
    s->began = true;
    buf_reset(&s->line); /* keeps the memory, so the view still holds */
    if (s->line_seen == 0 && s->has_data)
        return emit_event(s, got, event, err);
    if (s->line_seen == 0)
        s->is_error = false;
    s->line_seen = 0;
    if (line.n)
        read_field(s, line);
    return buf_rc(&s->data, err);
}

/* ---- Bytes -----------------------------------------------------------------
 */

/* Comments are not kept. */
static enum footnote_rc add_to_line(struct sse *s, struct str part,
                                    struct footnote_err *err)
{
    bool comment = s->line_seen ? s->line.n == 0 : part.n && part.p[0] == ':';

    s->line_seen += part.n;
    if (s->line_seen > SSE_LINE_BYTES_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "a line of the stream is over %d",
                       SSE_LINE_BYTES_MAX);
    if (!comment)
        buf_add(&s->line, part);
    return buf_rc(&s->line, err);
}

enum footnote_rc sse_next(struct sse *s, struct str *in, bool *got,
                          struct sse_event *event, struct footnote_err *err)
{
    *got = false;
    if (s->emitted)
        forget_event(s);
    while (in->n && !*got) {
        size_t end;

        if (s->after_cr && in->p[0] == '\n')
            *in = str_skip(*in, 1);
        s->after_cr = false;
        end = str_find(*in, '\n');
        end = str_find((struct str){in->p, end}, '\r');
        if (end > 0)
            TRY(add_to_line(s, (struct str){in->p, end}, err));
        *in = str_skip(*in, end);
        if (in->n == 0)
            break;
        s->after_cr = in->p[0] == '\r';
        *in = str_skip(*in, 1);
        TRY(end_line(s, got, event, err));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc sse_end(struct sse *s, bool *got, struct sse_event *event,
                         struct footnote_err *err)
{
    *got = false;
    if (s->emitted)
        forget_event(s);
    if (s->line_seen)
        TRY(end_line(s, got, event, err));
    return s->has_data ? emit_event(s, got, event, err) : FOOTNOTE_OK;
}

void sse_free_unused(struct sse *s)
{
    if (s->emitted)
        forget_event(s);
    if (s->line_seen == 0)
        buf_free(&s->line);
    if (!s->has_data)
        buf_free(&s->data);
}

void sse_free(struct sse *s)
{
    buf_free(&s->line);
    buf_free(&s->data);
}
