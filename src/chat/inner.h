/* inner.h - what the files of chat/ share.
 *
 *     chat.c        the engine, its loops, their mailboxes
 *     hub.c         which turns run, by session; stop.c ends one
 *     follow.c      what runs elsewhere, by what is stored of it, which
 *     stored.c makes a feed of
 *     begin.c  a question comes in; repeat.c: one that came before
 *     turn.c        how a turn goes on and ends
 *     job.c    its operations of the store, and its timer
 *     text.c   text from the model to the store to the feed
 *     page_cite.c   the page picture that came with the question, cited;
 *     page_see.c        the same, read for the model
 *     model.c  what the model says, and asks for
 *     search.c      one search, in a thread that may wait
 *     prompt.c      what a model is told
 *     extractive.c  an answer without a model
 *     unstored.c    a turn of which nothing is kept
 *     tally.c       what turns did, in numbers */
#ifndef CHAT_INNER_H
#define CHAT_INNER_H
#include <pthread.h>
#include <stdatomic.h>

#include "base/json.h"
#include "chat/chat.h"
#include "store/answer/answer.h"
#include "store/idempotency.h"
#include "store/store.h"

struct message;
struct reference;

struct turn;
typedef void turn_fn(struct turn *t);

struct hub;
enum footnote_rc hub_open(struct hub **out, struct footnote_err *err);
void hub_close(struct hub *h);
/* The turn runs and can be found.  Copies nothing: the turn's texts. */
void hub_add(struct hub *h, struct turn *t);
void hub_remove(struct hub *h, struct turn *t);
void hub_lock(struct hub *h);
void hub_unlock(struct hub *h);
/* Between hub_lock() and hub_unlock(), so that the turn is there meanwhile. */
struct turn *hub_look(struct hub *h, struct who who, struct str session);
size_t hub_count(struct hub *h, struct who who); /* turns of the user */

struct chat {
    struct chat_options options;
    struct hub *hub;
    atomic_uint_fast64_t turns, failed, unresolved;
    atomic_uint_fast64_t running;
    atomic_uint_fast64_t first[CHAT_FIRST_LIMITS + 1], first_total_ms;
    atomic_uint_fast64_t cited[CHAT_TYPES];
};

struct chat_loop {
    struct chat *chat;
    uv_loop_t *uv;
    uv_async_t wake;
    struct model_loop *models;
    pthread_mutex_t lock;
    struct mail *mail, **mail_tail; /* under lock */
    struct turn *turns;             /* all, also those that begin or end */
    size_t turns_n;
    struct follower *followers;
    bool closing;
    int handles; /* of ours that are not closed yet */
    void (*closed)(void *arg);
    void *closed_arg;
};
void chat_loop_turn_gone(struct chat_loop *l); /* it may have been the last */

/* ---- stored.c ------------------------------------------------------ */

struct seen {        /* of a stored answer, how much its feed has */
    uint32_t number; /* the highest source */
    size_t bytes;    /* of text */
};
/* A feed about it with nothing in it.  NULL: no memory. */
struct feed *stored_feed(const struct message *m, struct str session);
/* Shows what is new since *seen. */
enum footnote_rc stored_show(struct feed *f, const struct message *m,
                             struct seen *seen);
void stored_end(struct feed *f, const struct message *m);

/* ---- A turn ------------------------------------------------------------- */

/*     BEGINNING -> SEARCHING -> CITING -> ANSWERING -> ENDING -> READING ->
 * OVER
 *                      ^------------------/   the model asks for a search
 * One store operation at a time is under way (`busy`).  Whatever goes wrong
 * leads to ENDING with a status of its own. */
enum turn_state {
    TURN_BEGINNING,
    TURN_SEARCHING, /* in a thread */
    TURN_CITING,    /* sources are being stored */
    TURN_ANSWERING, /* text comes */
    TURN_ENDING,    /* the rest of the text, then the end is being stored */
    TURN_READING,   /* what was stored is read back, in a thread */
    TURN_OVER
};

enum { EXTRACTIVE_SENTENCES = 3, FLUSH_NOW = -1 /* for flush_ms */ };

struct waiter { /* who waits for a turn's end (chat_stop) */
    struct mail mail;
    struct chat_loop *loop;
    struct waiter *next;
    void (*done)(void *arg);
    void *arg;
};

/* The operations that a turn begins with. */
struct opening {
    struct answer_begin begin;
    struct keyed_write keyed;
    struct answer_repeat repeat;
    struct footnote_err err; /* why they failed */
};

struct turn {
    struct chat_loop *loop;
    struct turn *next, **link; /* of the loop */
    struct turn *hub_next;

    /* What every word touches, together: thousands of turns get one at a time,
     * and each has left the processor's memory since its last.
     * The text is the feed's.  [0, shown) is seen; [0, sent) is stored. */
    struct mail job_mail;
    enum turn_state state;
    enum { PAGE_NONE, PAGE_GIVEN, PAGE_MET, PAGE_CITED } page;
    bool stored; /* it has a session */
    bool busy;   /* job is under way */
    bool paused; /* the model is */
    bool gone;   /* somebody else ended it: nothing is ours to store */
    int tries;   /* of the operation under way that failed for a time */
    enum footnote_rc job_rc;
    turn_fn *then; /* after it */
    struct feed *feed;
    struct model_call *call;
    struct opening *opening; /* in the arena */
    size_t settled, scanned, sent, shown;
    struct buf flight; /* the piece that is with the store */
    int64_t flush_ms;  /* relaxed: when text goes to the store; 0: not yet */
    struct store_job job;
    struct answer answer;
    union {
        struct answer_append append;
        struct answer_cite cite;
        struct answer_finish finish;
    } op;

