/* index_test.c - building an index holds up nobody: not those who search, in
 * this course or another, not the courses of others, and not the end. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "attack_site.h"
#include "contract.h"
#include "retrieve/index/course_index.h"
#include "retrieve/search/search.h"
#include "store/document/document.h"
#include "store/session/course.h"

#define MALLORY ((struct who){STR("default"), STR("mallory")})
#define BO      ((struct who){STR("default"), STR("bo")})

enum { ADDED_AT_ONCE = 100, ARENA_BYTES = 64 << 20 };

/* ---- What the builders do ------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char turns[1024];           /* courses in the order of their turns */
static const char *held_course;    /* the names of those that are held */
static _Atomic size_t passages_n;  /* that were analysed */
static _Atomic size_t waits_at;    /* this one waits for the end; 0: none */
static struct indexes *_Atomic of; /* whose turns these are */

__typeof__(course_index_sync) __real_course_index_sync,
    __wrap_course_index_sync;
__typeof__(builder_passage) __real_builder_passage, __wrap_builder_passage;

enum footnote_rc __wrap_course_index_sync(struct indexes *ix,
                                          struct course_index *c, bool *done,
                                          struct footnote_err *err)
{
    of = ix;
    pthread_mutex_lock(&lock);
    snprintf(turns + strlen(turns), sizeof(turns) - strlen(turns), "%s ",
             c->id);
    pthread_mutex_unlock(&lock);
    if (held_course && strncmp(c->id, held_course, strlen(held_course)) == 0)
        hold_here();
    return __real_course_index_sync(ix, c, done, err);
}

enum footnote_rc __wrap_builder_passage(struct builder *b, int64_t position,
                                        struct str heading, struct str text,
                                        bool last, struct footnote_err *err)
{
    if (++passages_n == waits_at)
        while (!of->closing)
            sched_yield();
    if (position == 1 && !held_course)
        hold_here();
    return __real_builder_passage(b, position, heading, text, last, err);
}

static const char *turns_now(void)
{
    static char copy[sizeof(turns)];

    pthread_mutex_lock(&lock);
    memcpy(copy, turns, sizeof(copy));
    pthread_mutex_unlock(&lock);
    return copy;
}

/* ---- Documents ------------------------------------------------------------
 */

static void course(struct store *st, struct who who, const char *id)
{
    struct course_put op = {.id = str_c(id)};
    struct footnote_err err;

    CHECK_OK(store_write(st, who, OP(course_put), &op, &err), &err);
}

static void document(struct store *st, struct who who, const char *course,
                     const char *id, int64_t n, const char *text)
{
    struct document_put put = {.document = {.id = str_c(id),
                                            .course = str_c(course),
                                            .kind = DOCUMENT_TEXT}};
    struct document_status_set ready = {.document = str_c(id),
                                        .status = DOCUMENT_READY};
    struct footnote_err err;

    CHECK_OK(store_write(st, who, OP(document_put), &put, &err), &err);
    for (int64_t at = 1; at <= n; at += ADDED_AT_ONCE) {
        struct passage p[ADDED_AT_ONCE] = {{.position = 0}};
        struct passages_add add = {
            .document = str_c(id), .version = 1, .passages = p};

        for (; add.passages_n < ADDED_AT_ONCE &&
               at + (int64_t)add.passages_n <= n;
             add.passages_n++)
            p[add.passages_n] = (struct passage){
                .position = at + (int64_t)add.passages_n, .text = str_c(text)};
        CHECK_OK(store_write(st, who, OP(passages_add), &add, &err), &err);
    }
    CHECK_OK(store_write(st, who, OP(document_status_set), &ready, &err), &err);
}

/* ---- A server -------------------------------------------------------------
 */

