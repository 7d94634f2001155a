/* nodes_test.c - several stores on one database, as several nodes have it.
 *
 * Whatever they do at once, there is one row for one thing: the loser of a
 * race finds the winner's row and goes on. */
#include <pthread.h>

#include "contract.h"
#include "store/answer/answer.h"
#include "store/answer/event.h"
#include "store/document/library.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store/session/session.h"

enum { NODES = 4, ROUNDS = 40 };

struct node {
    struct store *store;
    pthread_t thread;
    pthread_barrier_t *start;
    void (*round)(struct node *n, int round);
    int index, failures;
    char why[256];
};

static struct who ann(void)
{
    return (struct who){STR("default"), STR("ann")};
}

static void write_it(struct node *n, const struct store_op *kind, void *op)
{
    struct footnote_err err;

    if (store_write(n->store, ann(), kind, op, &err) == FOOTNOTE_OK)
        return;
    n->failures++;
    snprintf(n->why, sizeof(n->why), "%s: %s", rc_name(err.rc), err.text);
}

static void save_round(struct node *n, int round)
{
    char session[32], message[32], source[32];
    struct reference ref = {.source = {.type = FOOTNOTE_TEXT}};
    struct message_save op = {.message = {.role = FOOTNOTE_ASSISTANT,
                                          .content = STR("So it is [1]."),
                                          .sources = &ref,
                                          .sources_n = 1}};

    snprintf(session, sizeof(session), "session-%d", round / 2);
    snprintf(message, sizeof(message), "message-%d", round);
    snprintf(source, sizeof(source), "source-%d", round);
    op.message.session = str_c(session);
    op.message.id = str_c(message);
    ref.source.id = str_c(source);
    write_it(n, OP(message_save), &op);
}

static void *run_rounds(void *arg)
{
    struct node *n = arg;

    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(n->start); /* all at the same moment */
        n->round(n, round);
    }
    return NULL;
}

static void check_session(struct store *st, int i)
{
    struct arena a = ARENA(1 << 20);
    struct footnote_err err;
    char id[32];
    struct history h = {.replaced = true};

    snprintf(id, sizeof(id), "session-%d", i);
    h.session = str_c(id);
    CHECK_OK(store_read(st, ann(), &a, OP(history), &h, &err), &err);
    CHECK_INT(h.messages_n, 2);
    for (size_t m = 0; m < h.messages_n; m++) {
        CHECK_INT(h.messages[m].seq, m + 1);
        CHECK_INT(h.messages[m].sources_n, 1);
    }
    arena_free(&a);
}

/* All rounds on all nodes, which are open then. */
static void run_nodes(struct node nodes[NODES],
                      void (*round)(struct node *n, int round))
{
    struct footnote_err err;
    pthread_barrier_t start;

    pthread_barrier_init(&start, NULL, NODES);
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (struct node){.start = &start, .round = round, .index = i};
        CHECK_OK(store_open(test_url(), &nodes[i].store, &err), &err);
    }
    for (int i = 0; i < NODES; i++)
        CHECK_INT(pthread_create(&nodes[i].thread, NULL, run_rounds, &nodes[i]),
                  0);
    for (int i = 0; i < NODES; i++)
        pthread_join(nodes[i].thread, NULL);
    for (int i = 0; i < NODES; i++)
        if (nodes[i].failures)
            FAIL("node %d failed %d times: %s", i, nodes[i].failures,
                 nodes[i].why);
    pthread_barrier_destroy(&start);
}

static void close_nodes(struct node nodes[NODES])
{
    for (int i = 0; i < NODES; i++)
        store_close(nodes[i].store);
}

CONTRACT(nodes_that_save_the_same_at_once_make_it_once_in_every_thread)
{
    struct node nodes[NODES];

    run_nodes(nodes, save_round);
    for (int i = 0; i < ROUNDS / 2; i++)
        check_session(nodes[0].store, i);
    close_nodes(nodes);
}

/* ---- One message's references ------------------------------------------- */

static void find_round(struct node *n, int round)
{
    char source[32];
    struct reference ref = {.source = {.type = FOOTNOTE_TEXT}};
    struct event_add op = {.session = STR("s"),
                           .user_message = STR("q"),
                           .query = STR("why"),
                           .sources = &ref,
                           .sources_n = 1};

    snprintf(source, sizeof(source), "source-%d-%d", n->index, round);
    ref.source.id = str_c(source);
    write_it(n, OP(event_add), &op);
}

/* An answer that borrows them marks them at its end. */
static void answer_round(struct node *n, int round)
{
    struct answer_begin b = {.question = {.session = STR("s"), .id = STR("q")},
                             .mode = ANSWER_REGENERATE};
    struct answer_append text = {.answer = &b.answer, .text = STR("So [1]")};
    struct answer_finish end = {.answer = &b.answer};

    if (round == 0)
        return;
    write_it(n, OP(answer_begin), &b);
    write_it(n, OP(answer_append), &text);
    write_it(n, OP(answer_finish), &end);
}

static void cite_round(struct node *n, int round)
{
    (n->index == 0 ? answer_round : find_round)(n, round);
}

