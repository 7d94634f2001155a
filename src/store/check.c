/* check.c - refusing bad input. */
#include <assert.h>

#include "base/utf8.h"
#include "base/uuid.h"
#include "store/check.h"
#include "store/session/message.h"

enum footnote_rc check_text(struct str s, size_t max, const char *what,
                            struct footnote_err *err)
{
    if (!s.p)
        return FOOTNOTE_OK;
    if (s.n > max)
        return err_field(err, FOOTNOTE_TOOBIG, what, "%zu bytes, at most %zu",
                         s.n, max);
    if (str_find(s, '\0') != s.n)
        return err_field(err, FOOTNOTE_INVALID, what, "has a NUL byte");
    if (!utf8_valid(s))
        return err_field(err, FOOTNOTE_INVALID, what, "is not UTF-8");
    return FOOTNOTE_OK;
}

enum footnote_rc check_id(struct str s, const char *what,
                          struct footnote_err *err)
{
    if (s.p && (s.n == 0 || s.n > STORE_ID_BYTES_MAX))
        return err_field(err, FOOTNOTE_INVALID, what, "%zu bytes, 1 to %d", s.n,
                         STORE_ID_BYTES_MAX);
    return check_text(s, STORE_ID_BYTES_MAX, what, err);
}

bool id_can_be(struct str s)
{
    return s.p && check_id(s, "", NULL) == FOOTNOTE_OK;
}

static enum footnote_rc check_ids(const struct str *s, size_t n,
                                  const char *what, struct footnote_err *err)
{
    if (n > STORE_IDS_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, what, "%zu of them, at most %d",
                         n, STORE_IDS_MAX);
    for (size_t i = 0; i < n; i++) {
        if (!s[i].p)
            return err_field(err, FOOTNOTE_INVALID, what, "one is missing");
        TRY(check_text(s[i], STORE_TITLE_BYTES_MAX, what, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc check_image(const struct message *m,
                                    struct footnote_err *err)
{
    bool any = m->has_image || m->image_s3key.p || m->image_slide.p ||
               m->has_image_page;

    if (!any)
        return FOOTNOTE_OK;
    if (!m->has_image || !m->image_s3key.p)
        return err_field(err, FOOTNOTE_INVALID, "imageSource", "has no s3key");
    if (m->has_image_page && (m->image_page < 0 || m->image_page > INT32_MAX))
        return err_field(err, FOOTNOTE_INVALID, "imageSource", "no such page");
    TRY(check_text(m->image_s3key, SOURCE_LABEL_BYTES_MAX, "s3key", err));
    return check_id(m->image_slide, "slideId", err);
}

/* Without a default, so that the compiler asks about a new status. */
bool status_is_end(enum footnote_status s)
{
    switch (s) {
    case FOOTNOTE_COMPLETE:
    case FOOTNOTE_STOPPED:
    case FOOTNOTE_FAILED:
    case FOOTNOTE_INTERRUPTED: return true;
    case FOOTNOTE_STREAMING: return false;
    }
    return false;
}

enum footnote_rc check_message(const struct message *m,
                               struct footnote_err *err)
{
    size_t max = m->role == FOOTNOTE_USER ? STORE_QUESTION_BYTES_MAX
                                          : STORE_CONTENT_BYTES_MAX;

    if (m->role < FOOTNOTE_USER || m->role > FOOTNOTE_SYSTEM)
        return err_field(err, FOOTNOTE_INVALID, "role", "%d does not exist",
                         (int)m->role);
    if (!status_is_end(m->status) && m->status != FOOTNOTE_STREAMING)
        return err_field(err, FOOTNOTE_INVALID, "status", "%d does not exist",
                         (int)m->status);
    if (m->status == FOOTNOTE_STREAMING && m->role != FOOTNOTE_ASSISTANT)
        return err_field(err, FOOTNOTE_INVALID, "status",
                         "only answers stream");
    if (m->created_ms < 0)
        return err_field(err, FOOTNOTE_INVALID, "createdAt", "before 1970");
    if (m->sources_n > 0 && m->role != FOOTNOTE_ASSISTANT)
        return err_field(err, FOOTNOTE_INVALID, "sources",
                         "only answers have any");
    if (!m->content.p && m->status != FOOTNOTE_STREAMING)
        return err_field(err, FOOTNOTE_INVALID, "content", "is missing");
    TRY(check_id(m->id, "id", err));
    if (m->parent.n) /* "" is none */
        TRY(check_id(m->parent, "parentId", err));
    TRY(check_text(m->content, max, "content", err));
    TRY(check_ids(m->doc_refs, m->doc_refs_n, "docRefs", err));
    TRY(check_ids(m->rag_source_ids, m->rag_source_ids_n, "ragSourceIds", err));
    TRY(check_ids(m->web_source_ids, m->web_source_ids_n, "webSourceIds", err));
    return check_image(m, err);
}

struct str id_or_new(struct str brought, char buffer[STORE_ID_BYTES_MAX + 1])
{
    if (!brought.p) {
        uuid_v7(buffer);
        return str_c(buffer);
    }
    assert(brought.n <= STORE_ID_BYTES_MAX);
    memcpy(buffer, brought.p, brought.n);
    buffer[brought.n] = '\0';
    return (struct str){buffer, brought.n};
}

enum footnote_rc id_copy(struct str stored, char buffer[STORE_ID_BYTES_MAX + 1],
                         struct footnote_err *err)
{
    if (!id_can_be(stored))
        return err_set(err, FOOTNOTE_DAMAGED, "a stored id is damaged");
    id_or_new(stored, buffer);
    return FOOTNOTE_OK;
}
