/* demo_test.c - the demo course: what `serve --demo` adds, and when. */
#include "cli/demo.h"

#include "cli/cli.h"
#include "contract.h"
#include "help/await_documents.h"
#include "ingest/work/ingest.h"
#include "retrieve/retrieve.h"
#include "store/document/document.h"
#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/session/session.h"

enum { ARENA_BYTES = 64 * 1024 * 1024 };

static struct objects *open_objects(void)
{
    struct objects *o;
    struct footnote_err err;
    char url[600];

    snprintf(url, sizeof(url), "files:%s/objects", test_dir());
    CHECK_OK(objects_open(str_c(url), &o, &err), &err);
    return o;
}

static struct store *open_store(void)
{
    struct store *st;
    struct footnote_err err;

    CHECK_OK(store_open(test_url(), &st, &err), &err);
    return st;
}

static struct who who(const char *user)
{
    return (struct who){STR("default"), str_c(user)};
}

static size_t count_sessions(struct store *st)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    struct session_list op = {.limit = 50};
    struct footnote_err err;

    CHECK_OK(store_read(st, who("local"), &a, OP(session_list), &op, &err),
             &err);
    return op.sessions_n;
}

/* Every source of an answer is live, and those that its text names are cited;
 * the number of answers. */
static size_t check_session(struct store *st, struct str id)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    struct history op = {.session = id};
    struct footnote_err err;
    size_t answers = 0;

    CHECK_OK(store_read(st, who("local"), &a, OP(history), &op, &err), &err);
    for (size_t i = 0; i < op.messages_n; i++) {
        const struct message *m = &op.messages[i];

        answers += m->role == FOOTNOTE_ASSISTANT;
        for (size_t j = 0; j < m->sources_n; j++) {
            const struct reference *r = &m->sources[j];
            char mark[16];

            snprintf(mark, sizeof(mark), "[%u]", r->number);
            CHECK_INT(r->state, FOOTNOTE_LIVE);
            CHECK_INT(r->cited, strstr(m->content.p, mark) != NULL);
            /* What is cited is in the passage: at least half of its words. */
            CHECK(!r->cited || r->support > 500);
        }
    }
    return answers;
}

CONTRACT(the_demo_course_is_added_once_and_its_citations_hold)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    struct store *st = open_store();
    struct objects *objects = open_objects();
    struct session_list op = {.limit = 50};
    struct footnote_err err;
    size_t answers = 0;

    CHECK_OK(demo_add(st, objects, &err), &err);
    CHECK_INT(count_sessions(st), 3);
    CHECK_OK(store_read(st, who("local"), &a, OP(session_list), &op, &err),
             &err);
    for (size_t i = 0; i < op.sessions_n; i++)
        answers += check_session(st, op.sessions[i].id);
    CHECK_INT(answers, 5);
    CHECK_OK(demo_add(st, objects, &err), &err);
    CHECK_INT(count_sessions(st), 3);
    store_close(st);
    objects_close(objects);
}

CONTRACT(everybody_may_read_the_demo_course_but_not_its_sessions)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    struct store *st = open_store();
    struct objects *objects = open_objects();
    struct course_list courses = {.limit = 5};
    struct document_list documents = {.course = STR("demo"), .limit = 50};
    struct session_list sessions = {.limit = 5};
    struct footnote_err err;

    CHECK_OK(demo_add(st, objects, &err), &err);
    CHECK_OK(store_read(st, who("eve"), &a, OP(course_list), &courses, &err),
             &err);
    CHECK_INT(courses.courses_n, 1);
    CHECK_OK(
        store_read(st, who("eve"), &a, OP(document_list), &documents, &err),
        &err);
    CHECK_INT(documents.documents_n, 9);
    CHECK_OK(store_read(st, who("eve"), &a, OP(session_list), &sessions, &err),
             &err);
    CHECK_INT(sessions.sessions_n, 0);
    store_close(st);
    objects_close(objects);
}

