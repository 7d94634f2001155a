/* latex_words.h - what commands of LaTeX stand for, for latex.c only. */
#ifndef INGEST_SOURCE_LATEX_WORDS_H
#define INGEST_SOURCE_LATEX_WORDS_H
#include "base/str.h"

enum latex_role {
    LATEX_SHOWN,   /* unknown, or a look: what it is given is text */
    LATEX_DROPPED, /* what it is given is not: labels, sizes, files */
    LATEX_HEADING,
    LATEX_TITLE,
    LATEX_NOTE,
    LATEX_ITEM,
    LATEX_BREAK, /* of a line or a paragraph */
    LATEX_LINK,  /* an address, then a text */
    LATEX_BEGIN,
    LATEX_END,
    LATEX_VERB
};
enum latex_environment { ENV_TEXT, ENV_CODE, ENV_MATH, ENV_DROPPED, ENV_TABLE };

/* *level is that of a heading; *arguments how many are dropped. */
enum latex_role latex_role(struct str command, int *level, int *arguments);
enum latex_environment latex_environment(struct str name);
/* The letter or sign that a command is; "": none. */
const char *latex_sign(struct str command);
/* The letter with the accent of `\'`, `\"`, ...; 0: there is none. */
uint32_t latex_accent(char accent, char letter);

#endif
