/* flight.c - a ring of sessions that the store's writer works on. */
#include "import/flight.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "import/staged.h"

enum {
    SEATS = 64,
    BYTES_MAX = 64 * 1024 * 1024, /* of those on their way, about */
    KEPT_BYTES_MAX = 1024 * 1024  /* of an arena, from session to session */
};

struct seat {
    struct store_job job; /* first: the writer's callback gets it */
    struct flight *flight;
    struct arena a;
    struct import_session s;
    struct session_import op;
    struct str user;
    bool over; /* under the lock, as are the next two */
    enum footnote_rc rc;
    struct footnote_err why;
};

struct flight {
    struct import *im;
    struct seat seats[SEATS];
    size_t first, n, max; /* of the ring; one more is the seat that is filled */
    pthread_mutex_t lock;
    pthread_cond_t landed;
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

enum footnote_rc flight_open(struct import *im, struct flight **out,
                             struct footnote_err *err)
{
    struct flight *f = calloc(1, sizeof(*f));

    *out = NULL;
    if (!f)
        return err_set(err, FOOTNOTE_NOMEM, "importing");
    f->im = im;
    /* A rehearsal takes each session back, and with it what shares its
     * commit. */
    f->max = im->o->dry ? 1 : SEATS - 1;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->landed, NULL);
    for (size_t i = 0; i < SEATS; i++) {
        f->seats[i].flight = f;
        f->seats[i].a = ARENA(IMPORT_SESSION_BYTES_MAX);
    }
    *out = f;
    return FOOTNOTE_OK;
}

static void await(struct flight *f, struct seat *s)
{
    pthread_mutex_lock(&f->lock);
    while (!s->over)
        pthread_cond_wait(&f->landed, &f->lock);
    pthread_mutex_unlock(&f->lock);
}

void flight_close(struct flight *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->n; i++)
        await(f, &f->seats[(f->first + i) % SEATS]);
    for (size_t i = 0; i < SEATS; i++)
        arena_free(&f->seats[i].a);
    pthread_cond_destroy(&f->landed);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

static enum footnote_rc count(struct import *im, const struct seat *s,
                              struct footnote_err *err)
{
    const struct session_import *op = &s->op;
    struct import_session_done done = {.id = s->s.id,
                                       .user = s->user,
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

static size_t bytes_in_flight(const struct flight *f)
{
    size_t bytes = 0;

    for (size_t i = 0; i < f->n; i++)
        bytes += f->seats[(f->first + i) % SEATS].a.used_bytes;
    return bytes;
}

enum footnote_rc flight_seat(struct flight *f, struct footnote_err *err)
{
    while (f->n == f->max || (f->n && bytes_in_flight(f) > BYTES_MAX))
        TRY(land_one(f, err));
    f->im->a = &f->seats[(f->first + f->n) % SEATS].a;
    arena_reset(f->im->a);
    return FOOTNOTE_OK;
}

/* In the writer's thread. */
static void on_done(struct store_job *job, enum footnote_rc rc,
                    const struct footnote_err *err)
{
    struct seat *s = (struct seat *)job;
    struct flight *f = s->flight;

    pthread_mutex_lock(&f->lock);
    s->rc = rc;
    if (rc != FOOTNOTE_OK)
        s->why = *err;
    s->over = true;
    pthread_cond_signal(&f->landed);
    pthread_mutex_unlock(&f->lock);
}

enum footnote_rc flight_start(struct flight *f, const struct import_session *s,
                              struct str user, struct footnote_err *err)
{
    struct seat *seat = &f->seats[(f->first + f->n) % SEATS];
    struct who who = {.tenant = f->im->o->who.tenant, .user = user};

    seat->s = *s;
    seat->user = user;
    TRY(session_op_fill(f->im, &seat->s, &seat->op, err));
    TRY(session_enter_course(f->im, s->course, who, err));
    seat->over = false;
    seat->job = (struct store_job){.who = who,
                                   .kind = &session_import_op,
                                   .op = &seat->op,
                                   .done = on_done};
    TRY(store_submit(f->im->o->store, &seat->job, err));
    f->n++;
    return FOOTNOTE_OK;
}

enum footnote_rc flight_land(struct flight *f, struct footnote_err *err)
{
    while (f->n)
        TRY(land_one(f, err));
    return FOOTNOTE_OK;
}
