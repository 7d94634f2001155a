/* needs_next.c - a colon at the end, or a pronoun at the start.  English,
 * Spanish, German and French. */
#include "retrieve/search/needs_next.h"

enum { SPEAKER_BYTES_MAX = 40, WORD_BYTES_MAX = 8 };

static bool begins_with_pronoun(struct str s)
{
    static const char *const pronouns[] = {
        "it",    "this", "that", "these", "those", "they",   "he",    "she",
        "esto",  "eso",  "ello", "ellos", "ellas", "este",   "esta",  "estos",
        "estas", "es",   "er",   "sie",   "dies",  "dieser", "diese", "dieses",
        "il",    "elle", "ils",  "elles", "cela",  "ceci",   "ce"};
    char word[WORD_BYTES_MAX];
    size_t n = 0;

    while (n < s.n && n < sizeof(word) && (s.p[n] | 32) >= 'a' &&
           (s.p[n] | 32) <= 'z') {
        word[n] = (char)(s.p[n] | 32);
        n++;
    }
    if (n < s.n && n < sizeof(word) && (unsigned char)s.p[n] >= 0x80)
        return false; /* a longer word, with an accent */
    for (size_t i = 0; i < sizeof(pronouns) / sizeof(pronouns[0]); i++)
        if (str_eq((struct str){word, n}, str_c(pronouns[i])))
            return true;
    return false;
}

/* Behind "Prof. Lindqvist: ". */
static struct str skip_speaker(struct str s)
{
    size_t colon = str_find(s, ':');

    if (colon > SPEAKER_BYTES_MAX || colon + 2 > s.n || s.p[0] < 'A' ||
        s.p[0] > 'Z' || s.p[colon + 1] != ' ')
        return s;
    return str_skip(s, colon + 2);
}

bool needs_next(struct str sentence)
{
    return (sentence.n && sentence.p[sentence.n - 1] == ':') ||
           begins_with_pronoun(skip_speaker(sentence));
}