CONTRACT(the_demo_lecture_has_its_recording)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    struct store *st = open_store();
    struct objects *objects = open_objects();
    struct document_get op = {.id = STR("demo-lecture")};
    const struct document_media *m = &op.document.media;
    struct footnote_err err;

    CHECK_OK(demo_add(st, objects, &err), &err);
    CHECK_OK(store_read(st, who("eve"), &a, OP(document_get), &op, &err), &err);
    CHECK(str_eq(m->filename, STR("lecture.opus")));
    CHECK(str_eq(m->media_type, STR("audio/ogg")));
    CHECK(m->bytes > 400000 && m->bytes < 600000);
    store_close(st);
    objects_close(objects);
}

CONTRACT(a_database_that_is_in_use_gets_no_demo)
{
    struct store *st = open_store();
    struct objects *objects = open_objects();
    struct session_put mine = {.id = STR("mine")};
    struct footnote_err err;

    CHECK_OK(store_write(st, who("local"), OP(session_put), &mine, &err), &err);
    CHECK_OK(demo_add(st, objects, &err), &err);
    CHECK_INT(count_sessions(st), 1);
    store_close(st);
    objects_close(objects);
}

/* ---- Quotations --------------------------------------------------------- */

/* Letters and digits alone: lines break elsewhere on a slide. */
static struct str bare(struct arena *a, struct str s)
{
    char *out = arena_alloc(a, s.n + 1);
    size_t n = 0;

    if (!out)
        FAIL("out of memory");
    for (size_t i = 0; i < s.n; i++)
        if ((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] | 32) >= 'a')
            out[n++] = s.p[i];
    return (struct str){out, n};
}

static bool is_quoted(struct store *st, const struct demo_quote *q)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    struct footnote_err err;
    char id[64];
    struct passages_read op = {.document = {id, 0}};

    snprintf(id, sizeof(id), "%s%s",
             q->date                     ? "demo-journal-"
             : q->type == FOOTNOTE_SLIDE ? demo_slides
                                         : demo_lecture,
             q->date ? q->date : "");
    op.document.n = strlen(id);
    CHECK_OK(store_read(st, who("local"), &a, OP(passages_read), &op, &err),
             &err);
    for (size_t i = 0; i < op.passages_n; i++) {
        const struct passage *p = &op.passages[i];

        if (strstr(bare(&a, p->text).p, bare(&a, str_c(q->text)).p))
            return (!q->slide || p->page == q->slide) &&
                   (!p->has_seconds ||
                    (p->start <= q->start + 1 && p->end >= q->end - 1)) &&
                   (!q->part || p->position == q->part);
    }
    return false;
}

/* Adds the course and reads its documents. */
static struct ingest *read_demo(struct store *st, struct objects *objects)
{
    struct ingest_options o = {.store = st, .objects = objects, .workers = 1};
    struct ingest *in;
    struct footnote_err err;

    documents_watch(st);
    CHECK_OK(demo_add(st, objects, &err), &err);
    CHECK_OK(ingest_open(&o, &in, &err), &err);
    documents_await(9);
    CHECK_INT(ingest_count(in).ready, 9);
    return in;
}

CONTRACT(the_answers_of_the_demo_quote_its_documents)
{
    struct store *st = open_store();
    struct objects *objects = open_objects();
    struct ingest *in = read_demo(st, objects);

    for (size_t i = 0; i < demo_turns_n; i++)
        for (size_t j = 0; demo_turns[i].sources[j] >= 0; j++) {
            const struct demo_quote *q = &demo_quotes[demo_turns[i].sources[j]];

            if (!is_quoted(st, q))
                FAIL("not in the demo course: %s", q->text);
        }
    ingest_close(in);
    store_close(st);
    objects_close(objects);
}

/* ---- Answers without a model --------------------------------------------- */

/* A question and two things that its first two sentences say: the README's six,
 * and one that was said not to be found. */
