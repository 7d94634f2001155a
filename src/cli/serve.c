/* serve.c - `footnote serve`: opens a server, runs it and closes it.
 *
 * Signals are blocked in every thread; one thread waits for them, so no code
 * runs inside a handler. */
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cli/cli.h"
#include "cli/services.h"
#include "cli/started.h"
#include "http/serve.h"
#include "retrieve/retrieve.h"
#include "store/store.h"

enum {
    ARENA_BYTES_MAX = 64 * 1024 * 1024,
    URL_BYTES_MAX = 300,
    DAY_MS = 24 * 60 * 60 * 1000,
    BODY_BYTES = 1024 * 1024, /* nearly all our answers are shorter */
    FREE_BYTES = BODY_BYTES,
    HEAPS_MIN = 2
};

struct serving {
    struct cli *c;
    int lock;
    struct services services;
    struct started started;
    struct server *server;
    char url[URL_BYTES_MAX];
    sigset_t signals;
    atomic_bool done;   /* the server has ended: take_signals() returns */
    atomic_int stops;   /* SIGTERM and SIGINT so far */
    atomic_int last;    /* the last of them */
    int64_t stop_at_ms; /* the end of --drain-delay; 0: none is under way */
};

/* ---- Logs ---------------------------------------------------------------- */

static void set_log(const struct serving *s, struct str level)
{
    static const char *const names[] = {"debug", "info", "warn", "error"};
    enum log_level from = LOG_INFO;

    for (int i = 0; i < 4; i++)
        if (str_eq(level, str_c(names[i])))
            from = (enum log_level)i;
    if (s->c->verbose)
        from = LOG_DEBUG;
    if (s->c->quiet)
        from = LOG_WARN;
    log_setup(STDERR_FILENO, from, LOG_AUTO);
}

/* ---- Signals ------------------------------------------------------------- */

/* Only the log level changes while the server runs. */
static void reload(struct serving *s)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct config_input in = s->c->in;
    struct config c;
    struct footnote_err err;

    if (config_read(&a, &in, &c, &err) != FOOTNOTE_OK) {
        log_write(LOG_ERROR, "the settings are not read again",
                  LOG_TEXT("error", str_c(err.text)));
        return;
    }
    set_log(s, c.log_level);
    log_write(LOG_INFO, "read the log level again",
              LOG_TEXT("level", c.log_level));
}

/* The first signal only says that the server will end, for --drain-delay; then
 * it stops.  A second one ends it at once. */
static void stop(struct serving *s, int signal)
{
    int64_t delay_ms = s->c->config.drain_delay;
    bool first = atomic_fetch_add(&s->stops, 1) == 0;

    atomic_store(&s->last, signal);
    if (!first) {
        if (s->stop_at_ms)
            server_stop(s->server);
        s->stop_at_ms = 0;
        server_stop(s->server);
        return;
    }
    notify_send("STOPPING=1\nSTATUS=finishing what is under way");
    log_write(LOG_INFO, "stopping", LOG_NUM("signal", signal),
              LOG_NUM("drain_ms", delay_ms));
    server_drain(s->server);
    s->stop_at_ms = delay_ms ? clock_mono_ms() + delay_ms : 0;
    if (!delay_ms)
        server_stop(s->server);
}

/* Until the watchdog wants to hear from us, or the delay is over. */
static struct timespec pause_of(const struct serving *s, int64_t interval_ms)
{
    int64_t ms = interval_ms ? interval_ms / 2 + 1 : DAY_MS;
    int64_t left = s->stop_at_ms - clock_mono_ms();

    if (s->stop_at_ms && left < ms)
        ms = left > 0 ? left : 0;
    return (struct timespec){ms / 1000, ms % 1000 * 1000000};
}

/* Waits for signals.  It also sends systemd its WATCHDOG=1, twice per interval,
 * unless a loop has hung for a whole one: then systemd may restart us. */
static void *take_signals(void *arg)
{
    struct serving *s = arg;
    int64_t interval_ms = notify_interval_ms();

    for (;;) {
        struct timespec pause = pause_of(s, interval_ms);
        int signal = sigtimedwait(&s->signals, NULL, &pause);

        if (atomic_load(&s->done))
            return NULL;
        if (signal == SIGHUP)
            reload(s);
        else if (signal > 0)
            stop(s, signal);
        if (s->stop_at_ms && clock_mono_ms() >= s->stop_at_ms) {
            s->stop_at_ms = 0;
            server_stop(s->server);
        }
        if (interval_ms && server_turns(s->server, interval_ms))
            notify_send("WATCHDOG=1");
    }
}

