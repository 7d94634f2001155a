/* marker.c - the shape of one marker, by recursive descent.
 *
 * A cursor remembers whether the text ended while it still agreed with some
 * token.  Nothing can be eaten behind that place, so "no" and "not yet" are
 * told apart once, at the end, and the rules below read like the grammar. */
#include "cite/marker.h"

struct cursor {
    struct str s; /* from the bracket on, at most MARK_BYTES_MAX */
    size_t i;
    bool starved; /* the text ended inside a token or where one may begin */
};

static const struct {
    struct str open, close;
} brackets[] = {
    {{"[", 1}, {"]", 1}},
    {{"\xe3\x80\x90", 3}, {"\xe3\x80\x91", 3}}, /* U+3010, U+3011 */
    {{"\xef\xbc\xbb", 3}, {"\xef\xbc\xbd", 3}}, /* U+FF3B, U+FF3D */
};
enum { BRACKETS_N = sizeof(brackets) / sizeof(brackets[0]) };

static bool eat(struct cursor *c, struct str token)
{
    struct str rest = str_skip(c->s, c->i);

    if (!str_starts(rest, token)) {
        c->starved |= str_starts(token, rest);
        return false;
    }
    c->i += token.n;
    return true;
}

static bool eat_digit(struct cursor *c, uint32_t *digit)
{
    struct str rest = str_skip(c->s, c->i);

    if (rest.n && rest.p[0] >= '0' && rest.p[0] <= '9') {
        *digit = (uint32_t)(rest.p[0] - '0');
        c->i++;
        return true;
    }
    size_t before = c->i; /* U+FF10 to U+FF19: EF BC 90 to 99 */
    if (eat(c, STR("\xef\xbc")) && c->i < c->s.n) {
        *digit = (uint32_t)((unsigned char)c->s.p[c->i] - 0x90U);
        if (*digit <= 9) {
            c->i++;
            return true;
        }
    }
    c->i = before;
    return false;
}

static bool eat_number(struct cursor *c, uint32_t *number)
{
    enum { DIGITS_MAX = 9 };
    uint32_t digit;
    int n = 0;

    for (*number = 0; n < DIGITS_MAX && eat_digit(c, &digit); n++)
        *number = *number * 10 + digit;
    return n > 0;
}

static bool eat_spaces(struct cursor *c)
{
    size_t before = c->i;

    while (eat(c, STR(" ")))
        ;
    return c->i > before;
}

static bool eat_semicolon(struct cursor *c)
{
    return eat(c, STR(";")) || eat(c, STR("\xef\xbc\x9b")); /* U+FF1B */
}

static bool eat_comma(struct cursor *c)
{
    return eat(c, STR(",")) ||
           eat(c, STR("\xef\xbc\x8c")) || /* U+FF0C, full-width comma */
           eat(c, STR("\xe3\x80\x81"));   /* U+3001, ideographic comma */
}

/* Leaves spaces that no dash follows. */
static bool eat_dash(struct cursor *c)
{
    size_t before = c->i;

    (void)eat_spaces(c);
    if (!eat(c, STR("-")) && !eat(c, STR("\xe2\x80\x93"))) { /* U+2013 */
        c->i = before;
        return false;
    }
    (void)eat_spaces(c);
    return true;
}

static bool eat_item(struct cursor *c, uint32_t *from, uint32_t *to)
{
    if (!eat_number(c, from))
        return false;
    *to = *from;
    if (!eat_dash(c))
        return true;
    return eat_number(c, to) && *to >= *from && *to - *from < MARK_RANGE_MAX;
}

/* ---- Locators: "p. 6-7", "slide 3", "8:19" ------------------------------- */

/* U+00C0 to U+027F begin with C3 to C9, U+0400 to U+04FF with D0 to D3. */
static bool eat_letter(struct cursor *c)
{
    struct str rest = str_skip(c->s, c->i);
    unsigned char first = rest.n ? (unsigned char)rest.p[0] : 0;
    bool two =
        (first >= 0xc3 && first <= 0xc9) || (first >= 0xd0 && first <= 0xd3);

    c->starved |= rest.n == 0 || (two && rest.n == 1);
    if (two && rest.n >= 2)
        c->i += 2;
    else if ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z'))
        c->i++;
    else
        return false;
    return true;
}

static bool eat_label(struct cursor *c)
{
    enum { LETTERS_MAX = 16 };
    int n = 0;

    if (eat(c, STR("\xc2\xa7"))) /* U+00A7, section sign */
        return true;
    while (n < LETTERS_MAX && eat_letter(c))
        n++;
    (void)(n && eat(c, STR(".")));
    return n > 0;
}

/* "6", "3.2", "8:19", "1:08:19". */
static bool eat_place(struct cursor *c, bool *clock)
{
    uint32_t ignored;

    while (eat_number(c, &ignored)) {
        if (eat(c, STR(":")))
            *clock = true;
        else if (!eat(c, STR(".")))
            return true;
    }
    return false;
}

/* A bare number could be meant as a source.  It is a place only behind another
 * place, or as a clock. */
static bool eat_locator(struct cursor *c, bool behind_another)
{
    size_t before = c->i;
    bool labelled = eat_label(c), clock = false;

    if (labelled)
        (void)eat_spaces(c);
    if (eat_place(c, &clock) && (!eat_dash(c) || eat_place(c, &clock)) &&
        (labelled || behind_another || clock))
        return true;
    c->i = before;
    return false;
}

/* What stands behind an item.  *more: another item follows. */
static bool eat_behind_item(struct cursor *c, bool *more)
{
    for (bool located = false;; located = true) {
        bool spaces = eat_spaces(c), comma = eat_comma(c);

        *more = comma || eat_semicolon(c);
        if (!*more)
            return !spaces;
        (void)eat_spaces(c);
        if (!comma || !eat_locator(c, located))
            return !comma || !located;
    }
}

static bool eat_list(struct cursor *c, struct marker *m)
{
    bool more = true;

    for (m->items_n = 0; more && m->items_n < MARKER_ITEMS_MAX;) {
        size_t i = m->items_n++;
        if (!eat_item(c, &m->items[i].from, &m->items[i].to) ||
            !eat_behind_item(c, &more))
            return false;
    }
    return !more;
}

static bool eat_inside(struct cursor *c, struct marker *m)
{
    m->page = eat(c, STR("^Page"));
    if (!m->page)
        return eat_list(c, m);
    m->items_n = 1;
    m->items[0].from = m->items[0].to = 0;
    return true;
}

static size_t find_bracket(struct str rest)
{
    size_t i = 0;
    while (i < BRACKETS_N && !str_starts(rest, brackets[i].open))
        i++;
    return i;
}

size_t marker_bracket(struct str text, size_t at)
{
    size_t i = find_bracket(str_skip(text, at));
    return i < BRACKETS_N ? brackets[i].open.n : 0;
}

enum marker_shape marker_match(struct str text, size_t at, struct marker *m)
{
    struct cursor c = {.s = str_skip(text, at)};
    bool cut = c.s.n >= MARK_BYTES_MAX; /* more text cannot help */
    size_t kind = find_bracket(c.s);

    if (kind == BRACKETS_N)
        return MARKER_NO;
    if (cut)
        c.s.n = MARK_BYTES_MAX;
    c.i = brackets[kind].open.n;
    m->start = at;
    m->ascii = kind == 0;
    if (eat_inside(&c, m) && eat(&c, brackets[kind].close)) {
        m->end = at + c.i;
        return MARKER_YES;
    }
    return c.starved && !cut ? MARKER_PART : MARKER_NO;
}
