/* abbreviation.c - the words that are written with a point, as a list. */
#include "language/abbreviation.h"

#include <ctype.h>

enum { ITEM_BYTES_MAX = 4 }; /* of "12" before "12. The next step" */

static const char *const known[] = {
    /* English */
    "Dr", "Mr", "Mrs", "Ms", "Prof", "St", "Jr", "Sr", "vs", "cf", "al", "etc",
    "e.g", "eg", "i.e", "ie", "viz", "resp", "approx", "ca", "No", "Nos", "no",
    "Fig", "Figs", "fig", "figs", "Eq", "Eqs", "eq", "eqs", "Sec", "Secs",
    "sec", "Sect", "Ch", "Chap", "chap", "Vol", "vol", "Ref", "Refs", "p", "pp",
    "Inc", "Ltd", "Corp", "Dept",
    /* German */
    "bzw", "Nr", "Abb", "Tab", "Kap", "Bd", "vgl", "z.B", "d.h", "u.a", "ggf",
    "evtl", "sog",
    /* French, Spanish */
    "p.ex", "art", "Sra", "Ud", "pág", "núm"};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool abbreviation_is_item(struct str word)
{
    if (word.n < 2 || word.n > ITEM_BYTES_MAX || word.p[word.n - 1] != '.')
        return false;
    word.n--;
    for (size_t i = 0; i < word.n; i++)
        if (!isdigit((unsigned char)word.p[i]))
            return word.n == 1 && isalpha((unsigned char)word.p[0]);
    return true;
}

bool abbreviation_at(struct str s, size_t point)
{
    size_t start = point;

    while (start > 0 && !is_blank(s.p[start - 1]) && s.p[start - 1] != '(')
        start--;
    struct str word = {s.p + start, point - start};
    /* J. S. Bach, but 300 K. */
    if (word.n == 1 && word.p[0] >= 'A' && word.p[0] <= 'Z')
        return start < 2 || s.p[start - 2] < '0' || s.p[start - 2] > '9';
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (str_eq(word, str_c(known[i])))
            return true;
    return false;
}
