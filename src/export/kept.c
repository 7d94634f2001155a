/* kept.c - the whole session as one JSON object.
 *
 * The same session gives the same bytes, in any store: fields have one order,
 * what is absent is left out, and there is nothing of the time or the place
 * where it was written. */
#include <assert.h>

#include "base/json.h"
#include "export/export.h"
#include "export/fields.h"
#include "http/shape/names.h"
#include "http/shape/scope.h"
#include "http/shape/shape.h"
#include "store/session/whole.h"
#include "store/source/verdicts.h"

static const char *const shown_words[] = {
    [SHOWN_OFF] = "no", [SHOWN_ON] = "yes", [SHOWN_LEFT] = "left"};

/* ---- Messages ------------------------------------------------------------ */

static void image(struct buf *b, const struct message *m)
{
    if (!m->has_image)
        return;
    field_name(b, STR("imageSource"));
    buf_add(b, STR("{\"s3key\":"));
    buf_add_json(b, m->image_s3key);
    field_text(b, STR("slideId"), m->image_slide);
    field_number(b, STR("pageNumber"), m->has_image_page, m->image_page);
    buf_add_c(b, '}');
}

static void digest(struct buf *b, const struct sha256 *d)
{
    field_name(b, STR("digest"));
    buf_add(b, STR("\"sha256:"));
    buf_add_hex(b, d->b, SHA256_BYTES);
    buf_add_c(b, '"');
}

static void verdict(struct buf *b, const struct verdict_record *r)
{
    buf_add(b, STR("{\"judge\":"));
    buf_add_json(b, r->judge);
    field_time(b, STR("createdAt"), r->created_ms);
    if (r->has_digest)
        digest(b, &r->digest);
    field_name(b, STR("sentences"));
    buf_add(b, r->packed);
    buf_add_c(b, '}');
}

/* An empty list says that there are none; without a list nobody says so. */
static void verdicts(struct buf *b, const struct message *m)
{
    if (!m->verdicts)
        return;
    field_name(b, STR("verdicts"));
    buf_add_c(b, '[');
    for (size_t i = 0; i < m->verdicts_n; i++) {
        if (i)
            buf_add_c(b, ',');
        verdict(b, &m->verdicts[i]);
    }
    buf_add_c(b, ']');
}

static void message(struct buf *b, const struct message *m)
{
    assert(m->shown <= SHOWN_LEFT);
    buf_add(b, STR("{\"id\":"));
    buf_add_json(b, m->id);
    field_text(b, STR("parentId"), m->parent);
    field_text(b, STR("shown"), str_c(shown_words[m->shown]));
    field_text(b, STR("role"), role_name(m->role));
    field_text(b, STR("status"), status_name(m->status));
    field_time(b, STR("createdAt"), m->created_ms);
    field_text(b, STR("content"), m->content);
    if (m->has_digest)
        digest(b, &m->digest);
    field_flag(b, STR("lowConfidence"), m->has_low_confidence,
               m->low_confidence);
    field_text(b, STR("model"), m->model);
    field_text(b, STR("failure"), m->failure);
    field_number(b, STR("tokensIn"), m->tokens_in >= 0, m->tokens_in);
    field_number(b, STR("tokensOut"), m->tokens_out >= 0, m->tokens_out);
    field_number(b, STR("lateFrom"), m->late_from > 0, m->late_from);
    field_texts(b, STR("docRefs"), m->doc_refs, m->doc_refs_n);
    field_texts(b, STR("ragSourceIds"), m->rag_source_ids, m->rag_source_ids_n);
    field_texts(b, STR("webSourceIds"), m->web_source_ids, m->web_source_ids_n);
    image(b, m);
    if (m->scope.p) {
        field_name(b, STR("scope"));
        shape_scope(b, m->scope);
    }
    shape_feedback(b, m);
    if (m->sources_n) {
        field_name(b, STR("sources"));
        shape_sources(b, m->sources, m->sources_n, SOURCE_KEPT);
    }
    verdicts(b, m);
    buf_add_c(b, '}');
}

/* ---- Searches ------------------------------------------------------------ */

static void event(struct buf *b, const struct event *e)
{
    buf_add(b, STR("{\"id\":"));
    buf_add_json(b, e->id);
    field_text(b, STR("userMessageId"), e->user_message);
    field_text(b, STR("answerId"), e->answer);
    field_text(b, STR("kind"), e->web ? STR("web") : STR("rag"));
    field_text(b, STR("query"), e->query);
    field_time(b, STR("createdAt"), e->created_ms);
    field_flag(b, STR("lowConfidence"), e->has_low_confidence,
               e->low_confidence);
    field_name(b, STR("numbers"));
    buf_add(b, e->numbers);
    if (e->coverage.p) {
        field_name(b, STR("coverage"));
        buf_add(b, e->coverage);
    }
    buf_add_c(b, '}');
}

/* ---- All of it ----------------------------------------------------------- */

void export_kept(struct buf *b, const struct whole *w, struct str owner)
{
    buf_add(b, STR("{\"footnote\":\"session\""));
    field_number(b, STR("version"), true, EXPORT_VERSION);
    field_text(b, STR("id"), w->id);
    field_text(b, STR("userId"), owner);
    field_text(b, STR("title"), w->title);
    field_text(b, STR("courseId"), w->course);
    field_text(b, STR("courseTitle"), w->course_title);
    field_time(b, STR("createdAt"), w->created_ms);
    field_time(b, STR("updatedAt"), w->active_ms);
    field_name(b, STR("messages"));
    buf_add_c(b, '[');
    for (size_t i = 0; i < w->messages_n; i++) {
        if (i)
            buf_add_c(b, ',');
        message(b, &w->messages[i]);
    }
    buf_add_c(b, ']');
    field_name(b, STR("retrievals"));
    buf_add_c(b, '[');
    for (size_t i = 0; i < w->events_n; i++) {
        if (i)
            buf_add_c(b, ',');
        event(b, &w->events[i]);
    }
    buf_add(b, STR("]}"));
}
