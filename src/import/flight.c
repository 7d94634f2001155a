/* flight.c - a ring of sessions that are on their way.
 *
 * What needs no database (digests, markers, support) costs more than the rest,
 * so a few threads do it side by side.  Then each waits for its turn: the store
 * is given sessions in the order of the source, and what an import comes to
 * does not depend on who was faster. */
#include "import/flight.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/utf8.h"
#include "import/staged.h"

enum {
    SEATS = 64,
    THREADS_MAX = 4,
    BYTES_MAX = 64 * 1024 * 1024, /* of those on their way, about */
    KEPT_BYTES_MAX = 1024 * 1024  /* of an arena, from session to session */
};

struct seat {
    struct store_job job; /* first: the writer's callback gets it */
    struct flight *flight;
    struct arena a;
    struct import_session s;
    struct session_import op;
    struct who who;
    size_t ticket, bytes;
    struct course_entry course; /* is submitted before the session */
    struct store_job course_job;
    /* Under the lock. */
    int jobs; /* that are on their way; 0: it is over */
    enum footnote_rc rc, course_rc;
    struct footnote_err why, course_why;
};

struct flight {
    struct import *im;
    struct seat seats[SEATS];
    size_t first, n, max; /* of the ring; one more is the seat that is filled */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t started, taken, turn; /* under the lock, as is the next one */
    bool closing;
    pthread_t threads[THREADS_MAX];
    size_t threads_n;
};

bool is_of_session(enum footnote_rc rc)
{
    switch (rc) {
    case FOOTNOTE_INVALID:
    case FOOTNOTE_NOTFOUND:
    case FOOTNOTE_CONFLICT:
    case FOOTNOTE_NUMBER:
    case FOOTNOTE_TOOBIG:
    case FOOTNOTE_QUOTA:
    case FOOTNOTE_RUNNING: return true;
    case FOOTNOTE_OK:
    case FOOTNOTE_ENDED:
    case FOOTNOTE_REUSED:
    case FOOTNOTE_DAMAGED:
    case FOOTNOTE_FOREIGN:
    case FOOTNOTE_UNSURE:
    case FOOTNOTE_INTERNAL:
    case FOOTNOTE_BUSY:
    case FOOTNOTE_READONLY:
    case FOOTNOTE_NOMEM:
    case FOOTNOTE_FULL:
    case FOOTNOTE_RC_N: break;
    }
    return false;
}

/* ---- Into the store ------------------------------------------------------ */

