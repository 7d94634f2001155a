/* search.h - operations of the store for search.  Any thread.
 *
 * An index is shared by all who search a course, so it knows no rights.
 * search_scope checks them before a search, hits_read again after it. */
#ifndef STORE_DOCUMENT_SEARCH_H
#define STORE_DOCUMENT_SEARCH_H
#include "cite/source.h"
#include "store/document/document.h"

/* Where the asker's search may look.  NOTFOUND when course or document is not
 * there, or not theirs to read. */
struct scope_course {
    int64_t key;
    struct str id;
};
struct scope_citation {  /* of a source in the session's answers */
    struct str document; /* id */
    struct str source_key;
    int64_t cited_n, document_key; /* key 0: not kept here */
};
struct search_scope {
    struct str course;    /* absent: all that the asker may read */
    struct str document;  /* absent: all of them */
    struct str session;   /* absent, or not there: no citations */
    int64_t docs_version; /* out: changes with every document */
    int64_t document_key; /* out; 0: none was given */
    struct scope_course *courses;
    size_t courses_n;
    struct scope_citation *citations; /* by document, then source */
    size_t citations_n;
};
STORE_OP(search_scope);

/* Documents and passages that the index of a course is made of.  These two
 * check no rights: hits_read does, for all that a search finds. */
struct index_document {
    int64_t key, version;
    enum document_kind kind;
    struct str title;
    struct sha256 digest; /* of that version */
};
struct index_documents {
    int64_t course;
    int64_t docs_version;             /* out: of this list */
    struct index_document *documents; /* out, by key */
    size_t documents_n;
};
STORE_OP(index_documents);

struct index_passage {
    int64_t document, version, position;
    struct str heading, text;
};
struct index_passages {
    int64_t course;
    int64_t after_document, after_position; /* cursor */
    int64_t last_document;
    size_t limit;
    struct index_passage *passages; /* out, by document and position */
    size_t passages_n;
};
STORE_OP(index_passages);

/* Reads passages by their keys, with documents and neighbours.  `found` is
 * false for those that cannot be searched any more, or not by the asker. */
struct hit_read {
    int64_t document, version, position;
    bool found; /* out, as all that follows */
    struct str id, course, title, date, url;
    enum document_kind kind;
    struct passage passage; /* without extra */
    struct str before, after;
};
struct hits_read {
    struct hit_read *hits; /* in and out */
    size_t hits_n;
};
STORE_OP(hits_read);

/* The newest journal entries of a course, each by its first passage. */
struct journal_recent {
    int64_t course;
    size_t limit;
    struct hit_read *hits; /* out: keys only, for hits_read */
    size_t hits_n;
};
STORE_OP(journal_recent);

/* ---- Vectors ------------------------------------------------------------- */

/* Passages of a course that have no vector by this model yet. */
struct vectors_missing {
    int64_t course;
    struct str model;
    size_t limit;
    struct index_passage *passages; /* out */
    size_t passages_n;
};
STORE_OP(vectors_missing);

struct vector {
    int64_t document, version, position;
    struct str floats; /* their bytes, lowest first */
};
/* Stores vectors of passages; passages that are gone are skipped. */
struct vectors_put {
    struct str model;
    const struct vector *vectors;
    size_t vectors_n; /* at most 100 a call */
};
STORE_OP(vectors_put);

/* Vectors of all searched passages of a course, up to a limit. */
struct vectors_read {
    int64_t course;
    struct str model;
    size_t limit;
    struct vector *vectors; /* out */
    size_t vectors_n;
};
STORE_OP(vectors_read);

#endif
