/* extractive.c - an answer without a model.
 *
 * Sentences taken verbatim from what was found, each with its number: nothing
 * is said that no source says.  When nothing was found it says so. */
#include "chat/inner.h"

/* What was searched, as a reader calls it. */
static struct str place(const struct turn *t)
{
    return t->course_title.n ? t->course_title : STR("your documents");
}

static uint32_t number_of(const struct turn *t, size_t hit)
{
    return t->numbers[hit];
}

static void say_nothing(struct turn *t)
{
    turn_say(t, STR("I found nothing on this in "));
    turn_say(t, place(t));
    turn_say(t, STR("."));
}

/* A sentence that was cut out of a line may lack its end. */
static bool is_closed(struct str s)
{
    return s.n > 0 && strchr(".!?:;\"')", s.p[s.n - 1]) != NULL;
}

static enum footnote_rc say(struct turn *t, const struct best_sentence *p,
                            bool first, struct footnote_err *err)
{
    struct str s = arena_printf(
        &t->arena, "%s%.*s%s [%u]", first ? "" : " ", STR_ARG(p->sentence),
        is_closed(p->sentence) ? "" : ".", number_of(t, p->hit));

    if (!s.p)
        return arena_rc(&t->arena, err);
    turn_say(t, s);
    return FOOTNOTE_OK;
}

enum footnote_rc extractive_answer(struct turn *t, struct footnote_err *err)
{
    if (t->picked_n == 0) {
        say_nothing(t);
        return FOOTNOTE_OK;
    }
    if (t->low_confidence) {
        turn_say(t, STR("I found nothing that clearly answers this in "));
        turn_say(t, place(t));
        turn_say(t, STR(". The closest passages say: "));
    }
    for (size_t i = 0; i < t->picked_n; i++)
        TRY(say(t, &t->picked[i], i == 0, err));
    return FOOTNOTE_OK;
}
