/* library.h - all documents that somebody may read, in pages; and what its
 * editors do with one: name it, move it, have it read again.  Any thread. */
#ifndef STORE_DOCUMENT_LIBRARY_H
#define STORE_DOCUMENT_LIBRARY_H
#include "store/document/document.h"

enum library_order { /* the first of each is the greatest */
                     LIBRARY_CHANGED,
                     LIBRARY_CITED,
                     LIBRARY_BYTES,
                     LIBRARY_NAME /* from A to Z; what has no name comes last */
};
enum library_cited { LIBRARY_ANY, LIBRARY_ONCE, LIBRARY_NEVER };

struct library_document {
    struct document document;
    int64_t cited_n; /* answers that cite it: all for editors, else own ones */
};
struct library_course {
    struct str id;
    size_t documents_n;
};

/* Reads every document's row, so a call costs as many rows as the asker has
 * documents; the others of a page are whole. */
struct library {
    struct str course;   /* absent: all, but for archived courses */
    struct str words;    /* each is in the document's name; case and accents are
                            nothing */
    struct str filename; /* absent: any */
    enum document_kind kind; /* 0: any */
    bool has_status;         /* only with this status */
    enum document_status status;
    enum library_cited cited;
    enum library_order order;
    bool reversed;
    size_t from, limit;
    struct library_document *documents; /* out: a page of them */
    size_t documents_n;
    size_t found_n;                 /* out: on all pages */
    struct library_course *courses; /* out: every course of the asker */
    size_t courses_n;
};
STORE_OP(library);

/* What a document is made of: where each heading of its passages begins.  One
 * that goes on is there once; tables of contents are left out. */
enum { OUTLINE_HEADINGS_MAX = 5000 };
struct outline_heading {
    struct str heading;
    int64_t page; /* 0: none */
    bool has_seconds;
    double seconds;
};
struct document_outline {
    struct str id, course;            /* as document_get has them */
    int64_t version;                  /* 0: the searched one */
    struct outline_heading *headings; /* out, at most that many */
    size_t headings_n;
};
STORE_OP(document_outline);

/* Names a document anew, or moves it to another course.  Sources that were
 * cited before stay as they are, and open it where it is now: who may not read
 * the new course sees none of them any more.  Needs MEMBER_EDITOR, in both
 * courses. */
struct document_edit {
    struct str id, course;                    /* as document_get has them */
    struct str title;                         /* absent: kept */
    struct str to;                            /* course; absent: kept */
    bool moved;                               /* out */
    enum document_status status;              /* out */
    char course_text[STORE_ID_BYTES_MAX + 1]; /* out: where it is now */
};
STORE_OP(document_edit);

/* Reads a document that could not be read once more; any other stays as it is.
 * Needs MEMBER_EDITOR. */
struct document_again {
    struct str id, course;                    /* as document_get has them */
    char course_text[STORE_ID_BYTES_MAX + 1]; /* out: its course */
};
STORE_OP(document_again);

#endif
