/* import_memory_test.c - an import when an allocation fails: a session is there
 * whole or not at all, and the next import brings the rest. */
#include "contract.h"
#include "fault/failing_malloc.h"
#include "import/import.h"
#include "store/read/history.h"

static struct footnote_err err;
static const struct who who = {{"default", 7}, {"local", 5}};

static void on_note(void *arg, enum import_note kind, struct str where,
                    struct str text)
{
    (void)arg, (void)kind, (void)where, (void)text;
}

static void on_session(void *arg, const struct import_session_done *done)
{
    (void)arg, (void)done;
}

/* A thread that nobody has imported before; its path is static. */
static const char *make_thread(const char *id)
{
    static char path[800];
    FILE *f;

    snprintf(path, sizeof(path), "%s/threads.jsonl", test_dir());
    f = fopen(path, "w");
    CHECK(f != NULL);
    fprintf(f,
            "{\"thread_id\": \"%s\", \"course_id\": \"c\", \"messages\": ["
            "{\"type\": \"human\", \"id\": \"q%s\", \"content\": [\"What?\"]},"
            "{\"type\": \"ai\", \"id\": \"a%s\", \"content\": \"It [1].\","
            "\"image_source\": {\"s3key\": \"k\", \"page_number\": \"7\"},"
            "\"sources\": [{\"sourceId\": \"s%s\", \"chunkNumber\": \"1\"},"
            "{\"sourceId\": \"x\", \"chunkNumber\": 1}]}]}\n",
            id, id, id, id);
    CHECK(fclose(f) == 0);
    return path;
}

/* 0: nothing is there; else all of it. */
static size_t messages_of(struct store *st, const char *id)
{
    AUTO(arena_free) struct arena a = ARENA(1024 * 1024);
    struct history h = {.session = str_c(id)};

    if (store_read(st, who, &a, OP(history), &h, &err) != FOOTNOTE_OK)
        return 0;
    CHECK_INT(h.messages_n, 2);
    CHECK_INT(h.messages[1].sources_n, 2);
    CHECK(h.messages[1].has_image);
    return h.messages_n;
}

/* False when nothing failed: that was the last allocation. */
static bool import_without(struct store *st, unsigned long nth)
{
    char id[40];
    struct import_counts counts;
    struct import_options o = {.store = st,
                               .kind = "state",
                               .who = who,
                               .scratch = test_dir(),
                               .note = on_note,
                               .session = on_session};
    enum footnote_rc rc;
    bool failed;

    snprintf(id, sizeof(id), "t%lu", nth);
    o.source = str_c(make_thread(id));
    malloc_fail(nth, false, MALLOC_ALL);
    rc = import_run(&o, &counts, &err);
    failed = malloc_failed();
    malloc_fail(0, false, MALLOC_ALL);
    if (rc == FOOTNOTE_OK && counts.sessions == 1)
        CHECK_INT(messages_of(st, id), 2);
    else /* whole, or not at all */
        (void)messages_of(st, id);
    CHECK_OK(import_run(&o, &counts, &err), &err);
    CHECK_INT(counts.sessions, 1);
    CHECK_INT(messages_of(st, id), 2);
    return failed;
}

CONTRACT_LIMIT(import_survives_every_failed_allocation, 300)
{
    struct store *st = NULL;
    unsigned long nth = 1;

    malloc_watch();
    CHECK_OK(store_open(test_url(), &st, &err), &err);
    while (import_without(st, nth))
        nth += 1 + nth / 25; /* most are the database's own, and alike */
    CHECK(nth > 300);
    store_close(st);
}