/* What a search by HTTP says: hits, a colon, whether it is indexing. */
static const char *look(struct attack_site *a, const char *user,
                        const char *course, const char *query)
{
    const char *path =
        arena_printf(&a->site.arena, "/api/search?courseId=%s&q=%s", course,
                     query)
            .p;
    struct json *found = talk_with(&a->site, user, 200, "GET", path, NULL);

    return arena_printf(&a->site.arena, "%s: %s",
                        json_each(&a->site, found, "hits", "documentId"),
                        json_at(&a->site, found, "indexing"))
        .p;
}

static bool finds(struct attack_site *a, const char *user, const char *course,
                  const char *query, const char *what)
{
    return strcmp(look(a, user, course, query), what) == 0;
}

/* Mallory's builds never end.  Bo finds what he had and what he adds, and she
 * finds what she had. */
CONTRACT(attack_index_build_holds_up_nobody)
{
    AUTO(attack_site_close)
    struct attack_site a = {.site = {.index_wait_ms = 1}};
    struct store *st;

    attack_site_open(&a);
    st = a.site.served.store;
    course(st, MALLORY, "evil-1");
    course(st, MALLORY, "evil-2");
    course(st, MALLORY, "evil-3");
    course(st, BO, "calm");
    document(st, MALLORY, "evil-1", "old", 1, "apples are red");
    document(st, BO, "calm", "mine", 1, "plums are blue");
    WAIT_UNTIL(finds(&a, a.mallory, "evil-1", "apples", "'old': false"));
    WAIT_UNTIL(finds(&a, a.bo, "calm", "plums", "'mine': false"));

    held_course = "evil";
    hold_next();
    document(st, MALLORY, "evil-1", "a", 1, "apples are green");
    document(st, MALLORY, "evil-2", "b", 1, "apples are green");
    document(st, MALLORY, "evil-3", "c", 1, "apples are green");
    WAIT_UNTIL(strstr(turns_now(), "evil"));
    CHECK_STR(look(&a, a.bo, "calm", "plums"), "'mine': false");
    other_user_goes_on(&a);
    CHECK_STR(look(&a, a.mallory, "evil-1", "apples"), "'old': true");
    CHECK_STR(look(&a, a.mallory, "evil-2", "apples"), ": true");
    document(st, BO, "calm", "new", 1, "pears are green"); /* is indexed */
    WAIT_UNTIL(finds(&a, a.bo, "calm", "pears", "'new': false"));
    CHECK_STR(look(&a, a.mallory, "evil-3", "apples"), ": true");
    hold_release();
    WAIT_UNTIL(finds(&a, a.mallory, "evil-3", "apples", "'c': false"));
}

/* With the time that a server gives, the first search finds what is ready. */
CONTRACT(attack_none_a_search_finds_what_is_ready)
{
    ATTACK_SITE(a);

    course(a.site.served.store, BO, "calm");
    document(a.site.served.store, BO, "calm", "one", 200, "plums are blue");
    CHECK_STR(look(&a, a.bo, "calm", "blue&limit=1"), "'one': false");
    document(a.site.served.store, BO, "calm", "two", 200, "pears are green");
    CHECK_STR(look(&a, a.bo, "calm", "green&limit=1"), "'two': false");
}

/* ---- A retriever alone -----------------------------------------------------
 */

static struct store *st;
static struct retriever *re;
static struct arena out;
static struct footnote_err err;

static void open_all(void)
{
    struct retriever_options o = {.folder = NULL};

    out = ARENA(ARENA_BYTES);
    CHECK_OK(store_open(test_url(), &st, &err), &err);
    CHECK_OK(retriever_open(st, &o, &re, &err), &err);
}

static void close_all(void)
{
    retriever_close(re);
    store_close(st);
    arena_free(&out);
}

static struct search ask(struct who who, const char *course,
                         enum search_patience patience)
{
    struct search s = {.who = who,
                       .course = str_c(course),
                       .query = STR("apples"),
                       .limit = 1,
                       .patience = patience};

    CHECK_OK(retriever_search(re, &out, &s, &err), &err);
    return s;
}

