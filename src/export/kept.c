/* kept.c - the whole session as one JSON object.
 *
 * The same session gives the same bytes, in any store: fields have one order,
 * what is absent is left out, and there is nothing of the time or the place
 * where it was written. */
#include <assert.h>

#include "base/json.h"
#include "export/export.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/session/whole.h"

static const char *const shown_words[] = {
    [SHOWN_OFF] = "no", [SHOWN_ON] = "yes", [SHOWN_LEFT] = "left"};

/* ---- Fields -------------------------------------------------------------- */

static void name(struct buf *b, struct str key)
{
    buf_add(b, STR(",\""));
    buf_add(b, key);
    buf_add(b, STR("\":"));
}

static void text(struct buf *b, struct str key, struct str value)
{
    if (!value.p)
        return;
    name(b, key);
    buf_add_json(b, value);
}

static void number(struct buf *b, struct str key, bool has, int64_t value)
{
    if (!has)
        return;
    name(b, key);
    buf_add_i64(b, value);
}

static void flag(struct buf *b, struct str key, bool has, bool value)
{
    if (!has)
        return;
    name(b, key);
    shape_flag(b, true, value);
}

static void time(struct buf *b, struct str key, int64_t ms)
{
    name(b, key);
    shape_time(b, ms);
}

static void texts(struct buf *b, struct str key, const struct str *s, size_t n)
{
    if (n == 0)
        return;
    name(b, key);
    shape_strings(b, s, n);
}

/* ---- Messages ------------------------------------------------------------ */

static void image(struct buf *b, const struct message *m)
{
    if (!m->has_image)
        return;
    name(b, STR("imageSource"));
    buf_add(b, STR("{\"s3key\":"));
    buf_add_json(b, m->image_s3key);
    text(b, STR("slideId"), m->image_slide);
    number(b, STR("pageNumber"), m->has_image_page, m->image_page);
    buf_add_c(b, '}');
}

static void digest(struct buf *b, const struct message *m)
{
    if (!m->has_digest)
        return;
    name(b, STR("digest"));
    buf_add(b, STR("\"sha256:"));
    buf_add_hex(b, m->digest.b, SHA256_BYTES);
    buf_add_c(b, '"');
}

static void message(struct buf *b, const struct message *m)
{
    assert(m->shown <= SHOWN_LEFT);
    buf_add(b, STR("{\"id\":"));
    buf_add_json(b, m->id);
    text(b, STR("parentId"), m->parent);
    text(b, STR("shown"), str_c(shown_words[m->shown]));
    text(b, STR("role"), role_name(m->role));
    text(b, STR("status"), status_name(m->status));
    time(b, STR("createdAt"), m->created_ms);
    text(b, STR("content"), m->content);
    digest(b, m);
    flag(b, STR("lowConfidence"), m->has_low_confidence, m->low_confidence);
    text(b, STR("model"), m->model);
    text(b, STR("failure"), m->failure);
    number(b, STR("tokensIn"), m->tokens_in >= 0, m->tokens_in);
    number(b, STR("tokensOut"), m->tokens_out >= 0, m->tokens_out);
    number(b, STR("lateFrom"), m->late_from > 0, m->late_from);
    texts(b, STR("docRefs"), m->doc_refs, m->doc_refs_n);
    texts(b, STR("ragSourceIds"), m->rag_source_ids, m->rag_source_ids_n);
    texts(b, STR("webSourceIds"), m->web_source_ids, m->web_source_ids_n);
    image(b, m);
    if (m->sources_n) {
        name(b, STR("sources"));
        shape_sources(b, m->sources, m->sources_n, SOURCE_KEPT);
    }
    buf_add_c(b, '}');
}

/* ---- Searches ------------------------------------------------------------ */

static void event(struct buf *b, const struct event *e)
{
    buf_add(b, STR("{\"id\":"));
    buf_add_json(b, e->id);
    text(b, STR("userMessageId"), e->user_message);
    text(b, STR("answerId"), e->answer);
    text(b, STR("kind"), e->web ? STR("web") : STR("rag"));
    text(b, STR("query"), e->query);
    time(b, STR("createdAt"), e->created_ms);
    flag(b, STR("lowConfidence"), e->has_low_confidence, e->low_confidence);
    name(b, STR("numbers"));
    buf_add(b, e->numbers);
    if (e->coverage.p) {
        name(b, STR("coverage"));
        buf_add(b, e->coverage);
    }
    buf_add_c(b, '}');
}

/* ---- All of it ----------------------------------------------------------- */

void export_kept(struct buf *b, const struct whole *w, struct str owner)
{
    buf_add(b, STR("{\"footnote\":\"session\""));
    number(b, STR("version"), true, EXPORT_VERSION);
    text(b, STR("id"), w->id);
    text(b, STR("userId"), owner);
    text(b, STR("title"), w->title);
    text(b, STR("courseId"), w->course);
    text(b, STR("courseTitle"), w->course_title);
    time(b, STR("createdAt"), w->created_ms);
    time(b, STR("updatedAt"), w->active_ms);
    name(b, STR("messages"));
    buf_add_c(b, '[');
    for (size_t i = 0; i < w->messages_n; i++) {
        if (i)
            buf_add_c(b, ',');
        message(b, &w->messages[i]);
    }
    buf_add_c(b, ']');
    name(b, STR("retrievals"));
    buf_add_c(b, '[');
    for (size_t i = 0; i < w->events_n; i++) {
        if (i)
            buf_add_c(b, ',');
        event(b, &w->events[i]);
    }
    buf_add(b, STR("]}"));
}
