/* feedback.c - what the reader of an answer said of it, as JSON. */
#include "store/session/feedback.h"
#include "base/json.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/session/message.h"

void shape_feedback_list(struct buf *b, const struct feedback *list, size_t n)
{
    buf_add_c(b, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add_c(b, ',');
        buf_add(b, STR("{\"number\":"));
        shape_i64(b, list[i].number > 0, list[i].number);
        buf_add(b, STR(",\"rating\":"));
        buf_add_json(b, feedback_name(list[i].rating));
        buf_add(b, STR(",\"note\":"));
        shape_str(b, list[i].note);
        buf_add(b, STR(",\"createdAt\":"));
        shape_time(b, list[i].at_ms);
        buf_add_c(b, '}');
    }
    buf_add_c(b, ']');
}

void shape_feedback(struct buf *b, const struct message *m)
{
    if (!m->feedback_n)
        return;
    buf_add(b, STR(",\"feedback\":"));
    shape_feedback_list(b, m->feedback, m->feedback_n);
}
