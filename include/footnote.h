/* footnote.h - keep chat answers with their sources; get them back exactly.
 *
 * Rules said once.  A call returns a code; OK means durable (a read: complete
 * and digest-checked).  On failure *out is NULL and nothing was written; only
 * UNSURE leaves that open.  `err` may be NULL; success leaves it alone.  Text
 * is NUL-terminated UTF-8.  What you pass is borrowed for the call; *out is
 * yours to close or free.  Zeroed structs are valid where a field is optional:
 * NULL text is "absent" ("" is not), 0 the default.  Ids you bring are kept
 * verbatim (1 to 200 bytes) and belong to the user who brought them.  Any
 * thread may use a store, and calls made at once share one disk write; an
 * answer or a result is for one thread at a time.  Nothing survives fork().
 * The library never prints, exits, catches signals or reads the environment. */
#ifndef FOOTNOTE_H
#define FOOTNOTE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Every way to fail: name, HTTP status, code in JSON, what it means. */
#define FOOTNOTE_RC_MAP(X)                                                     \
    X(OK, 200, "ok", "done")                                                   \
    X(INVALID, 400, "invalid_field", "the arguments make no sense")            \
    X(NOTFOUND, 404, "not_found", "not there, or not yours")                   \
    X(CONFLICT, 409, "id_taken", "that id already has other content")          \
    X(NUMBER, 409, "number_taken", "that number belongs to another source")    \
    X(RUNNING, 409, "turn_running", "an answer is running in this session")    \
    X(ENDED, 409, "ended", "this answer ended, was deleted or was taken over") \
    X(TOOBIG, 413, "too_large", "over a limit, which the text names")          \
    X(QUOTA, 413, "quota_exceeded", "over what one may keep: delete first")    \
    X(REUSED, 422, "key_reused", "the same key came with another request")     \
    X(DAMAGED, 500, "integrity_error", "stored bytes do not match the digest") \
    X(FOREIGN, 500, "foreign", "not our database, or made by a newer version") \
    X(UNSURE, 500, "unsure", "connection lost in commit: repeat with same id") \
    X(INTERNAL, 500, "internal", "the database refused what we asked of it")   \
    X(BUSY, 503, "store_busy", "not now: the database is away or busy")        \
    X(READONLY, 503, "read_only", "the database can only be read")             \
    X(NOMEM, 503, "no_memory", "out of memory")                                \
    X(FULL, 507, "disk_full", "the disk is nearly full: nothing new is taken")
#define FOOTNOTE_RC_ENUM(name, status, code, text) FOOTNOTE_##name,
enum footnote_rc { FOOTNOTE_RC_MAP(FOOTNOTE_RC_ENUM) FOOTNOTE_RC_N };
struct footnote_err {
    enum footnote_rc rc;
    char text[200]; /* a sentence for a person */
    char field[64]; /* the argument it is about, as the HTTP API names it, or
                       the thing that is not there; "": none of them */
};
#define FOOTNOTE_API  __attribute__((visibility("default")))
#define FOOTNOTE_MUST __attribute__((warn_unused_result))
#define FOOTNOTE_CALL FOOTNOTE_API FOOTNOTE_MUST enum footnote_rc

// clang-format off
enum footnote_role { FOOTNOTE_USER = 1, FOOTNOTE_ASSISTANT, FOOTNOTE_SYSTEM };
enum footnote_type { FOOTNOTE_TEXT = 1, FOOTNOTE_SLIDE, FOOTNOTE_LECTURE,
                     FOOTNOTE_JOURNAL, FOOTNOTE_WEB, FOOTNOTE_IMAGE };
enum footnote_status { FOOTNOTE_COMPLETE, FOOTNOTE_STOPPED, FOOTNOTE_FAILED,
                       FOOTNOTE_INTERRUPTED, FOOTNOTE_STREAMING };
enum footnote_state { FOOTNOTE_LIVE, FOOTNOTE_CHANGED, FOOTNOTE_DELETED,
                      FOOTNOTE_REDACTED, FOOTNOTE_WITHDRAWN,
                      FOOTNOTE_EXTERNAL /* its document is not kept here */ };
// clang-format on

/* Whether the words of a source carry a sentence; docs/verdicts.md. */
// clang-format off
enum footnote_verdict { FOOTNOTE_NO_SOURCE, FOOTNOTE_CARRIED, FOOTNOTE_PARTLY,
                        FOOTNOTE_NOT_FOUND, FOOTNOTE_CONTRADICTS };
