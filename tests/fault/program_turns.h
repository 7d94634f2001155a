/* program_turns.h - turns of the real program under fault, and the proof that
 * nothing was lost that anybody has seen.
 *
 * Every turn has a session of its own and a model that says a text of known
 * pieces.  What its client saw must be there for ever: the answer under the
 * same id, at least that text, and every source with the same bytes. */
#ifndef PROGRAM_TURNS_H
#define PROGRAM_TURNS_H
#include "program.h"
#include "upstream/upstream.h"

enum { TURNS_MAX = 50, TURNS_PIECES_MAX = 60 };

struct turns {
    struct program program;
    struct upstream *up;
    struct watcher watchers[TURNS_MAX];
    unsigned round; /* names the sessions */
    size_t n;
};

/* A store with a course, at the program's database, and the model's scripts:
 * turn i of a round plays one that is short, middle or long. */
void turns_prepare(struct turns *t, const char *database);
void turns_close(struct turns *t);
/* Asks in n new sessions at once. */
void turns_ask(struct turns *t, size_t n);
/* Reads until so many bytes have come in all, or all have ended. */
void turns_read(struct turns *t, size_t bytes);
/* Reads to the end of every stream. */
void turns_read_all(struct turns *t);

/* How turns must have ended. */
enum turns_end {
    TURNS_INTERRUPTED, /* or whole: the process was killed */
    TURNS_WHOLE,
    TURNS_ANY /* or failed: the store could not be written to */
};
/* Fails the test unless all that was seen in this round is there. */
void turns_check(struct turns *t, enum turns_end how);
/* Waits until no turn of the round runs any more. */
void turns_settle(struct turns *t);
void turns_forget(struct turns *t); /* closes the watchers: the next round */

#endif
