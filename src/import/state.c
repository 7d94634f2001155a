/* state.c - the state of a graph, as MongoDB or Redis have it.
 *
 * A value is a thread with its messages, or a message that names its thread.
 * What an answer rests on stands in it (image_source, rag_source_ids), or
 * beside all messages by their ids (sources_data), in a flat form.  Pictures
 * stay where they are: under their own keys. */
#include "import/message.h"
#include "import/staged.h"
#include "import/value.h"

enum { STATE };

/* {"s3key", "slide_id" or "slideId", "page_number"}. */
static enum footnote_rc read_image(struct import *im, const struct row *row,
                                   const struct json *o, struct message *m,
                                   struct footnote_err *err)
{
    const struct json *page = FIELD(o, "page_number", "pageNumber", "page");
    struct str s3key = TEXT_OF(o, "s3key", "s3_key");

    if (!s3key.p || m->has_image)
        return FOOTNOTE_OK;
    m->has_image = true;
    m->image_s3key = s3key;
    m->image_slide = TEXT_OF(o, "slide_id", "slideId");
    m->has_image_page = page != NULL;
    if (page && !value_whole(page, &m->image_page))
        return row_refuse(im, row, err, "page_number of %.*s is no number",
                          STR_ARG(m->id));
    return FOOTNOTE_OK;
}

static enum footnote_rc read_ids(struct import *im, const struct row *row,
                                 const struct json *list,
                                 const struct str **out, size_t *n,
                                 struct footnote_err *err)
{
    if (!list || *n)
        return FOOTNOTE_OK;
    if (value_texts(im->a, list, out, n))
        return FOOTNOTE_OK;
    return row_refuse(im, row, err, "%.*s is no list of ids",
                      STR_ARG(list->key));
}

/* What `o` says of the message: the message itself, or its sources_data. */
static enum footnote_rc read_facts(struct import *im, const struct row *row,
                                   const struct json *o, struct message *m,
                                   struct footnote_err *err)
{
    const struct json *image = FIELD(o, "image_source", "imageSource");

    TRY(read_ids(im, row, FIELD(o, "rag_source_ids", "ragSourceIds"),
                 &m->rag_source_ids, &m->rag_source_ids_n, err));
    TRY(read_ids(im, row, FIELD(o, "web_source_ids", "webSourceIds"),
                 &m->web_source_ids, &m->web_source_ids_n, err));
    if (image)
        TRY(read_image(im, row, image, m, err));
    TRY(read_image(im, row, o, m, err));
    if (!m->created_ms)
        (void)value_time(FIELD(o, "timestamp"), &m->created_ms);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_sources(struct import *im, const struct row *row,
                                     const struct json *list, struct message *m,
                                     struct footnote_err *err)
{
    struct found *found;
    size_t n = 0;

    if (!list || list->type != JSON_ARRAY || m->role != FOOTNOTE_ASSISTANT)
        return FOOTNOTE_OK;
    found = arena_many(im->a, list->n + 1, struct found);
    if (!found)
        return arena_rc(im->a, err);
    for (const struct json *o = list->first; o; o = o->next) {
        struct found *f = &found[n++];

        TRY(source_of(im, row, o, NULL, 0, &f->ref, err));
        f->row = row;
        f->same = f->ref.source.id;
        f->has_number =
            value_whole(field_named(o, STR("chunkNumber")), &f->number);
    }
    return number_found(im, found, n, &m->sources, &m->sources_n, err);
}

static enum footnote_rc add_message(struct import *im, struct import_session *s,
                                    const struct row *row, const struct json *o,
                                    const struct json *facts,
                                    struct footnote_err *err)
{
    const struct json *data = FIELD(o, "data", "kwargs");
    struct import_message *m;

    /* {"type": "ai", "data": {...}}, as messages are dumped. */
    if (data && data->type == JSON_OBJECT && !FIELD(o, "content"))
        o = data;
    TRY(message_of_row(im, s, row, o, &m, err));
    if (!m)
        return FOOTNOTE_OK;
    TRY(read_facts(im, row, o, &m->m, err));
    if (facts)
        TRY(read_facts(im, row, facts, &m->m, err));
    return read_sources(im, row, FIELD(o, "sources"), &m->m, err);
}

/* ---- A thread ------------------------------------------------------------ */

/* The object that has the messages: the thread itself, or its state. */
static const struct json *state_of(const struct json *o)
{
    static const struct names inner = {
        {"channel_values", "values", "state", "checkpoint"}};

    for (int depth = 0; depth < 3 && o && !FIELD(o, "messages"); depth++)
        o = field(o, &inner);
    return o;
}

static enum footnote_rc add_thread(struct import *im, struct import_session *s,
                                   const struct row *row,
                                   struct footnote_err *err)
{
    const struct json *state = state_of(row->o);
    const struct json *list = FIELD(state, "messages");
    const struct json *facts = FIELD(state, "sources_data", "sourcesData");

    if (!facts)
        facts = FIELD(row->o, "sources_data", "sourcesData");
    session_head(s, row->o);
    if (!list || list->type != JSON_ARRAY) {
        import_note(im, IMPORT_LEFT_OUT, row, "messages is no list");
        return FOOTNOTE_OK;
    }
    for (const struct json *o = list->first; o; o = o->next) {
        struct str id = TEXT_OF(o, "id", "_id");

        TRY(add_message(im, s, row, o, id.p ? json_get(facts, id) : NULL, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read(struct import *im, struct str key,
                             struct import_session *out,
                             struct footnote_err *err)
{
    struct rows rows;

    TRY(staged_rows(im, STATE, key, &rows, err));
    for (size_t i = 0; i < rows.n; i++) {
        const struct row *row = &rows.items[i];
        bool is_message =
            FIELD(row->o, "content", "data") && FIELD(row->o, "type", "role");

        if (!is_message) {
            TRY(add_thread(im, out, row, err));
            continue;
        }
        if (!FIELD(row->o, "thread_id", "threadId", "session_id", "sessionId",
                   "conversation_id")) {
            import_note(im, IMPORT_LEFT_OUT, row, "a message names no thread");
            continue;
        }
        if (!out->user.p)
            out->user = TEXT_OF(row->o, "user_id", "userId");
        if (!out->course.p)
            out->course = TEXT_OF(row->o, "course_id", "courseId");
        TRY(add_message(im, out, row, row->o, NULL, err));
    }
    session_course(out);
    return FOOTNOTE_OK;
}

const struct import_kind import_state = {
    "state",
    {{.names = {{"threads", "state", "sessions", "conversations"}},
      .key = {{"thread_id", "threadId", "session_id", "sessionId",
               "conversation_id", "_id"}},
      .id = {{"_id", "id"}},
      .needed = true,
      .by_session = true}},
    read,
    NULL};
