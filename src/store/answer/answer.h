/* answer.h - the life of an answer.  Any thread. */
#ifndef STORE_ANSWER_ANSWER_H
#define STORE_ANSWER_ANSWER_H
#include "base/uuid.h"
#include "store/session/message.h"

struct prepared_message;
struct store;

/* streaming --> complete, stopped, failed or interrupted; one end, for ever.
 * A caller that knows the epoch holds the answer. */
struct answer {
    int64_t tenant, session, seq;
    int64_t epoch; /* made for this holder; a write with another is refused */
    int64_t parts; /* pieces of text so far */
    size_t bytes;  /* in all of them */
    char tail[4];  /* the beginning of a character whose rest is to come */
    size_t tail_n;
    bool unsure; /* the last call on it may have been committed */
};

enum answer_mode {
    ANSWER_NEW, /* question is saved; a repeat of it is CONFLICT */
    ANSWER_NEW_OR_EDIT,
    ANSWER_EDIT,       /* question's id has other text: a new version of it */
    ANSWER_REGENERATE, /* question is there: another answer to it */
    ANSWER_CONTINUE    /* question is there: another answer behind those on its
                          path; numbers count on from the last one's */
};

/* Commits question and answer row, and shows the path to them; what was shown
 * instead is kept beside it (session/path.h).  RUNNING when another answer
 * runs. */
struct answer_begin {
    struct message question;
    struct str answer_id; /* absent: one is made */
    enum answer_mode mode;
    struct str course;    /* of a session that this call makes */
    struct answer answer; /* out */
    char id_text[STORE_ID_BYTES_MAX + 1];       /* out: the answer's id */
    char question_text[STORE_ID_BYTES_MAX + 1]; /* out: the question's */
    int64_t epoch;                              /* inner */
    char old_text[STORE_ID_BYTES_MAX + 1]; /* inner: for an edited question */
    struct prepared_message *prepared;     /* inner */
};
STORE_OP(answer_begin);

/* Appends text, which may end inside a character.  ENDED when another holds the
 * answer. */
struct answer_append {
    struct answer *answer; /* in and out */
    struct str text;
    struct answer next; /* inner: the answer after it */
};
STORE_OP(answer_append);
/* Advances *a by `text`, for holders that do not wait for answer_append.
 * INVALID when the text cannot be UTF-8. */
enum footnote_rc answer_advance(struct answer *a, struct str text,
                                struct footnote_err *err);

/* Stores retrieval events, sources and references in one commit.  Numbers count
 * on; a source met again keeps its first.  Web pages that a search found make
 * an event of their own. */
struct answer_cite {
    struct answer *answer;
    const struct reference *sources;
    size_t sources_n;
    uint32_t *numbers;      /* out, may be NULL */
    struct str query;       /* absent: no event */
    bool low_confidence;    /* of the search */
    const double *coverage; /* 0 to 1, one per source; NULL: not known */
    struct prepared_message *prepared; /* inner */
    char event_ids[2][UUID_BYTES + 1]; /* inner: of documents, of the web */
};
STORE_OP(answer_cite);

/* Measures how far the sources of a running answer carry its text, so that the
 * writer need not: a read, before the answer is ended. */
struct measured {
    size_t content_bytes; /* of the text that was measured */
    size_t n;             /* of its references */
    int *support;         /* of each, by number; -1: none.  In tx->out */
    struct str verdicts;  /* packed; absent: it was not judged */
};
struct answer_measure {
    const struct answer *answer; /* NULL: the one with `id` */
    struct str id;
    struct str text;   /* all of it, if the caller has it; else it is read */
    struct str append; /* text that comes with the end; may be absent */
    struct measured measured; /* out */
};
STORE_OP(answer_measure);

/* Ends the answer: stores content (its parts), markers, support, digest. */
struct answer_finish {
    struct answer *answer;
    const struct measured *measured; /* NULL: its sources have no support */
    enum footnote_status status;     /* any but STREAMING */
    bool has_low_confidence, low_confidence;
    struct str failure;            /* a code, when failed */
    struct str model;              /* who wrote it; absent: not said */
    int64_t tokens_in, tokens_out; /* -1 or, with no model, 0: not counted */
    const struct str *doc_refs;    /* every document given to the model */
    size_t doc_refs_n;
    struct str image_s3key, image_slide;
    bool has_image_page;
    int64_t image_page;
};
STORE_OP(answer_finish);
/* Gives up an answer that its holder cannot finish: it is interrupted as soon
 * as the database can be written. */
void store_abandon(struct store *st, const struct answer *a);

/* After answer_begin said RUNNING or CONFLICT: tells whether the same question
 * was asked before, or the answer `answer` is there. */
struct answer_repeat {
    struct message question; /* as given to answer_begin */
    struct str answer;       /* absent: found by the question */
    bool same;               /* out: it was; the rest is set */
    struct str answer_id;
    enum footnote_status status;
    struct sha256 saved; /* inner */
};
STORE_OP(answer_repeat);

/* Ends a running answer of a session as `stopped`, with the text it has; its
 * writer is then told ENDED.  OK also when none runs, or without a session. */
struct answer_stop {
    struct str session;
    struct str answer; /* this one and no other; absent: the one that runs */
    bool others;       /* only one that this process does not write */
    bool found;        /* out: there is such an answer, and this */
    enum footnote_status status; /* is what became of it */
};
STORE_OP(answer_stop);

/* Calls `fn` in every sweep with the epochs of all answers that this process
 * writes, ascending.  In the writer's thread; NULL: no more, and it is not
 * being called either. */
typedef void store_leases_fn(void *arg, const int64_t *epochs, size_t n);
void store_watch_leases(struct store *st, store_leases_fn *fn, void *arg);

/* Changes a running answer that a caller writes, by its id: appends, sets the
 * confidence, ends it, or only renews its lease.  ENDED when it has ended,
 * RUNNING when the server itself writes it. */
struct answer_patch {
    struct str id;
    struct str append;           /* absent: nothing */
    enum footnote_status status; /* STREAMING: it goes on */
    bool has_low_confidence, low_confidence;
    const struct measured *measured; /* when it ends, as of answer_finish */
    struct answer before;            /* inner */
    bool tried;                      /* inner */
};
STORE_OP(answer_patch);

#endif
