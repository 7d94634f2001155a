/* importing.c - see importing.h. */
#include "importing.h"

#include <dirent.h>
#include <libpq-fe.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct footnote_err err;

static void on_note(void *arg, enum import_note kind, struct str where,
                    struct str text)
{
    struct importing *im = arg;

    fprintf(im->log, "%s: %.*s: %.*s\n",
            kind == IMPORT_LEFT_OUT ? "left out" : "changed", STR_ARG(where),
            STR_ARG(text));
    fflush(im->log);
}

static void on_session(void *arg, const struct import_session_done *done)
{
    struct importing *im = arg;
    char hex[SHA256_HEX + 1];

    sha256_hex(&done->digest, hex);
    fprintf(im->digest_log, "%.*s %s\n", STR_ARG(done->id), hex);
    fflush(im->digest_log);
    if (im->told >= 0)
        CHECK(write(im->told, "", 1) == 1);
    while (im->stops && im->counts.sessions >= im->stops)
        pause();
}

struct importing importing_begin(const char *url, const char *kind,
                                 const char *source)
{
    struct importing im = {.o = {.kind = kind,
                                 .source = str_c(source),
                                 .who = {STR("default"), STR("local")},
                                 .scratch = test_dir(),
                                 .note = on_note,
                                 .session = on_session},
                           .told = -1};

    CHECK_OK(store_open(url, &im.o.store, &err), &err);
    return im;
}

enum footnote_rc importing_run(struct importing *im, struct footnote_err *why)
{
    enum footnote_rc rc;

    if (im->log)
        fclose(im->log);
    if (im->digest_log)
        fclose(im->digest_log);
    free(im->notes);
    free(im->digests);
    im->log = open_memstream(&im->notes, &im->notes_n);
    im->digest_log = open_memstream(&im->digests, &im->digests_n);
    CHECK(im->log && im->digest_log);
    im->o.arg = im;
    rc = import_run(&im->o, &im->counts, why);
    fflush(im->log);
    fflush(im->digest_log);
    return rc;
}

void importing_end(struct importing *im)
{
    store_close(im->o.store);
    if (im->log)
        fclose(im->log);
    if (im->digest_log)
        fclose(im->digest_log);
    free(im->notes);
    free(im->digests);
}

static const char *line_with(const char *notes, const char *where)
{
    return notes ? strstr(notes, where) : NULL;
}

bool importing_noted(const struct importing *im, const char *where,
                     const char *text)
{
    const char *at = line_with(im->notes, where);

    for (; at; at = line_with(at + 1, where)) {
        const char *end = strchr(at, '\n');
        const char *found = strstr(at, text);

        if (found && found < end)
            return true;
    }
    return false;
}

size_t importing_notes(const struct importing *im, const char *text)
{
    size_t n = 0;

    for (const char *at = line_with(im->notes, text); at;
         at = line_with(at + 1, text))
        n++;
    return n;
}

void importing_kill(const struct importing *im, const char *url, int n)
{
    int pipes[2], status;
    pid_t child;
    char byte;

    CHECK(pipe(pipes) == 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        struct importing mine =
            importing_begin(url, im->o.kind, im->o.source.p);
        struct store *st = mine.o.store;

        close(pipes[0]);
        mine.o = im->o;
        mine.o.store = st;
        mine.told = pipes[1];
        mine.stops = n;
        (void)importing_run(&mine, &err);
        _exit(1); /* there were fewer */
    }
    close(pipes[1]);
    for (int i = 0; i < n; i++)
        CHECK(read(pipes[0], &byte, 1) == 1);
    CHECK(kill(child, SIGKILL) == 0);
    CHECK(waitpid(child, &status, 0) == child);
    close(pipes[0]);
}

/* ---- What is the same for every kind --------------------------------------
 */

const char *sqlite_url(void)
{
    static char url[1000];

    snprintf(url, sizeof(url), "sqlite:%s/ours.db", test_dir());
    return url;
}

const char *made_file(const char *name, void (*make)(FILE *f))
{
    static char path[1000];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", test_dir(), name);
    f = fopen(path, "w");
    CHECK(f != NULL);
    make(f);
    CHECK(fclose(f) == 0);
    return path;
}

static struct importing proof_begin(const struct proof *p, const char *url)
{
    struct importing im = importing_begin(url, p->o.kind, p->o.source.p);

    im.o.texts = p->o.texts;
    im.o.users = p->o.users;
    return im;
}

static void check_run(const struct proof *p, struct importing *im)
{
    CHECK_OK(importing_run(im, &err), &err);
    CHECK_INT(im->counts.sessions, p->sessions);
    p->counts(im);
    p->check(im->o.store);
}

void prove_whole(const struct proof *p, const char *url)
{
    struct importing im = proof_begin(p, url);
    char *digests;

    check_run(p, &im);
    CHECK_INT(im.counts.unchanged, 0);
    digests = strdup(im.digests);
    check_run(p, &im);
    CHECK_INT(im.counts.unchanged, p->sessions);
    CHECK_STR(im.digests, digests);
    free(digests);
    importing_end(&im);
}

