/* confidence_test.c - what is asked of real documents that cannot answer it is
 * not answered surely.  The documents are licences, which every Debian has. */
#include <stdio.h>
#include <stdlib.h>

#include "retrieve_help.h"

enum { PARAGRAPHS_MAX = 400, FILE_BYTES_MAX = 1 << 16 };

/* Puts a text file into course "c", a paragraph a passage. */
static void read_licence(const char *name)
{
    static char text[FILE_BYTES_MAX];
    const char *paragraphs[PARAGRAPHS_MAX + 1] = {NULL};
    struct doc d = {.course = "c", .id = name, .title = name};
    char path[200], *at = text;
    size_t n = 0;
    FILE *f;

    snprintf(path, sizeof(path), "/usr/share/common-licenses/%s", name);
    f = fopen(path, "r");
    CHECK(f != NULL);
    text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
    fclose(f);
    for (char *end; n < PARAGRAPHS_MAX && *at; at = end) {
        end = strstr(at, "\n\n");
        end = end ? end : at + strlen(at);
        while (*end == '\n')
            *end++ = '\0';
        if (*at)
            paragraphs[n++] = at;
    }
    CHECK(n > 20);
    document(ANN, &d, paragraphs);
}

static const char *const answered[] = {
    "What is the Corresponding Source for a work in object code form?",
    "When do I have to display appropriate legal notices?",
    "May I charge a price for each copy that I convey?",
    "What is an Invariant Section?",
    "Who may publish new, revised versions of the license?",
    "How many years must a written offer for the source be valid?",
    "What does perpetual, worldwide copyright license allow a contributor?",
};

/* Some of their words are in the licences: program, price, interest, library,
 * work, table, cover, compiler, kernel. */
static const char *const unanswerable[] = {
    "How do I bake bread?",
    "What is the boiling point of ethanol?",
    "Which library of the town is open on Sunday?",
    "How do I cover a table with a cloth?",
    "What was the interest rate of the central bank in 2008?",
    "Who painted the ceiling of the chapel?",
    "How do I program the heating to work at night?",
    "What price did the farmers get for wheat?",
    "Why do cats purr?",
    "Who invented the compiler?",
    "How does a kernel of corn pop?",
    "Which instruments play in a quartet?",
    "Wie backe ich Brot?",
    "как испечь хлеб?",
    "\xe5\xa6\x82\xe4\xbd\x95\xe7\x83\xa4\xe9\x9d\xa2\xe5\x8c\x85",
};

RETRIEVED(what_real_documents_do_not_answer_is_not_answered_surely)
{
    size_t sure = 0;

    course(ANN, "c");
    read_licence("GPL-3");
    read_licence("GFDL-1.3");
    read_licence("Apache-2.0");
    for (size_t i = 0; i < sizeof(answered) / sizeof(*answered); i++) {
        struct search s = search(ANN, "c", answered[i]);

        sure += !s.low_confidence;
        if (s.low_confidence)
            printf("\"%s\": %g\n", answered[i], s.confidence);
    }
    CHECK(sure + 1 >= sizeof(answered) / sizeof(*answered));
    for (size_t i = 0; i < sizeof(unanswerable) / sizeof(*unanswerable); i++) {
        struct search s = search(ANN, "c", unanswerable[i]);

        if (!s.low_confidence)
            FAIL("\"%s\": %g", unanswerable[i], s.confidence);
    }
}
