/* journal_test.c - threads about a journal, from LanceDB. */
#include <stdlib.h>
#include <string.h>

#include "importing.h"

enum { THREADS = 205, ENTRIES = 60 };

static struct footnote_err err;

static void make_file(const char *name, void (*add)(FILE *f, int i), int n)
{
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    for (int i = 0; i < n; i++)
        add(f, i);
    fclose(f);
    text_file(name, text);
    free(text);
}

static void add_entry(FILE *f, int i)
{
    fprintf(f,
            "{\"date\": \"2024-02-%02d\", \"title\": \"Day: %d\", \"text\":"
            " \"I wrote \\u00e4 %d.\", \"embedding\": [0.1, -2e-3]}\n",
            i % 28 + 1, i, i);
}

static void add_thread(FILE *f, int t)
{
    fprintf(f,
            "{\"thread_id\": \"t%d\", \"title\": \"Thread %d\","
            " \"created_at\": \"2024-03-01T08:00:00.%06d\","
            " \"updated_at\": \"2024-03-02T08:00:00\"}\n",
            t, t, t * 1000);
}

/* Answers have two references, none, null, or no such field. */
static void add_messages(FILE *f, int t)
{
    fprintf(f,
            "{\"message_id\": \"a%d\", \"thread_id\": \"t%d\", \"timestamp\":"
            " \"2024-03-01T08:00:05.5\", \"role\": \"assistant\", \"content\":"
            " \"You wrote %d [1].\"",
            t, t, t);
    if (t % 4 == 0)
        fprintf(f,
                ", \"doc_refs\": [\"2024-02-%02d:Day: %d\", \"2024-02-%02d:Day:"
                " %d\"]",
                t % ENTRIES % 28 + 1, t % ENTRIES, (t + 1) % ENTRIES % 28 + 1,
                (t + 1) % ENTRIES);
    else if (t % 4 < 3)
        fprintf(f, ", \"doc_refs\": %s", t % 4 == 1 ? "[]" : "null");
    fprintf(f,
            "}\n{\"message_id\": \"q%d\", \"thread_id\": \"t%d\","
            " \"timestamp\": \"2024-03-01T08:00:01.000001\", \"role\":"
            " \"user\", \"content\": \"What did I write?\"}\n",
            t, t);
}

static const char *make_original(void)
{
    make_file("entries.jsonl", add_entry, ENTRIES);
    make_file("threads.jsonl", add_thread, THREADS);
    make_file("messages.jsonl", add_messages, THREADS);
    return test_dir();
}

static void check_refs(const struct message *m, int t)
{
    for (int i = 0; i < 2; i++) {
        int entry = (t + i) % ENTRIES;
        char ref[60], date[20], title[20], text[40];
        const struct reference *r = &m->sources[i];

        snprintf(date, sizeof(date), "2024-02-%02d", entry % 28 + 1);
        snprintf(title, sizeof(title), "Day: %d", entry);
        snprintf(ref, sizeof(ref), "%s:%s", date, title);
        snprintf(text, sizeof(text), "I wrote \xc3\xa4 %d.", entry);
        CHECK_TEXT(m->doc_refs[i], str_c(ref));
        CHECK_INT(r->number, i + 1);
        CHECK_INT(r->source.type, FOOTNOTE_JOURNAL);
        CHECK_TEXT(r->source.date, str_c(date));
        CHECK_TEXT(r->source.title, str_c(title));
        CHECK_TEXT(r->source.preview, str_c(text));
    }
}

static void check_all(struct store *st)
{
    AUTO(comparing_free) struct comparing c = {.store = st};

    for (int t = 0; t < THREADS; t++) {
        char id[20], title[30];
        const struct history *h;

        snprintf(id, sizeof(id), "t%d", t);
        snprintf(title, sizeof(title), "Thread %d", t);
        h = comparing_session(&c, STR("local"), str_c(id));
        CHECK_TEXT(h->head.title, str_c(title));
        CHECK_INT(h->head.created_ms, 1709280000000LL + t);
        CHECK_INT(h->head.active_ms, 1709366400000LL);
        CHECK_INT(h->messages_n, 2);
        CHECK_INT(h->messages[0].role, FOOTNOTE_USER);
        CHECK_INT(h->messages[0].created_ms, 1709280001000LL);
        CHECK_INT(h->messages[1].created_ms, 1709280005500LL);
        CHECK_INT(h->messages[1].sources_n, t % 4 ? 0 : 2);
        CHECK_INT(h->messages[1].doc_refs_n, t % 4 ? 0 : 2);
        if (t % 4 == 0)
            check_refs(&h->messages[1], t);
    }
}

static void check_counts(const struct importing *im)
{
    CHECK_INT(im->counts.left_out + im->counts.changed, 0);
    CHECK_INT(im->counts.references, (THREADS + 3) / 4 * 2);
    CHECK_INT(im->counts.sources, ENTRIES / 2); /* of others, no answer */
}

static struct proof made(void)
{
    return (struct proof){
        .o = {.kind = "journal", .source = str_c(make_original())},
        .sessions = THREADS,
        .killed_at = 80,
        .counts = check_counts,
        .check = check_all};
}

CONTRACT_LIMIT(a_journal_comes_whole, 120)
{
    struct proof p = made();

    prove_whole(&p, test_url());
}

CONTRACT_LIMIT(a_journal_that_was_killed_goes_on, 120)
{
    struct proof p = made();

    prove_killed(&p, test_url());
}

TEST_LIMIT(sqlite_a_journal_without_room_goes_on_later, 120)
{
    struct proof p;

    contract_engine("sqlite");
    p = made();
    prove_full(&p);
}

CONTRACT(what_a_journal_cannot_place_is_told)
{
    AUTO(comparing_free) struct comparing c = {.store = NULL};
    const struct history *h;
    struct importing im = importing_begin(test_url(), "journal", test_dir());

    text_file("threads.jsonl", "{\"thread_id\":\"t\"}\n{\"title\":\"x\"}\n");
    text_file("entries.jsonl",
              "{\"date\":\"2024-01-01\",\"title\":\"A\",\"text\":\"a\"}");
    text_file("messages.jsonl",
              "{\"message_id\":\"1\",\"thread_id\":\"t\",\"role\":\"assistant\""
              ",\"content\":\"x\",\"doc_refs\":[\"2024-01-01:A\",\"nothing\","
              "\"2024-01-01:B\",\"2024-01-01:A\"]}\n"
              "{\"message_id\":\"2\",\"thread_id\":\"gone\",\"role\":\"user\","
              "\"content\":\"x\"}\n"
              "{\"thread_id\":\"t\",\"role\":\"user\",\"content\":\"x\"}\n");
    CHECK_OK(importing_run(&im, &err), &err);
    CHECK(importing_noted(&im, "changed: messages:1", "is no date:title"));
    CHECK(importing_noted(&im, "changed: messages:1", "no entry"));
    CHECK(importing_noted(&im, "left out: messages:2", "thread gone"));
    CHECK(importing_noted(&im, "left out: messages:3", "no id"));
    CHECK(importing_noted(&im, "left out: threads:2", "no thread_id"));
    c.store = im.o.store;
    h = comparing_session(&c, STR("local"), STR("t"));
    CHECK_INT(h->messages_n, 1);
    CHECK_INT(h->messages[0].doc_refs_n, 4);
    CHECK_INT(h->messages[0].sources_n, 1);
    importing_end(&im);
}
