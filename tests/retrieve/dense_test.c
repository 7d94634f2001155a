/* dense_test.c - vectors beside words, from a scripted endpoint that fails,
 * refuses, changes its model, and is there again. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "help/scripted_endpoint.h"
#include "retrieve/remote/embed.h"
#include "retrieve/search/search.h"
#include "retrieve_help.h"
#include "store/document/vector.h"

static struct scripted *at;
static struct retriever_options options;

/* Pauses end by this clock. */
static _Atomic int64_t later_ms;

static int64_t shifted_wall(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000 + later_ms;
}

static int64_t shifted_mono(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000 + later_ms;
}

static const struct clock_source shifted = {shifted_wall, shifted_mono};

/* A retriever as another process would have it. */
static void reopen(const char *model)
{
    retriever_close(re);
    options.embeddings_url = model ? at->url : NULL;
    options.embeddings_model = model;
    options.embeddings_ms = 60000;
    CHECK_OK(retriever_open(st, &options, &re, &err), &err);
    retriever_index_all(re);
}

static void on_change(void *arg, const struct document_change *c)
{
    (void)arg;
    retriever_changed(re, c);
}

static void begin(const char *model)
{
    at = scripted_open();
    options = (struct retriever_options){.folder = NULL};
    clock_replace(&shifted);
    reopen(model);
    store_watch(st, on_change, &options);
    course(ANN, "c");
}

static void end(void)
{
    store_unwatch(st, &options);
    clock_replace(NULL);
}

/* By a model, or NULL: by all. */
static int64_t vectors_of(const char *model)
{
    struct index_documents c = {.course = STR("c"), .only_course = true};
    struct vectors_models all = {.course = 0};
    int64_t n = 0;

    CHECK_OK(store_read(st, ANN, &out, OP(index_documents), &c, &err), &err);
    all.course = c.key;
    CHECK_OK(store_read(st, ANN, &out, OP(vectors_models), &all, &err), &err);
    for (size_t i = 0; i < all.models_n; i++)
        if (!model || str_eq(all.models[i].model, str_c(model)))
            n += all.models[i].vectors_n;
    return n;
}

/* With so many numbers. */
static int64_t vectors_with(const char *model, size_t size)
{
    struct index_documents c = {.course = STR("c"), .only_course = true};
    struct vectors_state s = {.model = str_c(model), .bytes = size * 4};
    int64_t n = 0;

    CHECK_OK(store_read(st, ANN, &out, OP(index_documents), &c, &err), &err);
    s.course = c.key;
    CHECK_OK(store_read(st, ANN, &out, OP(vectors_state), &s, &err), &err);
    for (size_t i = 0; i < s.documents_n; i++)
        n += s.documents[i].vectors_n;
    return n;
}

/* Without a search: ingestion begins it. */
static void wait_for_vectors(const char *model, int64_t n)
{
    WAIT_UNTIL(vectors_of(model) == n);
    dense_wait_idle(re->dense);
}

static void many(const char *id, int n)
{
    const char **passages = calloc((size_t)n + 1, sizeof(*passages));
    struct doc d = {.course = "c", .id = id, .title = "Of many things"};

    for (int i = 0; i < n; i++)
        passages[i] = arena_printf(&out, "passage %d about thing %d of %s", i,
                                   i * 7919, id)
                          .p;
    document(ANN, &d, passages);
    free(passages);
}

/* ---- What it finds ------------------------------------------------------- */

RETRIEVED(a_vector_finds_what_words_do_not)
{
    struct retriever_progress p;
    struct search s;
    int before;

    begin("small");
    text(ANN, "c", "a", "my car is in the garage");
    text(ANN, "c", "b", "pears grow on trees");
    wait_for_vectors("small", 2);
    s = search(ANN, "c", "automobile");
    CHECK_STR(hit_id(&s, 0), "a");
    CHECK(!s.words_alone);
    before = at->texts;
    text(ANN, "c", "d", "an old car without wheels");
    wait_for_vectors("small", 3);
    CHECK_INT(at->texts, before + 1); /* the new passage alone */
    s = search(ANN, "c", "automobile");
    CHECK(has_hit(&s, "a") && has_hit(&s, "d"));
    delete (ANN, "a");
    s = search(ANN, "c", "automobile");
    CHECK(!has_hit(&s, "a") && has_hit(&s, "d"));
    CHECK(retriever_progress(re, TENANT, STR("c"), &p));
    CHECK_INT(p.passages, 2);
    CHECK_INT(p.vectors, 2);
    at->status = 503; /* so that many wait, each of a document of its own */
    for (int i = 0; i < 20; i++)
        text(ANN, "c", arena_printf(&out, "s%d", i).p, "a small one");
    dense_wait_idle(re->dense);
    at->status = 0;
    before = at->requests;
    later_ms += 1000 * 1000;
    wait_for_vectors("small", 22);
    CHECK(at->requests - before <= 4);
    end();
}

