/* collection_test.c - a judged collection as a course. */
#include "cli/eval/collection.h"

#include <stdio.h>

#include "test.h"

static void write_lines(const char *name, const char *id, int lines)
{
    char path[600];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", test_dir(), name);
    f = fopen(path, "w");
    CHECK(f != NULL);
    for (int i = 0; i < lines; i++)
        fprintf(f, "{\"id\":\"%s%d\",\"text\":\"entropy %d\"}\n", id, i, i);
    CHECK(fclose(f) == 0);
}

/* Jobs that were submitted before memory ran out are waited for. */
TEST(collection_open_without_memory_ends)
{
    write_lines("docs.jsonl", "d", 50);
    write_lines("queries.jsonl", "q", 1);
    write_lines("qrels.tsv", "", 0);
    for (size_t more = 200; more < 40000; more += 4000) {
        struct arena a = ARENA((size_t)1 << 30);
        struct collection c;
        struct bench_course course = {.store = NULL};
        struct footnote_err err;

        CHECK_OK(collection_read(&a, test_dir(), &c, &err), &err);
        a.max_bytes = a.used_bytes + more;
        CHECK_INT(collection_open(&a, &c, NULL, &course, &err), FOOTNOTE_NOMEM);
        collection_close(&course);
        arena_free(&a);
    }
}
