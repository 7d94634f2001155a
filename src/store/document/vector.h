/* vector.h - vectors of passages, kept with the name of their model, and whose
 * turn it is to make them.  These check no rights: hits_read does, for all that
 * a search finds. */
#ifndef STORE_DOCUMENT_VECTOR_H
#define STORE_DOCUMENT_VECTOR_H
#include "store/document/search.h"

/* How far the documents of a course are. */
struct vectors_document {
    int64_t document, version;
    int64_t passages_n, vectors_n;
};
struct vectors_state {
    int64_t course;
    struct str model;
    size_t bytes; /* of each vector; others do not count; 0: any count */
    struct vectors_document *documents; /* out, by document */
    size_t documents_n;
};
STORE_OP(vectors_state);

/* The models that made vectors of what is searched in a course. */
struct vectors_model {
    struct str model;
    int64_t vectors_n;
};
struct vectors_models {
    int64_t course;
    struct vectors_model *models; /* out */
    size_t models_n;
};
STORE_OP(vectors_models);

/* Passages of a document that have no vector by this model yet. */
struct vectors_missing {
    int64_t document, version, after_position;
    struct str model;
    size_t bytes; /* one of another length is none; 0: any */
    size_t limit;
    struct index_passage *passages; /* out */
    size_t passages_n;
};
STORE_OP(vectors_missing);

struct vector {
    int64_t document, version, position;
    struct str floats; /* their bytes, lowest first */
};
/* The first vectors of some documents, behind a position. */
struct document_vectors {
    int64_t document, version;
    struct vector *vectors; /* out, by position */
    size_t vectors_n;
    int64_t rows_n;        /* out: with those that were damaged */
    int64_t last_position; /* out */
};
struct vectors_read {
    struct str model;
    struct document_vectors *documents;
    size_t documents_n; /* at most INDEX_DOCUMENTS_MAX */
    int64_t after_position;
    size_t limit; /* of each */
};
STORE_OP(vectors_read);

/* ---- The server's own: store_own() --------------------------------------- */

/* Stores vectors of passages; passages that are gone are skipped.  One of
 * another length is replaced. */
struct vectors_put {
    int64_t tenant; /* key */
    struct str model;
    const struct vector *vectors;
    size_t vectors_n; /* at most 100 a call */
};
STORE_OP(vectors_put);

/* One node at a time makes the vectors of a course; a turn that is not taken
 * again in time goes to whoever asks next. */
struct vectors_turn {
    int64_t tenant, course; /* keys */
    struct str model;
    struct str holder; /* who asks; another for each process */
    int64_t ms;        /* that it lasts; 0: it ends */
    bool mine;         /* out */
};
STORE_OP(vectors_turn);

#endif
