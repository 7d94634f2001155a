/* follow_up.c - the words that tie a question to the one before, by language.
 *
 * Folded, as the analyser gives them.  A word that often means something else
 * ("that", the French "il" of "il y a") is among those that may refer, and ties
 * only a short question. */
#include "language/follow_up.h"

/* Content words that a question may have, in thirds: where characters are
 * words, three of them are one. */
enum { WORD = 3, ONE_WORD = 3, SHORT = 6, LONG = 12 };

struct ties {
    const char *const *refers;     /* at most LONG */
    const char *const *may_refer;  /* at most SHORT */
    const char *const *goes_on;    /* as the first word; at most SHORT */
    const char *const *part_of_it; /* at most ONE_WORD: "Which advantages?" */
    const char *const *verbs;      /* a single word is whole with one of them */
};

// clang-format off
#define WORDS(...) (const char *const[]){__VA_ARGS__, NULL}
static const struct ties ties[LANGUAGES] = {
    [LANGUAGE_NONE] = {
        .refers = WORDS("它", "他", "她", "这", "這"),
        .may_refer = WORDS("那")},
    [LANGUAGE_EN] = {
        .refers = WORDS("it", "its", "itself", "they", "them", "their",
            "theirs", "he", "him", "his", "she", "her", "hers"),
        .may_refer = WORDS("this", "that", "these", "those", "there", "one",
            "ones", "then"),
        .goes_on = WORDS("and", "but", "or", "so", "then", "also"),
        .part_of_it = WORDS("the", "which", "else"),
        .verbs = WORDS("am", "are", "be", "can", "could", "describe", "did",
            "do", "does", "explain", "give", "had", "happen", "happened",
            "happens", "has", "have", "is", "mean", "means", "should", "show",
            "tell", "was", "were", "will", "would")},
    [LANGUAGE_DE] = {
        .refers = WORDS("er", "sie", "ihn", "ihm", "ihnen", "ihr", "ihre",
            "ihrem", "ihren", "ihrer", "ihres", "sein", "seine", "seinem",
            "seinen", "seiner", "seines", "dessen", "deren"),
        .may_refer = WORDS("es", "dies", "diese", "diesem", "diesen", "dieser",
            "dieses", "davon", "dafur", "dagegen", "daran", "darin", "daraus",
            "dabei", "dazu", "damit", "darauf", "daruber"),
        .goes_on = WORDS("und", "aber", "oder", "also", "auch"),
        .part_of_it = WORDS("welche", "welchem", "welchen", "welcher",
            "welches"),
        .verbs = WORDS("bedeutet", "erklare", "erklaren", "gibt", "hat",
            "hatte", "heisst", "heißt", "ist", "kann", "sind", "war", "waren",
            "werden", "wird", "wurde", "wurden")},
    [LANGUAGE_FR] = {
        .refers = WORDS("son", "sa", "ses", "leur", "leurs", "lui", "cela"),
        .may_refer = WORDS("il", "ils", "elle", "elles", "eux", "ca",
            "ces", "cet", "cette", "celui", "celle", "ceux"),
        .goes_on = WORDS("et", "mais", "ou", "donc"),
        .part_of_it = WORDS("quel", "quelle", "quels", "quelles"),
        .verbs = WORDS("est", "etait", "etaient", "expliquer", "expliquez",
            "fait", "font", "peut", "signifie", "sont")},
    [LANGUAGE_ES] = {
        .refers = WORDS("su", "sus", "ello", "ella", "ellas", "ellos", "suyo",
            "suya"),
        .may_refer = WORDS("eso", "esto", "ese", "esa", "esos", "esas", "este",
            "estos", "estas", "lo", "le", "les"),
        .goes_on = WORDS("y", "e", "pero", "o", "entonces"),
        .part_of_it = WORDS("cual", "cuales"),
        .verbs = WORDS("era", "eran", "es", "explica", "explicar", "fue",
            "fueron", "hace", "hay", "puede", "pueden", "significa", "son",
            "tiene", "tienen")},
    [LANGUAGE_IT] = {
        .refers = WORDS("suo", "sua", "suoi", "sue", "loro", "lui", "lei",
            "esso", "essa"),
        .may_refer = WORDS("questo", "questa", "questi", "queste", "quello",
            "quella", "cio", "ne", "lo"),
        .goes_on = WORDS("e", "ed", "ma", "o", "allora"),
        .part_of_it = WORDS("quale", "quali", "qual"),
        .verbs = WORDS("era", "erano", "fu", "ha", "hanno", "puo", "significa",
            "sono", "spiega")},
    [LANGUAGE_PT] = {
        .refers = WORDS("dele", "dela", "deles", "delas", "ele", "ela", "eles",
            "elas", "seu", "sua", "seus", "suas"),
        .may_refer = WORDS("isso", "isto", "esse", "essa", "este", "lhe"),
        .goes_on = WORDS("e", "mas", "ou", "entao"),
        .part_of_it = WORDS("qual", "quais"),
        .verbs = WORDS("era", "eram", "explique", "foi", "foram", "ha", "pode",
            "sao", "significa", "tem")},
    [LANGUAGE_NL] = {
        .refers = WORDS("hij", "zij", "hem", "haar", "hun", "ervan",
            "daarvan"),
        .may_refer = WORDS("het", "dit", "dat", "deze", "die", "ze", "er",
            "zijn"),
        .goes_on = WORDS("en", "maar", "of", "dus"),
        .part_of_it = WORDS("welk", "welke"),
        .verbs = WORDS("betekent", "doen", "had", "heeft", "is", "kan", "was",
            "waren", "werd", "wordt")},
};
// clang-format on

static bool has(const char *const *list, struct str word)
{
    for (; list && *list; list++)
        if (str_eq(word, str_c(*list)))
            return true;
    return false;
}

/* "IT security" and the formal "Sie" are no pronouns. */
static bool is_name(struct str text, const struct token *t)
{
    return t->start > 0 && text.p[t->start] >= 'A' && text.p[t->start] <= 'Z';
}

/* Characters of Chinese and Japanese, which are words of their own. */
static int thirds(struct str word)
{
    return word.n == 3 && (unsigned char)word.p[0] >= 0xe3 ? 1 : WORD;
}

enum follow_up follow_up_of(struct analyser *a, struct str question)
{
    enum language l = language_guess(a, question);
    const struct ties *of = &ties[l];
    bool refers = false, may_refer = false, goes_on = false, part = false;
    bool verb = false, first = true;
    int content = 0;
    struct token t;

    analyse(a, question, l);
    for (; content <= LONG && analyse_next(a, &t); first = false) {
        bool name = is_name(question, &t),
             tie = !name && has(of->refers, t.word);

        refers |= tie;
        may_refer |= !name && has(of->may_refer, t.word);
        goes_on |= first && has(of->goes_on, t.word);
        part |= has(of->part_of_it, t.word);
        verb |= has(of->verbs, t.word);
        if (!tie && (name || !t.stop))
            content += thirds(t.word);
    }
    if (content == 0)
        return FOLLOWS_EMPTY;
    if ((refers && content <= LONG) ||
        ((may_refer || goes_on) && content <= SHORT) ||
        (part && content <= ONE_WORD))
        return FOLLOWS_BY_WORD;
    return content <= ONE_WORD && !verb ? FOLLOWS_AS_FRAGMENT : STANDS_ALONE;
}
