/* nodes_test.c - several stores on one database, as several nodes have it.
 *
 * Whatever they do at once, there is one row for one thing: the loser of a
 * race finds the winner's row and goes on. */
#include <pthread.h>

#include "contract.h"
#include "store/store.h"

enum { NODES = 4, ROUNDS = 40 };

struct node {
    struct store *store;
    pthread_t thread;
    pthread_barrier_t *start;
    int failures;
    char why[256];
};

static struct who ann(void)
{
    return (struct who){STR("default"), STR("ann")};
}

static void save_round(struct node *n, int round)
{
    char session[32], message[32], source[32];
    struct reference ref = {.source = {.type = FOOTNOTE_TEXT}};
    struct message_save op = {.message = {.role = FOOTNOTE_ASSISTANT,
                                          .content = STR("So it is [1]."),
                                          .sources = &ref,
                                          .sources_n = 1}};
    struct footnote_err err;

    snprintf(session, sizeof(session), "session-%d", round / 2);
    snprintf(message, sizeof(message), "message-%d", round);
    snprintf(source, sizeof(source), "source-%d", round);
    op.message.session = str_c(session);
    op.message.id = str_c(message);
    ref.source.id = str_c(source);
    if (store_write(n->store, ann(), OP(message_save), &op, &err) !=
        FOOTNOTE_OK) {
        n->failures++;
        snprintf(n->why, sizeof(n->why), "%s: %s", rc_name(err.rc), err.text);
    }
}

static void *save_all(void *arg)
{
    struct node *n = arg;

    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(n->start); /* all at the same moment */
        save_round(n, round);
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

CONTRACT(nodes_that_save_the_same_at_once_make_it_once_in_every_thread)
{
    struct node nodes[NODES] = {{.store = NULL}};
    struct footnote_err err;
    pthread_barrier_t start;

    pthread_barrier_init(&start, NULL, NODES);
    for (int i = 0; i < NODES; i++) {
        CHECK_OK(store_open(test_url(), &nodes[i].store, &err), &err);
        nodes[i].start = &start;
    }
    for (int i = 0; i < NODES; i++)
        CHECK_INT(pthread_create(&nodes[i].thread, NULL, save_all, &nodes[i]),
                  0);
    for (int i = 0; i < NODES; i++)
        pthread_join(nodes[i].thread, NULL);
    for (int i = 0; i < NODES; i++)
        if (nodes[i].failures)
            FAIL("node %d failed %d times: %s", i, nodes[i].failures,
                 nodes[i].why);
    for (int i = 0; i < ROUNDS / 2; i++)
        check_session(nodes[0].store, i);
    for (int i = 0; i < NODES; i++)
        store_close(nodes[i].store);
    pthread_barrier_destroy(&start);
}
