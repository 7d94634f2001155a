/* demo.c - fills an empty database with something to look at.
 *
 * It uses the operations of any client, as the user of --auth none.  Every user
 * may read the course.  Its documents are queued for the workers like any
 * others.  Ids are fixed, so that pages and examples can name them. */
#include "cli/demo.h"
#include "cli/cli.h"

#include <assert.h>
#include <stdio.h>

#include "ingest/format/formats.h"
#include "ingest/format/journal.h"
#include "store/document/document.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/session/session.h"

enum { LIST_BYTES_MAX = 16 * 1024 * 1024 };

static struct who owner(void)
{
    return (struct who){STR("default"), STR("local")};
}

/* ---- Documents ----------------------------------------------------------- */

/* Deletes the new objects when the document keeps older ones. */
static enum footnote_rc put_document(struct store *st, struct objects *objects,
                                     struct document_put *put,
                                     struct footnote_err *err)
{
    const struct document *d = &put->document;
    enum footnote_rc rc = store_write(st, owner(), OP(document_put), put, err);

    if (rc == FOOTNOTE_UNSURE)
        return rc;
    if (!put->keeps)
        (void)object_delete(objects, d->object_key, NULL);
    if (d->media.object_key.p && !put->keeps_media)
        (void)object_delete(objects, d->media.object_key, NULL);
    return rc;
}

/* `recording` is NULL for what has none. */
static enum footnote_rc add_document(struct store *st, struct objects *objects,
                                     const struct document *what,
                                     struct str bytes,
                                     const struct embed *recording,
                                     struct footnote_err *err)
{
    struct document_put put = {.document = *what, .queue = true};
    struct document *d = &put.document;
    struct object o, sound;

    TRY(object_store(objects, bytes, &o, err));
    if (recording) {
        enum footnote_rc rc =
            object_store(objects, embed_str(recording), &sound, err);

        if (rc != FOOTNOTE_OK)
            (void)object_delete(objects, str_c(o.key), NULL);
        TRY(rc);
        d->media = (struct document_media){
            .object_key = str_c(sound.key),
            .filename = str_c(recording->name),
            .media_type = recording_media_type(str_c(recording->name)),
            .digest = sound.digest,
            .bytes = sound.bytes};
    }
    d->course = str_c(demo_course);
    d->media_type = format_of(format_detect(bytes, d->filename))->media_type;
    d->object_key = str_c(o.key);
    d->digest = o.digest;
    d->has_bytes = true;
    d->bytes = o.bytes;
    return put_document(st, objects, &put, err);
}

static const struct embed *file_named(const char *name)
{
    size_t i = 0;

    while (i < demo_files_n && strcmp(demo_files[i].name, name) != 0)
        i++;
    assert(i < demo_files_n);
    return &demo_files[i];
}

static enum footnote_rc add_slides(struct store *st, struct objects *objects,
                                   struct footnote_err *err)
{
    const struct embed *e = file_named("slides.pdf");
    struct document d = {.id = str_c(demo_slides),
                         .filename = str_c(e->name),
                         .kind = DOCUMENT_SLIDES,
                         .title = str_c(demo_course_title)};

    return add_document(st, objects, &d, embed_str(e), NULL, err);
}

static enum footnote_rc add_lecture(struct store *st, struct objects *objects,
                                    struct footnote_err *err)
{
    const struct embed *e = file_named("lecture.vtt");
    struct document d = {.id = str_c(demo_lecture),
                         .filename = str_c(e->name),
                         .kind = DOCUMENT_LECTURE,
                         .title = STR("The demon's notebook")};

    return add_document(st, objects, &d, embed_str(e),
                        file_named("lecture.opus"), err);
}

static void entry_id(const char *date, char out[32])
{
    snprintf(out, 32, "demo-journal-%s", date);
}

