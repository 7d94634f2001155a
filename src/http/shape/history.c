/* history.c - a session's messages in the forms that ?as= names.
 *
 * as=ui is what useChat of the AI SDK holds; older clients read as=rows and
 * as=state. */
#include "store/read/history.h"
#include "base/json.h"
#include "http/shape/names.h"
#include "http/shape/scope.h"
#include "http/shape/shape.h"
#include "store/session/message.h"

/* ---- as=ui -------------------------------------------------------------- */

/* The sources that were there before the text, or those that came later. */
static void add_source_parts(struct buf *b, const struct message *m, bool late,
                             bool *more)
{
    for (size_t i = 0; i < m->sources_n; i++) {
        if (m->sources[i].late != late)
            continue;
        if (*more)
            buf_add_c(b, ',');
        *more = true;
        shape_ui_source(b, &m->sources[i]);
        buf_add_c(b, ',');
        shape_ui_link(b, &m->sources[i]);
    }
}

/* Most messages have none. */
static void add_verdicts(struct buf *b, const struct message *m, bool snake)
{
    if (m->unknown_n) {
        buf_add(b, snake ? STR(",\"unknown_numbers\":")
                         : STR(",\"unknownNumbers\":"));
        shape_numbers(b, m->unknown, m->unknown_n);
    }
    if (!m->verdicts_n)
        return;
    buf_add(b, STR(",\"verdicts\":"));
    shape_verdicts(b, m);
}

void shape_ui_citations(struct buf *b, const struct message *m)
{
    bool more = false;

    buf_add(b, STR("{\"type\":\"data-citations\",\"id\":\"citations\","
                   "\"data\":{"));
    if (m->has_low_confidence) {
        buf_add(b, STR("\"low_confidence\":"));
        shape_flag(b, true, m->low_confidence);
        buf_add_c(b, ',');
    }
    buf_add(b, STR("\"cited\":["));
    for (size_t i = 0; i < m->sources_n; i++) {
        if (!m->sources[i].cited)
            continue;
        if (more)
            buf_add_c(b, ',');
        more = true;
        shape_cited(b, &m->sources[i]);
    }
    buf_add_c(b, ']');
    add_verdicts(b, m, true);
    buf_add(b, STR("}}"));
}

static void add_answer_parts(struct buf *b, const struct message *m)
{
    bool more = false;

    add_source_parts(b, m, false, &more);
    if (m->content.n) {
        buf_add(b, more ? STR(",{\"type\":\"text\",\"text\":")
                        : STR("{\"type\":\"text\",\"text\":"));
        buf_add_json(b, m->content);
        buf_add(b, STR(",\"state\":\"done\"}"));
        more = true;
    }
    add_source_parts(b, m, true, &more);
    if (!m->content.p)
        return; /* a placeholder: its text is yet to come */
    if (more)
        buf_add_c(b, ',');
    shape_ui_citations(b, m);
}

void shape_ui_metadata_fields(struct buf *b, const struct message *m)
{
    buf_add(b, STR("\"createdAt\":"));
    shape_time(b, m->created_ms);
    buf_add(b, STR(",\"status\":"));
    buf_add_json(b, status_name(m->status));
    if (m->has_low_confidence) {
        buf_add(b, STR(",\"lowConfidence\":"));
        shape_flag(b, true, m->low_confidence);
    }
    if (m->model.p) {
        buf_add(b, STR(",\"model\":"));
        buf_add_json(b, m->model);
    }
    if (m->failure.p) {
        buf_add(b, STR(",\"failure\":"));
        buf_add_json(b, m->failure);
    }
    if (m->versions_n) {
        buf_add(b, STR(",\"versions\":"));
        shape_strings(b, m->versions, m->versions_n);
    }
    add_verdicts(b, m, false);
    if (m->scope.p) {
        buf_add(b, STR(",\"scope\":"));
        shape_scope(b, m->scope);
    }
    shape_feedback(b, m);
    if (m->has_image) {
        buf_add(b, STR(",\"imageSource\":"));
        shape_image(b, m, false);
        buf_add_c(b, '}');
    }
}

void shape_ui_message(struct buf *b, const struct message *m)
{
    buf_add(b, STR("{\"id\":"));
    buf_add_json(b, m->id);
    buf_add(b, STR(",\"role\":"));
    buf_add_json(b, role_name(m->role));
    buf_add(b, STR(",\"metadata\":{"));
    shape_ui_metadata_fields(b, m);
    buf_add(b, STR("},\"parts\":["));
    if (m->role == FOOTNOTE_ASSISTANT) {
        add_answer_parts(b, m);
    } else { /* clients refuse a question without parts: "" is one */
        buf_add(b, STR("{\"type\":\"text\",\"text\":"));
        buf_add_json(b, m->content.p ? m->content : STR(""));
        buf_add_c(b, '}');
    }
    buf_add(b, STR("]}"));
}

