/* plan_test.c - a folder that is changed between its plan and its reading. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "cli/ingest/plan.h"
#include "test.h"

enum { TEST_ARENA_BYTES = 1024 * 1024 };

static void write_file(const char *path)
{
    FILE *f = fopen(path, "w");

    CHECK(f && fputs("Heat flows.\n", f) >= 0);
    CHECK_INT(fclose(f), 0);
}

static bool opens(const struct plan_item *i)
{
    AUTO(fd_closep) int fd = plan_open(i->root, i->path, O_RDONLY);

    return fd >= 0;
}

TEST(plan_a_file_that_becomes_a_link_later_is_not_followed)
{
    AUTO(arena_free) struct arena a = ARENA(TEST_ARENA_BYTES);
    struct str root = STR("notes");
    struct footnote_err err;
    struct plan plan;

    CHECK_INT(chdir(test_dir()), 0);
    CHECK_INT(mkdir("notes", 0700), 0);
    CHECK_INT(mkdir("notes/deep", 0700), 0);
    CHECK_INT(mkdir("outside", 0700), 0);
    write_file("notes/a.txt");
    write_file("notes/deep/b.txt");
    write_file("outside/b.txt");
    CHECK_OK(plan_make(&a, &root, 1, &plan, &err), &err);
    CHECK_INT(plan.n, 2);
    CHECK(opens(plan.first) && opens(plan.first->next));

    CHECK_INT(unlink("notes/a.txt"), 0);
    CHECK_INT(symlink("../outside/b.txt", "notes/a.txt"), 0);
    CHECK(!opens(plan.first));
    CHECK_INT(errno, EXDEV);

    CHECK_INT(rename("notes/deep", "notes/old"), 0);
    CHECK_INT(symlink("../outside", "notes/deep"), 0);
    CHECK(!opens(plan.first->next));
    CHECK_INT(errno, EXDEV);
}
