/* collection.h - a folder of documents, questions and judgements, read and put
 * into a course of its own.  One thread.
 *
 *     docs.jsonl     {"id", "title", "text", "scope"?}
 *     queries.jsonl  {"id", "text", "scope"?, "history"?, "answers"?}
 *     qrels.tsv      query, document, grade, with tabs
 *
 * Other keys are left alone.  A document is one passage; those of one scope
 * are the passages of one document, so that a scope is a document. */
#ifndef CLI_EVAL_COLLECTION_H
#define CLI_EVAL_COLLECTION_H
#include "retrieve/retrieve.h"
#include "store/store.h"

enum { COLLECTION_GRADE_MAX = 10 }; /* higher ones count as this */

struct judgement {
    uint32_t doc; /* index in docs */
    int grade;
};
struct collection_doc {
    struct str id, title, text, scope;
    uint32_t document, position; /* where it is in the course */
};
struct collection_query {
    struct str id, text, scope;
    struct str previous; /* the user's turn before; absent: none */
    const struct str *answers;
    size_t answers_n;
    struct judgement *judgements;
    size_t judgements_n;
};
struct collection {
    struct collection_doc *docs;
    size_t docs_n;
    struct collection_query *queries;
    size_t queries_n;
    uint32_t *first; /* doc of a document's first passage, by document */
    uint32_t documents_n;
    uint32_t *order; /* docs by document and position */
};

/* All of it lives in `a`.  NOTFOUND names the file that is missing, INVALID
 * the line that is wrong. */
enum footnote_rc collection_read(struct arena *a, const char *folder,
                                 struct collection *out,
                                 struct footnote_err *err);

/* A store in a folder of its own, with the collection in course "eval", and a
 * retriever over it. */
struct bench_course {
    char folder[64];
    struct store *store;
    struct retriever *retriever;
    struct who who;
};
enum footnote_rc collection_open(struct arena *a, struct collection *c,
                                 struct bench_course *out,
                                 struct footnote_err *err);
void collection_close(struct bench_course *b); /* removes the folder */

/* The document of a query's scope, or absent. */
struct str collection_scope(struct arena *a, const struct collection *c,
                            const struct collection_query *q);
/* The collection's doc that was hit: its index. */
uint32_t collection_doc_of(const struct collection *c, const struct hit *h);

/* ---- measure.c: of the first `top` hits, for a question with judgements --
 */

double measure_ndcg(const struct collection *c,
                    const struct collection_query *q, const struct search *s,
                    size_t top);
/* The same for docs by their index. */
double measure_ndcg_of(const struct collection_query *q, const uint32_t *docs,
                       size_t n, size_t top);
/* The share of the judged ones that are there. */
double measure_recall(const struct collection *c,
                      const struct collection_query *q, const struct search *s,
                      size_t top);
/* One by the rank of the first good one; 0: none. */
double measure_reciprocal_rank(const struct collection *c,
                               const struct collection_query *q,
                               const struct search *s, size_t top);

#endif