static enum footnote_rc add_entry(struct store *st, struct objects *objects,
                                  const struct embed *e,
                                  struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(LIST_BYTES_MAX);
    struct journal_entry entry;
    struct document d = {.filename = str_c(e->name), .kind = DOCUMENT_JOURNAL};
    char id[32];

    TRY(journal_markdown(&a, embed_str(e), d.filename, &entry, err));
    entry_id(entry.date.p, id);
    d.id = str_c(id);
    d.date = entry.date;
    d.title = entry.title;
    return add_document(st, objects, &d, entry.text, NULL, err);
}

static enum footnote_rc add_course(struct store *st, struct objects *objects,
                                   struct footnote_err *err)
{
    struct course_put course = {.id = str_c(demo_course),
                                .title = str_c(demo_course_title)};
    struct member_put all = {
        .course = course.id, .user = STR("*"), .role = MEMBER_READER};

    TRY(store_write(st, owner(), OP(course_put), &course, err));
    TRY(store_write(st, owner(), OP(member_put), &all, err));
    TRY(add_slides(st, objects, err));
    TRY(add_lecture(st, objects, err));
    for (size_t i = 0; i < demo_journal_files_n; i++)
        TRY(add_entry(st, objects, &demo_journal_files[i], err));
    return FOOTNOTE_OK;
}

/* ---- Sessions ------------------------------------------------------------ */

static struct source source_of(const struct demo_quote *q, char id[32])
{
    bool lecture = q->type == FOOTNOTE_LECTURE;

    if (q->date)
        entry_id(q->date, id);
    else
        snprintf(id, 32, "%s", lecture ? demo_lecture : demo_slides);
    return (struct source){.type = q->type,
                           .preview = str_c(q->text),
                           .title = str_c(q->title),
                           .course = str_c(demo_course),
                           .document = lecture ? STR_NONE : str_c(id),
                           .lecture = lecture ? str_c(id) : STR_NONE,
                           .date = str_c(q->date),
                           .has_page = q->slide > 0,
                           .page = q->slide,
                           .has_start = lecture,
                           .start = q->start,
                           .has_end = lecture,
                           .end = q->end,
                           .part = q->part};
}

static enum footnote_rc save_message(struct store *st,
                                     const struct demo_turn *t,
                                     enum footnote_role role,
                                     struct message_save *op,
                                     struct footnote_err *err)
{
    bool answer = role == FOOTNOTE_ASSISTANT;

    op->course = str_c(demo_course);
    op->message.session = str_c(t->session);
    op->message.role = role;
    op->message.content = str_c(answer ? t->answer : t->question);
    return store_write(st, owner(), OP(message_save), op, err);
}

static enum footnote_rc add_turn(struct store *st, const struct demo_turn *t,
                                 struct footnote_err *err)
{
    struct reference sources[DEMO_SOURCES_MAX] = {{.number = 0}};
    char ids[DEMO_SOURCES_MAX][32];
    struct message_save question = {.made = false};
    struct message_save answer = {
        .message = {.sources = sources,
                    .has_low_confidence = true,
                    .low_confidence = t->low_confidence}};
    size_t n = 0;

    for (; n < DEMO_SOURCES_MAX && t->sources[n] >= 0; n++) {
        sources[n].source = source_of(&demo_quotes[t->sources[n]], ids[n]);
        sources[n].number = (uint32_t)n + 1;
    }
    assert(t->sources[n] == -1);
    answer.message.sources_n = n;
    TRY(save_message(st, t, FOOTNOTE_USER, &question, err));
    return save_message(st, t, FOOTNOTE_ASSISTANT, &answer, err);
}

/* ---- The whole ----------------------------------------------------------- */

enum footnote_rc demo_add(struct store *st, struct objects *objects,
                          struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(LIST_BYTES_MAX);
    struct course_list courses = {.limit = 1};
    struct session_list sessions = {.limit = 1};

    TRY(store_read(st, owner(), &a, OP(course_list), &courses, err));
    TRY(store_read(st, owner(), &a, OP(session_list), &sessions, err));
    if (courses.courses_n || sessions.sessions_n)
        return FOOTNOTE_OK;
    TRY(add_course(st, objects, err));
    for (size_t i = 0; i < demo_turns_n; i++)
        TRY(add_turn(st, &demo_turns[i], err));
    return FOOTNOTE_OK;
}
