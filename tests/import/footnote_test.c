/* footnote_test.c - our own export, as `footnote export --all` writes it: the
 * courses, then random sessions of several people. */
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "help/sessions.h"
#include "importing.h"
#include "store/session/course.h"
#include "store/session/whole.h"

enum { SESSIONS = 210, PEOPLE = 4 };

static struct footnote_err err;
static char *wanted[SESSIONS]; /* as they were there */

static struct who who_of(int i)
{
    static char user[PEOPLE][10];

    snprintf(user[i % PEOPLE], sizeof(user[0]), "u%d", i % PEOPLE);
    return (struct who){STR("default"), str_c(user[i % PEOPLE])};
}

static struct str id_of(int i)
{
    static char id[20];

    snprintf(id, sizeof(id), "s%d", i);
    return str_c(id);
}

static void add_line(FILE *f, struct buf *b)
{
    CHECK_OK(buf_rc(b, &err), &err);
    fprintf(f, "%.*s\n", STR_ARG(buf_str(b)));
    buf_free(b);
}

static void add_course(FILE *f, struct store *st, struct str id)
{
    AUTO(arena_free) struct arena a = ARENA(1024 * 1024);
    struct course_get get = {.id = id};
    struct member_list members = {.course = id};
    struct who who = {STR("default"), STR("ann")};
    struct buf b = BUF(1024 * 1024);

    CHECK_OK(store_read(st, who, &a, OP(course_get), &get, &err), &err);
    CHECK_OK(store_read(st, who, &a, OP(member_list), &members, &err), &err);
    export_course(&b, &get.course, members.members, members.members_n);
    add_line(f, &b);
}

/* A line has its owner, which what is compared later has not. */
static void add_session(FILE *f, struct store *st, int i)
{
    AUTO(arena_free) struct arena a = ARENA((size_t)512 * 1024 * 1024);
    struct whole_read op = {.session = id_of(i)};
    struct buf b = BUF((size_t)128 * 1024 * 1024);
    struct str json = session_out(st, sessions_ann, op.session, &a);

    free(wanted[i]);
    wanted[i] = strndup(json.p, json.n);
    CHECK_OK(store_read(st, sessions_ann, &a, OP(whole_read), &op, &err), &err);
    export_kept(&b, &op.whole, who_of(i).user);
    add_line(f, &b);
}

static const char *make_original(void)
{
    static char path[1000];
    struct random r = {2463534242};
    char url[1000];
    struct store *st;
    FILE *f;

    snprintf(url, sizeof(url), "sqlite:%s/theirs.db", test_dir());
    snprintf(path, sizeof(path), "%s/all.jsonl", test_dir());
    f = fopen(path, "w");
    CHECK(f != NULL);
    CHECK_OK(store_open(url, &st, &err), &err);
    sessions_begin(st);
    for (int i = 0; i < SESSIONS; i++)
        sessions_make(st, &r, id_of(i).p);
    add_course(f, st, STR("c0"));
    add_course(f, st, STR("c1"));
    add_course(f, st, STR("c2"));
    for (int i = 0; i < SESSIONS; i++)
        add_session(f, st, i);
    store_close(st);
    CHECK(fclose(f) == 0);
    return path;
}

static void check_counts(const struct importing *im)
{
    CHECK_INT(im->counts.sessions_in_source, SESSIONS);
    CHECK_INT(im->counts.left_out + im->counts.changed, 0);
    CHECK(im->counts.references > SESSIONS && im->counts.events > SESSIONS);
}

/* Out again, it is what came in, to the byte. */
static void check_store(struct store *st)
{
    for (int i = 0; i < SESSIONS; i++) {
        AUTO(arena_free) struct arena a = ARENA((size_t)512 * 1024 * 1024);
        struct str id = id_of(i);

        CHECK_TEXT(session_out(st, who_of(i), id, &a), str_c(wanted[i]));
    }
    sessions_sound(st);
}

static struct proof made(void)
{
    return (struct proof){
        .o = {.kind = "footnote", .source = str_c(make_original())},
        .sessions = SESSIONS,
        .killed_at = 77,
        .counts = check_counts,
        .check = check_store};
}

CONTRACT_LIMIT(an_export_of_ours_comes_whole, 120)
{
    struct proof p = made();

    prove_whole(&p, test_url());
}

CONTRACT_LIMIT(an_export_of_ours_that_was_killed_goes_on, 120)
{
    struct proof p = made();

    prove_killed(&p, test_url());
}

TEST_LIMIT(sqlite_an_export_of_ours_without_room_goes_on_later, 120)
{
    struct proof p;

    contract_engine("sqlite");
    p = made();
    prove_full(&p);
}
