/* put.c - a session that was read goes in, or is there already. */
#include "export/export.h"
#include "store/session/whole.h"

enum { KEPT_BYTES_MAX = 256 * 1024 * 1024 };

/* The same session gives the same bytes.  Digests follow from the rest, and a
 * file need not have them; verdicts are not its to say. */
static enum footnote_rc text_of(struct arena *a, struct whole w, struct buf *b,
                                struct footnote_err *err)
{
    struct message *list = arena_many(a, w.messages_n + 1, struct message);

    if (!list)
        return arena_rc(a, err);
    for (size_t i = 0; i < w.messages_n; i++) {
        list[i] = w.messages[i];
        list[i].has_digest = false;
        list[i].verdicts = NULL;
        list[i].verdicts_n = 0;
    }
    w.messages = list;
    export_kept(b, &w, STR_NONE);
    return buf_rc(b, err);
}

static enum footnote_rc compare(struct store *st, struct who who,
                                struct arena *a, const struct whole *w,
                                struct footnote_err *err)
{
    AUTO(buf_free) struct buf there = BUF(KEPT_BYTES_MAX);
    AUTO(buf_free) struct buf given = BUF(KEPT_BYTES_MAX);
    struct whole_read op = {.session = w->id};
    struct whole as_there = *w;

    TRY(store_read(st, who, a, OP(whole_read), &op, err));
    as_there.course_title = op.whole.course_title; /* others may change it */
    TRY(text_of(a, op.whole, &there, err));
    TRY(text_of(a, as_there, &given, err));
    if (str_eq(buf_str(&there), buf_str(&given)))
        return FOOTNOTE_OK;
    return err_field(err, FOOTNOTE_CONFLICT, "session",
                     "is there, and is not the same");
}

enum footnote_rc export_put(struct store *st, struct who who, struct arena *a,
                            struct whole_write *op, bool *made,
                            struct footnote_err *err)
{
    struct footnote_err why;
    enum footnote_rc rc = store_write(st, who, OP(whole_write), op, &why);

    *made = rc == FOOTNOTE_OK || op->taken_back;
    if (*made)
        return FOOTNOTE_OK;
    if (rc == FOOTNOTE_CONFLICT && str_eq(str_c(why.field), STR("session")))
        return compare(st, who, a, op->whole, err);
    if (err)
        *err = why;
    return rc;
}
