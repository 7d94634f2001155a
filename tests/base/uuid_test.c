/* uuid_test.c - the form of ids, and that they only go up. */
#include "base/clock.h"
#include "base/uuid.h"
#include "test.h"

#include <pthread.h>

static void check_form(const char *id)
{
    CHECK_INT(strlen(id), UUID_BYTES);
    for (size_t i = 0; i < UUID_BYTES; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        CHECK(dash ? id[i] == '-' : strchr("0123456789abcdef", id[i]) != NULL);
    }
    CHECK_INT(id[14], '7');
    CHECK(strchr("89ab", id[19]) != NULL);
}

TEST(uuid_has_the_form_of_version_7)
{
    char id[UUID_BYTES + 1];
    for (int i = 0; i < 1000; i++) {
        uuid_v7(id);
        check_form(id);
    }
}

static int64_t wall;

static int64_t read_wall(void)
{
    return wall;
}

static const struct clock_source stopped = {read_wall, read_wall};

TEST(uuid_begins_with_the_time)
{
    char id[UUID_BYTES + 1];
    clock_replace(&stopped);
    wall = 0x123456789ABC;
    uuid_v7(id);
    CHECK_INT(strncmp(id, "12345678-9abc-7", 15), 0);
}

TEST(uuid_goes_up_while_the_clock_stands_still_or_goes_back)
{
    char last[UUID_BYTES + 1], id[UUID_BYTES + 1];
    clock_replace(&stopped);
    wall = 1772136900123;
    uuid_v7(last);
    for (int i = 0; i < 20000; i++) {
        if (i == 10000)
            wall -= 3600000;
        uuid_v7(id);
        CHECK(strcmp(id, last) > 0);
        memcpy(last, id, sizeof(id));
    }
}

static void *make_many(void *ids)
{
    char(*out)[UUID_BYTES + 1] = ids;
    for (int i = 0; i < 2000; i++)
        uuid_v7(out[i]);
    return NULL;
}

TEST(uuid_goes_up_in_each_of_many_threads)
{
    static char ids[4][2000][UUID_BYTES + 1];
    pthread_t threads[4];
    for (int t = 0; t < 4; t++)
        CHECK_INT(pthread_create(&threads[t], NULL, make_many, ids[t]), 0);
    for (int t = 0; t < 4; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < 4; t++) {
        for (int i = 1; i < 2000; i++)
            CHECK(strcmp(ids[t][i], ids[t][i - 1]) > 0);
    }
    CHECK(strcmp(ids[0][0], ids[1][0]) != 0);
}

TEST(random_bytes_fills_all_of_it)
{
    unsigned char a[1000] = {0};
    int zeros = 0;
    random_bytes(a, sizeof(a));
    for (size_t i = 0; i < sizeof(a); i++)
        zeros += a[i] == 0;
    CHECK(zeros < 100);
    random_bytes(NULL, 0);
}