enum footnote_reason { FOOTNOTE_WHY_NONE, FOOTNOTE_WHY_WORDS,
                       FOOTNOTE_WHY_NUMBER, FOOTNOTE_WHY_NAME,
                       FOOTNOTE_WHY_APART, FOOTNOTE_WHY_DENIES,
                       FOOTNOTE_WHY_DROPPED, FOOTNOTE_WHY_OPPOSITE,
                       FOOTNOTE_WHY_CLASH,
                       FOOTNOTE_WHY_UNKNOWN /* no source has the number */ };
// clang-format on

struct footnote;         /* a store, as one user sees it */
struct footnote_answer;  /* an answer while it is being written */
struct footnote_source { /* one passage: an id, or a locator that makes one */
    enum footnote_type type;
    uint32_t number; /* the n of [n]; 0: the next free one */
    const char *id, *preview, *title, *url;
    const char *course, *owner, *document, *lecture;
    const char *date;    /* of a journal entry, YYYY-MM-DD */
    const char *s3key;   /* of a page picture */
    const char *meta;    /* your own JSON object, kept byte for byte */
    const char *locator; /* where in a text: "Prices!B2:D9", "cell 7" */
    bool has_page, has_start, has_end, has_score;
    uint32_t page; /* slide or page, from 1 */
    uint32_t part; /* which passage of its text, from 1; 0: not said */
    double start_seconds, end_seconds;
    double score; /* yours, never read by us */
    /* Reading only. */
    bool cited;            /* the text has its number */
    double support;        /* its words in the sentence, 0 to 1; -1: none */
    const uint32_t *spans; /* where, in UTF-16 units: start, end, start, ... */
    size_t spans_n;        /* pairs */
    enum footnote_state state; /* redacted and withdrawn have no preview */
};
struct footnote_image { /* the page picture that an answer rests on */
    const char *s3key, *slide;
    bool has_page;
    uint32_t page;
};
struct footnote_list { /* of strings */
    const char *const *items;
    size_t n;
};
struct footnote_sentence { /* places are in UTF-16 units; 0, 0: none */
    uint32_t start, end;   /* of the text */
    enum footnote_verdict verdict;
    enum footnote_reason reason;
    uint32_t number; /* its source, or one that carries it though it names none;
                        0: none */
    double support;  /* 0 to 1; -1: not measured, a model says it */
    uint32_t word_start, word_end; /* of the text: what the reason is about */
    uint32_t span_start, span_end; /* of the source's preview: what carries */
};
struct footnote_verdicts {
    const char *judge; /* "text": its words; else a model */
    const struct footnote_sentence *sentences;
    size_t n, carried;
};
struct footnote_message {
    const char *id, *session, *text;
    const char *parent; /* id of the message before it.  Saving, NULL: the last
                           one that is shown; "": none.  Read, NULL: none */
    enum footnote_role role;
    enum footnote_status status;
    int64_t created_ms; /* 0: now.  Order is by saving, never by time. */
    bool has_low_confidence, low_confidence;
    struct footnote_list doc_refs, rag_source_ids, web_source_ids;
    struct footnote_image image;           /* s3key NULL: none */
    const struct footnote_source *sources; /* by number */
    size_t sources_n;
    /* Reading only. */
    bool shown;              /* on the path that is shown */
    const char *replaced_by; /* if it is not: id of what stands there instead */
    const char *failure;     /* a code, when failed */
    const char *digest; /* "sha256:..." of role, text and sources; NULL while
                           streaming, and while only its sources are known */
    const struct footnote_verdicts *verdicts; /* one of each judge */
    size_t verdicts_n;
    const uint32_t *unknown; /* numbers in the text that no source has */
    size_t unknown_n;
};
struct footnote_session {
    const char *id, *course, *title;
    const char *shown; /* put: a message of it; the path through it is shown */
    int64_t created_ms, active_ms; /* read */
    bool running;                  /* read */
};
struct footnote_count {
    const char *document, *doc_ref, *title;
    uint64_t given_n, cited_n; /* answers it was given to, that cite it */
};

/* "sqlite:PATH[?durability=relaxed]" or "postgres://...", as user "local" of
 * tenant "default".  Makes or migrates tables; answers of dead processes
 * become interrupted.  relaxed: footnote_answer_write() returns before its
 * text is on disk, a moment later. */
FOOTNOTE_CALL footnote_open(const char *url, struct footnote **out,
                            struct footnote_err *err);
/* The same store as another user sees it: cheap, one per request.  tenant NULL
 * is the tenant of `fn`.  Close it before the one it came from. */
FOOTNOTE_CALL footnote_as(struct footnote *fn, const char *tenant,
                          const char *user, struct footnote **out,
                          struct footnote_err *err);
FOOTNOTE_API void footnote_close(struct footnote *fn); /* waits; NULL is fine */

