/* demo.h - what the demo says about its course: tables in demo_text.c.
 * Constant.
 *
 * The documents are those of examples/demo-course, which the program carries;
 * the answers quote them word for word. */
#ifndef CLI_DEMO_H
#define CLI_DEMO_H
#include "cite/source.h"
#include "http/ops/embed.h"

enum { DEMO_SOURCES_MAX = 4 };

/* slides.pdf, lecture.vtt; and the entries of the journal. */
extern const struct embed demo_files[], demo_journal_files[];
extern const size_t demo_files_n, demo_journal_files_n;

/* Where a quotation stands, and what it says. */
struct demo_quote {
    enum footnote_type type;
    int slide;         /* of slides */
    double start, end; /* of a lecture, in seconds */
    const char *date;  /* of a journal entry, */
    int part;          /* which passage of it */
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