/* ---- as=rows ------------------------------------------------------------ */

static void add_row(struct buf *b, const struct message *m)
{
    buf_add(b, STR("{\"id\":"));
    buf_add_json(b, m->id);
    buf_add(b, STR(",\"role\":"));
    buf_add_json(b, role_name(m->role));
    buf_add(b, STR(",\"content\":"));
    shape_str(b, m->content);
    buf_add(b, STR(",\"created_at\":"));
    shape_time(b, m->created_ms);
    buf_add(b, STR(",\"sources\":"));
    if (m->role == FOOTNOTE_ASSISTANT)
        shape_sources(b, m->sources, m->sources_n, SOURCE_SNAKE);
    else
        buf_add(b, STR("null"));
    buf_add(b, STR(",\"doc_refs\":"));
    shape_strings(b, m->doc_refs, m->doc_refs_n);
    add_verdicts(b, m, true);
    if (m->has_image) {
        buf_add(b, STR(",\"image_source\":"));
        shape_image(b, m, true);
        buf_add_c(b, '}');
    }
    buf_add_c(b, '}');
}

/* ---- as=state ----------------------------------------------------------- */

static void add_state(struct buf *b, const struct message *m,
                      const struct picture_link *link)
{
    buf_add(b, STR("{\"type\":"));
    buf_add_json(b, role_type(m->role));
    buf_add(b, STR(",\"content\":"));
    shape_str(b, m->content);
    buf_add(b, STR(",\"id\":"));
    buf_add_json(b, m->id);
    buf_add(b, STR(",\"doc_refs\":"));
    shape_strings(b, m->doc_refs, m->doc_refs_n);
    buf_add(b, STR(",\"rag_source_ids\":"));
    shape_strings(b, m->rag_source_ids, m->rag_source_ids_n);
    buf_add(b, STR(",\"web_source_ids\":"));
    shape_strings(b, m->web_source_ids, m->web_source_ids_n);
    buf_add(b, STR(",\"image_source\":"));
    if (m->has_image) {
        shape_image(b, m, true);
        buf_add(b, STR(",\"url\":"));
        shape_str(b, link ? link->url : STR_NONE);
        buf_add_c(b, '}');
    } else {
        buf_add(b, STR("null"));
    }
    buf_add(b, STR(",\"timestamp\":"));
    shape_time(b, m->created_ms);
    buf_add_c(b, '}');
}

/* ---- All of them -------------------------------------------------------- */

static void add_message(struct buf *b, const struct message *m,
                        enum shape_as as, const struct picture_link *link)
{
    switch (as) {
    case SHAPE_PLAIN: shape_message(b, m); break;
    case SHAPE_UI: shape_ui_message(b, m); break;
    case SHAPE_ROWS: add_row(b, m); break;
    case SHAPE_STATE: add_state(b, m, link); break;
    }
}

static void add_messages(struct buf *b, const struct history *h,
                         enum shape_as as, const struct picture_link *links)
{
    bool more = false;

    for (size_t i = 0; i < h->messages_n; i++) {
        const struct message *m = &h->messages[i];

        /* useChat gets the running answer from its stream, and would show it
         * twice. */
        if (!shape_is_listed(m) ||
            (as == SHAPE_UI && m->status == FOOTNOTE_STREAMING))
            continue;
        if (more)
            buf_add_c(b, ',');
        more = true;
        add_message(b, m, as, links ? &links[i] : NULL);
    }
    buf_add_c(b, ']');
}

void shape_history(struct buf *b, const struct history *h, enum shape_as as,
                   const struct picture_link *links, struct str next)
{
    if (as == SHAPE_UI) {
        buf_add(b, STR("{\"id\":"));
        buf_add_json(b, h->head.id);
        buf_add_c(b, ',');
    } else if (as != SHAPE_ROWS) {
        buf_add_c(b, '{');
    }
    buf_add(b, as == SHAPE_ROWS ? STR("[") : STR("\"messages\":["));
    add_messages(b, h, as, links);
    if (as == SHAPE_PLAIN || (as != SHAPE_ROWS && next.p))
        shape_next(b, next);
    else if (as != SHAPE_ROWS)
        buf_add_c(b, '}');
}
