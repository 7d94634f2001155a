/* claim_edits.c - makes false copies of true claims, by rules. */
#include <ctype.h>
#include <inttypes.h>

#include "cli/eval/claims.h"

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* The next word of `text` from *at on; false at the end. */
static bool next_word(struct str text, size_t *at, struct str *word)
{
    while (*at < text.n && !is_letter(text.p[*at]))
        ++*at;
    size_t start = *at;
    while (*at < text.n && is_letter(text.p[*at]))
        ++*at;
    *word = (struct str){text.p + start, *at - start};
    return word->n > 0;
}

static bool is_any(struct str word, const char *list)
{
    for (struct str rest = str_c(list); rest.n;) {
        struct str item = {rest.p, str_find(rest, ' ')};

        rest = str_skip(rest, item.n < rest.n ? item.n + 1 : item.n);
        if (str_eq(word, item))
            return true;
    }
    return false;
}

static bool has_word(struct str text, struct str wanted)
{
    struct str word;
    size_t at = 0;

    while (next_word(text, &at, &word))
        if (str_eq(word, wanted))
            return true;
    return false;
}

/* The claim with `part` of it replaced. */
static struct str replaced(struct arena *a, struct str claim, struct str part,
                           struct str by)
{
    size_t before = (size_t)(part.p - claim.p);
    struct str behind = str_skip(claim, before + part.n);

    return arena_printf(a, "%.*s%.*s%.*s", (int)before, claim.p, STR_ARG(by),
                        STR_ARG(behind));
}

static struct str negated(struct arena *a, struct str claim)
{
    struct str word, verb = STR_NONE;
    size_t at = 0;

    while (next_word(claim, &at, &word)) {
        size_t start = (size_t)(word.p - claim.p);

        if (is_any(word, "not never") && start > 0) /* with the space before */
            return replaced(a, claim, (struct str){word.p - 1, word.n + 1},
                            STR(""));
        if (str_eq(word, STR("t")) && start > 2 && word.p[-1] == '\'' &&
            word.p[-2] == 'n')
            return replaced(a, claim, (struct str){word.p - 2, 3}, STR(""));
        if (!verb.p && is_any(word, "is are was were has have had can could "
                                    "will would may might must should does "
                                    "did do"))
            verb = word;
    }
    if (!verb.p)
        return STR_NONE;
    struct str behind = {verb.p + verb.n, 0};
    return replaced(a, claim, behind, STR(" not"));
}

static bool all_digits(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!isdigit((unsigned char)s.p[i]))
            return false;
    return s.n > 0;
}

static struct str other_number(struct arena *a, const struct claim_case *c)
{
    struct str word, number = STR_NONE;
    size_t at = 0;

    while (next_word(c->claim, &at, &word))
        if (all_digits(word) && word.n < 9 && has_word(c->source, word))
            number = word;
    if (!number.p)
        return STR_NONE;
    for (int step = 7; step >= -7; step -= 14) {
        int64_t value = 0;

        (void)str_i64(number, &value);
        struct str by = arena_printf(a, "%" PRId64, value + step);
        if (value + step > 0 && !has_word(c->claim, by) &&
            !has_word(c->source, by))
            return replaced(a, c->claim, number, by);
    }
    return STR_NONE;
}

/* A word with a capital behind one without, so that it begins no sentence. */
static bool next_name(struct str text, size_t *at, struct str *name)
{
    bool small = false;

    while (next_word(text, at, name)) {
        bool capital = isupper((unsigned char)name->p[0]) && name->n > 2;

        if (capital && small)
            return true;
        small = islower((unsigned char)name->p[0]) && *at < text.n &&
                text.p[*at] == ' ';
    }
    return false;
}

static struct str other_name(struct arena *a, const struct claim_case *c,
                             struct str other)
{
    struct str word, name = STR_NONE;
    size_t at = 0;

    while (next_name(c->claim, &at, &word))
        if (has_word(c->source, word))
            name = word;
    at = 0;
    while (name.p && next_name(other, &at, &word))
        if (!has_word(c->claim, word) && !has_word(c->source, word) &&
            !has_word(c->title, word))
            return replaced(a, c->claim, name, word);
    return STR_NONE;
}

enum footnote_rc claim_edited(struct arena *a, const struct claim_case *c,
                              struct str other, enum claim_edit edit,
                              struct str *out, struct footnote_err *err)
{
    switch (edit) {
    case EDIT_NEGATION: *out = negated(a, c->claim); break;
    case EDIT_NUMBER: *out = other_number(a, c); break;
    case EDIT_NAME: *out = other_name(a, c, other); break;
    case EDITS: break;
    }
    return arena_rc(a, err);
}
