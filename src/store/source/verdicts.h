/* verdicts.h - records of what a judge found in an answer.  Any thread.
 *
 * A record has a verdict for each sentence that claims something.  It is
 * append-only and names the message's digest: a record of another form of the
 * message counts as none. */
#ifndef STORE_SOURCE_VERDICTS_H
#define STORE_SOURCE_VERDICTS_H
#include "base/sha256.h"
#include "cite/judge/judge.h"
#include "store/store.h"

struct db_cur;
struct message;
struct reference;
struct tx;

/* The judge that measures words; others are models, by their names. */
#define VERDICT_JUDGE_TEXT "text"

struct sentence_verdict {
    uint32_t start, end; /* UTF-16 units of the content */
    enum verdict_kind kind;
    enum verdict_reason reason;
    uint32_t number;   /* of the source; 0: none.  With NO_SOURCE, one that
                          carries the sentence all the same */
    uint32_t support;  /* thousandths */
    uint32_t from, to; /* UTF-16 units of the source's preview; both 0: none */
    uint32_t word_start,
        word_end; /* of the content: what the reason is about */
    /* Of the content: starts and ends of what a sentence that is partly carried
     * has and its source has not. */
    uint32_t missing[2 * JUDGE_MISSING_MAX];
    uint32_t missing_n; /* runs */
};

struct verdict_record {
    struct str judge;
    int64_t created_ms;
    const struct sentence_verdict *sentences;
    size_t n, carried;
    /* Of a whole session: as it is stored, and the digest over that. */
    struct str packed;
    struct sha256 digest;
    bool has_digest; /* writing: it is compared */
};

/* Stores a record of the message with this digest, unless the same is there; an
 * absent `sentences` was not judged and stores nothing. */
struct verdict_new {
    int64_t session, seq;
    const struct sha256 *digest; /* of the message */
    struct str judge, sentences; /* packed */
    int64_t created_ms;          /* 0: now */
    bool first;                  /* the message has no record yet */
};
enum footnote_rc verdict_insert(struct tx *tx, const struct verdict_new *v,
                                struct footnote_err *err);

/* Stores the record of another judge with an answer that is there and is what
 * was judged; else nothing is stored, and that is OK. */
struct verdict_add {
    struct str message;
    struct sha256 digest;        /* of it, when it was judged */
    struct str judge, sentences; /* packed */
};
STORE_OP(verdict_add);

/* Judges a text against sources without storing anything.  TOOBIG when that
 * costs more than judging an answer may. */
struct text_judge {
    struct str text;
    const struct reference *sources;
    size_t sources_n;
    uint32_t *numbers;            /* out, one per source: its [n] */
    struct verdict_record record; /* out */
    const uint32_t *unknown;      /* out: numbers that no source has */
    size_t unknown_n;
};
STORE_OP(text_judge);
/* The same without a store; results are in `a`. */
enum footnote_rc text_judge_alone(struct arena *a, struct text_judge *op,
                                  struct footnote_err *err);

/* Reads rows of verdict_sealed and gives the messages of the session, by seq,
 * the newest sound record of each judge. */
enum footnote_rc verdicts_read(struct tx *tx, struct sha256_ctx *c,
                               int64_t session, struct db_cur *cur,
                               struct message *m, size_t n,
                               struct footnote_err *err);

#endif
