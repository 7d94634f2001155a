/* demo_test.c - the demo course: what `serve --demo` adds, and when. */
#include "cli/cli.h"
#include "contract.h"

enum { ARENA_BYTES = 64 * 1024 * 1024 };

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
    struct session_list op = {.limit = 50};
    struct footnote_err err;
    size_t answers = 0;

    CHECK_OK(demo_add(st, &err), &err);
    CHECK_INT(count_sessions(st), 3);
    CHECK_OK(store_read(st, who("local"), &a, OP(session_list), &op, &err),
             &err);
    for (size_t i = 0; i < op.sessions_n; i++)
        answers += check_session(st, op.sessions[i].id);
    CHECK_INT(answers, 5);
    CHECK_OK(demo_add(st, &err), &err);
    CHECK_INT(count_sessions(st), 3);
    store_close(st);
}

CONTRACT(everybody_may_read_the_demo_course_but_not_its_sessions)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    struct store *st = open_store();
    struct course_list courses = {.limit = 5};
    struct document_list documents = {.course = STR("demo"), .limit = 50};
    struct session_list sessions = {.limit = 5};
    struct footnote_err err;

    CHECK_OK(demo_add(st, &err), &err);
    CHECK_OK(store_read(st, who("eve"), &a, OP(course_list), &courses, &err),
             &err);
    CHECK_INT(courses.courses_n, 1);
    CHECK_OK(
        store_read(st, who("eve"), &a, OP(document_list), &documents, &err),
        &err);
    CHECK_INT(documents.documents_n, 5);
    for (size_t i = 0; i < documents.documents_n; i++)
        CHECK_INT(documents.documents[i].status, DOCUMENT_READY);
    CHECK_OK(store_read(st, who("eve"), &a, OP(session_list), &sessions, &err),
             &err);
    CHECK_INT(sessions.sessions_n, 0);
    store_close(st);
}

CONTRACT(a_database_that_is_in_use_gets_no_demo)
{
    struct store *st = open_store();
    struct session_put mine = {.id = STR("mine")};
    struct footnote_err err;

    CHECK_OK(store_write(st, who("local"), OP(session_put), &mine, &err), &err);
    CHECK_OK(demo_add(st, &err), &err);
    CHECK_INT(count_sessions(st), 1);
    store_close(st);
}
