/* multipart.c - finds the boundaries, and passes on the bytes between them.
 *
 *     START -> PADDING -> [LF] -> HEAD -> DATA -> AFTER -> HEAD ...
 *                                            \-> DASH -> END -> END_LF -> DONE
 *
 * The mark CR LF -- boundary has its only CR in front, so bytes that began it
 * and went on otherwise can hold no other beginning: they are data, and the
 * search starts again with the byte that differed.  No byte is read twice. */
#include "http/core/multipart.h"

#include <assert.h>
#include <strings.h>

#include "http/core/parse.h"

enum multipart_step {
    STEP_START, /* the first boundary must come */
    STEP_AFTER, /* behind a boundary: CR LF, or "--" */
    STEP_LF,
    STEP_HEAD,
    STEP_DATA,
    STEP_DASH, /* the second one of the last boundary's end */
    STEP_END,  /* nothing, or one line's end */
    STEP_END_LF,
    STEP_DONE
};

#define BROKEN "the multipart body is broken: "

/* ---- The boundary ------------------------------------------------------- */

static bool is_boundary(struct str s)
{
    static const char others[] = "'()+_,-./:=? ";

    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (c >= '0' && c <= '9') || (c && strchr(others, c))))
            return false;
    }
    return s.n > 0 && s.n <= MULTIPART_BOUNDARY_MAX && s.p[s.n - 1] != ' ';
}

static enum footnote_rc find_boundary(struct str type, char *room, size_t n,
                                      struct str *out, struct footnote_err *err)
{
    struct str rest = str_skip(type, str_find(type, ';'));
    struct parameter p;

    *out = STR_NONE;
    while (parameter_next(&rest, room, n, &p)) {
        if (p.name.n != 8 || strncasecmp(p.name.p, "boundary", 8) != 0)
            continue;
        if (out->p || !is_boundary(p.value))
            return err_set(err, FOOTNOTE_INVALID,
                           "Content-Type: its boundary cannot be one");
        *out = p.value;
        room += n / 2; /* the value stays in the first half */
        n -= n / 2;
    }
    if (!out->p)
        return err_set(err, FOOTNOTE_INVALID, "Content-Type: has no boundary");
    return FOOTNOTE_OK;
}

enum footnote_rc multipart_init(struct multipart *m, struct str content_type,
                                struct footnote_err *err)
{
    char room[512];
    struct str boundary;

    m->step = STEP_START;
    m->parts = m->head_n = 0;
    TRY(find_boundary(content_type, room, sizeof(room), &boundary, err));
    memcpy(m->mark, "\r\n--", 4);
    memcpy(m->mark + 4, boundary.p, boundary.n);
    m->mark_n = 4 + boundary.n;
    m->matched = 2; /* the first one may stand without its line's end */
    return FOOTNOTE_OK;
}

/* ---- Steps -------------------------------------------------------------- */

static enum footnote_rc match_start(struct multipart *m, char c,
                                    struct footnote_err *err)
{
    if (m->matched == 2 && c == '\r')
        m->matched = 0;
    if (c != m->mark[m->matched])
        return err_set(err, FOOTNOTE_INVALID,
                       BROKEN "it does not begin with its boundary");
    if (++m->matched == m->mark_n)
        m->step = STEP_AFTER;
    return FOOTNOTE_OK;
}

static enum footnote_rc after_boundary(struct multipart *m, char c,
                                       struct footnote_err *err)
{
    m->matched = 0;
    m->head_n = 0;
    if (c == '\r')
        m->step = STEP_LF;
    else if (c == '-' && m->parts)
        m->step = STEP_DASH;
    else
        return err_set(err, FOOTNOTE_INVALID,
                       BROKEN "a boundary goes on where it should end");
    return FOOTNOTE_OK;
}

static enum footnote_rc add_to_head(struct multipart *m, char c,
                                    const struct multipart_to *to,
                                    struct footnote_err *err)
{
    struct form_part part;

    if (m->head_n == sizeof(m->head))
        return err_set(err, FOOTNOTE_TOOBIG,
                       "headers of a part: more than %d bytes",
                       MULTIPART_HEAD_BYTES_MAX);
    m->head[m->head_n++] = c;
    if (m->head_n < 4 || memcmp(m->head + m->head_n - 4, "\r\n\r\n", 4) != 0)
        return FOOTNOTE_OK;
    TRY(multipart_head(m, &part, err));
    m->step = STEP_DATA;
    return to->begin(to->arg, &part, err);
}