/* One course after the other, and again as documents come. */
CONTRACT(attack_index_analyses_each_passage_once)
{
    open_all();
    course(st, BO, "c");
    document(st, BO, "c", "long", 1700, "apples are red");
    CHECK_INT(ask(BO, "c", SEARCH_WAIT).hits_n, 1);
    CHECK_INT(passages_n, 1700);
    for (char i = 'a'; i < 'a' + 20; i++)
        document(st, BO, "c", (char[]){i, '\0'}, i == 'd' ? 125 : 3,
                 "apples are green");
    CHECK_INT(ask(BO, "c", SEARCH_WAIT).hits_n, 1);
    CHECK_INT(passages_n, 1700 + 125 + 19 * 3);
    document(st, BO, "c", "last", 1, "plums");
    CHECK_INT(ask(BO, "c", SEARCH_WAIT).hits_n, 1);
    CHECK_INT(passages_n, 1700 + 125 + 19 * 3 + 1);
    close_all();
}

/* The build is at its 200th passage of 4000 when the server is told to end. */
CONTRACT(attack_index_build_ends_with_its_server)
{
    open_all();
    course(st, MALLORY, "evil");
    document(st, MALLORY, "evil", "long", 4000, "apples are green");
    waits_at = 200;
    CHECK(ask(MALLORY, "evil", SEARCH_NOW).indexing);
    WAIT_UNTIL(passages_n == waits_at);
    close_all();
    CHECK(passages_n <= 1000);
}

/* Mallory has five courses to index, and was first. */
CONTRACT(attack_index_owners_take_turns)
{
    open_all();
    course(st, BO, "calm");
    document(st, BO, "calm", "mine", 1, "apples are red");
    for (char i = '1'; i <= '5'; i++) {
        course(st, MALLORY, (char[]){'m', i, '\0'});
        document(st, MALLORY, (char[]){'m', i, '\0'}, (char[]){'d', i, '\0'}, 1,
                 "apples are red");
    }
    hold_next();
    for (char i = '1'; i <= '5'; i++)
        (void)ask(MALLORY, (char[]){'m', i, '\0'}, SEARCH_NOW);
    hold_await();
    (void)ask(BO, "calm", SEARCH_NOW);
    WAIT_UNTIL(strstr(turns_now(), "calm"));
    CHECK_STR(turns_now() + 2, " calm "); /* behind one of hers */
    hold_release();
    CHECK_INT(ask(MALLORY, "m5", SEARCH_WAIT).hits_n, 1);
    close_all();
}

/* It is known whose course it is, and it waits. */
static bool is_queued(const char *id)
{
    const struct course_index *c;
    bool is;

    pthread_mutex_lock(&of->lock);
    c = course_index_find(of, STR("default"), str_c(id));
    is = c && c->owner && c->queued[INDEX_SYNC];
    pthread_mutex_unlock(&of->lock);
    return is;
}

/* A course of 60 documents with 100 passages each waits in the middle for
 * another one of the same owner. */
CONTRACT(attack_index_long_build_gives_way)
{
    open_all();
    course(st, MALLORY, "long");
    course(st, MALLORY, "short");
    for (char i = 0; i < 60; i++)
        document(st, MALLORY, "long", (char[]){'d', (char)('A' + i), '\0'}, 100,
                 "apples are green");
    document(st, MALLORY, "short", "s", 1, "apples are red");
    hold_next();
    (void)ask(MALLORY, "long", SEARCH_NOW);
    hold_await();
    (void)ask(MALLORY, "short", SEARCH_NOW);
    WAIT_UNTIL(is_queued("short"));
    hold_release();
    CHECK_INT(ask(MALLORY, "long", SEARCH_WAIT).hits_n, 1);
    CHECK_STR(turns_now(), "long short long ");
    CHECK_INT(passages_n, 6001);
    close_all();
}