/* Makes the session, or sets course, title and path of the one with that id.
 * Messages are a tree: those with one parent are versions of each other, one
 * path is shown, and what was shown before comes back when one steps back. */
FOOTNOTE_CALL footnote_session_put(struct footnote *fn,
                                   const struct footnote_session *s,
                                   struct footnote_err *err);
/* Messages and references go, pooled sources stay.  Already gone is OK. */
FOOTNOTE_CALL footnote_session_delete(struct footnote *fn, const char *session,
                                      struct footnote_err *err);
/* Saves a message with its sources, all or nothing, and shows the path to it;
 * an unknown session is made.  The same id and content again is OK and writes
 * nothing. */
FOOTNOTE_CALL footnote_save(struct footnote *fn,
                            const struct footnote_message *m,
                            struct footnote_err *err);
/* Adds sources to a message.  A message that is not there is made in `session`
 * as a placeholder; a later save fills it.  numbers[i], unless numbers is NULL,
 * is what the text must say for s[i]. */
FOOTNOTE_CALL footnote_cite(struct footnote *fn, const char *session,
                            const char *message,
                            const struct footnote_source *s, size_t s_n,
                            uint32_t *numbers, struct footnote_err *err);

/* An answer as it grows: open, then cite and write as they come, then finish,
 * then close.  open() commits the question and a streaming answer; a question
 * whose id is there with other text is an edit: a new version, which takes over
 * the id.  answer_id NULL: one is made. */
FOOTNOTE_CALL footnote_answer_open(struct footnote *fn,
                                   const struct footnote_message *question,
                                   const char *answer_id,
                                   struct footnote_answer **out,
                                   struct footnote_err *err);
/* Another answer to a question that is there, beside the ones before. */
FOOTNOTE_CALL footnote_answer_again(struct footnote *fn, const char *session,
                                    const char *question, const char *answer_id,
                                    struct footnote_answer **out,
                                    struct footnote_err *err);
FOOTNOTE_API const char *footnote_answer_id(const struct footnote_answer *a);
/* Durable on return: show the sources then, not before.  numbers[i] is what
 * the text must say for s[i]; a source met again keeps its first number. */
FOOTNOTE_CALL footnote_answer_cite(struct footnote_answer *a,
                                   const struct footnote_source *s, size_t s_n,
                                   uint32_t *numbers, struct footnote_err *err);
/* Appends text, which may be cut anywhere, even inside a character. */
FOOTNOTE_CALL footnote_answer_write(struct footnote_answer *a, const char *text,
                                    size_t bytes, struct footnote_err *err);
/* Once: finds the markers, sets cited and support, stores the end state. */
FOOTNOTE_CALL footnote_answer_finish(struct footnote_answer *a,
                                     enum footnote_status end,
                                     bool low_confidence,
                                     struct footnote_err *err);
/* Unfinished, as after a crash: interrupted, with all that was written. */
FOOTNOTE_API void footnote_answer_close(struct footnote_answer *a);

struct footnote_query {     /* zeroed: your sessions, latest activity first */
    const char *session;    /* its messages, oldest first; or ... */
    const char *const *ids; /* ... these, in order, others' left out; or ... */
    const char *document;   /* ... every answer of yours that was given it */
    const char *before;     /* of `session`: the ones that precede this id */
    const char *at;         /* of `session`: the path through this message */
    size_t ids_n, limit;    /* limit: the newest so many; 0: all */
    bool counts;            /* of `session`: its documents, most first */
    bool light;             /* no previews */
    bool replaced;          /* of all branches, not only what is shown */
};
struct footnote_result { /* owns all it shows */
    const struct footnote_message *messages;
    const struct footnote_session *sessions;
    const struct footnote_count *counts;
    size_t messages_n, sessions_n, counts_n;
    bool more; /* the limit left some out */
};
FOOTNOTE_CALL footnote_read(struct footnote *fn, const struct footnote_query *q,
                            struct footnote_result **out,
                            struct footnote_err *err);
FOOTNOTE_API void footnote_result_free(struct footnote_result *r);

/* Judges a text as an answer with these sources, without a store.  The result
 * has one message: the text, the sources with their numbers, and verdicts. */
FOOTNOTE_CALL footnote_judge(const char *text, const struct footnote_source *s,
                             size_t s_n, struct footnote_result **out,
                             struct footnote_err *err);

/* "FOOTNOTE_X"'s code in JSON, HTTP status, and meaning. */
FOOTNOTE_API const char *footnote_rc_code(enum footnote_rc rc);
FOOTNOTE_API int footnote_rc_status(enum footnote_rc rc);
FOOTNOTE_API const char *footnote_rc_text(enum footnote_rc rc);
#ifdef __cplusplus
}
#endif
#endif
