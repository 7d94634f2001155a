/* journal.c - threads about a journal, as LanceDB has them
 * (examples/journal_dump.py writes these files).
 *
 *     threads.jsonl    thread_id, title, created_at, updated_at
 *     messages.jsonl   message_id, thread_id, timestamp, role, content and
 *                      doc_refs: absent, null, or a list of "date:title"
 *     entries.jsonl    date, title, text: what the references mean
 *
 * An entry that an answer was given becomes a source of it, with the words that
 * it has now. */
#include "base/utf8.h"
#include "import/message.h"
#include "import/staged.h"
#include "import/value.h"

enum { THREADS, MESSAGES, ENTRIES };

/* A title may have colons; a date has none. */
static bool split_ref(struct str ref, struct str *date, struct str *title)
{
    size_t at = str_find(ref, ':');

    if (at == 0 || at + 1 >= ref.n)
        return false;
    *date = (struct str){ref.p, at};
    *title = str_skip(ref, at + 1);
    return true;
}

/* The entry of that date with that title; out->o is NULL: there is none. */
static enum footnote_rc find_entry(struct import *im, struct str date,
                                   struct str title, struct row *out,
                                   struct footnote_err *err)
{
    struct rows rows;

    *out = (struct row){.o = NULL};
    TRY(staged_rows(im, ENTRIES, date, &rows, err));
    for (size_t i = 0; i < rows.n && !out->o; i++)
        if (str_eq(TEXT_OF(rows.items[i].o, "title"), title))
            *out = rows.items[i];
    return FOOTNOTE_OK;
}

static struct str preview_of(struct import *im, const struct row *entry)
{
    struct str text = TEXT_OF(entry->o, "text", "content");

    if (!text.p || text.n <= SOURCE_TEXT_BYTES_MAX)
        return text;
    import_note(im, IMPORT_CHANGED, entry,
                "has %zu bytes; the first %d are kept with an answer", text.n,
                SOURCE_TEXT_BYTES_MAX);
    text.n = SOURCE_TEXT_BYTES_MAX;
    text.n = utf8_whole(text);
    return text;
}

static enum footnote_rc add_ref(struct import *im, const struct row *row,
                                struct str ref, struct reference *list,
                                size_t *n, struct footnote_err *err)
{
    struct reference *r = &list[*n];
    struct row entry;
    struct str date, title;

    if (!split_ref(ref, &date, &title)) {
        import_note(im, IMPORT_CHANGED, row,
                    "\"%.*s\" is no date:title; kept without a source",
                    STR_ARG(ref));
        return FOOTNOTE_OK;
    }
    if (!im->has_table[ENTRIES])
        return FOOTNOTE_OK;
    TRY(find_entry(im, date, title, &entry, err));
    if (!entry.o) {
        import_note(im, IMPORT_CHANGED, row,
                    "there is no entry \"%.*s\"; kept without a source",
                    STR_ARG(ref));
        return FOOTNOTE_OK;
    }
    for (size_t i = 0; i < *n; i++)
        if (str_eq(list[i].source.date, date) &&
            str_eq(list[i].source.title, title))
            return FOOTNOTE_OK;
    r->number = (uint32_t)++ * n;
    r->source = (struct source){.type = FOOTNOTE_JOURNAL,
                                .date = date,
                                .title = title,
                                .preview = preview_of(im, &entry)};
    return FOOTNOTE_OK;
}

static enum footnote_rc read_refs(struct import *im, const struct row *row,
                                  struct message *m, struct footnote_err *err)
{
    const struct json *refs = FIELD(row->o, "doc_refs", "docRefs");
    struct reference *list;
    size_t n = 0;

    if (!refs)
        return FOOTNOTE_OK;
    if (!value_texts(im->a, refs, &m->doc_refs, &m->doc_refs_n))
        return row_refuse(im, row, err, "doc_refs is no list of texts");
    list = arena_many(im->a, m->doc_refs_n + 1, struct reference);
    if (!list)
        return arena_rc(im->a, err);
    for (size_t i = 0; i < m->doc_refs_n && m->role == FOOTNOTE_ASSISTANT; i++)
        TRY(add_ref(im, row, m->doc_refs[i], list, &n, err));
    m->sources = list;
    m->sources_n = n;
    return FOOTNOTE_OK;
}

static enum footnote_rc read(struct import *im, struct str key,
                             struct import_session *out,
                             struct footnote_err *err)
{
    struct rows threads, messages;

    TRY(staged_rows(im, THREADS, key, &threads, err));
    TRY(staged_rows(im, MESSAGES, key, &messages, err));
    if (threads.n)
        session_head(out, threads.items[0].o);
    for (size_t i = 0; i < messages.n; i++) {
        struct import_message *m;

        if (threads.n == 0) {
            import_note(im, IMPORT_LEFT_OUT, &messages.items[i],
                        "thread %.*s is not there", STR_ARG(key));
            continue;
        }
        TRY(message_of_row(im, out, &messages.items[i], messages.items[i].o, &m,
                           err));
        if (m)
            TRY(read_refs(im, &messages.items[i], &m->m, err));
    }
    messages_sort(out);
    return FOOTNOTE_OK;
}

const struct import_kind import_journal = {
    "journal",
    {{.names = {{"threads"}},
      .key = {{"thread_id", "threadId"}},
      .id = {{"thread_id", "threadId"}},
      .needed = true,
      .by_session = true},
     {.names = {{"messages"}},
      .key = {{"thread_id", "threadId"}},
      .id = {{"message_id", "messageId"}},
      .needed = true,
      .by_session = true},
     {.names = {{"entries"}}, .key = {{"date"}}, .id = {{"id", "entry_id"}}}},
    read,
    NULL};
