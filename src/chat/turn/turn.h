/* turn.h - a turn: one question, from its row to the stored end of its answer.
 *
 *  BEGINNING -> SEARCHING -> CITING -> ANSWERING -> ENDING -> READING -> OVER
 *               ^                      |
 *               `----------------------' the model asks for a search
 *
 * A turn lives on one loop, whose thread calls everything here.  At most one
 * operation of the store is under way (`busy`).  Every failure leads to ENDING
 * with a status of its own. */
#ifndef CHAT_TURN_TURN_H
#define CHAT_TURN_TURN_H
#include <uv.h>

#include "chat/feed/feed.h"
#include "chat/loop/engine.h"
#include "chat/loop/loop_message.h"
#include "chat/turn/ask.h"
#include "model/model.h"
#include "retrieve/retrieve.h"
#include "store/answer/answer.h"
#include "store/idempotency.h"

enum turn_state {
    TURN_BEGINNING,
    TURN_SEARCHING, /* in a thread */
    TURN_CITING,    /* sources are being stored */
    TURN_ANSWERING, /* text comes */
    TURN_ENDING,    /* the rest of the text, then the end is being stored */
    TURN_READING,   /* what was stored is read back, in a thread */
    TURN_OVER
};

/* The picture of a page that came with the question: see page.h. */
enum turn_page {
    PAGE_NONE,
    PAGE_GIVEN, /* the question has one; the text has not cited it */
    PAGE_MET,   /* [^Page] is in the text, at page_at: it waits */
    PAGE_CITED  /* its source is stored and shown */
};

/* Why it ends early. */
enum turn_abort {
    ABORT_STOP,      /* asked to */
    ABORT_ELSEWHERE, /* another node, or another program, has ended it */
    ABORT_GONE,      /* its session was deleted here */
    ABORT_CLOSING    /* the loop closes */
};

struct turn;
typedef void turn_fn(struct turn *t);

/* Waits for a turn's end: see chat_stop(). */
struct stop_waiter {
    struct loop_message message;
    struct chat_loop *loop;
    struct stop_waiter *next;
    void (*done)(void *arg, struct str answer);
    void *arg;
    bool found;                          /* a turn was */
    char answer[STORE_ID_BYTES_MAX + 1]; /* its */
};

/* The operations that a turn begins with. */
struct opening {
    struct answer_begin begin;
    struct keyed_write keyed;
    struct answer_repeat repeat;
    bool withheld; /* the answer to be repeated has a withdrawn source */
    struct footnote_err err; /* why they failed */
};

struct turn {
    struct chat_loop *loop;
    struct turn *next, **link; /* of the loop */
    struct turn *hub_next;
    struct turn *entered_next, **entered_link; /* NULL: it is not counted */

    /* The store. */
    struct store_job job;
    struct loop_message job_message; /* it is done */
    enum footnote_rc job_rc;
    turn_fn *job_then;
    bool busy; /* job is under way */
    int tries; /* of the operation under way that failed for a time */
    struct answer answer;
    union {
        struct answer_append append;
        struct answer_cite cite;
        struct answer_finish finish;
    } op;
    struct answer_measure measure; /* before `finish` */

    /* What was asked. */
    struct arena arena; /* that, and all else that is needed to the end */
    struct chat_ask ask;
    struct opening *opening; /* in the arena */
    const struct model *model;
    chat_begun_fn *begun;
    void *begun_arg;

    enum turn_state state;
    bool stored; /* it has a session */
    bool in_hub;
    bool begins; /* under the hub's lock: it will have an answer of its own */
    bool gone;   /* somebody else ended it: nothing is ours to store */

    /* The text, which is the feed's: see text.c. */
    struct feed *feed;
    size_t settled;   /* in [0, settled) no marker is open */
    size_t scanned;   /* how far markers were looked for */
    size_t sent;      /* [0, sent) is stored */
    size_t shown;     /* [0, shown) is seen */
    struct buf piece; /* a copy of what is with the store */
    int64_t flush_ms; /* relaxed: when text goes to the store; 0: not yet */

