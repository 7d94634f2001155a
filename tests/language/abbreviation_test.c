/* abbreviation_test.c - points that end no sentence. */
#include "cite/sentence.h"
#include "language/abbreviation.h"
#include "language/passage_sentence.h"
#include "test.h"

/* Both cutters, for passages that are made and for those that are searched. */
static void check(const char *text, size_t want)
{
    struct str rest = str_c(text), sentence;
    size_t n = 0, at = 0;

    while (passage_sentence_take(&rest, &sentence))
        n++;
    if (n != want)
        FAIL("\"%s\" has %zu sentences, not %zu", text, n, want);
    for (n = 0; sentence_next(str_c(text), &at, &sentence);)
        n++;
    if (n != want)
        FAIL("\"%s\" is cut into %zu sentences, not %zu", text, n, want);
}

TEST(abbreviations_end_no_sentence)
{
    check("Use a short name, eg. Heat, for each. It helps.", 2);
    check("Use a name, e.g. Heat. It helps.", 2);
    check("Ask Dr. Carnot. He knows.", 2);
    check("See Fig. 3 and Sec. 2. They differ.", 2);
    check("6. Execute the command. Then wait.", 2);
    check("It has 6. The next has 7.", 2);
    check("Das gilt bzw. Galt. So ist es.", 2);
    check("A leg. Then an arm.", 2); /* no "eg." */
    check("", 0);
}
