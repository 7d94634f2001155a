/* ask.h - the parts of `footnote ask`: who answers, and how it is shown. */
#ifndef CLI_ASK_H
#define CLI_ASK_H
#include "base/json.h"
#include "cli/limits.h"
#include "store/store.h"

struct asking {
    struct cli *c;
    struct who who;      /* of the data folder */
    struct str question; /* not blank */
    struct str course;   /* id or title; absent: all of the user's */
    struct limits limits;
    struct str session; /* absent: a new one */
    struct str model;   /* absent: the default */
    struct str server;  /* absent: the data folder */
    struct str key;
    int exit_code; /* after a failure; 0: by its rc */
};

/* Shows the events of `?as=events` as they come (ask_show.c). */
struct ask_show {
    struct cli *c;
    struct str session;
    struct buf line;      /* the incomplete last line */
    char event[16];       /* name of the current event */
    bool has_text, ended; /* some text was shown; the end came */
    bool failed;          /* the answer ended with an error */
    bool broken;          /* out of memory, or stdout is closed */
};
void ask_show_init(struct ask_show *s, const struct asking *a);
void ask_show_free(struct ask_show *s);
void ask_show_bytes(void *show, struct str bytes);

/* Both run the question to its end and feed `s` with its events. */
enum footnote_rc ask_local(struct asking *a, struct ask_show *s,
                           struct footnote_err *err);
enum footnote_rc ask_remote(struct asking *a, struct ask_show *s,
                            struct footnote_err *err);

#endif
