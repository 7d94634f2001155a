/* store_help.c - what the tests of the store share. */
#include "store_help.h"
#include "store/scrub.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/answer/answer.h"
#include "store/document/document.h"
#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/session/session.h"
#include "store/usage.h"

struct store *st;
struct arena out;
struct footnote_err err;

bool help_damaged;

void help_open(void)
{
    out = ARENA((size_t)1024 * 1024 * 1024);
    CHECK_OK(store_open(test_url(), &st, &err), &err);
}

/* The counters of every account are what its rows say. */
static void check_usage(void)
{
    struct usage_list list = {.accounts = NULL};

    CHECK_OK(store_own_read(st, &out, OP(usage_list), &list, &err), &err);
    for (size_t i = 0; i < list.accounts_n; i++) {
        const struct usage_account *a = &list.accounts[i];

        if (a->counted.bytes != a->kept.bytes ||
            a->counted.documents != a->kept.documents ||
            a->counted.sessions != a->kept.sessions)
            FAIL("%.*s: %lld bytes, %lld documents, %lld sessions counted, "
                 "and %lld, %lld, %lld kept",
                 STR_ARG(a->user), (long long)a->counted.bytes,
                 (long long)a->counted.documents,
                 (long long)a->counted.sessions, (long long)a->kept.bytes,
                 (long long)a->kept.documents, (long long)a->kept.sessions);
    }
}

size_t help_scrub(void)
{
    struct scrub op = {.limit = 100};
    size_t damaged = 0;

    do {
        CHECK_OK(store_own_read(st, &out, OP(scrub), &op, &err), &err);
        damaged += op.damages_n;
    } while (!op.over);
    return damaged;
}

void help_close(void)
{
    check_usage();
    if (!help_damaged)
        CHECK_INT(help_scrub(), 0);
    store_close(st);
    st = NULL;
    arena_free(&out);
    check_way_back();
}

void help_reopen(void)
{
    store_close(st);
    CHECK_OK(store_open(test_url(), &st, &err), &err);
}

void help_die(void (*fn)(void))
{
    int status;
    pid_t pid;

    test_url(); /* made once, here */
    pid = fork();
    if (pid == 0) {
        help_open();
        fn();
        _exit(0);
    }
    CHECK_INT(waitpid(pid, &status, 0), pid);
    CHECK_INT(status, 0);
}

void help_refused(enum footnote_rc got, enum footnote_rc want,
                  const char *words, const char *file, int line)
{
    if (got != want)
        test_fail(file, line, "got %s (%s), not %s", rc_name(got),
                  got == FOOTNOTE_OK ? "" : err.text, rc_name(want));
    if (!strstr(err.text, words))
        test_fail(file, line, "\"%s\" is not in \"%s\"", words, err.text);
}

/* ---- Builders ----------------------------------------------------------- */

struct reference slide(const char *document, int64_t n, const char *preview)
{
    return (struct reference){.source = {.type = FOOTNOTE_SLIDE,
                                         .document = str_c(document),
                                         .has_page = true,
                                         .page = n,
                                         .preview = str_c(preview)}};
}

struct reference web(const char *url, const char *preview)
{
    return (struct reference){.source = {.type = FOOTNOTE_WEB,
                                         .url = str_c(url),
                                         .preview = str_c(preview)}};
}

struct reference everything(const char *id)
{
    return (struct reference){
        .source = {.type = FOOTNOTE_LECTURE,
                   .id = str_c(id),
                   .preview = STR("so disorder \xF0\x9F\x94\xA5 grows"),
                   .title = STR("Recording: 4"),
                   .url = STR("https://example.org/?a=1&b=2#t"),
                   .course = STR("course-1"),
                   .owner = STR("owner-1"),
                   .document = STR("document-1"),
                   .lecture = STR("lecture-1"),
                   .date = STR("2024-02-29"),
                   .s3key = STR("snapshots/a b/1.png"),
                   .meta = STR("{ \"b\":1.0,\n \"a\":[null,\"\\u00e9\"] }"),
                   .has_page = true,
                   .has_start = true,
                   .has_end = true,
                   .page = 0,
                   .start = 1e-7,
                   .end = 12.345,
                   .part = 3},
        .has_score = true,
        .score = -0.1};
}

struct message_save saved(const char *session, const char *id,
                          enum footnote_role role, const char *text)
{
    return (struct message_save){.message = {.session = str_c(session),
                                             .id = str_c(id),
                                             .role = role,
                                             .content = str_c(text)}};
}

struct message_save answered(const char *session, const char *id,
                             const char *text, const struct reference *refs,
                             size_t n)
{
    struct message_save op = saved(session, id, FOOTNOTE_ASSISTANT, text);

    op.message.sources = refs;
    op.message.sources_n = n;
    return op;
}

void say(struct who who, const char *session, const char *id,
         enum footnote_role role, const char *text)
{
    struct message_save op = saved(session, id, role, text);

