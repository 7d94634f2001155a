/* kind.h - what every importer fills in, and what it is given.  One thread.
 *
 * A kind names the tables that it wants.  Their rows are loaded as JSON
 * objects, whether they come from PostgreSQL or from files, and put in order by
 * session; then `read` makes a session of its rows. */
#ifndef IMPORT_KIND_H
#define IMPORT_KIND_H
#include "base/json.h"
#include "import/import.h"
#include "store/answer/event.h"
#include "store/session/message.h"

enum {
    IMPORT_NAMES_MAX = 6,
    IMPORT_TABLES_MAX = 4,
    IMPORT_VALUE_BYTES_MAX = 64 * 1024 * 1024,
    IMPORT_SESSION_BYTES_MAX = 512 * 1024 * 1024,
    IMPORT_MESSAGES_MAX = 20000 /* of one session */
};

/* Names by which something may be called, the usual one first. */
struct names {
    const char *item[IMPORT_NAMES_MAX];
};

struct import_table {
    struct names names; /* of the table, or of its file without ".jsonl" */
    struct names key;   /* the field under which rows are looked up */
    /* The same where it takes several fields; NULL: it is `key`. */
    struct str (*key_of)(struct arena *a, const struct json *o);
    struct names id;      /* the field that names the row; none is fine */
    struct names columns; /* that a table of PostgreSQL must have */
    bool needed;          /* else it may be missing */
    bool by_session;      /* its key is that of a session */
    bool is_texts;        /* --texts names it */
};

struct row {
    const struct import_table *table;
    const struct json *o;
    int64_t line;
    struct str id; /* may be absent */
};
struct rows {
    struct row *items;
    size_t n;
};

/* What one import goes through. */
struct import {
    const struct import_options *o;
    const struct import_kind *kind;
    struct staged *staged;
    struct import_counts *counts;
    bool has_table[IMPORT_TABLES_MAX];
    bool is_sqlite;  /* the source: columns of JSON are texts */
    struct arena *a; /* of the session that is read */
};

struct import_message {
    struct message m; /* content absent: only its sources are known */
    struct event_add *events;
    int64_t *events_ms; /* when each was */
    size_t events_n;
};
struct import_session {
    bool is_there; /* it has a row of its own */
    struct str id, course, title;
    struct str user;               /* theirs; absent: not said */
    int64_t created_ms, active_ms; /* 0: not said */
    struct str shown; /* id of a message: the path through it is shown */
    struct import_message *messages;
    size_t messages_n;
};

struct import_kind {
    const char *name;
    struct import_table tables[IMPORT_TABLES_MAX];
    /* Fills in *out, which is zeroed but for its id.  A failure leaves the
     * session out, when it is one of what was read. */
    enum footnote_rc (*read)(struct import *im, struct str key,
                             struct import_session *out,
                             struct footnote_err *err);
    /* Rows that no session has asked for; may be NULL.  A kind without tables
     * has no `read`, and does all of it here. */
    enum footnote_rc (*strays)(struct import *im, struct footnote_err *err);
};
extern const struct import_kind import_v1, import_v2, import_state,
    import_journal, import_events, import_ui, import_openwebui,
    import_anythingllm, import_librechat, import_onyx, import_chatgpt,
    import_footnote;

/* "file:17 (id 4711)". */
struct str row_where(struct arena *a, const struct row *row);
void import_note(struct import *im, enum import_note kind,
                 const struct row *row, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same of something that has no row. */
void import_tell(struct import *im, enum import_note kind, const char *where,
                 const char *text);
/* INVALID with the row in front of the sentence. */
enum footnote_rc row_refuse(struct import *im, const struct row *row,
                            struct footnote_err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