CONTRACT(nodes_that_add_to_one_message_at_once_lose_nothing_in_every_thread)
{
    struct arena a = ARENA(1 << 20);
    struct history h = {.session = STR("s")};
    struct node nodes[NODES];
    struct footnote_err err;

    run_nodes(nodes, cite_round);
    CHECK_OK(store_read(nodes[0].store, ann(), &a, OP(history), &h, &err),
             &err);
    CHECK_INT(h.messages_n, 2);
    CHECK_INT(h.messages[1].sources_n, (NODES - 1) * ROUNDS);
    CHECK(h.messages[1].sources[0].cited);
    close_nodes(nodes);
    arena_free(&a);
}

/* ---- The path that is shown ---------------------------------------------- */

/* Some step to one branch, some to the other, and one adds to what it finds. */
static void step_round(struct node *n, int round)
{
    static const char *const first[] = {"q", "a", "b"};
    struct session_put put = {.id = STR("s"),
                              .shown = n->index % 2 ? STR("a") : STR("b")};
    struct message_save op = {.message = {.role = FOOTNOTE_USER,
                                          .session = STR("s"),
                                          .content = STR("hm?")}};

    if (round < 3) {
        op.message.id = str_c(first[round]);
        op.message.parent = round == 2 ? STR("q") : STR_NONE;
        write_it(n, OP(message_save), &op);
    } else if (n->index == 3) {
        write_it(n, OP(message_save), &op);
    } else {
        write_it(n, OP(session_put), &put);
    }
}

static size_t path_through(struct store *st, struct arena *a, const char *id)
{
    struct session_put put = {.id = STR("s"), .shown = str_c(id)};
    struct history h = {.session = STR("s")}, at = {.session = STR("s")};
    struct footnote_err err;

    CHECK_OK(store_write(st, ann(), OP(session_put), &put, &err), &err);
    CHECK_OK(store_read(st, ann(), a, OP(history), &h, &err), &err);
    CHECK_TEXT(h.messages[1].id, str_c(id));
    at.at = h.messages[h.messages_n - 1].id;
    CHECK_OK(store_read(st, ann(), a, OP(history), &at, &err), &err);
    CHECK_INT(at.messages_n, h.messages_n);
    return h.messages_n;
}

/* Of each message one follows, so no two of them were shown at once. */
CONTRACT(nodes_that_step_at_once_show_one_path_in_every_thread)
{
    struct arena a = ARENA(1 << 20);
    struct node nodes[NODES];

    run_nodes(nodes, step_round);
    CHECK_INT(path_through(nodes[0].store, &a, "a") +
                  path_through(nodes[1].store, &a, "b"),
              2 + 2 + ROUNDS - 3);
    close_nodes(nodes);
    arena_free(&a);
}

/* ---- One id in one course ----------------------------------------------- */

enum { MOVES = 6 };
static int moved[MOVES];
static pthread_mutex_t moved_lock = PTHREAD_MUTEX_INITIALIZER;

static struct str named(char text[32], const char *what, int i)
{
    snprintf(text, 32, "%s-%d", what, i);
    return str_c(text);
}

/* Every node has a document of that id, in a course of its own, and moves it to
 * the same one. */
static void move_round(struct node *n, int round)
{
    char id[32], course[32];
    struct document_edit op = {.id = named(id, "d", round),
                               .course = named(course, "c", n->index),
                               .to = STR("all")};
    struct footnote_err err;
    enum footnote_rc rc;

    if (round >= MOVES)
        return;
    rc = store_write(n->store, ann(), OP(document_edit), &op, &err);
    if (rc != FOOTNOTE_OK && rc != FOOTNOTE_CONFLICT) {
        n->failures++;
        snprintf(n->why, sizeof(n->why), "%s: %s", rc_name(rc), err.text);
    }
    pthread_mutex_lock(&moved_lock);
    moved[round] += rc == FOOTNOTE_OK && op.moved;
    pthread_mutex_unlock(&moved_lock);
}

static void make_documents(struct store *st)
{
    char text[32], id[32];
    struct footnote_err err;

    for (int c = 0; c <= NODES; c++) {
        struct str course = c < NODES ? named(text, "c", c) : STR("all");
        struct course_put put = {.id = course};

        CHECK_OK(store_write(st, ann(), OP(course_put), &put, &err), &err);
        for (int d = 0; c < NODES && d < MOVES; d++) {
            struct document_put one = {
                .document = {
                    .id = named(id, "d", d),
                    .course = course,
                    .kind = DOCUMENT_TEXT,
                    .digest = {.b = {(unsigned char)(c * MOVES + d)}}}};

            CHECK_OK(store_write(st, ann(), OP(document_put), &one, &err),
                     &err);
        }
    }
}

CONTRACT(nodes_that_move_one_id_to_one_course_move_one_in_every_thread)
{
    struct node nodes[NODES];
    struct footnote_err err;
    struct store *st;

    CHECK_OK(store_open(test_url(), &st, &err), &err);
    make_documents(st);
    store_close(st);
    run_nodes(nodes, move_round);
    for (int i = 0; i < MOVES; i++)
        CHECK_INT(moved[i], 1);
    close_nodes(nodes);
}