RETRIEVED(title_heading_and_prefixes_are_sent)
{
    const char *passages[] = {"It is cold.", NULL};
    struct doc d = {.course = "c", .id = "w", .title = "Winter"};

    at = scripted_open();
    begin("e5");
    options.query_prefix = "query: ";
    options.passage_prefix = "passage: ";
    reopen("e5");
    document(ANN, &d, passages);
    WAIT_UNTIL(vectors_of(NULL) == 1);
    CHECK_INT(vectors_of("e5"), 0); /* a prefix makes another model */
    dense_wait_idle(re->dense);
    CHECK(strstr(at->last, "[\"passage: Winter\\nIt is cold.\"]"));
    (void)search(ANN, "c", "snow");
    CHECK(strstr(at->last, "[\"query: snow\"]"));
    options.passage_prefix = "text: "; /* other vectors */
    reopen("e5");
    WAIT_UNTIL(vectors_of(NULL) == 2);
    end();
}

/* ---- Failures ------------------------------------------------------------ */

RETRIEVED(a_limit_and_an_outage_are_outlasted)
{
    struct search s;

    begin("small");
    at->fail_after = 2;
    at->retry_after = 100;
    many("m", 200);
    WAIT_UNTIL(endpoint_pause_ms(retriever_embedder(re), ENDPOINT_PASSAGES) >
               50000); /* as it asked */
    dense_wait_idle(re->dense);
    CHECK_INT(vectors_of("small"), 64);
    s = search(ANN, "c", "passage thing");
    CHECK(s.hits_n > 0 && s.words_alone); /* and it says so */
    at->fail_after = -1;
    at->retry_after = 0;
    later_ms += 110 * 1000;
    wait_for_vectors("small", 200);
    CHECK_INT(at->texts, 200); /* none twice */
    s = search(ANN, "c", "passage thing");
    CHECK(s.hits_n > 0 && !s.words_alone);
    end();
}

RETRIEVED(a_restart_goes_on_where_it_was)
{
    int before;

    begin("small");
    at->fail_after = 3;
    many("m", 150);
    WAIT_UNTIL(endpoint_pause_ms(retriever_embedder(re), ENDPOINT_PASSAGES));
    CHECK_INT(vectors_of("small"), 96);
    at->fail_after = -1;
    before = at->texts;
    reopen("small");
    wait_for_vectors("small", 150);
    CHECK_INT(at->texts - before, 150 - 96);
    before = at->texts;
    reopen("small"); /* nothing is left to do */
    dense_wait_idle(re->dense);
    CHECK_INT(at->texts, before);
    end();
}

RETRIEVED(a_slow_endpoint_holds_no_search_up)
{
    struct search s;

    begin("small");
    text(ANN, "c", "a", "my car is in the garage");
    wait_for_vectors("small", 1);
    options.embeddings_ms = 20;
    retriever_close(re);
    CHECK_OK(retriever_open(st, &options, &re, &err), &err);
    (void)search(ANN, "c", "garage");
    dense_wait_idle(re->dense);
    later_ms += 100 * 1000;
    at->slow_ms = 3000;
    s = search(ANN, "c", "garage");
    CHECK_STR(hit_id(&s, 0), "a");
    CHECK(s.words_alone);
    at->slow_ms = 0;
    end();
}

