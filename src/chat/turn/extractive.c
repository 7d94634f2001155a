/* extractive.c - an answer without a model.
 *
 * Sentences are taken verbatim from what was found, each with its number:
 * nothing is said that no source says.  When nothing was found it says so. */
#include "chat/turn/extractive.h"

#include <assert.h>

#include "chat/turn/text.h"
#include "chat/turn/turn.h"
#include "language/passage_sentence.h"

/* What we say ourselves, in the reader's language: around the name of what was
 * searched. */
static const struct words {
    const char *language, *documents;
    const char *nothing, *indexing, *unclear, *closest, *with, *instead_of;
    const char *empty, *waits; /* of what the question is limited to */
} all_words[] = {
    {"en", "your documents", "I found nothing on this in ",
     ". New documents are still being indexed: ask again in a moment.",
     "I found nothing that clearly answers this in ",
     ". The closest passages say: ", "With ", " for ",
     "No document lies in what this question is limited to. Choose other "
     "documents, kinds or dates, and ask again.",
     "What this question is limited to is still being read in. Ask again in a "
     "moment."},
    {"es", "tus documentos", "No he encontrado nada sobre esto en ",
     ". Todavía se están leyendo documentos nuevos: pregunta otra vez "
     "dentro de un momento.",
     "No he encontrado nada que responda claramente a esto en ",
     ". Los pasajes más próximos dicen: ", "Con ", " por ",
     "Ningún documento entra en los límites de esta pregunta. Elige otros "
     "documentos, tipos o fechas y pregunta otra vez.",
     "Todavía se está leyendo aquello a lo que se limita esta pregunta. "
     "Pregunta otra vez dentro de un momento."},
};

/* The first language of a header such as "es-MX,es;q=0.9,en;q=0.8" that we
 * have, else English.  Browsers write them in the order of their weights. */
static const struct words *words_for(struct str languages)
{
    while (languages.n > 0) {
        size_t n = 0;

        while (n < languages.n && !strchr(",;- ", languages.p[n]))
            n++;
        for (size_t i = 0; i < sizeof(all_words) / sizeof(*all_words); i++)
            if (str_eq((struct str){languages.p, n},
                       str_c(all_words[i].language)))
                return &all_words[i];
        while (n < languages.n && languages.p[n] != ',')
            n++;
        while (n < languages.n && strchr(", ", languages.p[n]))
            n++;
        languages = str_skip(languages, n);
    }
    return &all_words[0];
}

/* What stands before the i-th sentence: of an outline, each has its line. */
static const char *before(const struct turn *t, size_t i)
{
    const struct outline_line *outline = t->search->outline;

    if (!outline)
        return i == 0 ? "" : " ";
    return outline[t->picked[i].hit].inner ? "\n  - " : i == 0 ? "- " : "\n- ";
}

/* A sentence that was cut out of a line may lack its end. */
static bool is_closed(struct str s)
{
    return s.n > 0 && strchr(".!?:;\"')", s.p[s.n - 1]) != NULL;
}

/* What was searched for instead of mistyped words. */
static void say_repaired(struct turn *t, const struct words *w)
{
    const struct search *s = t->search;

    for (size_t i = 0; i < s->repaired_n; i++) {
        turn_say(t, i == 0 ? str_c(w->with) : STR(", "));
        turn_say(t, STR("\""));
        turn_say(t, s->repaired[i].used);
        turn_say(t, STR("\""));
        turn_say(t, str_c(w->instead_of));
        turn_say(t, STR("\""));
        turn_say(t, s->repaired[i].typed);
        turn_say(t, i + 1 < s->repaired_n ? STR("\"") : STR("\": "));
    }
}

enum footnote_rc extractive_answer(struct turn *t, struct footnote_err *err)
{
    const struct words *w = words_for(t->ask.languages);
    /* What was searched, as a reader calls it. */
    struct str place =
        t->course_title.n ? t->course_title : str_c(w->documents);

    if (t->search->scope_empty) {
        turn_say(t, str_c(t->search->scope_waits ? w->waits : w->empty));
        return FOOTNOTE_OK;
    }
    if (t->picked_n == 0) {
        turn_say(t, str_c(w->nothing));
        turn_say(t, place);
        turn_say(t, t->search->indexing ? str_c(w->indexing) : STR("."));
        return FOOTNOTE_OK;
    }
    if (t->low_confidence) {
        turn_say(t, str_c(w->unclear));
        turn_say(t, place);
        turn_say(t, str_c(w->closest));
    }
    say_repaired(t, w);
    for (size_t i = 0; i < t->picked_n; i++) {
        const struct best_sentence *p = &t->picked[i];
        struct str quoted = passage_sentence_joined(&t->arena, p->sentence), s;

        assert(p->hit < t->search->hits_n);
        s = arena_printf(&t->arena, "%s%.*s%s [%u]", before(t, i),
                         STR_ARG(quoted), is_closed(quoted) ? "" : ".",
                         t->numbers[p->hit]);
        if (!s.p)
            return arena_rc(&t->arena, err);
        turn_say(t, s);
    }
    return FOOTNOTE_OK;
}
