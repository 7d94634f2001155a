/* ui.c - chats of the AI SDK: messages that are lists of parts.
 *
 *     chats.jsonl       id, userId, title, createdAt and maybe messages
 *     messages.jsonl    the same messages, a row each, with their chatId
 *     parts.jsonl       parts of messages, a row each, with their messageId
 *
 * A source is a part of its message: "source-url", "source-document", or
 * "data-rag-source" with our own fields.  The first two have no numbers, and
 * get them in the order of the parts. */
#include <stdlib.h>

#include "import/message.h"
#include "import/staged.h"
#include "import/value.h"

enum { CHATS, MESSAGES, PARTS };

/* Where parts are rows, each kind of them has columns of its own. */
static const struct alias aliases[] = {
    {"title",
     {{"title", "filename", "source_url_title", "source_document_title",
       "source_document_filename"}}},
    {"sourceId",
     {{"sourceId", "source_id", "source_url_source_id",
       "source_document_source_id"}}},
    {"url", {{"url", "source_url_url"}}}};
enum { ALIASES_N = sizeof(aliases) / sizeof(aliases[0]) };

/* False when the part is no source. */
static bool source_part(const struct json *part, const struct json **fields,
                        enum footnote_type *type)
{
    struct str word = json_text(part, STR("type"));

    *fields = part;
    *type = FOOTNOTE_TEXT;
    if (str_eq(word, STR("source-document")))
        return true;
    if (str_eq(word, STR("source-url"))) {
        *type = FOOTNOTE_WEB;
        return true;
    }
    *fields = json_get(part, STR("data"));
    return str_eq(word, STR("data-rag-source")) && *fields &&
           (*fields)->type == JSON_OBJECT;
}

static enum footnote_rc add_part(struct import *im, const struct row *row,
                                 const struct json *part, struct found *list,
                                 size_t *n, struct footnote_err *err)
{
    const struct json *fields;
    struct found *f = &list[*n];
    enum footnote_type type;

    if (!source_part(part, &fields, &type))
        return FOOTNOTE_OK;
    TRY(source_of(im, row, fields, aliases, ALIASES_N, &f->ref, err));
    if (!field_named(fields, STR("sourceType")))
        f->ref.source.type = type;
    f->row = row;
    f->same = f->ref.source.id;
    f->has_number =
        value_whole(field_named(fields, STR("chunkNumber")), &f->number);
    f->created_ms = (int64_t)++ * n; /* their order */
    return FOOTNOTE_OK;
}

static enum footnote_rc add_sources(struct import *im, const struct row *row,
                                    const struct json *parts, struct message *m,
                                    struct footnote_err *err)
{
    struct found *list = arena_many(im->a, parts->n + 1, struct found);
    size_t n = 0;

    if (!list)
        return arena_rc(im->a, err);
    for (const struct json *p = parts->first; p; p = p->next)
        TRY(add_part(im, row, p, list, &n, err));
    return number_found(im, list, n, &m->sources, &m->sources_n, err);
}

static int64_t place_of(const struct row *row)
{
    int64_t place = 0;

    (void)value_whole(FIELD(row->o, "order", "index"), &place);
    return place;
}

static int by_place(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int64_t one = place_of(x), other = place_of(y);

    if (one != other)
        return one < other ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Each source keeps the row that it is in. */
static enum footnote_rc add_part_rows(struct import *im, struct message *m,
                                      struct footnote_err *err)
{
    struct found *list;
    struct rows parts;
    size_t n = 0;

    TRY(staged_rows(im, PARTS, m->id, &parts, err));
    if (parts.n)
        qsort(parts.items, parts.n, sizeof(*parts.items), by_place);
    list = arena_many(im->a, parts.n + 1, struct found);
    if (!list)
        return arena_rc(im->a, err);
    for (size_t i = 0; i < parts.n; i++) {
        const struct json *o = parts.items[i].o;
        struct str text = TEXT_OF(o, "text_text", "text");

        if (str_eq(TEXT_OF(o, "type"), STR("text")) && text.n)
            m->content = arena_printf(im->a, "%.*s%.*s", STR_ARG(m->content),
                                      STR_ARG(text));
        if (m->role == FOOTNOTE_ASSISTANT)
            TRY(add_part(im, &parts.items[i], o, list, &n, err));
    }
    TRY(arena_rc(im->a, err));
    return n ? number_found(im, list, n, &m->sources, &m->sources_n, err)
             : FOOTNOTE_OK;
}

static enum footnote_rc add_message(struct import *im, struct import_session *s,
                                    const struct row *row, const struct json *o,
                                    struct footnote_err *err)
{
    const struct json *parts;
    const struct json *meta = FIELD(o, "metadata");
    struct import_message *m;

    TRY(message_of_row(im, s, row, o, &m, err));
    if (!m)
        return FOOTNOTE_OK;
    if (!m->m.created_ms)
        (void)value_time(FIELD(meta, "createdAt"), &m->m.created_ms);
    if (value_parsed(im->a, FIELD(o, "parts"), &parts, NULL) != FOOTNOTE_OK)
        return row_refuse(im, row, err, "parts of message %.*s are no JSON",
                          STR_ARG(m->m.id));
    if (!parts || parts->type != JSON_ARRAY)
        return add_part_rows(im, &m->m, err);
    m->m.content = message_text(im->a, parts);
    if (m->m.role != FOOTNOTE_ASSISTANT)
        return FOOTNOTE_OK;
    return add_sources(im, row, parts, &m->m, err);
}

static enum footnote_rc read(struct import *im, struct str key,
                             struct import_session *out,
                             struct footnote_err *err)
{
    struct rows chats, messages;

    TRY(staged_rows(im, CHATS, key, &chats, err));
    TRY(staged_rows(im, MESSAGES, key, &messages, err));
    for (size_t i = 0; i < chats.n; i++) {
        const struct json *list = FIELD(chats.items[i].o, "messages");

        session_head(out, chats.items[i].o);
        if (!list || list->type != JSON_ARRAY)
            continue;
        for (const struct json *o = list->first; o; o = o->next)
            TRY(add_message(im, out, &chats.items[i], o, err));
    }
    for (size_t i = 0; i < messages.n; i++) {
        if (chats.n)
            TRY(add_message(im, out, &messages.items[i], messages.items[i].o,
                            err));
        else
            import_note(im, IMPORT_LEFT_OUT, &messages.items[i],
                        "chat %.*s is not there", STR_ARG(key));
    }
    if (messages.n)
        messages_sort(out);
    session_course(out);
    return FOOTNOTE_OK;
}

const struct import_kind import_ui = {
    "ui",
    {{.names = {{"chats", "chat", "Chat"}},
      .key = {{"id", "chatId", "chat_id", "_id"}},
      .id = {{"id"}},
      .needed = true,
      .by_session = true},
     {.names = {{"messages", "message_v2", "Message_v2"}},
      .key = {{"chatId", "chat_id"}},
      .id = {{"id"}},
      .by_session = true},
     {.names = {{"parts"}},
      .key = {{"messageId", "message_id"}},
      .id = {{"id"}}}},
    read,
    NULL};
