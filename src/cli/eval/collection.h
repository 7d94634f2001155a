/* collection.h - a folder of documents, questions and judgements, read and put
 * into a course of its own.  One thread.
 *
 *     docs.jsonl     {"id", "title", "text", "scope"?}
 *     queries.jsonl  {"id", "text", "scope"?, "history"?, "answers"?}
 *     qrels.tsv      query, document, grade, with tabs
 *
 * Other keys are ignored.  Each line of docs.jsonl becomes one passage; the
 * passages of one scope become one document of the course. */
#ifndef CLI_EVAL_COLLECTION_H
#define CLI_EVAL_COLLECTION_H
#include "retrieve/retrieve.h"
#include "store/document/filter.h"

enum { COLLECTION_GRADE_MAX = 10 }; /* higher grades count as this */

struct judgement {
    uint32_t doc; /* index in docs */
    int grade;
};
struct collection_doc {
    struct str id, title, text, scope;
    uint32_t document, position; /* its place in the course */
};
struct collection_query {
    struct str id, text, scope;
    struct str previous; /* the user's previous question; absent: none */
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
    uint32_t *first; /* per document: the index in `order` of its first doc */
    uint32_t documents_n;
    uint32_t *order; /* indexes of docs, by document and position */
};

/* *out lives in `a`.  NOTFOUND names the missing file, INVALID the wrong
 * line. */
enum footnote_rc collection_read(struct arena *a, const char *folder,
                                 struct collection *out,
                                 struct footnote_err *err);

/* The documents that no question is judged to be answered by, and the questions
 * without judgements.  Shares texts with `c`. */
enum footnote_rc collection_without_judged(struct arena *a,
                                           const struct collection *c,
                                           struct collection *out,
                                           struct footnote_err *err);

/* Its parts: a whole file of the folder, and its lines that are not empty. */
enum footnote_rc collection_load(struct arena *a, const char *folder,
                                 const char *name, struct str *out,
                                 struct footnote_err *err);
bool collection_next_line(struct str *rest, struct str *line);
size_t collection_count_lines(struct str text);

/* A store in a folder of its own, with the collection in course "eval", and a
 * retriever over it; without options it knows words alone. */
struct bench_course {
    char folder[64];
    struct store *store;
    struct retriever *retriever;
    struct who who;
};
enum footnote_rc collection_open(struct arena *a, struct collection *c,
                                 const struct retriever_options *o,
                                 struct bench_course *out,
                                 struct footnote_err *err);
void collection_close(struct bench_course *b); /* removes the folder */

/* The document that is the query's scope; NULL: none, or no memory. */
const struct search_filter *collection_filter(struct arena *a,
                                              const struct collection *c,
                                              const struct collection_query *q);
/* The index in c->docs of the doc that was hit. */
uint32_t collection_doc_of(const struct collection *c, const struct hit *h);

/* ---- measure.c: figures of the first `top` hits of one judged query ------ */

double measure_ndcg(const struct collection *c,
                    const struct collection_query *q, const struct search *s,
                    size_t top);
/* The same for indexes of docs. */
double measure_ndcg_of(const struct collection_query *q, const uint32_t *docs,
                       size_t n, size_t top);
/* The share of the judged docs that are among the hits. */
double measure_recall(const struct collection *c,
                      const struct collection_query *q, const struct search *s,
                      size_t top);
/* 1 / the rank of the first judged hit; 0 without one. */
double measure_reciprocal_rank(const struct collection *c,
                               const struct collection_query *q,
                               const struct search *s, size_t top);

#endif
