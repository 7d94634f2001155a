/* reading.c - a text as the words that a judge compares. */
#include "cite/judge/inner.h"

#include <utf8proc.h>

#include "base/utf8.h"

enum { HEAD_CHARS = 5 };

/* Chinese and Japanese characters, which analyse.h takes one by one. */
static bool is_alone(uint32_t c)
{
    return (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) ||
           (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}

static uint32_t first_char(struct str s)
{
    size_t i = 0;

    return s.n ? utf8_next(s, &i) : 0;
}

static bool is_capital(struct str s)
{
    int category = utf8proc_category((utf8proc_int32_t)first_char(s));

    return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

static bool ends_clause(struct str text, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (strchr(",;:.!?()\"", text.p[i]) && text.p[i])
            return true;
    return false;
}

/* The t of "isn't" is nothing; what is before it says no. */
static bool is_half_a_negation(struct str text, const struct raw_word *w)
{
    return str_eq(w->folded, STR("t")) && w->start > 1 &&
           (text.p[w->start - 1] == '\'' ||
            (unsigned char)text.p[w->start - 1] == 0x99);
}

static enum footnote_rc take_raw(struct reading *r, struct str text,
                                 struct raw_word *raw, size_t max, size_t *n,
                                 struct footnote_err *err)
{
    struct analyser *words = r->judge->words;
    struct token t;

    analyse(words, text, r->out->language);
    for (*n = 0; *n < max && analyse_next(words, &t);) {
        struct raw_word *w = &raw[*n];

        *w = (struct raw_word){.folded = arena_str(r->arena, t.word),
                               .stem = arena_str(r->arena, t.term),
                               .start = t.start,
                               .end = t.end,
                               .stop = t.stop};
        TRY(arena_rc(r->arena, err));
        w->senses = lexicon_senses(r->out->lexicon, w->folded, w->stem);
        if (!is_half_a_negation(text, w))
            ++*n;
    }
    return FOOTNOTE_OK;
}

static uint64_t hash_number(double value, bool month)
{
    struct str bytes = {(const char *)&value, sizeof(value)};

    return str_hash(bytes) ^ (month ? 0x6d6f6e7468 : 0x6e756d);
}

static struct judge_word *put_word(struct reading *r,
                                   const struct judge_word *w)
{
    if (r->out->n == r->room)
        return NULL;
    r->out->words[r->out->n] = *w;
    return &r->out->words[r->out->n++];
}

static void put_number(struct reading *r, struct judge_word w,
                       const struct read_number *number)
{
    w.kind = number->month ? WORD_DATE : WORD_NUMBER;
    w.year = number->year;
    w.key = hash_number(number->value, number->month);
    put_word(r, &w);
    if (number->second < 0)
        return;
    w.key = hash_number(number->second, false);
    put_word(r, &w);
}

/* A month's name.  Those that are other words, too, count with a capital that
 * no sentence began, or beside a number. */
static bool is_month(const struct raw_word *raw, size_t n, size_t i,
                     bool capital)
{
    if (!(raw[i].senses.all & SENSE_MONTH))
        return false;
    if (!(raw[i].senses.all & SENSE_CAPITAL))
        return true;
    bool beside = (i > 0 && raw[i - 1].folded.p[0] >= '0' &&
                   raw[i - 1].folded.p[0] <= '9') ||
                  (i + 1 < n && raw[i + 1].folded.p[0] >= '0' &&
                   raw[i + 1].folded.p[0] <= '9');
    return capital && (i > 0 || beside);
}

/* Sets key and head of a word that is no number. */
static void set_keys(struct judge_word *w, struct str text,
                     const struct raw_word *raw, size_t n, size_t i)
{
    uint32_t c = first_char(raw[i].folded);

    w->folded = raw[i].folded;
    w->stem = raw[i].stem;
    w->key = str_hash(w->stem);
    if (is_alone(c) && i + 1 < n && raw[i + 1].start == raw[i].end &&
        is_alone(first_char(raw[i + 1].folded))) {
        /* Pairs of characters say more than characters. */
        struct str pair = {text.p + raw[i].start,
                           raw[i + 1].end - raw[i].start};
        w->key = str_hash(pair);
        return;
    }
    struct str head = utf8_cut(w->stem, HEAD_CHARS);
    if (utf8_utf16(head) >= HEAD_CHARS)
        w->head = str_hash(head);
}

static enum judge_word_kind kind_of(const struct reading *r, struct str text,
                                    const struct raw_word *raw, size_t n,
                                    size_t i, bool capital)
{
    const struct vocabulary *v = lexicon_vocabulary(r->out->lexicon);
    bool light = raw[i].stop || raw[i].senses.all & SENSE_NEGATES;

    if (is_month(raw, n, i, capital))
        return WORD_DATE;
    /* Without a table a capital is a name wherever the script has capitals. */
    if (light || !capital || (v && !v->names))
        return light ? WORD_LIGHT : WORD_PLAIN;
    if (i > 0)
        return WORD_NAME;
    return i + 1 < n && is_capital(str_skip(text, raw[i + 1].start))
               ? WORD_NAME
               : WORD_PLAIN;
}

static void put_plain(struct reading *r, struct str text,
                      const struct raw_word *raw, size_t n, size_t i,
                      struct judge_word w)
{
    w.senses = raw[i].senses.all;
    w.capital = is_capital(str_skip(text, raw[i].start));
    set_keys(&w, text, raw, n, i);
    w.kind = kind_of(r, text, raw, n, i, w.capital);
    if (w.kind == WORD_DATE)
        w.key = hash_number(raw[i].senses.value, true);
    put_word(r, &w);
}

enum footnote_rc reading_add(struct reading *r, struct str text,
                             uint32_t sentence, struct footnote_err *err)
{
    const struct vocabulary *v = lexicon_vocabulary(r->out->lexicon);
    size_t max = text.n / 2 + 1, n, behind = 0;
    struct raw_word *raw = arena_many(r->arena, max, struct raw_word);

    if (!raw)
        return arena_rc(r->arena, err);
    TRY(take_raw(r, text, raw, max, &n, err));
    for (size_t i = 0; i < n;) {
        struct read_number number;
        size_t taken = number_at(v, text, raw, n, i, &number);
        size_t last = i + (taken ? taken : 1) - 1;
        struct judge_word w = {
            .text = {text.p + raw[i].start, raw[last].end - raw[i].start},
            .sentence = sentence,
            .after = ends_clause(text, behind, raw[i].start)};

        if (taken)
            put_number(r, w, &number);
        else
            put_plain(r, text, raw, n, i, w);
        behind = raw[last].end;
        i = last + 1;
    }
    return FOOTNOTE_OK;
}
