/* marks_place.h - where a passage and its claims stand in a document: on pages,
 * or in the lines of a transcript.  For marks.c only; in a worker's thread. */
#ifndef HTTP_API_MARKS_PLACE_H
#define HTTP_API_MARKS_PLACE_H
#include "http/api/calls.h"
#include "retrieve/search/claim.h"

struct document;

enum {
    MARKS_CLAIMS_MAX = 16,
    MARKS_PAGES_NEAR = 3, /* on either side of the page that is named; slides
                             are joined to at most four */
    MARKS_SECONDS_NEAR = 30,
    MARKS_WORDS_MAX = 12000, /* looked at; finding takes words times words */
    MARKS_ARENA_MAX = 128 * 1024 * 1024
};

struct marks {
    struct arena *arena;
    struct claim_passage passage;
    struct claim claims[MARKS_CLAIMS_MAX];
    size_t claims_n;
    int64_t page;      /* where the passage is said to be; 0: nowhere */
    double start, end; /* the same in a recording */
    /* Out, by claim: the page that has most of it, 0: none; when it is said. */
    int64_t claim_pages[MARKS_CLAIMS_MAX];
    bool said[MARKS_CLAIMS_MAX];
    double claim_starts[MARKS_CLAIMS_MAX], claim_ends[MARKS_CLAIMS_MAX];
};

/* Each appends a list to *out, which is empty when nothing is found; answers
 * and returns false when it fails. */
bool marks_on_pages(struct request *r, const struct document *d,
                    struct marks *m, struct json_out *out);
bool marks_in_lines(struct request *r, const struct document *d,
                    struct marks *m, struct json_out *out);

/* Where marked words stand in the text that they are views of, as pairs of
 * UTF-16 offsets; words side by side are one pair. */
void marks_spans(struct json_out *out, struct str text, const struct str *words,
                 size_t n, const bool *marked);

#endif
