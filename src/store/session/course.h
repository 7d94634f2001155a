/* course.h - courses and their members.  Any thread. */
#ifndef STORE_SESSION_COURSE_H
#define STORE_SESSION_COURSE_H
#include "store/store.h"

enum member_role { MEMBER_NONE, MEMBER_READER, MEMBER_EDITOR, MEMBER_OWNER };

struct course {
    struct str id, title, owner, description;
    enum member_role role; /* of the asker */
    bool insights;         /* its editors see what is asked, without names */
    int64_t created_ms, version, key;
    int64_t archived_ms;   /* 0: it is not */
    int64_t index_version; /* changes with what can be searched in it */
};

/* A course that a session or a message names: an unknown one is made. */
struct course_named {
    struct str id;          /* absent: none */
    enum member_role share; /* of everybody, in a course that is made */
};

struct course_put {
    struct str id;               /* absent: one is made */
    struct str title;            /* absent: kept */
    struct str description;      /* the same; of one that is there */
    bool has_archived, archived; /* the same */
    bool must_exist;             /* rename */
    bool as_new;                 /* CONFLICT when it has another title */
    bool made;                   /* out */
    char id_text[STORE_ID_BYTES_MAX + 1];
};
STORE_OP(course_put);

struct course_get {
    struct str id;
    struct course course; /* out */
};
STORE_OP(course_get);

struct course_list {
    int64_t after_key; /* cursor */
    size_t limit;
    struct course *courses; /* out */
    size_t courses_n;
};
STORE_OP(course_list);

/* Deletes a course with its documents.  Sessions stay; their sources then read
 * as deleted or redacted.  Deleting it again is OK. */
struct course_delete {
    struct str id;
    bool redact;
    int64_t key; /* inner, for watchers */
};
STORE_OP(course_delete);

/* Who made somebody a member.  What groups of a provider gave is replaced when
 * they sign in again; what a person gave is left alone. */
enum member_origin { MEMBER_BY_HAND, MEMBER_BY_GROUPS };

struct member {
    struct str user; /* "*": everybody in the tenant */
    enum member_role role;
    enum member_origin origin;
};
struct member_put {
    struct str course, user;
    enum member_role role; /* MEMBER_NONE removes */
};
STORE_OP(member_put);

struct member_list {
    struct str course;
    struct member *members; /* out */
    size_t members_n;
};
STORE_OP(member_list);

#endif