RETRIEVED(what_it_refuses_is_sent_smaller)
{
    char *large = malloc(5001);
    struct search s;

    begin("small");
    at->most = 8;
    at->longest = 1000;
    many("m", 30);
    memset(large, 'x', 5000);
    for (int i = 9; i < 5000; i += 10)
        large[i] = ' ';
    large[4000] = '\0'; /* a question has 4096 bytes at most */
    text(ANN, "c", "large", large);
    wait_for_vectors("small", 31);
    at->longest = 100; /* not even 256 bytes */
    text(ANN, "c", "larger", large);
    text(ANN, "c", "after", "a short one");
    wait_for_vectors("small", 33); /* one is empty */
    at->longest = 0;
    at->longest = 600; /* of a question as well: it is asked shorter */
    s = search(ANN, "c", large);
    CHECK(!s.words_alone);
    at->longest = 100;
    s = search(ANN, "c", large); /* it alone is not helped */
    CHECK(s.words_alone && s.hits_n > 0);
    s = search(ANN, "c", "a short one");
    CHECK(!s.words_alone);
    CHECK_STR(hit_id(&s, 0), "after");
    free(large);
    end();
}

RETRIEVED(answers_that_make_no_sense_fail_no_search)
{
    static const char *const answers[] = {
        "",
        "not JSON",
        "{}",
        "{\"data\":[]}",
        "{\"data\":[{\"embedding\":[]}]}",
        "{\"data\":[{\"embedding\":[\"x\"]}]}",
        "{\"data\":[{\"embedding\":[0,0]}]}",
        "{\"data\":[{\"index\":9,\"embedding\":[1]}]}",
        "{\"data\":[{\"index\":-1,\"embedding\":[1]}]}",
        ("{\"data\":[{\"index\":0,\"embedding\":[1]},"
         "{\"index\":0,\"embedding\":[1]}]}"),
        "{\"data\":[{\"embedding\":[1e300]},{\"embedding\":[1e300]}]}"};
    struct str two[] = {STR("one"), STR("two")};
    struct embedding op = {
        .texts = two, .n = 2, .model = STR("small"), .timeout_ms = 5000};
    struct endpoint *e;
    struct search s;

    begin("small");
    text(ANN, "c", "a", "my car is in the garage");
    wait_for_vectors("small", 1);
    at->status = 500;
    s = search(ANN, "c", "garage");
    CHECK_STR(hit_id(&s, 0), "a");
    CHECK(s.words_alone);
    at->status = 0;
    CHECK_OK(
        endpoint_open("it", "http://127.0.0.1:1", EMBED_PATH, NULL, &e, &err),
        &err);
    CHECK_INT(embed(e, &out, &op, &err), FOOTNOTE_BUSY);
    endpoint_close(e);
    CHECK_OK(endpoint_open("it", at->url, EMBED_PATH, "key", &e, &err), &err);
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        at->instead = answers[i];
        CHECK_INT(embed(e, &out, &op, &err), FOOTNOTE_BUSY);
    }
    at->instead = NULL;
    CHECK_OK(embed(e, &out, &op, &err), &err);
    endpoint_close(e);
    end();
}

/* ---- Other models -------------------------------------------------------- */

RETRIEVED(a_new_model_takes_over_when_it_is_ready)
{
    struct search s;

    begin("old");
    text(ANN, "c", "a", "my car is in the garage");
    many("m", 40);
    wait_for_vectors("old", 41);
    at->fail_after = 1; /* the proof that the old one is there */
    reopen("new");
    dense_wait_idle(re->dense);
    CHECK_INT(vectors_of("new"), 0);
    at->fail_after = -1;
    at->gone = "new"; /* it stays away a while */
    later_ms += 1000 * 1000;
    s = search(ANN, "c", "automobile");
    CHECK(s.hits_n > 0 && !s.words_alone);
    CHECK_STR(hit_id(&s, 0), "a");
    CHECK(strstr(at->last, "\"model\":\"old\"") ||
          strstr(at->last, "\"model\":\"new\""));
    at->gone = NULL;
    later_ms += 1000 * 1000;
    wait_for_vectors("new", 41);
    WAIT_UNTIL((s = search(ANN, "c", "automobile"),
                strstr(at->last, "\"model\":\"new\"")));
    CHECK_STR(hit_id(&s, 0), "a");
    end();
}

