/* index_files_test.c - indexes on disk, in little memory, and under many
 * threads. */
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "retrieve/index/index_check.h"
#include "retrieve/search/search.h"
#include "retrieve_help.h"

#include "store/document/document.h"
#include "store/session/course.h"

/* Calls fn for each file of indexes; returns how many there are. */
static int each_file(const char *folder, void (*fn)(const char *path))
{
    DIR *dir = opendir(folder);
    const struct dirent *e;
    int n = 0;

    while (dir && (e = readdir(dir))) {
        char path[1024];

        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
        if (e->d_type == DT_DIR) {
            n += each_file(path, fn);
            continue;
        }
        n++;
        if (fn)
            fn(path);
    }
    if (dir)
        closedir(dir);
    return n;
}

static void damage(const char *path)
{
    CHECK_INT(truncate(path, 100), 0);
}

static const char *index_folder(void)
{
    static char folder[512];

    snprintf(folder, sizeof(folder), "%s/index", test_dir());
    return folder;
}

/* Closed and opened again; what the thread of the indexes does is awaited. */
static void reopen(void)
{
    indexes_wait_idle(re->indexes);
    close_all();
    open_all(index_folder());
}

TEST(an_index_is_kept_and_read_back)
{
    struct search s;

    open_all(index_folder());
    course(ANN, "c");
    text(ANN, "c", "a", "apples are red");
    text(ANN, "c", "b", "plums are blue");
    (void)search(ANN, "c", "apples");
    reopen();
    CHECK(each_file(index_folder(), NULL) >= 1);
    s = search(ANN, "c", "apples");
    CHECK_INT(s.hits_n, 1);
    delete (ANN, "a");
    text(ANN, "c", "d", "apples are green");
    s = search(ANN, "c", "apples");
    CHECK_INT(s.hits_n, 1);
    CHECK_STR(hit_id(&s, 0), "d");
    reopen();
    s = search(ANN, "c", "apples");
    CHECK_INT(s.hits_n, 1);
    close_all();
}

TEST(a_damaged_index_is_made_again)
{
    struct search s;

    open_all(index_folder());
    course(ANN, "c");
    text(ANN, "c", "a", "apples are red");
    (void)search(ANN, "c", "apples");
    indexes_wait_idle(re->indexes);
    close_all();
    CHECK(each_file(index_folder(), damage) >= 1);
    open_all(index_folder());
    s = search(ANN, "c", "apples");
    CHECK_INT(s.hits_n, 1);
    indexes_wait_idle(re->indexes);
    CHECK_INT(each_file(index_folder(), NULL), 1);
    close_all();
}

static void no_progress(void *arg, int64_t courses)
{
    (void)arg;
    (void)courses;
}

static struct index_check checked(bool remove)
{
    struct index_check c = {.store = st,
                            .folder = index_folder(),
                            .remove = remove,
                            .goes_on = no_progress};

    CHECK_OK(index_check(&c, &out, &err), &err);
    return c;
}

TEST(index_files_are_compared_with_the_store)
{
    struct index_check c;

    open_all(index_folder());
    course(ANN, "c");
    text(ANN, "c", "a", "apples are red");
    course(BEN, "d");
    text(BEN, "d", "b", "plums are blue");
    (void)search(ANN, "c", "apples");
    (void)search(BEN, "d", "plums");
    indexes_wait_idle(re->indexes);
    c = checked(false);
    CHECK_INT(c.courses, 2);
    CHECK_INT(c.documents, 2);
    CHECK_INT(c.files, 2);
    CHECK_INT(c.damaged + c.not_in_files, 0);
    CHECK_INT(each_file(index_folder(), damage), 2);
    c = checked(false);
    CHECK_INT(c.damaged, 2);
    CHECK_INT(c.removed, 0);
    CHECK_INT(c.not_in_files, 2);
    CHECK(c.first_damaged.p != NULL);
    c = checked(true);
    CHECK_INT(c.removed, 2);
    CHECK_INT(each_file(index_folder(), NULL), 0);
    CHECK_INT(checked(false).files, 0);
    close_all();
}

TEST(many_small_segments_are_merged)
{
    struct search s;

    open_all(index_folder());
    course(ANN, "c");
    for (int i = 0; i < 30; i++) {
        char id[16], words[64];

        snprintf(id, sizeof(id), "d%d", i);
        snprintf(words, sizeof(words), "apples are red %s", id);
        text(ANN, "c", id, words);
        s = search(ANN, "c", "apples");
        CHECK_INT(s.hits_n, i < RETRIEVE_HITS ? i + 1 : RETRIEVE_HITS);
    }
    indexes_wait_idle(re->indexes);
    CHECK(each_file(index_folder(), NULL) <= 5);
    close_all();
}

TEST(an_index_on_a_disk_that_refuses_works_from_memory)
{
    struct search s;

    open_all("/proc/no such folder");
    course(ANN, "c");
    text(ANN, "c", "a", "apples are red");
    s = search(ANN, "c", "apples");
    CHECK_INT(s.hits_n, 1);
    indexes_wait_idle(re->indexes);
    close_all();
}