    WRITE(who, message_save, &op);
}

void answer(struct who who, const char *session, const char *id,
            const char *text, const struct reference *refs, size_t n)
{
    struct message_save op = answered(session, id, text, refs, n);

    WRITE(who, message_save, &op);
}

struct answer_begin begin(struct who who, const char *session, const char *q,
                          const char *a, enum answer_mode mode)
{
    struct answer_begin op = {.question = {.session = str_c(session),
                                           .id = str_c(q),
                                           .content = STR("why?")},
                              .answer_id = str_c(a),
                              .mode = mode};

    WRITE(who, answer_begin, &op);
    return op;
}

void append(struct who who, struct answer *a, const char *text)
{
    struct answer_append op = {.answer = a, .text = str_c(text)};

    WRITE(who, answer_append, &op);
}

void finish(struct who who, struct answer *a, enum footnote_status status)
{
    struct answer_finish op = {.answer = a, .status = status};

    WRITE(who, answer_finish, &op);
}

void course_make(struct who who, const char *id)
{
    struct course_put op = {.id = str_c(id), .title = STR("A course")};

    WRITE(who, course_put, &op);
}

void member(struct who who, const char *course, const char *user,
            enum member_role role)
{
    struct member_put op = {str_c(course), str_c(user), role};

    WRITE(who, member_put, &op);
}

void document_make(struct who who, const char *course, const char *id,
                   const char *bytes)
{
    struct document_put op = {.document = {.id = str_c(id),
                                           .course = str_c(course),
                                           .title = STR("A document"),
                                           .kind = DOCUMENT_SLIDES}};
    struct document_status_set ready = {.document = str_c(id),
                                        .course = str_c(course),
                                        .status = DOCUMENT_READY};

    CHECK_OK(sha256(str_c(bytes), &op.document.digest, &err), &err);
    WRITE(who, document_put, &op);
    WRITE(who, document_status_set, &ready);
}

struct history history_of(struct who who, const char *session)
{
    struct history h = {.session = str_c(session)};

    READ(who, history, &h);
    return h;
}

struct message message_of(struct who who, const char *id)
{
    struct str ids[] = {str_c(id)};
    struct messages_by_id op = {.ids = ids, .ids_n = 1};

    READ(who, messages_by_id, &op);
    CHECK_TEXT(op.messages[0].id, str_c(id));
    return op.messages[0];
}

/* ---- Time --------------------------------------------------------------- */

static _Atomic int64_t ahead_ms, stopped_ms, set_ms;

static int64_t real_ms(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000 +
           atomic_load(&ahead_ms);
}

static int64_t wall_ms(void)
{
    int64_t stopped = atomic_load(&stopped_ms);

    return stopped ? stopped : real_ms(CLOCK_REALTIME) + atomic_load(&set_ms);
}

static int64_t mono_ms(void)
{
    return real_ms(CLOCK_MONOTONIC);
}

static const struct clock_source test_clock = {wall_ms, mono_ms};

void clock_ahead(int64_t ms)
{
    atomic_store(&ahead_ms, ms);
    clock_replace(&test_clock);
}

void clock_set_ahead(int64_t ms)
{
    atomic_store(&set_ms, ms);
    clock_replace(&test_clock);
}

void time_passes(int64_t ms)
{
    static const char *const columns[][2] = {{"answer_lease", "until_ms"},
                                             {"ingest_job", "until_ms"},
                                             {"node", "until_ms"},
                                             {"idempotency_key", "created_ms"}};
    char sql[100];

    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        snprintf(sql, sizeof(sql), "UPDATE %s SET %s = %s - %lld",
                 columns[i][0], columns[i][1], columns[i][1], (long long)ms);
        sql_do(sql);
    }
    clock_ahead(atomic_load(&ahead_ms) + 2000);
}

void clock_stopped(int64_t ms)
{
    atomic_store(&stopped_ms, ms);
    clock_replace(&test_clock);
}

/* The writer looks at the clock behind every batch, so what is due behind the
 * first is done before the second. */
void help_sweep(void)
{
    for (int i = 0; i < 2; i++) {
        struct session_put op = {.id = STR("sweep")};
        WRITE(BEN, session_put, &op);
    }
}

/* ---- Threads ------------------------------------------------------------ */

static void (*thread_fn)(size_t i);
static pthread_barrier_t all_there;

static void *thread_main(void *arg)
{
    pthread_barrier_wait(&all_there);
    thread_fn((size_t)(uintptr_t)arg);
    return NULL;
}

void in_threads(size_t n, void (*fn)(size_t i))
{
    pthread_t threads[64];

    CHECK(n <= 64);
    thread_fn = fn;
    CHECK_INT(pthread_barrier_init(&all_there, NULL, (unsigned)n), 0);
    for (size_t i = 0; i < n; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread_main,
                                 (void *)(uintptr_t)i),
                  0);
    for (size_t i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&all_there);
}