static void over(struct seat *s, enum footnote_rc rc,
                 const struct footnote_err *why)
{
    struct flight *f = s->flight;

    pthread_mutex_lock(&f->lock);
    s->rc = rc;
    if (rc != FOOTNOTE_OK)
        s->why = *why;
    s->jobs--;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

static void course_over(struct seat *s, enum footnote_rc rc,
                        const struct footnote_err *why)
{
    struct flight *f = s->flight;

    pthread_mutex_lock(&f->lock);
    s->course_rc = rc;
    if (rc != FOOTNOTE_OK)
        s->course_why = *why;
    s->jobs--;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

/* In the writer's thread, as is the next one. */
static void on_done(struct store_job *job, enum footnote_rc rc,
                    const struct footnote_err *err)
{
    over((struct seat *)job, rc, err);
}

static void on_course_done(struct store_job *job, enum footnote_rc rc,
                           const struct footnote_err *err)
{
    course_over(
        (struct seat *)((char *)job - offsetof(struct seat, course_job)), rc,
        err);
}

static void await_turn(struct seat *s)
{
    struct flight *f = s->flight;

    pthread_mutex_lock(&f->lock);
    while (f->turn != s->ticket)
        pthread_cond_wait(&f->changed, &f->lock);
    pthread_mutex_unlock(&f->lock);
}

/* The session itself is submitted next, behind its course. */
static void on_prepared(void *arg)
{
    struct seat *s = arg;
    struct footnote_err why;
    enum footnote_rc rc;

    await_turn(s);
    if (!s->course.kind)
        return;
    s->course_job = (struct store_job){.who = s->course.who,
                                       .kind = s->course.kind,
                                       .op = &s->course.make,
                                       .patient = true,
                                       .done = on_course_done};
    pthread_mutex_lock(&s->flight->lock);
    s->jobs++;
    pthread_mutex_unlock(&s->flight->lock);
    rc = store_submit(s->flight->im->o->store, &s->course_job, &why);
    if (rc != FOOTNOTE_OK)
        course_over(s, rc, &why);
}

static void submit(struct seat *s)
{
    struct flight *f = s->flight;
    struct footnote_err why;
    enum footnote_rc rc;

    s->job = (struct store_job){.who = s->who,
                                .kind = &session_import_op,
                                .op = &s->op,
                                .patient = true,
                                .done = on_done};
    rc = store_submit(f->im->o->store, &s->job, &why);
    await_turn(s); /* what failed has not waited for it */
    if (rc != FOOTNOTE_OK)
        over(s, rc, &why);
    pthread_mutex_lock(&f->lock);
    f->turn++;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

static void *work(void *arg)
{
    struct flight *f = arg;

    pthread_mutex_lock(&f->lock);
    for (;;) {
        struct seat *s;

        while (f->taken == f->started && !f->closing)
            pthread_cond_wait(&f->changed, &f->lock);
        if (f->taken == f->started)
            break;
        s = &f->seats[f->taken++ % SEATS];
        pthread_mutex_unlock(&f->lock);
        submit(s);
        pthread_mutex_lock(&f->lock);
    }
    pthread_mutex_unlock(&f->lock);
    return NULL;
}

/* ---- The ring ------------------------------------------------------------ */

static enum footnote_rc start_threads(struct flight *f,
                                      struct footnote_err *err)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    while (f->threads_n < THREADS_MAX &&
           (f->threads_n == 0 || (long)f->threads_n < cores)) {
        if (pthread_create(&f->threads[f->threads_n], NULL, work, f) != 0)
            break;
        f->threads_n++;
    }
    return f->threads_n ? FOOTNOTE_OK
                        : err_set(err, FOOTNOTE_NOMEM, "starting a thread");
}

enum footnote_rc flight_open(struct import *im, struct flight **out,
                             struct footnote_err *err)
{
    struct flight *f = calloc(1, sizeof(*f));
    enum footnote_rc rc;

    *out = NULL;
    if (!f)
        return err_set(err, FOOTNOTE_NOMEM, "importing");
    f->im = im;
    /* A rehearsal takes each session back, and with it what shares its
     * commit. */
    f->max = im->o->dry ? 1 : SEATS - 1;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->changed, NULL);
    for (size_t i = 0; i < SEATS; i++) {
        f->seats[i].flight = f;
        f->seats[i].a = ARENA(IMPORT_SESSION_BYTES_MAX);
    }
    rc = start_threads(f, err);
    if (rc == FOOTNOTE_OK)
        *out = f;
    else
        flight_close(f);
    return rc;
}

static void await(struct flight *f, const struct seat *s)
{
    pthread_mutex_lock(&f->lock);
    while (s->jobs)
        pthread_cond_wait(&f->changed, &f->lock);
    pthread_mutex_unlock(&f->lock);
}

static struct seat *seat_at(struct flight *f, size_t i)
{
    return &f->seats[(f->first + i) % SEATS];
}

void flight_close(struct flight *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->n; i++)
        await(f, seat_at(f, i));
    pthread_mutex_lock(&f->lock);
    f->closing = true;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
    for (size_t i = 0; i < f->threads_n; i++)
        pthread_join(f->threads[i], NULL);
    for (size_t i = 0; i < SEATS; i++)
        arena_free(&f->seats[i].a);
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

static enum footnote_rc count(struct import *im, const struct seat *s,
                              struct footnote_err *err)
{
    const struct session_import *op = &s->op;
    struct import_session_done done = {.id = s->s.id,
                                       .user = s->who.user,
                                       .made = op->made,
                                       .digest = op->digest,
                                       .messages = (int64_t)s->s.messages_n,
                                       .references = (int64_t)op->sources_n};
    struct import_counts *n = im->counts;

    for (size_t i = 0; i < op->sources_n; i++)
        TRY(staged_count_source(im->staged, &op->sources[i], &n->sources, err));
    for (size_t i = 0; i < s->s.messages_n; i++)
        n->events += (int64_t)s->s.messages[i].events_n;
    n->sessions++;
    n->unchanged += !done.made;
    n->messages += done.messages;
    n->references += done.references;
    im->o->session(im->o->arg, &done);
    return FOOTNOTE_OK;
}

/* The oldest, which is told of, and gives its seat away. */
static enum footnote_rc land_one(struct flight *f, struct footnote_err *err)
{
    struct seat *s = &f->seats[f->first];
    enum footnote_rc rc = FOOTNOTE_OK;

    await(f, s);
    if (s->rc != FOOTNOTE_OK && s->course_rc != FOOTNOTE_OK) {
        s->rc = s->course_rc; /* which is why */
        s->why = s->course_why;
        err_prefix(&s->why, "course %.*s", STR_ARG(s->s.course));
    }
    if (s->rc == FOOTNOTE_OK || s->op.taken_back) {
        rc = count(f->im, s, err);
    } else if (is_of_session(s->rc)) {
        session_left_out(f->im, s->s.id, &s->why);
    } else {
        rc = s->rc;
        if (err)
            *err = s->why;
        err_prefix(err, "session %.*s", STR_ARG(utf8_cut(s->s.id, 80)));
    }
    if (s->a.used_bytes > KEPT_BYTES_MAX) {
        arena_free(&s->a);
        s->a = ARENA(IMPORT_SESSION_BYTES_MAX);
    }
    arena_reset(&s->a);
    f->first = (f->first + 1) % SEATS;
    f->n--;
    return rc;
}

static size_t bytes_in_flight(struct flight *f)
{
    size_t bytes = 0;

    for (size_t i = 0; i < f->n; i++)
        bytes += seat_at(f, i)->bytes;
    return bytes;
}

enum footnote_rc flight_seat(struct flight *f, struct footnote_err *err)
{
    while (f->n == f->max || (f->n && bytes_in_flight(f) > BYTES_MAX))
        TRY(land_one(f, err));
    f->im->a = &seat_at(f, f->n)->a;
    arena_reset(f->im->a);
    return FOOTNOTE_OK;
}

enum footnote_rc flight_start(struct flight *f, const struct import_session *s,
                              struct str user, struct footnote_err *err)
{
    struct seat *seat = seat_at(f, f->n);

    seat->s = *s;
    seat->who = (struct who){.tenant = f->im->o->who.tenant, .user = user};
    TRY(session_op_fill(f->im, &seat->s, &seat->op, err));
    TRY(session_enter_course(f->im, s->course, seat->who, &seat->course, err));
    seat->op.prepared = on_prepared;
    seat->op.arg = seat;
    seat->jobs = 1;
    seat->course_rc = FOOTNOTE_OK;
    seat->bytes = seat->a.used_bytes;
    f->n++;
    pthread_mutex_lock(&f->lock);
    seat->ticket = f->started++;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
    return FOOTNOTE_OK;
}

enum footnote_rc flight_land(struct flight *f, struct footnote_err *err)
{
    while (f->n)
        TRY(land_one(f, err));
    return FOOTNOTE_OK;
}
