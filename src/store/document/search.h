/* search.h - operations of the store for search.  Any thread.
 *
 * An index is shared by all who search a course, so it knows no rights.
 * search_scope checks them before a search, hits_read again after it. */
#ifndef STORE_DOCUMENT_SEARCH_H
#define STORE_DOCUMENT_SEARCH_H
#include "cite/source.h"
#include "store/document/document.h"
#include "store/document/filter.h"

/* Where the asker's search may look.  NOTFOUND when course or a document is not
 * there, or not theirs to read.  Without a course, documents are of that of the
 * first. */
struct scope_course {
    int64_t key;
    int64_t index_version; /* changes with what can be searched in it */
    struct str id;
};
struct scope_citation { /* by the session's answers */
    int64_t document_key;
    struct str source_key; /* absent: named by docRefs, which know no passage */
    int64_t cited_n;
};
struct search_scope {
    struct str course;  /* absent: all that the asker may read */
    struct str session; /* absent, or not there: no citations */
    const struct search_filter *filter; /* NULL: none */
    const struct search_filter *within; /* of what that leaves; NULL: all */
    bool kept;          /* documents may be gone since: they are passed over */
    bool limited;       /* out: only these documents */
    int64_t *documents; /* by key */
    size_t documents_n;
    bool waits; /* others would be there, and are still being read in */
    struct scope_course *courses;
    size_t courses_n;
    struct scope_citation *citations; /* by document, then source */
    size_t citations_n;
};
STORE_OP(search_scope);

/* Documents and passages that the index of a course is made of.  These check no
 * rights: hits_read does, for all that a search finds. */
struct index_document {
    int64_t key, version;
    enum document_kind kind;
    struct str title;
    struct sha256 digest; /* of that version */
};
struct index_documents {
    struct str course; /* id; one that is not there has no documents */
    bool only_course;  /* documents are not read */
    int64_t tenant;    /* out: its key */
    int64_t key, owner, index_version; /* out: of the course, or 0 */
    struct index_document *documents;  /* out, by key */
    size_t documents_n;
};
STORE_OP(index_documents);

struct index_passage {
    int64_t document, version, position;
    bool damaged;  /* then it has no words */
    bool contents; /* of a table of contents or an index */
    struct str heading, text;
};
/* The first passages of some documents, behind a position. */
enum { INDEX_DOCUMENTS_MAX = 16 };
struct document_passages {
    int64_t document, version;
    struct index_passage *passages; /* out, by position */
    size_t passages_n;
};
struct index_passages {
    struct document_passages *documents;
    size_t documents_n; /* at most 16 */
    int64_t after_position;
    size_t limit; /* of each */
};
STORE_OP(index_passages);

/* Courses of all tenants in which something can be searched, a hundred at a
 * time: for store_own_read(). */
enum { INDEX_COURSES_MAX = 100 };
struct index_course {
    struct str tenant, id;
};
struct index_courses {
    int64_t after_tenant, after_course; /* cursor, moves on */
    struct index_course *courses;       /* out */
    size_t courses_n;
};
STORE_OP(index_courses);

/* Reads passages by their keys, with documents.  `found` is
 * false for those that cannot be searched any more, or not by the asker. */
struct hit_read {
    int64_t document, version, position;
    bool found; /* out, as all that follows */
    struct str id, course, title, date, url;
    enum document_kind kind;
    struct passage passage;
};
struct hits_read {
    struct hit_read *hits; /* in and out */
    size_t hits_n;
};
STORE_OP(hits_read);

/* The newest journal entries of all these courses, each by its first passage;
 * of a day, those of the first course come first. */
struct journal_recent {
    const struct scope_course *courses;
    size_t courses_n;
    size_t limit;
    struct hit_read *hits; /* out: keys only, for hits_read */
    size_t hits_n;
};
STORE_OP(journal_recent);

#endif
