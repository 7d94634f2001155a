/* demo.h - what the demo course holds: tables in demo_text.c.  Constant. */
#ifndef CLI_DEMO_H
#define CLI_DEMO_H
#include "store/store.h"

enum { DEMO_PASSAGES_MAX = 4, DEMO_SOURCES_MAX = 4 };

struct demo_passage {
    int page;          /* 0: none */
    double start, end; /* of a lecture, in seconds */
    const char *heading, *text;
};
struct demo_document {
    const char *id, *title, *date, *url, *filename, *media_type;
    enum document_kind kind;
    int pages;
    double seconds;
    struct demo_passage passages[DEMO_PASSAGES_MAX];
};
/* A question, and an answer whose [n] is the n-th of its sources. */
struct demo_turn {
    const char *session, *question, *answer;
    struct demo_source {
        int document, passage; /* indexes; a document of -1 ends the list */
    } sources[DEMO_SOURCES_MAX + 1];
    bool low_confidence;
};

extern const char demo_course[], demo_course_title[];
extern const struct demo_document demo_documents[];
extern const size_t demo_documents_n;
extern const struct demo_turn demo_turns[];
extern const size_t demo_turns_n;

#endif
