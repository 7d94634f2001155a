/* shape.c - messages, sessions and courses as JSON.
 *
 * Keys are written as text that is JSON already, so that a history costs
 * little more than copying its strings. */
#include "http/shape/shape.h"

#include <assert.h>

#include "base/clock.h"
#include "base/json.h"
#include "http/shape/names.h"
#include "http/shape/scope.h"
#include "store/answer/event.h"
#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/session/session.h"

/* ---- Small parts -------------------------------------------------------- */

static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (c && strchr("-._~", c));
}

void shape_path(struct buf *b, struct str id)
{
    for (size_t i = 0; i < id.n; i++) {
        if (is_unreserved(id.p[i]))
            buf_add_c(b, id.p[i]);
        else
            buf_printf(b, "%%%02X", (unsigned char)id.p[i]);
    }
}

void shape_str(struct buf *b, struct str s)
{
    if (s.p)
        buf_add_json(b, s);
    else
        buf_add(b, STR("null"));
}

void shape_unavailable(struct buf *b, bool words_alone, bool not_reranked)
{
    if (!words_alone && !not_reranked)
        return;
    buf_add(b, STR(",\"unavailable\":["));
    if (words_alone)
        buf_add(b, STR("\"embedder\""));
    if (not_reranked)
        buf_add(b, words_alone ? STR(",\"reranker\"") : STR("\"reranker\""));
    buf_add_c(b, ']');
}

void shape_time(struct buf *b, int64_t wall_ms)
{
    char text[CLOCK_TEXT + 1];

    clock_text(wall_ms, text);
    buf_add_c(b, '"');
    buf_add(b, (struct str){text, CLOCK_TEXT});
    buf_add_c(b, '"');
}

void shape_flag(struct buf *b, bool has, bool v)
{
    buf_add(b, !has ? STR("null") : v ? STR("true") : STR("false"));
}

void shape_next(struct buf *b, struct str next)
{
    buf_add(b, STR(",\"nextCursor\":"));
    shape_str(b, next);
    buf_add_c(b, '}');
}

void shape_i64(struct buf *b, bool has, int64_t v)
{
    if (has)
        buf_add_i64(b, v);
    else
        buf_add(b, STR("null"));
}

void shape_strings(struct buf *b, const struct str *s, size_t n)
{
    buf_add_c(b, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add_c(b, ',');
        buf_add_json(b, s[i]);
    }
    buf_add_c(b, ']');
}

void shape_numbers(struct buf *b, const uint32_t *list, size_t n)
{
    buf_add_c(b, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_add_c(b, ',');
        buf_add_i64(b, list[i]);
    }
    buf_add_c(b, ']');
}

/* ---- Messages ----------------------------------------------------------- */

bool shape_is_listed(const struct message *m)
{
    return m->content.p || m->status == FOOTNOTE_STREAMING;
}

void shape_image(struct buf *b, const struct message *m, bool snake)
{
    assert(m->has_image);
    buf_add(b, STR("{\"s3key\":"));
    shape_str(b, m->image_s3key);
    buf_add(b, snake ? STR(",\"slide_id\":") : STR(",\"slideId\":"));
    shape_str(b, m->image_slide);
    buf_add(b, snake ? STR(",\"page_number\":") : STR(",\"pageNumber\":"));
    shape_i64(b, m->has_image_page, m->image_page);
}

/* The link to the picture is null: links are made when they are asked for. */
static void add_image(struct buf *b, const struct message *m)
{
    if (!m->has_image) {
        buf_add(b, STR("null"));
        return;
    }
    shape_image(b, m, false);
    buf_add(b, STR(",\"url\":null}"));
}

/* "id", "role", "content" and "createdAt": where every form begins. */
static void add_head(struct buf *b, const struct message *m)
{
    buf_add(b, STR("{\"id\":"));
    buf_add_json(b, m->id);
    buf_add(b, STR(",\"role\":"));
    buf_add_json(b, role_name(m->role));
    buf_add(b, STR(",\"content\":"));
    shape_str(b, m->content);
    buf_add(b, STR(",\"createdAt\":"));
    shape_time(b, m->created_ms);
}

void shape_message(struct buf *b, const struct message *m)
{
    add_head(b, m);
    buf_add(b, STR(",\"status\":"));
    buf_add_json(b, status_name(m->status));
    buf_add(b, STR(",\"failure\":"));
    shape_str(b, m->failure);
    buf_add(b, STR(",\"replacedBy\":"));
    shape_str(b, m->replaced_by);
    buf_add(b, STR(",\"parentId\":"));
    shape_str(b, m->parent);
    buf_add(b, STR(",\"lowConfidence\":"));
    shape_flag(b, m->has_low_confidence, m->low_confidence);
    buf_add(b, STR(",\"docRefs\":"));
    shape_strings(b, m->doc_refs, m->doc_refs_n);
    buf_add(b, STR(",\"ragSourceIds\":"));
    shape_strings(b, m->rag_source_ids, m->rag_source_ids_n);
    buf_add(b, STR(",\"webSourceIds\":"));
    shape_strings(b, m->web_source_ids, m->web_source_ids_n);
    buf_add(b, m->has_digest ? STR(",\"digest\":\"sha256:")
                             : STR(",\"digest\":null"));
    if (m->has_digest) {
        buf_add_hex(b, m->digest.b, SHA256_BYTES);
        buf_add_c(b, '"');
    }
    buf_add(b, STR(",\"imageSource\":"));
    add_image(b, m);
    if (m->role == FOOTNOTE_ASSISTANT) {
        buf_add(b, STR(",\"sources\":"));
        shape_sources(b, m->sources, m->sources_n, SOURCE_CAMEL);
        buf_add(b, STR(",\"verdicts\":"));
        shape_verdicts(b, m);
        buf_add(b, STR(",\"unknownNumbers\":"));
        shape_numbers(b, m->unknown, m->unknown_n);
        shape_feedback(b, m);
    }
    if (m->scope.p) {
        buf_add(b, STR(",\"scope\":"));
        shape_scope(b, m->scope);
    }
    buf_add_c(b, '}');
}

