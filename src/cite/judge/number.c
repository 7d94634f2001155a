/* number.c - numbers as they are written: 1,200 and twelve hundred, 3rd and
 * third, 1.5 million, 2016-17, 2016-05-03. */
#include "cite/judge/inner.h"

#include "base/number.h"

enum { NUMBER_TEXT_MAX = 32, YEAR_MIN = 1000, YEAR_MAX = 2100 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether the sign at `at` parts thousands: three digits follow, no fourth. */
static bool parts_thousands(struct str s, size_t at)
{
    return at + 3 < s.n && is_digit(s.p[at + 1]) && is_digit(s.p[at + 2]) &&
           is_digit(s.p[at + 3]) && (at + 4 == s.n || !is_digit(s.p[at + 4]));
}

/* What may stand behind the digits of a number: nothing, an ordinal's ending,
 * or the s of a decade. */
static bool is_ending(struct str s)
{
    static const struct str known[] = {{"", 0},   {"st", 2}, {"nd", 2},
                                       {"rd", 2}, {"th", 2}, {"s", 1},
                                       {"er", 2}, {"e", 1},  {"a", 1}};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (str_eq(s, known[i]))
            return true;
    return false;
}

/* A number in digits, from the text itself: "1.000" is a thousand in some
 * languages and one in others. */
static bool read_digits(const struct vocabulary *v, struct str s,
                        struct read_number *out)
{
    char plain[NUMBER_TEXT_MAX];
    size_t n = 0, i = 0;
    bool point = false, signs = false;

    for (; i < s.n && n + 1 < sizeof(plain); i++) {
        char c = s.p[i];

        if (is_digit(c)) {
            plain[n++] = c;
            continue;
        }
        if (c != '.' && c != ',')
            break;
        signs = true;
        bool decimal = v && v->decimal_comma ? c == ',' : c == '.';
        if (parts_thousands(s, i) && !decimal)
            continue;
        if (point || i + 1 == s.n || !is_digit(s.p[i + 1]))
            return false;
        point = true;
        plain[n++] = '.';
    }
    while (n > 1 && plain[0] == '0' && is_digit(plain[1]))
        memmove(plain, plain + 1, --n);
    if (n == 0 || !is_ending(str_skip(s, i)) ||
        !number_read((struct str){plain, n}, &out->value))
        return false;
    out->year =
        !signs && n == 4 && out->value >= YEAR_MIN && out->value <= YEAR_MAX;
    return true;
}

static bool plain_digits(const struct raw_word *w, size_t n)
{
    if (w->end - w->start != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!is_digit(w->folded.p[i]))
            return false;
    return true;
}

/* Whether nothing but one dash stands between two words. */
static bool dash_between(struct str text, const struct raw_word *a)
{
    struct str gap = {text.p + a[0].end, a[1].start - a[0].end};

    return str_eq(gap, STR("-")) || str_eq(gap, STR("\xe2\x80\x93")) ||
           str_eq(gap, STR("/"));
}

/* The months and days of 2016-05-03 come after their year. */
static bool is_iso_month(struct str text, const struct raw_word *words,
                         size_t n, size_t i)
{
    return i > 0 && i + 1 < n && plain_digits(&words[i - 1], 4) &&
           plain_digits(&words[i], 2) && plain_digits(&words[i + 1], 2) &&
           dash_between(text, &words[i - 1]) && dash_between(text, &words[i]);
}

/* "1.5 million", "two thousand": the words that scale it. */
static size_t scale(const struct raw_word *words, size_t n, size_t i,
                    double *value)
{
    size_t taken = 0;

    while (i + taken < n && words[i + taken].senses.all & SENSE_SCALE)
        *value *= words[i + taken++].senses.value;
    return taken;
}

/* One group of a spelled number: "twenty-five", "three hundred and two". */
static size_t spelled_group(const struct raw_word *words, size_t n, size_t i,
                            double *value)
{
    size_t taken = 0;
    double last = 0;

    for (*value = 0; i + taken < n; taken++) {
        const struct senses *s = &words[i + taken].senses;

        if (s->all & SENSE_SCALE && s->value == 100 && taken > 0) {
            *value *= 100;
            last = 100;
            continue;
        }
        if (s->all & SENSE_JOINS && last == 100 && i + taken + 1 < n &&
            words[i + taken + 1].senses.all & SENSE_NUMBER)
            continue;
        if (!(s->all & (SENSE_NUMBER | SENSE_ORDINAL)))
            break;
        bool fits = taken == 0 || last == 100 ||
                    (last >= 20 && last < 100 && s->value < 10);
        if (!fits)
            break;
        *value += s->value;
        last = s->value;
        if (s->all & SENSE_ORDINAL)
            return taken + 1;
    }
    return taken;
}

/* A spelled number; "one" alone is a word. */
static size_t read_spelled(const struct raw_word *words, size_t n, size_t i,
                           double *value)
{
    size_t taken = 0;

    for (*value = 0;;) {
        double group;
        size_t more = spelled_group(words, n, i + taken, &group);

        if (!more)
            break;
        more += scale(words, n, i + taken + more, &group);
        *value += group;
        taken += more;
        if (!(words[i + taken - 1].senses.all & SENSE_SCALE))
            break;
    }
    return taken == 1 && *value <= 1 ? 0 : taken;
}

size_t number_at(const struct vocabulary *v, struct str text,
                 const struct raw_word *words, size_t n, size_t i,
                 struct read_number *out)
{
    const struct raw_word *w = &words[i];
    size_t taken;

    *out = (struct read_number){.second = -1};
    if (!is_digit(w->folded.p[0]))
        return read_spelled(words, n, i, &out->value);
    if (!read_digits(v, (struct str){text.p + w->start, w->end - w->start},
                     out))
        return 0;
    if (is_iso_month(text, words, n, i) && out->value >= 1 &&
        out->value <= 12) {
        out->month = true;
        return 1;
    }
    taken = scale(words, n, i + 1, &out->value);
    out->year = out->year && !taken;
    if (out->year && i + 1 < n && plain_digits(&words[i + 1], 2) &&
        dash_between(text, w) && !is_iso_month(text, words, n, i + 1)) {
        double end = 0;

        (void)number_read(words[i + 1].folded, &end);
        double century = out->value - (double)((int)out->value % 100);
        out->second = century + end;
        return 2;
    }
    return taken + 1;
}