TEST(indexes_that_do_not_fit_are_forgotten_and_made_again)
{
    struct retriever_options o = {.bytes_max = 1};

    open_all(NULL);
    retriever_close(re);
    CHECK_OK(retriever_open(st, &o, &re, &err), &err);
    course(ANN, "c");
    course(ANN, "d");
    text(ANN, "c", "a", "apples are red");
    text(ANN, "d", "b", "apples are green");
    for (int i = 0; i < 4; i++) {
        struct search s = search(ANN, i % 2 ? "c" : "d", "apples");

        CHECK_INT(s.hits_n, 1);
    }
    close_all();
}

static void tell(void *arg, const struct document_change *c)
{
    retriever_changed(arg, c);
}

/* Nobody searches a course that is gone, so nobody would find its files. */
TEST(the_files_of_a_deleted_course_go_at_once)
{
    struct course_delete op = {.id = STR("c")};

    open_all(index_folder());
    course(ANN, "c");
    course(ANN, "other");
    text(ANN, "c", "a", "apples are red");
    text(ANN, "other", "b", "plums are blue");
    (void)search(ANN, "c", "apples");
    (void)search(ANN, "other", "plums");
    reopen(); /* and neither was searched since */
    CHECK_INT(each_file(index_folder(), NULL), 2);
    store_watch(st, tell, re);
    WRITE(ANN, course_delete, &op);
    store_unwatch(st, re);
    indexes_wait_idle(re->indexes);
    CHECK_INT(each_file(index_folder(), NULL), 1);
    CHECK_INT(search(ANN, "other", "plums").hits_n, 1);
    close_all();
}

/* ---- Who waits ----------------------------------------------------------- */

static struct search patient_search(const char *course_id,
                                    enum search_patience patience)
{
    struct search s = {.who = ANN,
                       .course = str_c(course_id),
                       .query = STR("apples"),
                       .patience = patience};

    look(&s);
    return s;
}

RETRIEVED(a_search_says_that_it_is_not_in_step)
{
    struct search s;

    course(ANN, "c");
    s = patient_search("c", SEARCH_NOW);
    CHECK(!s.indexing); /* there is nothing to index */
    text(ANN, "c", "a", "apples are red");
    s = patient_search("c", SEARCH_LATER);
    CHECK(s.indexing);
    CHECK_INT(s.hits_n, 0);
    s = patient_search("c", SEARCH_WAIT);
    CHECK(!s.indexing);
    CHECK_INT(s.hits_n, 1);
    text(ANN, "c", "b", "apples are green");
    s = patient_search("c", SEARCH_NOW);
    CHECK(s.indexing);
    CHECK(has_hit(&s, "a"));
    indexes_wait_idle(re->indexes);
    s = patient_search("c", SEARCH_LATER);
    CHECK(!s.indexing);
    CHECK_INT(s.hits_n, 2);
}

/* Another course's documents are no reason to look again. */
RETRIEVED(an_index_is_behind_its_own_course_alone)
{
    course(ANN, "c");
    course(ANN, "other");
    text(ANN, "c", "a", "apples are red");
    (void)patient_search("c", SEARCH_WAIT);
    text(ANN, "other", "b", "apples are green");
    CHECK(!patient_search("c", SEARCH_LATER).indexing);
    delete (ANN, "a");
    CHECK(patient_search("c", SEARCH_LATER).indexing);
}

enum { COURSES = INDEX_COURSES_MAX + 2 };

RETRIEVED(all_courses_are_indexed_before_anyone_searches)
{
    char id[16];

    for (int i = 0; i < COURSES; i++) {
        snprintf(id, sizeof(id), "c%d", i);
        course(ANN, id);
        text(ANN, id, id, "apples are red");
    }
    retriever_index_all(re);
    indexes_wait_idle(re->indexes);
    for (int i = 0; i < COURSES; i++) {
        snprintf(id, sizeof(id), "c%d", i);
        CHECK(!patient_search(id, SEARCH_LATER).indexing);
    }
}

/* ---- Threads ------------------------------------------------------------- */

static _Atomic bool stop;

static void *search_on(void *arg)
{
    struct arena a = ARENA((size_t)64 << 20);
    size_t *rounds = arg;

    do {
        struct search s = {
            .who = ANN, .course = STR("c"), .query = STR("stays")};

        CHECK_OK(retriever_search(re, &a, &s, NULL), NULL);
        CHECK(has_hit(&s, "stay"));
        arena_reset(&a);
        ++*rounds;
    } while (!stop);
    arena_free(&a);
    return NULL;
}

TEST_LIMIT(threads_search_while_documents_come_and_go, 120)
{
    pthread_t threads[3];
    size_t rounds[3] = {0};

    open_all(index_folder());
    course(ANN, "c");
    text(ANN, "c", "stay", "this one stays");
    for (int i = 0; i < 3; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, search_on, &rounds[i]), 0);
    for (int i = 0; i < 20; i++) {
        char id[16];

        snprintf(id, sizeof(id), "d%d", i);
        text(ANN, "c", id, "this one goes away");
        retriever_changed(re, &(struct document_change){.tenant = TENANT,
                                                        .course = STR("c")});
        if (i >= 5) {
            snprintf(id, sizeof(id), "d%d", i - 5);
            delete (ANN, id);
        }
    }
    stop = true;
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        CHECK(rounds[i] > 0);
    }
    close_all();
}
