/* outline_question.c - whether a question is about a course as a whole. */
#include "retrieve/search/outline.h"

struct words {
    const char *const *all;
    size_t n;
};

static bool has_word(struct words w, struct str word)
{
    for (size_t i = 0; i < w.n; i++)
        if (str_eq(word, str_c(w.all[i])))
            return true;
    return false;
}

#define WORDS(a)                                                               \
    (struct words)                                                             \
    {                                                                          \
        a, sizeof(a) / sizeof((a)[0])                                          \
    }

/* Folded, as the analyser gives them. */
static const char *const things[] = {
    "course",     "class",      "lecture",   "lectures",    "document",
    "documents",  "material",   "materials", "book",        "slides",
    "curso",      "clase",      "clases",    "asignatura",  "documento",
    "documentos", "materiales", "libro",     "diapositivas"};
static const char *const asked[] = {
    "about",      "cover",    "covers",  "covered",  "topic",   "topics",
    "content",    "contents", "outline", "overview", "summary", "summarise",
    "summarize",  "subject",  "deal",    "deals",    "learn",   "trata",
    "tratan",     "va",       "van",     "tema",     "temas",   "contenido",
    "contenidos", "resumen",  "resume",  "indice",   "esquema", "cubre",
    "aprende"};
static const char *const others[] = {
    "what",  "what's", "whats", "which", "is",   "are",   "s",     "this",
    "these", "the",    "of",    "in",    "it",   "does",  "do",    "with",
    "give",  "me",     "an",    "a",     "show", "tell",  "can",   "you",
    "i",     "we",     "will",  "my",    "main", "all",   "by",    "please",
    "de",    "que",    "es",    "este",  "esta", "estos", "estas", "el",
    "la",    "los",    "las",   "del",   "en",   "se",    "cual",  "cuales",
    "son",   "dame",   "un",    "una",   "mi",   "por",   "favor", "sobre",
    "me",    "lo"};

bool outline_is_asked(struct analyser *a, struct str question)
{
    bool thing = false, ask = false;
    struct token t;

    analyse(a, question, LANGUAGE_NONE);
    while (analyse_next(a, &t)) {
        if (has_word(WORDS(things), t.word))
            thing = true;
        else if (has_word(WORDS(asked), t.word))
            ask = true;
        else if (!has_word(WORDS(others), t.word))
            return false;
    }
    return thing && ask;
}