/* Everything but data, byte by byte. */
static enum footnote_rc read_framing(struct multipart *m, char c,
                                     const struct multipart_to *to,
                                     struct footnote_err *err)
{
    switch ((enum multipart_step)m->step) {
    case STEP_START: return match_start(m, c, err);
    case STEP_AFTER: return after_boundary(m, c, err);
    case STEP_HEAD: return add_to_head(m, c, to, err);
    case STEP_LF:
        m->step = STEP_HEAD;
        if (c == '\n')
            return FOOTNOTE_OK;
        break;
    case STEP_DASH:
        m->step = STEP_END;
        if (c == '-')
            return FOOTNOTE_OK;
        break;
    case STEP_END:
        m->step = STEP_END_LF;
        if (c == '\r')
            return FOOTNOTE_OK;
        break;
    case STEP_END_LF:
        m->step = STEP_DONE;
        if (c == '\n')
            return FOOTNOTE_OK;
        break;
    case STEP_DATA:
    case STEP_DONE: break;
    }
    return err_set(err, FOOTNOTE_INVALID, BROKEN "a line does not end");
}

/* ---- Data --------------------------------------------------------------- */

static enum footnote_rc pass_data(const struct multipart_to *to, struct str s,
                                  struct footnote_err *err)
{
    return s.n ? to->data(to->arg, s, err) : FOOTNOTE_OK;
}

/* The next byte continues the mark, ends it, or shows that it is data. */
static enum footnote_rc match_mark(struct multipart *m, struct str *rest,
                                   const struct multipart_to *to,
                                   struct footnote_err *err)
{
    size_t n = m->matched;

    assert(n > 0 && n < m->mark_n);
    if (*rest->p != m->mark[n]) {
        m->matched = 0;
        return pass_data(to, (struct str){m->mark, n}, err);
    }
    *rest = str_skip(*rest, 1);
    if (++m->matched < m->mark_n)
        return FOOTNOTE_OK;
    m->step = STEP_AFTER;
    return to->end ? to->end(to->arg, err) : FOOTNOTE_OK;
}

static enum footnote_rc read_data(struct multipart *m, struct str *rest,
                                  const struct multipart_to *to,
                                  struct footnote_err *err)
{
    struct str plain = {rest->p, str_find(*rest, '\r')};

    if (m->matched)
        return match_mark(m, rest, to, err);
    *rest = str_skip(*rest, plain.n);
    if (rest->n) {
        m->matched = 1;
        *rest = str_skip(*rest, 1);
    }
    return pass_data(to, plain, err);
}

enum footnote_rc multipart_feed(struct multipart *m, struct str bytes,
                                const struct multipart_to *to,
                                struct footnote_err *err)
{
    while (bytes.n) {
        if (m->step == STEP_DATA) {
            TRY(read_data(m, &bytes, to, err));
            continue;
        }
        TRY(read_framing(m, *bytes.p, to, err));
        bytes = str_skip(bytes, 1);
    }
    return FOOTNOTE_OK;
}

enum footnote_rc multipart_finish(const struct multipart *m,
                                  struct footnote_err *err)
{
    if (m->step == STEP_END || m->step == STEP_DONE)
        return FOOTNOTE_OK;
    return err_set(err, FOOTNOTE_INVALID,
                   BROKEN "it ends before its last boundary");
}

/* ---- Fields ------------------------------------------------------------- */

void multipart_field(struct multipart_fields *f, struct str *field)
{
    f->field = field;
    if (field)
        *field = (struct str){f->text + f->text_n, 0};
}

enum footnote_rc multipart_field_add(struct multipart_fields *f,
                                     struct str bytes, struct footnote_err *err)
{
    assert(f->field);
    if (bytes.n > sizeof(f->text) - f->text_n)
        return err_set(err, FOOTNOTE_TOOBIG,
                       "fields of the form: more than %d bytes",
                       MULTIPART_FIELDS_BYTES_MAX);
    memcpy(f->text + f->text_n, bytes.p, bytes.n);
    f->text_n += bytes.n;
    f->field->n += bytes.n;
    return FOOTNOTE_OK;
}
