/* flips_test.c - single bits of the database are flipped, in every column of
 * every table.  The server is started over it and everybody asks for everything
 * that can be read: what comes with 200 is what came before, or a part of it.
 */
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "canary_site.h"
#include "contract.h"
#include "rows_beside.h"

enum { FLIPS = 200, FLIPS_SOAK = 2500, BASE_BYTES = 1 << 30 };

/* Columns without a seal, see sql/sealed.sql; and keys by which rows are looked
 * for together, so that one of them is not missed. */
static const char *const outside[][2] = {
    {"account_usage", NULL},        {"session", "active_ms"},
    {"document", "unit"},           {"document", "done"},
    {"document", "total"},          {"message", "tenant"},
    {"message", "session"},         {"retrieval_event", "tenant"},
    {"retrieval_event", "session"}, {"verdict", "tenant"},
    {"verdict", "session"}};

static const char *const paths[] = {
    "/api/me",
    "/api/sessions",
    "/api/sessions?q=" TOPIC,
    "/api/sessions/" SESSION,
    "/api/sessions/" SESSION "/messages",
    "/api/sessions/" SESSION "/messages?as=ui",
    "/api/sessions/" SESSION "/messages?as=rows",
    "/api/sessions/" RUNNING "/messages?versions=all",
    "/api/sessions/" OPEN "/messages",
    "/api/sessions/" PICTURED "/messages",
    "/api/sessions/" SESSION "/references",
    "/api/sessions/" SESSION "/retrievals",
    "/api/sessions/" RUNNING "/retrievals",
    "/api/courses",
    "/api/courses/" SHARED,
    "/api/courses/" PRIVATE,
    "/api/courses/" SHARED "/members",
    "/api/courses/" SHARED "/documents",
    "/api/documents/" TEXT,
    "/api/documents/" ENTRY,
    "/api/documents/" PDF,
    "/api/documents/" PRIVATE_DOC,
    "/api/documents/" TEXT "/citations",
    "/api/documents/" TALK "/transcript",
    "/api/documents/" PDF "/download",
    "/api/search?q=" TOPIC,
    "/api/search?q=" TOPIC "&courseId=" SHARED,
    "/api/search?q=" TOPIC "&sessionId=" SESSION,
};
enum { PATHS = sizeof(paths) / sizeof(paths[0]) };

struct shown {
    int status;
    struct str body;
    struct json *json; /* or NULL */
};
static struct shown base[NOBODY][PATHS];

static char now[300]; /* what was flipped */

