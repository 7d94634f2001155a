/* scripted_endpoint.h - an embedder and a reranker in a thread of the test.
 *
 * Vectors are made of the letters of a text, three at a time, so texts that
 * share words are near each other; the same text has the same vector, by each
 * model another one.  "automobile" counts as "car", so that there is something
 * to find that words do not.  Ranks follow the share of the query's letters. */
#ifndef SCRIPTED_ENDPOINT_H
#define SCRIPTED_ENDPOINT_H
#include <stdbool.h>
#include <stddef.h>

enum { SCRIPTED_SIZE = 64 };

struct scripted {
    _Atomic int requests;
    _Atomic int texts;        /* that were embedded, words that ask apart */
    _Atomic int status;       /* 0: 200 */
    _Atomic int fail_after;   /* so many requests more are answered; -1: all */
    _Atomic int retry_after;  /* seconds; 0: it does not say */
    _Atomic int slow_ms;      /* before each answer */
    _Atomic int size;         /* of vectors; 0: SCRIPTED_SIZE */
    _Atomic int longest;      /* a longer text is refused; 0: none */
    _Atomic int most;         /* more texts at once are refused; 0: none */
    const char *_Atomic gone; /* a model that answers 404 */
    const char *_Atomic instead; /* what it answers, whatever was asked */
    char last[4096];             /* the body that came last */
    char url[64];
};

/* One for the test; the same each time. */
struct scripted *scripted_open(void);

#endif
