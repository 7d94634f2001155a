/* events.c - searches of their own, each for a message of a user.
 *
 *     sessions, messages      who said what
 *     retrieval_events        message_id (of the user), query, citations,
 *                             low_confidence
 *
 * A search belongs to the answer that follows its message, which shows what all
 * of them found, in order.  One whose answer never came is kept as well. */
#include "import/message.h"
#include "import/staged.h"
#include "import/value.h"

enum { SESSIONS, MESSAGES, EVENTS };

static const struct alias aliases[] = {
    {"sourceId", {{"source_id", "sourceId", "chunk_id", "chunkId", "id"}}},
    {"documentId", {{"document_id", "documentId", "doc_id", "docId"}}},
    {"title",
     {{"title", "document_title", "documentTitle", "document_name",
       "filename"}}},
    {"contentPreview",
     {{"content_preview", "contentPreview", "excerpt", "snippet", "text",
       "content"}}},
    {"slideNumber",
     {{"slide_number", "slideNumber", "page_number", "pageNumber", "page"}}}};
enum { ALIASES_N = sizeof(aliases) / sizeof(aliases[0]) };

/* What was numbered so far for the message: all its searches share numbers. */
struct numbered {
    struct str id[STORE_SOURCES_MAX];
    int64_t number[STORE_SOURCES_MAX];
    size_t n;
};

/* The number that the source has here: its own, unless another has it. */
static uint32_t settle(struct import *im, const struct row *row,
                       struct numbered *all, struct str id, int64_t wish)
{
    int64_t next = 1;
    bool taken = wish < 1 || wish > STORE_NUMBER_MAX;

    for (size_t i = 0; i < all->n; i++) {
        if (id.p && str_eq(all->id[i], id))
            return (uint32_t)all->number[i];
        taken |= all->number[i] == wish;
        if (all->number[i] >= next)
            next = all->number[i] + 1;
    }
    if (taken && wish != 0)
        import_note(im, IMPORT_CHANGED, row,
                    "number %lld is another source's; it has %lld now",
                    (long long)wish, (long long)next);
    all->id[all->n] = id;
    all->number[all->n++] = taken ? next : wish;
    return (uint32_t)(taken ? next : wish);
}

static enum footnote_rc citations_of(struct import *im, const struct row *row,
                                     const struct json **out,
                                     struct footnote_err *err)
{
    const struct json *v = FIELD(row->o, "citations", "sources", "results");

    if (value_parsed(im->a, v, out, NULL) != FOOTNOTE_OK)
        return row_refuse(im, row, err, "citations are no JSON");
    if (*out && (*out)->type != JSON_ARRAY && (*out)->type != JSON_NULL)
        return row_refuse(im, row, err, "citations are no list");
    return FOOTNOTE_OK;
}

static enum footnote_rc read_citations(struct import *im, const struct row *row,
                                       struct numbered *all,
                                       struct event_add *e,
                                       struct footnote_err *err)
{
    const struct json *list;
    struct reference *refs;

