/* calls.h - the tool calls of an answer, put together from their pieces.
 *
 * Servers number the pieces of a call by `index`, or not at all, or all calls
 * with 0; they give the id once, or always, or never; the name may come after
 * the first arguments.  calls.c has the rules.  One thread. */
#ifndef MODEL_CALLS_H
#define MODEL_CALLS_H
#include "base/json.h"
#include "model/model.h"

enum { CALLS_MAX = 16, CALL_BYTES_MAX = 64 * 1024 };

struct calls {
    struct call_slot *slots; /* CALLS_MAX of them; NULL before the first */
    size_t n;
};

/* Takes one item of delta.tool_calls, or delta.function_call.  TOOBIG: too
 * many calls, or one too long. */
enum footnote_rc calls_add(struct calls *c, const struct json *piece,
                           struct arena *scratch, struct footnote_err *err);
/* The calls so far; a missing id or missing arguments are made up.  *out lives
 * in `a` and in `c`. */
enum footnote_rc calls_list(const struct calls *c, struct arena *a,
                            const struct model_tool_call **out, size_t *n,
                            struct footnote_err *err);
void calls_free(struct calls *c);

#endif