RETRIEVED(an_old_model_that_is_gone_is_not_asked)
{
    struct search s;

    begin("old");
    text(ANN, "c", "a", "my car is in the garage");
    wait_for_vectors("old", 1);
    at->gone = "old";
    at->fail_after = 0;
    reopen("new");
    dense_wait_idle(re->dense);
    s = search(ANN, "c", "garage");
    CHECK_STR(hit_id(&s, 0), "a"); /* by its words */
    at->fail_after = -1;
    later_ms += 1000 * 1000;
    wait_for_vectors("new", 1);
    at->gone = NULL;
    end();
}

RETRIEVED(vectors_of_another_size_are_made_anew)
{
    struct search s;

    begin("small");
    text(ANN, "c", "a", "my car is in the garage");
    many("m", 40);
    wait_for_vectors("small", 41);
    at->size = 32; /* behind the same name */
    for (int i = 0; i < 3; i++) {
        s = search(ANN, "c", "garage");
        CHECK_STR(hit_id(&s, 0), "a");
        later_ms += 1000 * 1000;
    }
    WAIT_UNTIL(vectors_with("small", 32) == 41);
    CHECK_INT(vectors_of(NULL), 41);
    dense_wait_idle(re->dense);
    s = search(ANN, "c", "automobile");
    CHECK_STR(hit_id(&s, 0), "a");
    at->size = 0;
    end();
}

/* ---- Two nodes ----------------------------------------------------------- */

RETRIEVED(two_nodes_make_each_vector_once)
{
    struct retriever *other;
    int before;

    begin("small");
    before = at->texts;
    CHECK_OK(retriever_open(st, &options, &other, &err), &err);
    at->slow_ms = 20;
    many("m", 300);
    retriever_index_all(other);
    for (int i = 0; i < 100 && vectors_of("small") < 300; i++) {
        dense_wait_idle(re->dense);
        dense_wait_idle(other->dense);
        later_ms += 10 * 1000;
    }
    wait_for_vectors("small", 300);
    at->slow_ms = 0;
    if (strstr(test_url(), "postgres"))
        CHECK_INT(at->texts - before, 300);
    retriever_close(other);
    end();
}

/* ---- Many ---------------------------------------------------------------- */

static double unit(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

/* Bits choose which are compared: the nearest must be among them. */
TEST(the_nearest_of_many_vectors_are_found)
{
    enum { N = 20000, SIZE = 96, ASKED = 20, TOP = 10 };
    struct vector_block *b = vector_block_new(1, 1, N, SIZE);
    uint64_t seed = 7;
    float *all = calloc((size_t)N * SIZE, sizeof(*all));
    struct arena a = ARENA(64 << 20);
    size_t found = 0;
    struct vectors *v;

    for (size_t i = 0; i < N; i++) {
        float *f = all + i * SIZE;
        double sum = 0;

        for (size_t k = 0; k < SIZE; k++) {
            f[k] = (float)(unit(&seed) + 0.4 + (i % 50 == k % 50));
            sum += (double)f[k] * (double)f[k];
        }
        for (size_t k = 0; k < SIZE; k++)
            f[k] = (float)((double)f[k] / sqrt(sum));
        vector_block_add(b, (int64_t)i + 1, (const char *)f);
    }
    v = vectors_new(&b, 1, SIZE, STR("m"));
    CHECK(v && v->bits);
    for (size_t q = 0; q < ASKED; q++) {
        struct near_passage near[TOP];
        size_t n = 0;

        vectors_nearest(v, &a, all + q * 997 * SIZE, NULL, near, &n, TOP);
        CHECK_INT(n, TOP);
        CHECK_INT(near[0].position, q * 997 + 1); /* itself */
        CHECK(near[0].score > 0.999F && near[0].score < 1.001F);
        for (size_t i = 0; i < N; i++) {
            float sum = 0;

            for (size_t k = 0; k < SIZE; k++)
                sum += all[q * 997 * SIZE + k] * all[i * SIZE + k];
            found += sum > near[TOP - 1].score + 0.001F;
        }
    }
    /* Better than the last of the ten are nine each. */
    CHECK(found <= (TOP - 1) * ASKED + ASKED);
    vectors_drop(v);
    arena_free(&a);
    free(all);
}