/* Called before the first thread starts: all threads inherit the mask. */
static void block_signals(struct serving *s)
{
    sigemptyset(&s->signals);
    sigaddset(&s->signals, SIGTERM);
    sigaddset(&s->signals, SIGINT);
    sigaddset(&s->signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &s->signals, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static void warn(const char *text, int n)
{
    log_write(LOG_WARN, "settings",
              LOG_TEXT("warning", ((struct str){text, (size_t)n})));
}

/* ---- Start --------------------------------------------------------------- */

static enum footnote_rc open_all(struct serving *s, struct footnote_err *err)
{
    struct config *c = &s->c->config;

    TRY(activation_take(&s->c->arena, c, &s->services.socket, err));
    TRY(config_check(c, err));
    preflight_warn(s->c, warn);
    TRY(folder_enter(c, err));
    TRY(lock_take(c, &s->lock, err));
    TRY(folder_open_locked(&s->c->arena, c, c->node_name, &s->services.store,
                           err));
    TRY(services_open(&s->c->arena, c, &s->services, err));
    if (c->demo)
        TRY(demo_add(s->services.store, s->services.objects, err));
    retriever_index_all(s->services.retriever);
    return serve_open(c, &s->services, &s->server, err);
}

/* Tells the lock file, stdout, systemd and the log that the server is up. */
static enum footnote_rc announce(struct serving *s, struct footnote_err *err)
{
    struct str listen = s->c->config.listen;
    char ready[URL_BYTES_MAX + 40];
    size_t left = store_unswept(s->services.store);

    assert(s->server && s->lock >= 0);
    while (listen.n > 0 && listen.p[listen.n - 1] != ':')
        listen.n--;
    snprintf(s->url, sizeof(s->url), "http://%.*s%d", STR_ARG(listen),
             server_port(s->server));
    TRY(lock_write_address(s->lock, str_c(s->url), err));
    if (printf("listening on %s\n", s->url) < 0 || fflush(stdout) != 0)
        return err_set(err, FOOTNOTE_INTERNAL, "cannot write to stdout");
    snprintf(ready, sizeof(ready), "READY=1\nSTATUS=listening on %s", s->url);
    notify_send(ready);
    log_write(LOG_INFO, "listening", LOG_TEXT("url", str_c(s->url)));
    unsafe_say();
    if (left > 0)
        log_write(LOG_WARN, "answers that were cut off are still being ended",
                  LOG_NUM("left", (int64_t)left));
    return FOOTNOTE_OK;
}

static enum footnote_rc run(struct serving *s, struct footnote_err *err)
{
    pthread_t thread;

    TRY(announce(s, err));
    if (pthread_create(&thread, NULL, take_signals, s) != 0)
        return err_set(err, FOOTNOTE_NOMEM, "starting a thread");
    started_open(&s->started, &s->c->config, &s->services);
    server_run(s->server);
    started_close(&s->started);
    atomic_store(&s->done, true);
    pthread_kill(thread, SIGHUP); /* wakes it; it then sees `done` */
    pthread_join(thread, NULL);
    return FOOTNOTE_OK;
}

static void close_all(struct serving *s)
{
    serve_close(s->server);
    services_close(&s->services);
    store_close(s->services.store);
    lock_release(&s->lock);
}

/* Every history allocates and frees a body of about 100 KB.  By default the C
 * library maps each one anew, and the kernel clears all its pages.  Instead
 * each heap may keep FREE_BYTES.  There is one heap per core, not per thread,
 * because each keeps the memory of its busiest moment. */
static void keep_memory(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    (void)mallopt(M_ARENA_MAX, cores > HEAPS_MIN ? (int)cores : HEAPS_MIN);
    (void)mallopt(M_MMAP_THRESHOLD, BODY_BYTES);
    (void)mallopt(M_TRIM_THRESHOLD, FREE_BYTES);
}

int verb_serve(struct cli *c)
{
    struct serving s = {.c = c, .lock = -1};
    int code = cli_read(c, NULL, 0);
    struct footnote_err err;
    enum footnote_rc rc;

    if (code == CLI_GO_ON)
        code = cli_expect(c, 0, 0, "");
    if (code != CLI_GO_ON)
        return code;
    set_log(&s, c->config.log_level);
    if (c->config.jwt_secret.p || c->config.metrics_token.p)
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* it has secrets */
    block_signals(&s);
    keep_memory();
    rc = open_all(&s, &err);
    if (rc == FOOTNOTE_OK)
        rc = run(&s, &err);
    code = rc == FOOTNOTE_OK        ? CLI_DONE
           : rc == FOOTNOTE_INVALID ? cli_fail_config(c, &err)
                                    : cli_fail(c, rc, &err);
    close_all(&s);
    if (rc == FOOTNOTE_OK && atomic_load(&s.stops) > 1)
        code = CLI_SIGNAL + atomic_load(&s.last);
    return code;
}
