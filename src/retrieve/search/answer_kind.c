/* answer_kind.c - "when" asks for a date, "how many" for a number, "who" for a
 * name.  English, Spanish, German and French; a question in another language
 * asks for any kind. */
#include "retrieve/search/answer_kind.h"

struct phrase {
    struct str text; /* lowercase */
    enum answer_kind kind;
};

static char lowercase(char c)
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

/* Whether `phrase` is at `at`, as whole words. */
static bool is_at(struct str s, size_t at, struct str phrase)
{
    if (at + phrase.n > s.n || (at > 0 && is_word(s.p[at - 1])))
        return false;
    for (size_t i = 0; i < phrase.n; i++)
        if (lowercase(s.p[at + i]) != phrase.p[i])
            return false;
    return at + phrase.n == s.n || !is_word(s.p[at + phrase.n]);
}

static bool has_phrase(struct str s, struct str phrase)
{
    for (size_t i = 0; i + phrase.n <= s.n; i++)
        if (is_at(s, i, phrase))
            return true;
    return false;
}

static bool has_any(struct str s, const struct str *phrases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (has_phrase(s, phrases[i]))
            return true;
    return false;
}

#define P(text, kind)                                                          \
    {                                                                          \
        {"" text, sizeof(text) - 1}, (kind)                                    \
    }
#define W(text)                                                                \
    {                                                                          \
        "" text, sizeof(text) - 1                                              \
    }

/* The first that matches counts: "what year" before "what". */
enum answer_kind answer_kind_of(struct str question)
{
    static const struct phrase phrases[] = {
        P("how many", ANSWER_NUMBER),
        P("how much", ANSWER_NUMBER),
        P("how long", ANSWER_NUMBER),
        P("how old", ANSWER_NUMBER),
        P("how far", ANSWER_NUMBER),
        P("how often", ANSWER_NUMBER),
        P("percentage", ANSWER_NUMBER),
        P("percent", ANSWER_NUMBER),
        P("what number", ANSWER_NUMBER),
        P("wie viele", ANSWER_NUMBER),
        P("wieviele", ANSWER_NUMBER),
        P("combien", ANSWER_NUMBER),
        P("cuantos", ANSWER_NUMBER),
        P("when", ANSWER_TIME),
        P("what year", ANSWER_TIME),
        P("which year", ANSWER_TIME),
        P("what date", ANSWER_TIME),
        P("what century", ANSWER_TIME),
        P("wann", ANSWER_TIME),
        P("quand", ANSWER_TIME),
        P("cuando", ANSWER_TIME),
        P("who", ANSWER_NAME),
        P("whom", ANSWER_NAME),
        P("whose", ANSWER_NAME),
        P("where", ANSWER_NAME),
        P("wer", ANSWER_NAME),
        P("qui", ANSWER_NAME),
        P("quien", ANSWER_NAME),
        P("why", ANSWER_REASON),
        P("warum", ANSWER_REASON),
        P("pourquoi", ANSWER_REASON),
        P("what is", ANSWER_DEFINITION),
        P("what are", ANSWER_DEFINITION),
        P("was ist", ANSWER_DEFINITION),
        P("was sind", ANSWER_DEFINITION),
        P("que es", ANSWER_DEFINITION),
        P("qu\xc3\xa9 es", ANSWER_DEFINITION),
        P("est-ce que c'est", ANSWER_DEFINITION)};

    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++)
        if (has_phrase(question, phrases[i].text))
            return phrases[i].kind;
    return ANSWER_ANY;
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

/* A capitalised word inside of the sentence that the question does not have. */
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
            lower[k] = lowercase(word.p[k]);
        if (!has_phrase(question, (struct str){lower, word.n}))
            return true;
    }
    return false;
}

bool answer_kind_met(enum answer_kind kind, struct str sentence,
                     struct str question)
{
    static const struct str reasons[] = {
        W("because"), W("due"),  W("since"), W("therefore"), W("so"),
        W("cause"),   W("weil"), W("denn"),  W("car"),       W("porque")};

    switch (kind) {
    case ANSWER_ANY:
    case ANSWER_DEFINITION: return false; /* best_sentences.c sees it */
    case ANSWER_NUMBER: return has_number(sentence);
    case ANSWER_TIME: return has_time(sentence);
    case ANSWER_NAME: return has_name(sentence, question);
    case ANSWER_REASON:
        return has_any(sentence, reasons, sizeof(reasons) / sizeof(reasons[0]));
    }
    return false;
}
