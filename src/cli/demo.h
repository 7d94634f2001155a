/* demo.h - the questions and answers of the demo course: constant tables in
 * demo_text.c.
 *
 * The documents of examples/demo-course are embedded in the program.  The
 * answers quote them word for word. */
#ifndef CLI_DEMO_H
#define CLI_DEMO_H
#include "cite/source.h"
#include "http/ops/embed.h"

enum { DEMO_SOURCES_MAX = 4 };

/* Slides, the lecture and its recording; the journal entries. */
extern const struct embed demo_files[], demo_journal_files[];
extern const size_t demo_files_n, demo_journal_files_n;

/* A quotation and its place. */
struct demo_quote {
    enum footnote_type type;
    int slide;         /* 0: not of slides */
    double start, end; /* when its own words are said, in a lecture: not of a
                          passage, which may be cut elsewhere tomorrow */
    const char *date;  /* of a journal entry; else NULL */
    int part;          /* which passage of the entry */
    const char *title, *text;
};
/* A question, and an answer whose [n] is the n-th of its sources. */
struct demo_turn {
    const char *session, *question, *answer;
    int sources[DEMO_SOURCES_MAX + 1]; /* of demo_quotes; -1 ends the list */
    bool low_confidence;
};

extern const char demo_course[], demo_course_title[];
extern const char demo_slides[], demo_lecture[]; /* ids */
extern const struct demo_quote demo_quotes[];
extern const struct demo_turn demo_turns[];
extern const size_t demo_turns_n;

#endif
