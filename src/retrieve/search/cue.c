/* cue.c - "when" wants a date, "how many" a number, "who" a name.
 *
 * English, Spanish, German and French; in other languages no cue is seen and
 * nothing is lost. */
#include "retrieve/search/cue.h"

struct phrase {
    struct str text; /* small letters, spaces around it */
    enum cue cue;
};

static char small(char c)
{
    if (c >= 'A' && c <= 'Z')
        c = (char)(c | 0x20);
    return c;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

/* Whether `phrase` stands at `at`, as whole words. */
static bool stands(struct str s, size_t at, struct str phrase)
{
    if (at + phrase.n > s.n || (at > 0 && is_word(s.p[at - 1])))
        return false;
    for (size_t i = 0; i < phrase.n; i++)
        if (small(s.p[at + i]) != phrase.p[i])
            return false;
    return at + phrase.n == s.n || !is_word(s.p[at + phrase.n]);
}

static bool has(struct str s, struct str phrase)
{
    for (size_t i = 0; i + phrase.n <= s.n; i++)
        if (stands(s, i, phrase))
            return true;
    return false;
}

static bool has_any(struct str s, const struct str *phrases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (has(s, phrases[i]))
            return true;
    return false;
}

#define P(text, cue)                                                           \
    {                                                                          \
        {"" text, sizeof(text) - 1}, (cue)                                     \
    }
#define W(text)                                                                \
    {                                                                          \
        "" text, sizeof(text) - 1                                              \
    }

/* The first that matches counts: "what year" before "what". */
enum cue cue_of(struct str question)
{
    static const struct phrase phrases[] = {
        P("how many", CUE_NUMBER),    P("how much", CUE_NUMBER),
        P("how long", CUE_NUMBER),    P("how old", CUE_NUMBER),
        P("how far", CUE_NUMBER),     P("how often", CUE_NUMBER),
        P("percentage", CUE_NUMBER),  P("percent", CUE_NUMBER),
        P("what number", CUE_NUMBER), P("wie viele", CUE_NUMBER),
        P("wieviele", CUE_NUMBER),    P("combien", CUE_NUMBER),
        P("cuantos", CUE_NUMBER),     P("when", CUE_TIME),
        P("what year", CUE_TIME),     P("which year", CUE_TIME),
        P("what date", CUE_TIME),     P("what century", CUE_TIME),
        P("wann", CUE_TIME),          P("quand", CUE_TIME),
        P("cuando", CUE_TIME),        P("who", CUE_NAME),
        P("whom", CUE_NAME),          P("whose", CUE_NAME),
        P("where", CUE_NAME),         P("wer", CUE_NAME),
        P("qui", CUE_NAME),           P("quien", CUE_NAME),
        P("why", CUE_REASON),         P("warum", CUE_REASON),
        P("pourquoi", CUE_REASON)};

    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++)
        if (has(question, phrases[i].text))
            return phrases[i].cue;
    return CUE_NONE;
}

static bool has_digit(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] >= '0' && s.p[i] <= '9')
            return true;
    return false;
}

static bool has_number(struct str s)
{
    static const struct str words[] = {
        W("one"),     W("two"),     W("three"),    W("four"),  W("five"),
        W("six"),     W("seven"),   W("eight"),    W("nine"),  W("ten"),
        W("eleven"),  W("twelve"),  W("hundred"),  W("half"),  W("twice"),
        W("million"), W("billion"), W("thousand"), W("dozen"), W("third")};

    return has_digit(s) || has_any(s, words, sizeof(words) / sizeof(words[0]));
}

static bool has_time(struct str s)
{
    static const struct str words[] = {
        W("january"),   W("february"), W("march"),    W("april"),
        W("june"),      W("july"),     W("august"),   W("september"),
        W("october"),   W("november"), W("december"), W("century"),
        W("centuries"), W("monday"),   W("sunday"),   W("today")};

    for (size_t i = 0; i + 4 <= s.n; i++)
        if (has_digit((struct str){s.p + i, 1}) &&
            has_digit((struct str){s.p + i + 1, 1}) &&
            has_digit((struct str){s.p + i + 2, 1}) &&
            has_digit((struct str){s.p + i + 3, 1}))
            return true;
    return has_any(s, words, sizeof(words) / sizeof(words[0]));
}

/* A capital inside of the sentence, of a word that the question has not. */
static bool has_name(struct str s, struct str question)
{
    for (size_t i = 1; i < s.n; i++) {
        struct str word = {s.p + i, 0};
        char lower[32];

        if (s.p[i] < 'A' || s.p[i] > 'Z' || is_word(s.p[i - 1]))
            continue;
        while (i + word.n < s.n && is_word(word.p[word.n]))
            word.n++;
        if (word.n > sizeof(lower))
            return true;
        for (size_t k = 0; k < word.n; k++)
            lower[k] = small(word.p[k]);
        if (!has(question, (struct str){lower, word.n}))
            return true;
    }
    return false;
}

bool cue_met(enum cue cue, struct str sentence, struct str question)
{
    static const struct str reasons[] = {
        W("because"), W("due"),  W("since"), W("therefore"), W("so"),
        W("cause"),   W("weil"), W("denn"),  W("car"),       W("porque")};

    switch (cue) {
    case CUE_NONE: return false;
    case CUE_NUMBER: return has_number(sentence);
    case CUE_TIME: return has_time(sentence);
    case CUE_NAME: return has_name(sentence, question);
    case CUE_REASON:
        return has_any(sentence, reasons, sizeof(reasons) / sizeof(reasons[0]));
    }
    return false;
}