    /* Searching. */
    uv_work_t work;
    enum footnote_rc work_rc;
    int searches;
    int index_tries;  /* of this search, while documents are being indexed */
    int64_t again_ms; /* when it is tried again; 0: not */
    int64_t again_until_ms;
    int away_tries; /* of this search, while the database is away */
    int64_t away_until_ms;
    bool has_thread; /* what was said before was read */
    bool low_confidence;
    bool words_alone, not_reranked; /* one of the searches was */
    bool cite_waits;                /* for the text before it to be stored */
    struct str *doc_refs; /* of documents that were given, once each */
    size_t doc_refs_n;

    /* What was read and found for the prompt, all of it in search_arena.  It is
     * gone when the model has been asked: see turn_forget_search(). */
    struct arena search_arena;
    struct search *search;
    struct str question_text; /* as stored */
    struct str course_title;
    const struct message *thread; /* what was said before, oldest first */
    size_t thread_n;
    struct reference *found; /* one for each hit of the search */
    uint32_t *numbers;       /* of the same */
    double *coverage;        /* of the same */
    size_t *new_hits;        /* indexes of those that were not given before */
    size_t new_hits_n;
    struct best_sentence
        *picked; /* sentences of an extractive answer, or NULL */
    size_t picked_n;

    /* The model. */
    struct model_call *call;
    bool paused; /* the call is */
    enum turn_page page;
    size_t page_at;                  /* of the first [^Page], once it is met */
    struct str page_url, page_words; /* what the model sees of it */
    struct reference *page_source;   /* unless PAGE_NONE, after a search */
    uint32_t page_number;            /* of that, once it is stored */
    struct model_tool_call *calls;   /* searches that it asked for */
    size_t calls_n, calls_at;
    struct model_line *lines; /* what the model was told */
    size_t lines_n, lines_cap;
    int rounds;       /* how often it was asked */
    struct str fence; /* around passages */

    /* The end. */
    enum footnote_status status;
    const char *failure;      /* a code */
    const char *sentence;     /* for the reader; static */
    struct str finish_reason; /* stop, length, ...: see struct feed_end */
    int64_t tokens_in, tokens_out;
    bool ending;  /* `status` is how it ends */
    bool unshown; /* something that is stored did not fit into the feed */
    struct message *end_message; /* read back */

    uv_timer_t timer; /* the turn's own end, and tries again */
    int64_t started_ms, deadline_ms;
    int64_t retry_ms; /* when the operation is tried again; 0: not */
    bool timer_closed;

    /* From other threads; under the hub's lock. */
    struct loop_message stop_message;
    bool stop_posted;
    enum turn_abort stop_why;
    struct stop_waiter *waiters;
    bool swept; /* a sweep of the store came by when it had its lease */
};

void turn_init(struct turn *t, struct chat_loop *l, const struct model *m);
void turn_over(struct turn *t); /* frees it, in a while */
/* Frees it, if it is over and no message to it is under way. */
void turn_free_when_quiet(struct turn *t);
/* The next state, unless it is to end. */
void turn_go_on(struct turn *t, enum turn_state next);
/* Both texts are static. */
void turn_fail(struct turn *t, const char *code, const char *sentence);
void turn_no_memory(struct turn *t); /* turn_fail() with that */
/* The feed refused something: its viewers are told that there is more. */
void turn_unshown(struct turn *t);
void turn_lost(struct turn *t); /* the store refused: job_rc */
void turn_end(struct turn *t, enum footnote_status status);
/* All text is stored and nothing is under way: what waits for that. */
void turn_drained(struct turn *t);
void turn_show_end(struct turn *t); /* the last entry of the feed */
void turn_abort(struct turn *t, enum turn_abort why);

#endif
