/* retrieve_help.h - a store with a retriever over it, for the tests of
 * retrieve/.
 *
 * A test is a process, so what every case needs is global. */
#ifndef RETRIEVE_HELP_H
#define RETRIEVE_HELP_H
#include "contract.h"
#include "retrieve/retrieve.h"
#include "retrieve/search/query.h"
#include "store/document/document.h"
#include "store/document/filter.h"

extern struct store *st;
extern struct retriever *re;
extern struct arena out;
extern struct footnote_err err;

void open_all(const char *folder); /* NULL: nothing on disk */
void close_all(void);

/* A contract case with store and retriever open. */
#define RETRIEVED(id)                                                          \
    static void retrieved_##id(void);                                          \
    CONTRACT(id)                                                               \
    {                                                                          \
        open_all(NULL);                                                        \
        retrieved_##id();                                                      \
        close_all();                                                           \
    }                                                                          \
    static void retrieved_##id(void)

#define TENANT ((struct str){"default", 7})
#define ANN    ((struct who){TENANT, {"ann", 3}})
#define BEN    ((struct who){TENANT, {"ben", 3}})

#define WRITE(who, name, op)                                                   \
    CHECK_OK(store_write(st, (who), OP(name), (op), &err), &err)

void course(struct who who, const char *id);
/* A document that is ready, with these passages up to a NULL; pages or seconds
 * count up from 1 where the kind has them. */
struct doc {
    const char *course, *id, *title, *date, *url;
    enum document_kind kind; /* 0: text */
    bool contents;           /* its passages are of a table of contents */
};
void document(struct who who, const struct doc *d, const char *const *passages);
void text(struct who who, const char *course, const char *id,
          const char *passage);
void delete (struct who who, const char *id);
/* A search that must succeed. */
struct search search(struct who who, const char *course, const char *query);
void look(struct search *s);
/* A filter of one document; static. */
const struct search_filter *only(const char *id);
/* The hit's document. */
const char *hit_id(const struct search *s, size_t i);
/* Whether a document is among the hits. */
bool has_hit(const struct search *s, const char *id);
/* An answer of the session cites the first passage of a text document. */
void cite(struct who who, const char *session, const char *answer,
          const char *document);

/* ---- Segments without a store -------------------------------------------- */

struct analyser *analyser(void);
/* One passage for each text, each a document of its own; keys from `key`. */
struct segment *segment_of(int64_t key, const char *const *texts, size_t n);
/* Asks all ranges; the best are in `ranked`. */
size_t rank(const struct segment_range *ranges, size_t ranges_n,
            const char *query, struct ranked *ranked, size_t max);

#endif
