/* demo.c - fills an empty database with something to look at.
 *
 * Through the same operations as any client, as the user of mode `none`; the
 * course is everybody's to read.  Ids are fixed, so that pages and examples
 * can name them. */
#include "cli/demo.h"
#include "cli/cli.h"

#include <stdio.h>

enum { LIST_BYTES_MAX = 16 * 1024 * 1024 };

static struct who owner(void)
{
    return (struct who){STR("default"), STR("local")};
}

/* ---- Documents
 * ------------------------------------------------------------------ */

/* A document's passages; their number. */
static size_t passages_of(const struct demo_document *d,
                          struct passage out[DEMO_PASSAGES_MAX])
{
    size_t n = 0;

    for (; n < DEMO_PASSAGES_MAX && d->passages[n].text; n++) {
        const struct demo_passage *p = &d->passages[n];

        out[n] = (struct passage){.position = (int64_t)n + 1,
                                  .page = p->page,
                                  .has_seconds = p->end > 0,
                                  .start = p->start,
                                  .end = p->end,
                                  .heading = str_c(p->heading),
                                  .text = str_c(p->text)};
    }
    return n;
}

static enum footnote_rc digest(const struct passage *p, size_t n,
                               struct sha256 *out, struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *h = NULL;

    TRY(sha256_open(&h, err));
    sha256_begin(h);
    for (size_t i = 0; i < n; i++)
        sha256_add(h, p[i].text);
    sha256_end(h, out);
    return FOOTNOTE_OK;
}

static enum footnote_rc add_document(struct store *st,
                                     const struct demo_document *d,
                                     struct footnote_err *err)
{
    struct passage passages[DEMO_PASSAGES_MAX];
    size_t n = passages_of(d, passages);
    struct document_put put = {.document = {.id = str_c(d->id),
                                            .course = str_c(demo_course),
                                            .title = str_c(d->title),
                                            .date = str_c(d->date),
                                            .url = str_c(d->url),
                                            .kind = d->kind,
                                            .filename = str_c(d->filename),
                                            .media_type = str_c(d->media_type),
                                            .has_pages = d->pages > 0,
                                            .pages = d->pages,
                                            .has_seconds = d->seconds > 0,
                                            .seconds = d->seconds}};
    struct document_status_set ready = {.document = str_c(d->id),
                                        .status = DOCUMENT_READY};

    TRY(digest(passages, n, &put.document.digest, err));
    TRY(store_write(st, owner(), OP(document_put), &put, err));
    struct passages_add add = {.document = str_c(d->id),
                               .version = put.version,
                               .passages = passages,
                               .passages_n = n};
    TRY(store_write(st, owner(), OP(passages_add), &add, err));
    return store_write(st, owner(), OP(document_status_set), &ready, err);
}

static enum footnote_rc add_course(struct store *st, struct footnote_err *err)
{
    struct course_put course = {.id = str_c(demo_course),
                                .title = str_c(demo_course_title)};
    struct member_put all = {
        .course = course.id, .user = STR("*"), .role = MEMBER_READER};

    TRY(store_write(st, owner(), OP(course_put), &course, err));
    TRY(store_write(st, owner(), OP(member_put), &all, err));
    for (size_t i = 0; i < demo_documents_n; i++)
        TRY(add_document(st, &demo_documents[i], err));
    return FOOTNOTE_OK;
}

/* ---- Sessions
 * --------------------------------------------------------------------- */

static enum footnote_type type_of(enum document_kind kind)
{
    switch (kind) {
    case DOCUMENT_SLIDES: return FOOTNOTE_SLIDE;
    case DOCUMENT_LECTURE: return FOOTNOTE_LECTURE;
    case DOCUMENT_JOURNAL: return FOOTNOTE_JOURNAL;
    case DOCUMENT_PAGE: return FOOTNOTE_WEB;
    case DOCUMENT_TEXT: break;
    }
    return FOOTNOTE_TEXT;
}

static struct source source_of(const struct demo_source *at)
{
    const struct demo_document *d = &demo_documents[at->document];
    const struct demo_passage *p = &d->passages[at->passage];
    bool lecture = d->kind == DOCUMENT_LECTURE;

    return (struct source){.type = type_of(d->kind),
                           .preview = str_c(p->text),
                           .title = str_c(d->title),
                           .url = str_c(d->url),
                           .course = str_c(demo_course),
                           .document = lecture ? STR_NONE : str_c(d->id),
                           .lecture = lecture ? str_c(d->id) : STR_NONE,
                           .date = str_c(d->date),
                           .has_slide = p->page > 0,
                           .slide = p->page,
                           .has_start = p->end > 0,
                           .start = p->start,
                           .has_end = p->end > 0,
                           .end = p->end,
                           .part = p->page || lecture ? 0 : at->passage + 1};
}

static enum footnote_rc save(struct store *st, const struct demo_turn *t,
                             enum footnote_role role, struct message_save *op,
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
    struct message_save question = {.made = false};
    struct message_save answer = {
        .message = {.sources = sources,
                    .has_low_confidence = true,
                    .low_confidence = t->low_confidence}};
    size_t n = 0;

    for (; n < DEMO_SOURCES_MAX && t->sources[n].document >= 0; n++) {
        sources[n].source = source_of(&t->sources[n]);
        sources[n].number = (uint32_t)n + 1;
    }
    answer.message.sources_n = n;
    TRY(save(st, t, FOOTNOTE_USER, &question, err));
    return save(st, t, FOOTNOTE_ASSISTANT, &answer, err);
}

/* ---- The whole
 * --------------------------------------------------------------------- */

static enum footnote_rc is_empty(struct store *st, bool *empty,
                                 struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(LIST_BYTES_MAX);
    struct course_list courses = {.limit = 1};
    struct session_list sessions = {.limit = 1};

    TRY(store_read(st, owner(), &a, OP(course_list), &courses, err));
    TRY(store_read(st, owner(), &a, OP(session_list), &sessions, err));
    *empty = courses.courses_n == 0 && sessions.sessions_n == 0;
    return FOOTNOTE_OK;
}

enum footnote_rc demo_add(struct store *st, struct footnote_err *err)
{
    bool empty;

    TRY(is_empty(st, &empty, err));
    if (!empty)
        return FOOTNOTE_OK;
    TRY(add_course(st, err));
    for (size_t i = 0; i < demo_turns_n; i++)
        TRY(add_turn(st, &demo_turns[i], err));
    return FOOTNOTE_OK;
}