    struct arena arena; /* what was asked and found */
    struct chat_ask ask;
    bool in_hub;
    const struct model *model;
    chat_begun_fn *begun;
    void *begun_arg;

    /* Searching. */
    uv_work_t work;
    struct search *search; /* the last one, in the arena */
    enum footnote_rc work_rc;
    int searches;
    struct str question;          /* its text, as stored */
    struct best_sentence *picked; /* EXTRACTIVE_SENTENCES, or NULL */
    size_t picked_n;
    const struct message *thread; /* what was said before, oldest first */
    size_t thread_n;
    struct str course_title;
    bool low_confidence;
    struct reference *refs; /* given to the model, by number */
    struct hit *hits;       /* the same, as they were found */
    size_t refs_n;
    struct reference *found; /* of the search that is being stored */
    uint32_t *numbers;       /* the same */
    double *coverage;        /* the same */
    bool cite_waits;         /* for the text before it to be stored */

    /* The model. */
    size_t page_at;                  /* of the first [^Page], once it is met */
    struct str page_url, page_words; /* what the model sees of it */
    struct model_tool_call *calls;   /* searches that it asked for */
    size_t calls_n, calls_at;
    struct model_line *lines; /* what the model was told */
    size_t lines_n, lines_cap;
    int rounds;       /* how often it was asked */
    struct str fence; /* around passages */

    /* The end. */
    enum footnote_status status;
    const char *failure;  /* a code */
    const char *sentence; /* for the reader; static */
    struct str finish;    /* the stream's word for why */
    int64_t tokens_in, tokens_out;
    bool ending;  /* `status` is how it ends */
    bool unshown; /* something that is stored did not fit into the feed */
    struct message *end_message; /* read back */

    uv_timer_t timer; /* the turn's own end, and tries again */
    int64_t started_ms, deadline_ms;
    int64_t retry_ms; /* when the operation is tried again; 0: not */
    bool timer_closed;

    /* From other threads. */
    struct mail stop_mail;
    bool stop_posted, stop_gone; /* under the hub's lock */
    struct waiter *waiters;      /* under the hub's lock */
};

/* begin.c */
/* What it asks for was asked before, by turn_repeat(); NULL: it was not. */
void turn_repeated(struct turn *t, struct feed *feed);

/* job.c */
/* Runs the operation in the writer; `then` is called on the loop. */
void turn_write(struct turn *t, const struct store_op *kind, void *op,
                turn_fn *then);
void turn_timer(struct turn *t); /* its times have changed */

/* turn.c */
void turn_init(struct turn *t, struct chat_loop *l, const struct model *m);
void turn_over(struct turn *t);            /* frees it, in a while */
void turn_free_when_quiet(struct turn *t); /* over, and no mail under way */
/* The next state, unless it is to end. */
void turn_go_on(struct turn *t, enum turn_state next);
/* Both are static. */
void turn_fail(struct turn *t, const char *code, const char *sentence);
void turn_no_memory(struct turn *t); /* turn_fail() with that */
/* The feed refused something: its viewers are told that there is more. */
void turn_unshown(struct turn *t);
void turn_lost(struct turn *t); /* the store refused: job_rc */
void turn_end(struct turn *t, enum footnote_status status);
/* All text is stored and nothing is under way: what waits for that. */
void turn_drained(struct turn *t);
void turn_show_end(struct turn *t); /* the last entry of the feed */
/* Ends it early: asked to, its session was deleted, or the loop closes. */
enum abort { ABORT_STOP, ABORT_GONE, ABORT_CLOSING };
void turn_abort(struct turn *t, enum abort why);

/* text.c */
void turn_say(struct turn *t, struct str text); /* from the model */
void turn_flush(struct turn *t);

/* page_cite.c: [^Page], the picture that came with the question. */
void page_look(struct turn *t); /* in the settled text */
void page_cite(struct turn *t); /* all text before it is stored */

/* page_see.c: in the search's thread.  `q` is the question as it is stored: a
 * question that is answered again still has its picture. */
void page_take(struct turn *t, const struct message *q);
/* The picture for a model that can see, the page's words for others. */
enum footnote_rc page_see(struct turn *t, struct footnote_err *err);

/* repeat.c: attaches to the turn of which this is a repeat. */
void turn_repeat(struct turn *t);

/* tally.c: its first text is shown; and what it ended with, while the arena is
 * the caller's. */
void tally_first(const struct turn *t);
void tally_end(struct turn *t);

/* unstored.c: what the store does for a turn that has a session. */
enum footnote_rc unstored_number(struct turn *t, struct footnote_err *err);
void unstored_end(struct turn *t);

/* search.c */
void turn_search(struct turn *t, struct str query, struct str document);
void turn_cite(struct turn *t); /* all text before it is stored */
/* Room for so many more in refs, hits, found and numbers; false: no memory. */
bool turn_room(struct turn *t, size_t more);

/* model.c: sources are there, so text next. */
void turn_answer(struct turn *t);
/* A search that the model asked for is done; its numbers begin at refs[from].
 */
void turn_answer_on(struct turn *t, size_t from);

/* prompt.c: the lines for a model, in the turn's arena. */
enum footnote_rc prompt_first(struct turn *t, struct footnote_err *err);
/* The model asked for `calls`. */
enum footnote_rc prompt_calls(struct turn *t, struct footnote_err *err);
/* What one of them found, or why it was not run. */
enum footnote_rc prompt_refuse(struct turn *t,
                               const struct model_tool_call *call,
                               struct str why, struct footnote_err *err);
enum footnote_rc prompt_found(struct turn *t,
                              const struct model_tool_call *call, size_t from,
                              struct footnote_err *err);

/* extractive.c: sentences with their numbers, by turn_say(). */
enum footnote_rc extractive_answer(struct turn *t, struct footnote_err *err);

#endif
