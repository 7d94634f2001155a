/* session.h - sessions: make, list, find, change, delete.  Any thread. */
#ifndef STORE_SESSION_SESSION_H
#define STORE_SESSION_SESSION_H
#include "store/session/course.h"
#include "store/store.h"

struct session {
    struct str id, course, title;
    int64_t created_ms, active_ms, version;
    bool running;
    int64_t key, pool; /* inner */
    int64_t last_seq;  /* inner, of a history's head: newest message */
};

/* Makes a session, or sets title and course of an existing one where they are
 * given.  An unknown course is made, owned by the asker; a course that they may
 * not read is NOTFOUND.  INVALID: created_ms is over a day ahead. */
struct session_put {
    struct str id; /* absent: one is made */
    struct str course, title;
    enum member_role share; /* of everybody, in a course that this makes */
    int64_t created_ms;     /* of a new session; 0: now */
    struct str shown; /* a message of it: the path through that is shown from
                         now on.  RUNNING while an answer runs on another */
    bool must_exist;  /* NOTFOUND instead of making it */
    bool as_new;      /* CONFLICT when title or course differ */
    bool made;        /* out */
    char id_text[STORE_ID_BYTES_MAX + 1]; /* out: the id */
};
STORE_OP(session_put);

struct session_get {
    struct str id;
    struct session session; /* out */
};
STORE_OP(session_get);

/* Lists sessions, latest activity first. */
struct session_list {
    struct str course;        /* absent: all */
    int64_t before_active_ms; /* cursor: the last one's; 0: from the start */
    int64_t before_key;
    size_t limit;
    struct session *sessions; /* out */
    size_t sessions_n;
};
STORE_OP(session_list);

/* Finds sessions with all words of the query in one text that the asker may
 * read.  Looks at the newest 200 and says where to go on. */
enum match_where { MATCH_TITLE, MATCH_QUESTION, MATCH_ANSWER, MATCH_QUOTE };
struct session_match {
    struct session session;
    enum match_where where;
    struct str message; /* absent: the title */
    struct str snippet;
};
struct session_search {
    struct str query;
    struct str course;        /* absent: all */
    int64_t before_active_ms; /* cursor, as in session_list */
    int64_t before_key;
    size_t limit;
    struct session_match *matches; /* out */
    size_t matches_n;
    bool more;                        /* out: there are older ones, ... */
    int64_t next_active_ms, next_key; /* ... from here on */
};
STORE_OP(session_search);

/* Deletes messages, references and events; pooled sources stay, and the id is
 * never used again.  A session that is not there, or not theirs, is OK. */
struct session_delete {
    struct str id;
};
STORE_OP(session_delete);

/* Deletes references and events of the session; messages stay. */
struct session_clear {
    struct str id;
};
STORE_OP(session_clear);

#endif