static void tell(int signal_number)
{
    (void)!write(STDOUT_FILENO, now, strlen(now));
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static struct shown ask(struct canary_site *e, enum person p, const char *path)
{
    struct ask ask = {.method = "GET", .path = path, .header = e->headers[p]};
    struct answer_to a = site_ask(&e->site, &ask);
    struct shown out = {.status = a.status, .body = a.body};
    struct footnote_err err;

    if (str_starts(a.type, STR("application/json")) &&
        json_read(&e->site.arena, a.body, &out.json, &err) != FOOTNOTE_OK)
        FAIL("%s%s: %s", now, path, err.text);
    return out;
}

/* ---- Comparing ---------------------------------------------------------- */

static bool is_part(const struct json *v, const struct json *of);

/* A session whose question is damaged may be found by its title instead. */
static bool is_title(const struct json *session)
{
    const struct json *match = json_get(session, STR("match"));

    return str_eq(json_text(match, STR("where")), STR("title")) &&
           str_eq(json_text(match, STR("snippet")),
                  json_text(session, STR("title")));
}

/* Counters have no seal, and what is left of a search ranks among itself. */
static bool is_free(const struct json *object, struct str key)
{
    return (str_eq(key, STR("match")) && is_title(object)) ||
           str_eq(key, STR("usage")) || str_eq(key, STR("score")) ||
           (str_eq(key, STR("lowConfidence")) && json_get(object, STR("hits")));
}

static bool is_part_of_one(const struct json *v, const struct json *list)
{
    for (const struct json *one = list->first; one; one = one->next)
        if (is_part(v, one))
            return true;
    return false;
}

/* Lists may be shorter; everything else is the same. */
static bool is_part(const struct json *v, const struct json *of)
{
    if (v->type != of->type)
        return false;
    switch (v->type) {
    case JSON_ARRAY:
        for (const struct json *one = v->first; one; one = one->next)
            if (!is_part_of_one(one, of))
                return false;
        return true;
    case JSON_OBJECT:
        if (v->n != of->n)
            return false;
        for (const struct json *m = v->first; m; m = m->next)
            if (!is_free(v, m->key) &&
                (!json_get(of, m->key) || !is_part(m, json_get(of, m->key))))
                return false;
        return true;
    case JSON_NULL:
    case JSON_FALSE:
    case JSON_TRUE: return true;
    case JSON_I64:
    case JSON_F64:
    case JSON_STR: break;
    }
    return str_eq(v->raw, of->raw);
}

static unsigned wrong_n;

static void compare(enum person p, const char *path, const struct shown *was,
                    const struct shown *is)
{
    if (is->status != 200)
        return;
    if (was->status != 200 ? false
        : was->json        ? is->json && is_part(is->json, was->json)
                           : str_eq(is->body, was->body))
        return;
    wrong_n++;
    printf("%s%s of %s: %.*s\n   was %d %.*s\n", now, path, person_names[p],
           (int)is->body.n, is->body.p, was->status, (int)was->body.n,
           was->body.p ? was->body.p : "");
}

static void ask_all(struct canary_site *e, bool first)
{
    for (int p = OWNER; p < NOBODY; p++)
        for (size_t i = 0; i < PATHS; i++) {
            struct shown is = ask(e, (enum person)p, paths[i]);

            if (first)
                base[p][i] = is;
            else
                compare((enum person)p, paths[i], &base[p][i], &is);
            if (first && p == OWNER && is.status != 200)
                FAIL("%s is %d", paths[i], is.status);
        }
}

/* ---- All of it ---------------------------------------------------------- */

static bool is_outside(const struct beside_column *c)
{
    for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
        if (strcmp(c->table, outside[i][0]) == 0 &&
            (!outside[i][1] || strcmp(c->name, outside[i][1]) == 0))
            return true;
    return false;
}

static bool flip_one(struct canary_site *e, const struct beside_column *c,
                     unsigned random)
{
    struct arena kept = e->site.arena;

    snprintf(now, sizeof(now), "bit %u of %.63s.%.63s: ", random % 4096,
             c->table, c->name);
    if (is_outside(c) || !beside_flip(c, random >> 12, random % 4096))
        return false;
    e->site.arena = ARENA(BASE_BYTES);
    served_start(&e->site.served);
    ask_all(e, false);
    served_stop(&e->site.served);
    arena_free(&e->site.arena);
    e->site.arena = kept;
    beside_restore();
    return true;
}

CONTRACT_LIMIT(no_flipped_bit_of_a_table_is_shown, 3600)
{
    AUTO(canary_site_close) struct canary_site e = {.up = NULL};
    unsigned wanted = test_count(FLIPS, FLIPS_SOAK), flipped = 0;
    unsigned seed = 20261119;

    signal(SIGABRT, tell);
    signal(SIGSEGV, tell);
    canary_site_open(&e);
    talk_with(&e.site, e.headers[OWNER], 200, "PATCH",
              "/api/messages/" OPEN_ANSWER, "{'status':'complete'}");
    upstream_pass(e.up, "end");
    client_close(&e.turn);
    served_stop(&e.site.served);
    served_start(&e.site.served);
    ask_all(&e, true);
    served_stop(&e.site.served);
    beside_open();
    for (unsigned i = 0; flipped < wanted; i++) {
        seed = seed * 1103515245 + 12345;
        flipped +=
            flip_one(&e, &beside_columns[i % beside_columns_n], seed >> 4);
    }
    CHECK_INT(wrong_n, 0);
    beside_close();
    served_start(&e.site.served);
}

/* ---- Files -------------------------------------------------------------- */

enum { FILE_FLIPS = 60, FILE_FLIPS_SOAK = 2500, FILES_MAX = 8 };

static const char *const of_files[] = {
    "/api/documents/" PDF "/download", "/api/documents/" PDF "/pages/1",
    "/api/documents/" TALK "/media", "/api/documents/" TALK "/download"};
enum { OF_FILES = sizeof(of_files) / sizeof(of_files[0]) };

static char files[FILES_MAX][PATH_MAX];
static size_t files_n;

static int add_file(const char *path, const struct stat *st, int kind,
                    struct FTW *at)
{
    (void)at;
    if (kind != FTW_F || st->st_size < 20 || strstr(path, "/owner"))
        return 0;
    CHECK(files_n < FILES_MAX);
    snprintf(files[files_n++], PATH_MAX, "%s", path);
    return 0;
}

static void flip_file(const char *path, unsigned random)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    off_t at = (off_t)random % lseek(fd, 0, SEEK_END);
    unsigned char byte;

    CHECK_INT(pread(fd, &byte, 1, at), 1);
    byte ^= (unsigned char)(1U << random % 8);
    CHECK_INT(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

/* The body; absent when it is not all there, or no success. */
static struct str whole_file(struct canary_site *e, const char *path)
{
    struct str body = STR_NONE;
    struct response r;
    struct client c;

    client_open(&c, e->site.served.port);
    client_send(&c, arena_printf(&e->site.arena,
                                 "GET %s HTTP/1.1\r\nHost: localhost\r\n"
                                 "%s\r\nConnection: close\r\n\r\n",
                                 path, e->headers[OWNER]));
    if (client_answer(&c, &r) && r.whole && r.status == 200)
        body = arena_str(&e->site.arena, r.body);
    client_close(&c);
    return body;
}

TEST_LIMIT(sqlite_no_flipped_bit_of_a_file_is_shown, 3600)
{
    AUTO(canary_site_close) struct canary_site e = {.up = NULL};
    unsigned wanted = test_count(FILE_FLIPS, FILE_FLIPS_SOAK);
    unsigned seed = 20261119, refused = 0;
    struct str was[OF_FILES];

    canary_site_open(&e);
    for (size_t i = 0; i < OF_FILES; i++) {
        was[i] = whole_file(&e, of_files[i]);
        CHECK(was[i].n > 0);
    }
    CHECK_INT(nftw(e.site.served.config.objects.p + strlen("files:"), add_file,
                   16, FTW_PHYS),
              0);
    for (unsigned n = 0; n < wanted; n++) {
        const char *path = files[n % files_n];

        seed = seed * 1103515245 + 12345;
        flip_file(path, seed >> 4);
        for (size_t i = 0; i < OF_FILES; i++) {
            struct str is = whole_file(&e, of_files[i]);

            refused += !is.p;
            if (is.p && !str_eq(is, was[i]))
                FAIL("%s after a flip in %s: %.*s", of_files[i], path,
                     STR_ARG(is));
        }
        flip_file(path, seed >> 4); /* back */
    }
    CHECK(refused >= wanted / 3);
}