    TRY(citations_of(im, row, &list, err));
    if (!list || list->type != JSON_ARRAY)
        return FOOTNOTE_OK;
    if (list->n + all->n > STORE_SOURCES_MAX)
        return row_refuse(im, row, err,
                          "its message has over %d sources with it",
                          STORE_SOURCES_MAX);
    refs = arena_many(im->a, list->n + 1, struct reference);
    if (!refs)
        return arena_rc(im->a, err);
    e->sources = refs;
    for (const struct json *o = list->first; o; o = o->next) {
        struct reference *r = &refs[e->sources_n++];
        int64_t wish = 0;

        TRY(source_of(im, row, o, aliases, ALIASES_N, r, err));
        (void)value_whole(
            FIELD(o, "chunk_number", "chunkNumber", "number", "index"), &wish);
        r->number = settle(im, row, all, r->source.id, wish);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read_event(struct import *im, const struct row *row,
                                   const struct import_message *m, size_t i,
                                   struct numbered *all,
                                   struct footnote_err *err)
{
    struct event_add *e = &m->events[i];
    const struct json *o = row->o;
    struct str kind = TEXT_OF(o, "kind", "type", "mode");

    e->id = row->id.p ? row->id
                      : arena_printf(im->a, "%.*s:%zu", STR_ARG(m->m.id), i);
    e->query = TEXT_OF(o, "query", "question");
    if (!e->query.p)
        e->query = m->m.content;
    e->web = str_eq(kind, STR("web"));
    e->has_low_confidence = value_flag(
        FIELD(o, "low_confidence", "lowConfidence"), &e->low_confidence);
    (void)value_time(FIELD(o, "created_at", "createdAt", "timestamp"),
                     &m->events_ms[i]);
    return read_citations(im, row, all, e, err);
}

static int64_t time_of(const struct row *row)
{
    int64_t ms = 0;

    (void)value_time(FIELD(row->o, "created_at", "createdAt", "timestamp"),
                     &ms);
    return ms;
}

/* In the order of their times; there are few. */
static void sort_rows(struct rows *rows)
{
    for (size_t i = 1; i < rows->n; i++)
        for (size_t k = i;
             k && time_of(&rows->items[k - 1]) > time_of(&rows->items[k]);
             k--) {
            struct row row = rows->items[k];

            rows->items[k] = rows->items[k - 1];
            rows->items[k - 1] = row;
        }
}

static enum footnote_rc read_events(struct import *im, struct import_message *m,
                                    struct footnote_err *err)
{
    struct numbered *all = arena_new(im->a, struct numbered);
    struct rows rows;

    TRY(staged_rows(im, EVENTS, m->m.id, &rows, err));
    if (rows.n > STORE_SOURCES_MAX)
        return row_refuse(im, &rows.items[0], err,
                          "its message has %zu searches, at most %d", rows.n,
                          STORE_SOURCES_MAX);
    sort_rows(&rows);
    m->events = arena_many(im->a, rows.n + 1, struct event_add);
    m->events_ms = arena_many(im->a, rows.n + 1, int64_t);
    if (!all || !m->events || !m->events_ms)
        return arena_rc(im->a, err);
    for (size_t i = 0; i < rows.n; i++)
        TRY(read_event(im, &rows.items[i], m, i, all, err));
    m->events_n = rows.n;
    return arena_rc(im->a, err);
}

/* Notes the searches that name this message as left out. */
static enum footnote_rc leave_events(struct import *im, struct str message,
                                     const char *why, struct footnote_err *err)
{
    struct rows rows;

    TRY(staged_rows(im, EVENTS, message, &rows, err));
    for (size_t i = 0; i < rows.n; i++)
        import_note(im, IMPORT_LEFT_OUT, &rows.items[i], "message %.*s %s",
                    STR_ARG(message), why);
    return FOOTNOTE_OK;
}

static enum footnote_rc read(struct import *im, struct str key,
                             struct import_session *out,
                             struct footnote_err *err)
{
    struct rows sessions, messages;

    TRY(staged_rows(im, SESSIONS, key, &sessions, err));
    TRY(staged_rows(im, MESSAGES, key, &messages, err));
    if (sessions.n)
        session_head(out, sessions.items[0].o);
    for (size_t i = 0; i < messages.n; i++) {
        struct import_message *m;

        if (sessions.n == 0) {
            import_note(im, IMPORT_LEFT_OUT, &messages.items[i],
                        "session %.*s is not there", STR_ARG(key));
            TRY(leave_events(im, messages.items[i].id, "has no session", err));
            continue;
        }
        TRY(message_of_row(im, out, &messages.items[i], messages.items[i].o, &m,
                           err));
        if (m && m->m.role == FOOTNOTE_USER)
            TRY(read_events(im, m, err));
        else if (m)
            TRY(leave_events(im, m->m.id, "is no user's", err));
    }
    messages_sort(out);
    return FOOTNOTE_OK;
}

static enum footnote_rc strays(struct import *im, struct footnote_err *err)
{
    return staged_note_strays(im, EVENTS, MESSAGES, "message", err);
}

const struct import_kind import_events = {
    "events",
    {{.names = {{"sessions", "chat_sessions", "conversations"}},
      .key = {{"id", "session_id", "_id"}},
      .id = {{"id"}},
      .needed = true,
      .by_session = true},
     {.names = {{"messages", "chat_messages"}},
      .key = {{"session_id", "sessionId", "conversation_id", "conversationId",
               "chat_id"}},
      .id = {{"id", "message_id"}},
      .columns = {{"id", "role", "content"}},
      .needed = true,
      .by_session = true},
     {.names = {{"retrieval_events"}},
      .key = {{"message_id", "messageId", "user_message_id"}},
      .id = {{"id", "event_id"}},
      .columns = {{"message_id"}},
      .needed = true}},
    read,
    strays};