static const struct demo_answer {
    const char *question, *says[2];
    enum footnote_type type; /* of the first sentence's source */
} demo_answers[] = {
    {"What is the best efficiency of an engine between 800 K and 300 K?",
     {"62.5 %", "800 K"},
     FOOTNOTE_SLIDE},
    {"Why did Maxwell's demon fail, if not because it has to look?",
     {"it has to forget", "The demon fails"},
     FOOTNOTE_SLIDE},
    {"How did the group in Lyon measure the cost of erasing a bit?",
     {"a glass bead of two micrometres", "a group in Lyon"},
     FOOTNOTE_SLIDE},
    {"What mistake did we make with the entropy of the ice?",
     {"divided everything by the final temperature", "The mistake"},
     FOOTNOTE_JOURNAL},
    {"How many bits a letter did Shannon find, and how many did we?",
     {"an upper bound of 1.5 bits a letter", "bounds were 0.6 and 1.3"},
     FOOTNOTE_JOURNAL},
    {"Can the demon just keep a very large notebook?",
     {"a notebook of a billion blank pages it can run a billion cycles",
      "a billion times k T log two of work"},
     FOOTNOTE_LECTURE},
    {"How much heat does erasing one bit cost, and who showed it?",
     {"at least k T ln 2 of heat", "To erase one bit"},
     FOOTNOTE_SLIDE},
};

static bool says(struct arena *a, struct str sentence, const char *words)
{
    return strstr(bare(a, sentence).p, bare(a, str_c(words)).p) != NULL;
}

static void check_answer(struct retriever *r, const struct demo_answer *d)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    struct search s = {.who = who("eve"),
                       .course = str_c(demo_course),
                       .query = str_c(d->question),
                       .ignore_citations = true};
    struct best_sentence best[3];
    struct footnote_err err;
    size_t n = 0;

    CHECK_OK(retriever_search(r, &a, &s, &err), &err);
    CHECK_OK(retriever_sentences(r, &s, best, 3, &n, &err), &err);
    if (s.low_confidence)
        FAIL("\"%s\" is not answered surely: %g", d->question, s.confidence);
    CHECK(n > 0);
    for (size_t i = 0; i < 2; i++)
        if (!says(&a, best[0].sentence, d->says[i]) &&
            !(n > 1 && says(&a, best[1].sentence, d->says[i])))
            FAIL("\"%s\": %.*s", d->question, STR_ARG(best[0].sentence));
    CHECK_INT(s.hits[best[0].hit].source.type, d->type);
}

static void check_outline(struct retriever *r, const char *question,
                          bool asks_for_it)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    struct search s = {.who = who("eve"),
                       .course = str_c(demo_course),
                       .query = str_c(question),
                       .outline_max = 16};
    struct footnote_err err;

    CHECK_OK(retriever_search(r, &a, &s, &err), &err);
    if ((s.outline != NULL) != asks_for_it)
        FAIL("\"%s\" is taken for another kind of question", question);
    if (!asks_for_it)
        return;
    CHECK(!s.low_confidence);
    CHECK_INT(s.hits_n, 16);
    CHECK(str_eq(s.outline[0].text, str_c(demo_course_title)));
    CHECK(str_eq(s.outline[1].text, STR("Part 1: engines that drink water")));
    CHECK(s.outline[1].inner && !s.outline[8].inner);
    CHECK_INT(s.hits[1].source.page, 3);
    CHECK(str_eq(s.outline[8].text, STR("The demon's notebook")));
    for (size_t i = 0; i < s.hits_n; i++)
        CHECK(
            str_eq(s.hits[i].source.title, s.outline[i].text) ||
            strstr(bare(&a, s.hits[i].text).p, bare(&a, s.outline[i].text).p));
}

CONTRACT(the_demo_answers_the_questions_of_its_readme)
{
    struct store *st = open_store();
    struct objects *objects = open_objects();
    struct ingest *in = read_demo(st, objects);
    struct retriever_options o = {.folder = NULL};
    struct retriever *r;
    struct footnote_err err;

    CHECK_OK(retriever_open(st, &o, &r, &err), &err);
    for (size_t i = 0; i < sizeof(demo_answers) / sizeof(demo_answers[0]); i++)
        check_answer(r, &demo_answers[i]);
    check_outline(r, "What is this course about?", true);
    check_outline(r, "Which topics does the course cover?", true);
    check_outline(r, "Give me an overview of these documents, please.", true);
    check_outline(r,
                  "\xc2\xbf"
                  "De qu\xc3\xa9 trata este curso?",
                  true);
    check_outline(r,
                  "\xc2\xbf"
                  "Cu\xc3\xa1les son los temas de la clase?",
                  true);
    check_outline(r, "What does the course say about entropy?", false);
    check_outline(r, "What is this about?", false);
    retriever_close(r);
    ingest_close(in);
    store_close(st);
    objects_close(objects);
}
