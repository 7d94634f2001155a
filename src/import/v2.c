/* v2.c - sources pooled by course, references to them, and messages.
 *
 *     chat_sessions, chat_messages    who said what
 *     ai.message_source_refs          number n of a message is that source
 *     ai.course_sources               the sources of a course, once each */
#include "import/message.h"
#include "import/staged.h"
#include "import/value.h"

enum { SESSIONS, MESSAGES, REFS, SOURCES };

static const struct alias aliases[] = {{"sourceId", {{"source_key"}}}};

/* A reference, with the row of its source. */
static enum footnote_rc read_ref(struct import *im, const struct row *row,
                                 struct found *out, bool *is_there,
                                 struct footnote_err *err)
{
    struct str id = TEXT_OF(row->o, "course_source_id");
    struct rows source = {.n = 0};

    if (id.p)
        TRY(staged_rows(im, SOURCES, id, &source, err));
    *is_there = source.n > 0;
    if (!*is_there) {
        import_note(im, IMPORT_LEFT_OUT, row, "source %.*s is not there",
                    STR_ARG(id));
        return FOOTNOTE_OK;
    }
    TRY(source_of(im, &source.items[0], source.items[0].o, aliases, 1,
                  &out->ref, err));
    out->row = row;
    out->same = id;
    out->has_number = value_whole(FIELD(row->o, "chunk_number"), &out->number);
    (void)value_time(FIELD(row->o, "created_at"), &out->created_ms);
    return FOOTNOTE_OK;
}

static enum footnote_rc add_refs(struct import *im,
                                 const struct rows_by_message *rows,
                                 struct message *m, struct footnote_err *err)
{
    struct found *found = arena_many(im->a, rows->n + 1, struct found);
    size_t n = 0;

    if (!found)
        return arena_rc(im->a, err);
    for (size_t i = 0; i < rows->n; i++) {
        bool is_there;

        TRY(read_ref(im, rows->items[i].row, &found[n], &is_there, err));
        n += is_there;
    }
    return number_found(im, found, n, &m->sources, &m->sources_n, err);
}

static enum footnote_rc read_messages(struct import *im,
                                      const struct rows *rows,
                                      const struct rows_by_message *refs,
                                      struct import_session *out,
                                      struct footnote_err *err)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct rows_by_message its;
        struct import_message *m;

        TRY(message_of_row(im, out, &rows->items[i], rows->items[i].o, &m,
                           err));
        if (!m || m->m.role != FOOTNOTE_ASSISTANT)
            continue;
        its = rows_of(refs, m->m.id);
        TRY(add_refs(im, &its, &m->m, err));
    }
    messages_sort(out);
    return FOOTNOTE_OK;
}

static enum footnote_rc read(struct import *im, struct str key,
                             struct import_session *out,
                             struct footnote_err *err)
{
    struct rows sessions, messages, refs;
    struct rows_by_message by_message;

    TRY(staged_rows(im, SESSIONS, key, &sessions, err));
    TRY(staged_rows(im, MESSAGES, key, &messages, err));
    TRY(staged_rows(im, REFS, key, &refs, err));
    TRY(group_rows(im, &refs, NAMES("message_id"), &by_message, err));
    if (sessions.n == 0) {
        for (size_t i = 0; i < messages.n; i++)
            import_note(im, IMPORT_LEFT_OUT, &messages.items[i],
                        "session %.*s is not there", STR_ARG(key));
        note_unused(im, &by_message);
        return FOOTNOTE_OK;
    }
    session_head(out, sessions.items[0].o);
    TRY(read_messages(im, &messages, &by_message, out, err));
    session_course(out);
    note_unused(im, &by_message);
    return FOOTNOTE_OK;
}

const struct import_kind import_v2 = {
    "v2",
    {{.names = {{"chat_sessions"}},
      .key = {{"id"}},
      .id = {{"id"}},
      .columns = {{"id"}},
      .needed = true,
      .by_session = true},
     {.names = {{"chat_messages"}},
      .key = {{"session_id"}},
      .id = {{"id"}},
      .columns = {{"id", "session_id", "role", "content"}},
      .needed = true,
      .by_session = true},
     {.names = {{"message_source_refs"}},
      .key = {{"session_id"}},
      .id = {{"id"}},
      .columns = {{"message_id", "session_id", "course_source_id",
                   "chunk_number"}},
      .needed = true,
      .by_session = true},
     {.names = {{"course_sources"}},
      .key = {{"id"}},
      .id = {{"id"}},
      .columns = {{"id", "course_id", "source_key", "source_type"}},
      .needed = true}},
    read,
    NULL};