void shape_event(struct buf *b, const struct event *e)
{
    buf_add(b, STR("{\"id\":"));
    buf_add_json(b, e->id);
    buf_add(b, STR(",\"userMessageId\":"));
    shape_str(b, e->user_message);
    buf_add(b, STR(",\"answerId\":"));
    shape_str(b, e->answer);
    buf_add(b, STR(",\"kind\":"));
    buf_add(b, e->web ? STR("\"web\"") : STR("\"rag\""));
    buf_add(b, STR(",\"query\":"));
    shape_str(b, e->query);
    buf_add(b, STR(",\"lowConfidence\":"));
    shape_flag(b, e->has_low_confidence, e->low_confidence);
    buf_add(b, STR(",\"coverage\":"));
    buf_add(b, e->coverage.p ? e->coverage : STR("null"));
    buf_add(b, STR(",\"createdAt\":"));
    shape_time(b, e->created_ms);
    buf_add(b, STR(",\"sources\":"));
    shape_sources(b, e->sources, e->sources_n, SOURCE_CAMEL);
    buf_add_c(b, '}');
}

/* ---- Sessions ----------------------------------------------------------- */

void shape_session_fields(struct buf *b, const struct session *s)
{
    buf_add(b, STR("\"id\":"));
    buf_add_json(b, s->id);
    buf_add(b, STR(",\"courseId\":"));
    shape_str(b, s->course);
    buf_add(b, STR(",\"title\":"));
    shape_str(b, s->title);
    buf_add(b, STR(",\"status\":"));
    buf_add(b, s->running ? STR("\"running\"") : STR("\"idle\""));
    buf_add(b, STR(",\"createdAt\":"));
    shape_time(b, s->created_ms);
    buf_add(b, STR(",\"updatedAt\":"));
    shape_time(b, s->active_ms);
}

void shape_session(struct buf *b, const struct session *s)
{
    buf_add_c(b, '{');
    shape_session_fields(b, s);
    buf_add_c(b, '}');
}

void shape_detail(struct buf *b, const struct history *h)
{
    bool more = false;

    buf_add_c(b, '{');
    shape_session_fields(b, &h->head);
    buf_add(b, STR(",\"history\":["));
    for (size_t i = 0; i < h->messages_n; i++) {
        const struct message *m = &h->messages[i];

        if (!shape_is_listed(m))
            continue;
        if (more)
            buf_add_c(b, ',');
        more = true;
        add_head(b, m);
        buf_add(b, STR(",\"citations\":"));
        if (m->role == FOOTNOTE_ASSISTANT)
            shape_sources(b, m->sources, m->sources_n, SOURCE_CAMEL);
        else
            buf_add(b, STR("null"));
        buf_add(b, STR(",\"lowConfidence\":"));
        shape_flag(b, m->has_low_confidence, m->low_confidence);
        if (m->has_image) {
            buf_add(b, STR(",\"imageSource\":"));
            add_image(b, m);
        }
        buf_add_c(b, '}');
    }
    buf_add(b, STR("]}"));
}

/* ---- Courses ------------------------------------------------------------ */

void shape_course(struct buf *b, const struct course *c)
{
    buf_add(b, STR("{\"id\":"));
    buf_add_json(b, c->id);
    buf_add(b, STR(",\"title\":"));
    shape_str(b, c->title);
    buf_add(b, STR(",\"description\":"));
    shape_str(b, c->description);
    buf_add(b, STR(",\"ownerId\":"));
    shape_str(b, c->owner);
    buf_add(b, STR(",\"role\":"));
    shape_str(b, member_role_name(c->role));
    buf_add(b, STR(",\"createdAt\":"));
    shape_time(b, c->created_ms);
    buf_add(b, STR(",\"insights\":"));
    shape_flag(b, true, c->insights);
    buf_add(b, STR(",\"archivedAt\":"));
    if (c->archived_ms)
        shape_time(b, c->archived_ms);
    else
        buf_add(b, STR("null"));
    buf_add_c(b, '}');
}

void shape_member(struct buf *b, const struct member *m)
{
    buf_add(b, STR("{\"userId\":"));
    buf_add_json(b, m->user);
    buf_add(b, STR(",\"role\":"));
    shape_str(b, member_role_name(m->role));
    buf_add(b, STR(",\"origin\":"));
    shape_str(b, m->origin == MEMBER_BY_GROUPS ? STR("oidc") : STR("hand"));
    buf_add_c(b, '}');
}
