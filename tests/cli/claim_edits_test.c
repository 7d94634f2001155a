/* claim_edits_test.c - the rules by which true claims become false ones: the
 * published figures rest on them. */
#include "cli/eval/claims.h"
#include "test.h"

enum { ARENA_BYTES = 1024 * 1024 };

#define SOURCE "Ann Lee built 12 mills in Kent in 1790. They did not pay."

static const struct {
    const char *claim, *other;
    enum claim_edit edit;
    const char *want; /* NULL: nothing to change */
} cases[] = {
    {"In Kent 12 mills were built.", "", EDIT_NEGATION,
     "In Kent 12 mills were not built."},
    {"The mills did not pay.", "", EDIT_NEGATION, "The mills did pay."},
    {"The mills never paid.", "", EDIT_NEGATION, "The mills paid."},
    {"They didn't pay.", "", EDIT_NEGATION, "They did pay."},
    {"Lee built mills.", "", EDIT_NEGATION, NULL},
    {"In Kent 12 mills were built.", "", EDIT_NUMBER,
     "In Kent 19 mills were built."},
    {"Of 19 mills 12 were hers.", "", EDIT_NUMBER, "Of 19 mills 5 were hers."},
    {"In 1790 there were 13 mills.", "", EDIT_NUMBER,
     "In 1797 there were 13 mills."},
    {"The mills did not pay.", "", EDIT_NUMBER, NULL},
    {"The mills in Kent were hers.", "She moved to Wales then.", EDIT_NAME,
     "The mills in Wales were hers."},
    {"The mills in Kent were hers.", "She moved to Kent then.", EDIT_NAME,
     NULL},
    {"The mills in Kent were hers.", "Wales is far.", EDIT_NAME, NULL},
    {"Kent had mills.", "She moved to Wales then.", EDIT_NAME, NULL},
};

TEST(claims_are_made_false_by_the_published_rules)
{
    struct arena a = ARENA(ARENA_BYTES);
    struct footnote_err err;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct claim_case c = {.title = STR_NONE,
                                     .source = STR(SOURCE),
                                     .claim = str_c(cases[i].claim)};
        struct str copy;

        CHECK_OK(claim_edited(&a, &c, str_c(cases[i].other), cases[i].edit,
                              &copy, &err),
                 &err);
        CHECK_TEXT(copy, str_c(cases[i].want));
    }
    arena_free(&a);
}
