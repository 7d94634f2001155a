/* v1.c - sources of each message in one table, texts in sessions of Agno.
 *
 *     ai.message_sources   a row for each source that an answer was given
 *     --texts              sessions with their runs, or with their messages
 *
 * Without texts the sources wait for them: a message is made that nobody is
 * shown before it is saved with its text. */
#include <stdlib.h>

#include "import/message.h"
#include "import/staged.h"
#include "import/value.h"

enum { SOURCES, TEXTS };

static const struct alias aliases[] = {{"sourceId", {{"source_id"}}}};

/* The sources of a message, by what is written in their rows. */
static enum footnote_rc add_sources(struct import *im,
                                    const struct rows_by_message *rows,
                                    struct message *m, struct footnote_err *err)
{
    struct found *found = arena_many(im->a, rows->n + 1, struct found);

    if (!found)
        return arena_rc(im->a, err);
    for (size_t i = 0; i < rows->n; i++) {
        struct found *f = &found[i];

        f->row = rows->items[i].row;
        TRY(source_of(im, f->row, f->row->o, aliases, 1, &f->ref, err));
        f->same = f->ref.source.id;
        f->has_number =
            value_whole(FIELD(f->row->o, "chunk_number"), &f->number);
        (void)value_time(FIELD(f->row->o, "created_at"), &f->created_ms);
    }
    return number_found(im, found, rows->n, &m->sources, &m->sources_n, err);
}

/* ---- With texts ---------------------------------------------------------- */

static bool is_there(const struct import_session *s, struct str id)
{
    for (size_t i = 0; i < s->messages_n; i++)
        if (str_eq(s->messages[i].m.id, id))
            return true;
    return false;
}

/* Each run repeats what was said before; an answer without a text is a step on
 * the way to one, unless it has sources. */
static enum footnote_rc add_message(struct import *im, struct import_session *s,
                                    const struct row *row, const struct json *o,
                                    const struct rows_by_message *sources,
                                    struct footnote_err *err)
{
    struct str role = TEXT_OF(o, "role");
    struct import_message *m;
    struct rows_by_message its;
    bool repeated = false;

    (void)value_flag(FIELD(o, "from_history"), &repeated);
    if (repeated || str_eq(role, STR("system")) ||
        is_there(s, TEXT_OF(o, "id")))
        return FOOTNOTE_OK;
    TRY(message_of_row(im, s, row, o, &m, err));
    if (!m)
        return FOOTNOTE_OK;
    its = m->m.role == FOOTNOTE_ASSISTANT ? rows_of(sources, m->m.id)
                                          : (struct rows_by_message){.n = 0};
    if (its.n)
        return add_sources(im, &its, &m->m, err);
    if (m->m.content.n == 0)
        s->messages_n--;
    return FOOTNOTE_OK;
}

static enum footnote_rc add_list(struct import *im, struct import_session *s,
                                 const struct row *row, const struct json *list,
                                 const struct rows_by_message *sources,
                                 struct footnote_err *err)
{
    if (!list || list->type != JSON_ARRAY)
        return FOOTNOTE_OK;
    for (const struct json *o = list->first; o; o = o->next)
        TRY(add_message(im, s, row, o, sources, err));
    return FOOTNOTE_OK;
}

static enum footnote_rc add_texts(struct import *im, struct import_session *s,
                                  const struct row *row,
                                  const struct rows_by_message *sources,
                                  struct footnote_err *err)
{
    const struct json *runs, *data;

    TRY(value_parsed(im->a, FIELD(row->o, "runs"), &runs, err));
    TRY(value_parsed(im->a, FIELD(row->o, "session_data"), &data, err));
    session_head(s, row->o);
    if (data && data->type == JSON_OBJECT && !s->title.p)
        s->title = TEXT_OF(data, "session_name");
    if (!runs && FIELD(row->o, "role"))
        return add_message(im, s, row, row->o, sources, err);
    if (!runs || runs->type != JSON_ARRAY)
        return add_list(im, s, row, FIELD(row->o, "messages"), sources, err);
    for (const struct json *run = runs->first; run; run = run->next)
        TRY(add_list(im, s, row, json_get(run, STR("messages")), sources, err));
    return FOOTNOTE_OK;
}

/* ---- Without ------------------------------------------------------------- */

/* The time of its first source. */
static int64_t time_of(const struct rows_by_message *rows)
{
    int64_t first = 0, ms;

    for (size_t i = 0; i < rows->n; i++)
        if (value_time(FIELD(rows->items[i].row->o, "created_at"), &ms) &&
            (!first || ms < first))
            first = ms;
    return first;
}

static enum footnote_rc add_placeholders(struct import *im,
                                         struct import_session *s,
                                         const struct rows_by_message *sources,
                                         struct footnote_err *err)
{
    for (size_t i = 0; i < sources->n;) {
        struct str id = sources->items[i].message;
        struct rows_by_message its = rows_of(sources, id);
        struct import_message *m;

        i += its.n ? its.n : 1;
        if (!id.p) {
            sources->items[i - 1].used = false;
            continue;
        }
        m = message_add(im, s);
        if (!m)
            return err_set(err, FOOTNOTE_TOOBIG, "over %d messages",
                           IMPORT_MESSAGES_MAX);
        m->m = (struct message){
            .id = id, .role = FOOTNOTE_ASSISTANT, .created_ms = time_of(&its)};
        TRY(add_sources(im, &its, &m->m, err));
    }
    messages_sort(s);
    return FOOTNOTE_OK;
}

/* ---- The session --------------------------------------------------------- */

static enum footnote_rc read(struct import *im, struct str key,
                             struct import_session *out,
                             struct footnote_err *err)
{
    struct rows sources, texts;
    struct rows_by_message by_message;

    TRY(staged_rows(im, SOURCES, key, &sources, err));
    TRY(staged_rows(im, TEXTS, key, &texts, err));
    TRY(group_rows(im, &sources, NAMES("message_id"), &by_message, err));
    if (!im->has_table[TEXTS])
        TRY(add_placeholders(im, out, &by_message, err));
    for (size_t i = 0; i < texts.n; i++)
        TRY(add_texts(im, out, &texts.items[i], &by_message, err));
    session_course(out);
    note_unused(im, &by_message);
    return FOOTNOTE_OK;
}

const struct import_kind import_v1 = {
    "v1",
    {{.names = {{"message_sources"}},
      .key = {{"session_id"}},
      .id = {{"id"}},
      .columns = {{"message_id", "session_id", "source_id", "source_type",
                   "chunk_number"}},
      .needed = true,
      .by_session = true},
     {.names = {{"agno_sessions"}},
      .key = {{"session_id"}},
      .id = {{"session_id", "id"}},
      .by_session = true,
      .is_texts = true}},
    read,
    NULL};
