/* extractive.c - an answer without a model.
 *
 * Sentences are taken verbatim from what was found, each with its number:
 * nothing is said that no source says.  When nothing was found it says so. */
#include "chat/turn/extractive.h"

#include <assert.h>

#include "chat/turn/text.h"
#include "chat/turn/turn.h"

/* What was searched, as a reader calls it. */
static struct str place(const struct turn *t)
{
    return t->course_title.n ? t->course_title : STR("your documents");
}

/* A sentence that was cut out of a line may lack its end. */
static bool is_closed(struct str s)
{
    return s.n > 0 && strchr(".!?:;\"')", s.p[s.n - 1]) != NULL;
}

enum footnote_rc extractive_answer(struct turn *t, struct footnote_err *err)
{
    if (t->picked_n == 0) {
        turn_say(t, STR("I found nothing on this in "));
        turn_say(t, place(t));
        turn_say(t, t->search->indexing
                        ? STR(". New documents are still being indexed: ask "
                              "again in a moment.")
                        : STR("."));
        return FOOTNOTE_OK;
    }
    if (t->low_confidence) {
        turn_say(t, STR("I found nothing that clearly answers this in "));
        turn_say(t, place(t));
        turn_say(t, STR(". The closest passages say: "));
    }
    for (size_t i = 0; i < t->picked_n; i++) {
        const struct best_sentence *p = &t->picked[i];
        struct str s;

        assert(p->hit < t->search->hits_n);
        s = arena_printf(&t->arena, "%s%.*s%s [%u]", i == 0 ? "" : " ",
                         STR_ARG(p->sentence),
                         is_closed(p->sentence) ? "" : ".", t->numbers[p->hit]);
        if (!s.p)
            return arena_rc(&t->arena, err);
        turn_say(t, s);
    }
    return FOOTNOTE_OK;
}
