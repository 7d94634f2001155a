/* retrieve_help.c - what the tests of retrieve/ share. */
#include "retrieve_help.h"
#include "store/document/document.h"
#include "store/session/course.h"
#include "store/session/message.h"

struct store *st;
struct retriever *re;
struct arena out;
struct footnote_err err;

void open_all(const char *folder)
{
    struct retriever_options o = {.folder = folder};

    out = ARENA((size_t)1 << 30);
    CHECK_OK(store_open(test_url(), &st, &err), &err);
    CHECK_OK(retriever_open(st, &o, &re, &err), &err);
}

void close_all(void)
{
    retriever_close(re);
    store_close(st);
    arena_free(&out);
}

void course(struct who who, const char *id)
{
    struct course_put op = {.id = str_c(id), .title = STR("A course")};

    WRITE(who, course_put, &op);
}

static void add_passages(struct who who, const struct doc *d, int64_t version,
                         const char *const *passages)
{
    for (int64_t i = 1; *passages; i++, passages++) {
        struct passage p = {.position = i,
                            .page = d->kind == DOCUMENT_SLIDES ? i : 0,
                            .has_seconds = d->kind == DOCUMENT_LECTURE,
                            .start = (double)i * 10,
                            .end = (double)i * 10 + 9,
                            .extra = d->contents ? PASSAGE_CONTENTS : STR_NONE,
                            .text = str_c(*passages)};
        struct passages_add op = {.document = str_c(d->id),
                                  .version = version,
                                  .passages = &p,
                                  .passages_n = 1};

        WRITE(who, passages_add, &op);
    }
}

void document(struct who who, const struct doc *d, const char *const *passages)
{
    struct document_put put = {
        .document = {.id = str_c(d->id),
                     .course = str_c(d->course),
                     .title = str_c(d->title),
                     .date = str_c(d->date),
                     .url = str_c(d->url),
                     .kind = d->kind ? d->kind : DOCUMENT_TEXT}};
    struct document_status_set ready = {.document = str_c(d->id),
                                        .status = DOCUMENT_READY};

    CHECK_OK(
        sha256(str_c(*passages ? *passages : ""), &put.document.digest, &err),
        &err);
    WRITE(who, document_put, &put);
    add_passages(who, d, put.version, passages);
    WRITE(who, document_status_set, &ready);
}

void text(struct who who, const char *course_id, const char *id,
          const char *passage)
{
    struct doc d = {.course = course_id, .id = id};
    const char *passages[] = {passage, NULL};

    document(who, &d, passages);
}

void delete (struct who who, const char *id)
{
    struct document_delete op = {.id = str_c(id)};

    WRITE(who, document_delete, &op);
}

void look(struct search *s)
{
    CHECK_OK(retriever_search(re, &out, s, &err), &err);
}

struct search search(struct who who, const char *course_id, const char *query)
{
    struct search s = {
        .who = who, .course = str_c(course_id), .query = str_c(query)};

    look(&s);
    return s;
}

const struct search_filter *only(const char *id)
{
    static struct search_filter f;
    static struct str one;

    one = str_c(id);
    f = (struct search_filter){.documents = &one, .documents_n = 1};
    return &f;
}

const char *hit_id(const struct search *s, size_t i)
{
    const struct source *source = &s->hits[i].source;

    CHECK(i < s->hits_n);
    return source->document.p ? source->document.p : source->lecture.p;
}

bool has_hit(const struct search *s, const char *id)
{
    for (size_t i = 0; i < s->hits_n; i++)
        if (strcmp(hit_id(s, i), id) == 0)
            return true;
    return false;
}

void cite(struct who who, const char *session, const char *answer,
          const char *id)
{
    struct reference r = {.source = {.type = FOOTNOTE_TEXT,
                                     .document = str_c(id),
                                     .part = 1,
                                     .preview = STR("as it was")}};
    struct message_save op = {.message = {.id = str_c(answer),
                                          .session = str_c(session),
                                          .role = FOOTNOTE_ASSISTANT,
                                          .content = STR("So it is [1]."),
                                          .sources = &r,
                                          .sources_n = 1}};

    WRITE(who, message_save, &op);
}

/* ---- Segments ------------------------------------------------------------ */

struct analyser *analyser(void)
{
    static struct analyser *a;

    if (!a)
        CHECK_OK(analyser_open(&a, &err), &err);
    return a;
}

struct segment *segment_of(int64_t key, const char *const *texts, size_t n)
{
    struct builder *b = NULL;
    struct segment *s = NULL;

    CHECK_OK(builder_open(analyser(), &b, &err), &err);
    for (size_t i = 0; i < n; i++) {
        struct segment_document d = {.key = key + (int64_t)i,
                                     .version = 1,
                                     .kind = DOCUMENT_TEXT,
                                     .language = LANGUAGE_EN};

        CHECK_OK(builder_document(b, &d, STR_NONE, &err), &err);
        CHECK_OK(builder_passage(b, 1, STR_NONE, str_c(texts[i]), false, &err),
                 &err);
    }
    CHECK_OK(builder_finish(b, NULL, &s, &err), &err);
    builder_close(b);
    return s;
}

size_t rank(const struct segment_range *ranges, size_t ranges_n,
            const char *query, struct ranked *ranked, size_t max)
{
    struct query *q = NULL;
    size_t n = 0;

    if (out.max_bytes == 0)
        out = ARENA((size_t)1 << 30);
    q = arena_new(&out, struct query);
    *q = (struct query){.arena = &out,
                        .scratch = &out,
                        .analyser = analyser(),
                        .ranges = ranges,
                        .ranges_n = ranges_n};
    CHECK_OK(query_init(q, &err), &err);
    CHECK_OK(query_add_text(q, str_c(query), false, &err), &err);
    CHECK_OK(rank_top(q, ranked, max, &n, &err), &err);
    return n;
}