void prove_killed(const struct proof *p, const char *url)
{
    struct importing im = proof_begin(p, url);

    store_close(im.o.store);
    importing_kill(&im, url, p->killed_at);
    CHECK_OK(store_open(url, &im.o.store, &err), &err);
    check_run(p, &im);
    CHECK(im.counts.unchanged >= p->killed_at &&
          im.counts.unchanged < p->sessions);
    importing_end(&im);
}

/* A child, because it keeps its limit: files grow to so many bytes. */
static void import_without_room(const struct proof *p, rlim_t bytes)
{
    pid_t child = fork();
    int status;

    CHECK(child >= 0);
    if (child == 0) {
        struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
        struct importing im = proof_begin(p, sqlite_url());

        (void)signal(SIGXFSZ, SIG_IGN);
        CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
        if (importing_run(&im, &err) == FOOTNOTE_OK)
            CHECK_INT(im.counts.sessions, p->sessions); /* it had room */
        else if (err.rc != FOOTNOTE_BUSY && err.rc != FOOTNOTE_FULL &&
                 err.rc != FOOTNOTE_UNSURE) /* in the commit */
            FAIL("%s: %s", footnote_rc_code(err.rc), err.text);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_INT(status, 0);
}

void prove_full(const struct proof *p)
{
    static const rlim_t room[] = {64 << 10, 512 << 10, 800 << 10, 1500 << 10};
    struct importing im = proof_begin(p, sqlite_url());

    store_close(im.o.store); /* it was made while there was room */
    for (size_t i = 0; i < sizeof(room) / sizeof(room[0]); i++)
        import_without_room(p, room[i]);
    CHECK_OK(store_open(sqlite_url(), &im.o.store, &err), &err);
    check_run(p, &im);
    importing_end(&im);
}

/* ---- Comparing ----------------------------------------------------------- */

void comparing_free(struct comparing *c)
{
    arena_free(&c->a);
}

const struct history *comparing_session(struct comparing *c, struct str user,
                                        struct str session)
{
    struct who who = {.tenant = STR("default"), .user = user};

    if (str_eq(str_c(c->user), user) && str_eq(str_c(c->session), session))
        return &c->history;
    snprintf(c->user, sizeof(c->user), "%.*s", STR_ARG(user));
    snprintf(c->session, sizeof(c->session), "%.*s", STR_ARG(session));
    arena_free(&c->a);
    c->a = ARENA((size_t)256 * 1024 * 1024);
    c->history = (struct history){.session = str_c(c->session), .at = c->at};
    who.user = str_c(c->user);
    if (store_read(c->store, who, &c->a, OP(history), &c->history, &err) !=
        FOOTNOTE_OK)
        FAIL("session %s of %s: %s", c->session, c->user, err.text);
    return &c->history;
}

static const struct reference *find(const struct history *h,
                                    const struct citation *want)
{
    for (size_t i = 0; i < h->messages_n; i++) {
        const struct message *m = &h->messages[i];

        for (size_t k = 0; k < m->sources_n; k++)
            if (str_eq(m->id, want->message) &&
                m->sources[k].number == want->number)
                return &m->sources[k];
    }
    FAIL("%.*s, %.*s: nothing has number %lld", STR_ARG(want->session),
         STR_ARG(want->message), (long long)want->number);
}

static void check_field(const struct source_field *f, const struct source *got,
                        const struct citation *want)
{
    struct source_value g = source_get(got, f);
    struct source_value w = source_get(&want->source, f);
    bool same = g.has == w.has && str_eq(g.text, w.text) &&
                g.whole == w.whole && g.seconds == w.seconds;

    if (!same)
        FAIL("%.*s, %.*s, %lld: %.*s is \"%.*s\" %lld %g, not \"%.*s\" %lld %g",
             STR_ARG(want->session), STR_ARG(want->message),
             (long long)want->number, STR_ARG(f->name), STR_ARG(g.text),
             (long long)g.whole, g.seconds, STR_ARG(w.text), (long long)w.whole,
             w.seconds);
}

void comparing_check(struct comparing *c, const struct citation *want)
{
    const struct reference *got =
        find(comparing_session(c, want->user, want->session), want);

    CHECK_INT(got->source.type, want->source.type);
    for (size_t i = 0; i < SOURCE_FIELDS_N; i++)
        check_field(&source_fields[i], &got->source, want);
}

/* ---- Rows of PostgreSQL -------------------------------------------------- */

static struct str at(const PGresult *r, int row, const char *name)
{
    int column = PQfnumber(r, name);

    if (column < 0 || PQgetisnull(r, row, column))
        return STR_NONE;
    return str_c(PQgetvalue(r, row, column));
}

static const char *const snake[] = {
#define NAME(line, kind, member, camel, snake_case, max) [line] = snake_case,
    SOURCE_FIELDS(NAME)
#undef NAME
};

static struct citation citation_at(const PGresult *r, int row)
{
    struct citation c = {.user = at(r, row, "user"),
                         .session = at(r, row, "session"),
                         .message = at(r, row, "message"),
                         .number = atoll(at(r, row, "number").p)};

    CHECK(source_type_parse(at(r, row, "source_type"), &c.source.type));
    for (size_t i = 0; i < SOURCE_FIELDS_N; i++) {
        struct source_value v = {.text = at(r, row, snake[i])};

        if (!v.text.p)
            continue;
        v.has = true;
        v.whole = atoll(v.text.p);
        v.seconds = strtod(v.text.p, NULL);
        source_set(&c.source, &source_fields[i], &v);
    }
    return c;
}

int comparing_query(struct comparing *c, const char *sql)
{
    PGconn *conn = PQconnectdb(test_url());
    PGresult *r = PQexec(conn, sql);
    int n = PQntuples(r);

    if (PQresultStatus(r) != PGRES_TUPLES_OK)
        FAIL("%s", PQerrorMessage(conn));
    for (int i = 0; i < n; i++) {
        struct citation want = citation_at(r, i);

        comparing_check(c, &want);
    }
    PQclear(r);
    PQfinish(conn);
    return n;
}

struct str query_text(const char *sql)
{
    static char text[1000];
    PGconn *conn = PQconnectdb(test_url());
    PGresult *r = PQexec(conn, sql);

    if (PQresultStatus(r) != PGRES_TUPLES_OK)
        FAIL("%s", PQerrorMessage(conn));
    snprintf(text, sizeof(text), "%s", PQgetvalue(r, 0, 0));
    PQclear(r);
    PQfinish(conn);
    return str_c(text);
}

void dump_table(const char *table, const char *name)
{
    char sql[300], path[1000];
    PGconn *conn = PQconnectdb(test_url());
    PGresult *r;
    FILE *f;

    snprintf(sql, sizeof(sql), "SELECT row_to_json(t) FROM %s t", table);
    snprintf(path, sizeof(path), "%s/%s", test_dir(), name);
    r = PQexec(conn, sql);
    f = fopen(path, "w");
    CHECK(f && PQresultStatus(r) == PGRES_TUPLES_OK);
    for (int i = 0; i < PQntuples(r); i++)
        fprintf(f, "%s\n", PQgetvalue(r, i, 0));
    CHECK(fclose(f) == 0);
    PQclear(r);
    PQfinish(conn);
}

struct str passage_id(struct str document, struct str url, struct str title,
                      int page, struct str text)
{
    static char id[50];
    char all[5000], hex[SHA256_HEX + 1];
    struct sha256 digest;

    snprintf(all, sizeof(all), "%.*s\n%.*s\n%.*s\n%d\n%.*s", STR_ARG(document),
             STR_ARG(url), STR_ARG(title), page, STR_ARG(text));
    CHECK_OK(sha256(str_c(all), &digest, &err), &err);
    sha256_hex(&digest, hex);
    snprintf(id, sizeof(id), "passage_%.32s", hex);
    return str_c(id);
}

void lite_sql(const char *name, const char *sql)
{
    sqlite3 *db = NULL;
    char path[1000], *why = NULL;

    snprintf(path, sizeof(path), "%s/%s", test_dir(), name);
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
        FAIL("%s: %s", path, why ? why : sqlite3_errmsg(db));
    CHECK(sqlite3_close(db) == SQLITE_OK);
}

static int is_no_dot(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

struct sha256 folder_digest(const char *name)
{
    AUTO(sha256_closep) struct sha256_ctx *c = NULL;
    struct dirent **files;
    struct sha256 digest;
    char path[1000];
    int n;

    snprintf(path, sizeof(path), "%s/%s", test_dir(), name);
    n = scandir(path, &files, is_no_dot, alphasort);
    CHECK(n >= 0);
    CHECK_OK(sha256_open(&c, &err), &err);
    sha256_begin(c);
    for (int i = 0; i < n; i++) {
        char part[4096];
        size_t bytes;
        FILE *f;

        snprintf(path, sizeof(path), "%s/%s/%s", test_dir(), name,
                 files[i]->d_name);
        sha256_add(c, str_c(files[i]->d_name));
        f = fopen(path, "r");
        CHECK(f != NULL);
        while ((bytes = fread(part, 1, sizeof(part), f)) > 0)
            sha256_add(c, (struct str){part, bytes});
        fclose(f);
        free(files[i]);
    }
    free(files);
    sha256_end(c, &digest);
    return digest;
}

const char *text_file(const char *name, const char *text)
{
    static char path[1000];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", test_dir(), name);
    f = fopen(path, "w");
    CHECK(f != NULL);
    CHECK(fputs(text, f) >= 0);
    CHECK(fclose(f) == 0);
    return path;
}
