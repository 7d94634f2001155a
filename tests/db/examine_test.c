/* examine_test.c - what an engine says of a whole database. */
#include <stdio.h>

#include "thing_help.h"

struct found {
    int fine, doubtful, broken, ticks;
    char text[500];
};

static void on_found(void *arg, enum db_grade grade, const char *text,
                     const char *mend)
{
    struct found *f = arg;

    f->fine += grade == DB_FINE;
    f->doubtful += grade == DB_DOUBTFUL;
    f->broken += grade == DB_BROKEN;
    CHECK((grade == DB_FINE) == (mend == NULL));
    snprintf(f->text, sizeof(f->text), "%s", text);
}

static void on_tick(void *arg)
{
    struct found *f = arg;

    f->ticks++;
}

static struct found examine(bool quick, int64_t *clock_ms)
{
    struct found f = {0};
    struct db_examination x = {
        .quick = quick, .found = on_found, .goes_on = on_tick, .arg = &f};
    struct db *db = thing_open(DB_READ, 0);

    CHECK_OK(db_examine(db, &x, &thing_err), &thing_err);
    *clock_ms = x.clock_ms;
    db_close(db);
    return f;
}

CONTRACT(an_examination_finds_nothing_in_what_is_healthy)
{
    struct db *db = thing_open_begun();
    struct found f;
    int64_t clock_ms;

    thing_add(db, 1, "some words");
    f = examine(false, &clock_ms); /* beside a writer */
    CHECK_INT(f.broken, 0);
    CHECK_INT(f.fine + f.doubtful, 1);
    CHECK((clock_ms > 0) == test_is_postgres());
    f = examine(true, &clock_ms);
    CHECK_INT(f.broken, 0);
    thing_commit(db);
    db_close(db);
}
