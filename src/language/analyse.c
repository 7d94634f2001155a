/* analyse.c - cuts text into words, folds and stems them.
 *
 * Nearly all words are plain ASCII and come again and again, so there are two
 * short cuts: ASCII needs no Unicode tables, and a small cache of stems has one
 * place for each word.  Snowball takes 0.3 microseconds a word; a course of
 * 200 000 passages has 24 million of them. */
#include "language/analyse.h"

#include <assert.h>
#include <libstemmer.h>
#include <stdlib.h>
#include <utf8proc.h>

#include "base/utf8.h"

enum {
    CACHED_STEMS = 1 << 13,
    STOP_STEMS = 1 << 10, /* places; a list has about a hundred words */
    STOP_LETTERS_MIN = 4, /* of a stem; shorter ones are those of other words */
    GUESS_WORDS = 600     /* of a text are enough to tell its language */
};

static const char *const stemmers[LANGUAGES] = {
    [LANGUAGE_EN] = "english",    [LANGUAGE_ES] = "spanish",
    [LANGUAGE_DE] = "german",     [LANGUAGE_FR] = "french",
    [LANGUAGE_IT] = "italian",    [LANGUAGE_PT] = "portuguese",
    [LANGUAGE_NL] = "dutch",      [LANGUAGE_RU] = "russian",
    [LANGUAGE_AR] = "arabic",     [LANGUAGE_EL] = "greek",
    [LANGUAGE_HY] = "armenian",   [LANGUAGE_HI] = "hindi",
    [LANGUAGE_NE] = "nepali",     [LANGUAGE_TA] = "tamil",
    [LANGUAGE_YI] = "yiddish",    [LANGUAGE_SR] = "serbian",
    [LANGUAGE_SV] = "swedish",    [LANGUAGE_DA] = "danish",
    [LANGUAGE_NO] = "norwegian",  [LANGUAGE_FI] = "finnish",
    [LANGUAGE_HU] = "hungarian",  [LANGUAGE_RO] = "romanian",
    [LANGUAGE_TR] = "turkish",    [LANGUAGE_CA] = "catalan",
    [LANGUAGE_ID] = "indonesian", [LANGUAGE_LT] = "lithuanian",
    [LANGUAGE_EU] = "basque",     [LANGUAGE_GA] = "irish",
};

struct cached_stem {
    uint8_t word_n, stem_n, language;
    bool stop;
    char word[TERM_BYTES_MAX], stem[TERM_BYTES_MAX];
};

/* Stems of a language's function words, hashed; 0: none. */
struct stop_stems {
    uint64_t hashes[STOP_STEMS];
};

struct analyser {
    struct sb_stemmer *stemmers[LANGUAGES]; /* opened when first needed */
    struct stop_stems *stops[LANGUAGES];
    struct cached_stem *cache;
    struct str text;
    size_t at;
    enum language language;
    char word[TERM_BYTES_MAX]; /* folded */
    size_t word_n;
};

enum footnote_rc analyser_open(struct analyser **out, struct footnote_err *err)
{
    struct cached_stem *cache = calloc(CACHED_STEMS, sizeof(*cache));
    struct analyser *a = calloc(1, sizeof(*a));

    *out = NULL;
    if (!a || !cache) {
        free(cache);
        free(a);
        return err_set(err, FOOTNOTE_NOMEM, "opening an analyser");
    }
    a->cache = cache;
    *out = a;
    return FOOTNOTE_OK;
}

void analyser_close(struct analyser *a)
{
    if (!a)
        return;
    for (int i = 0; i < LANGUAGES; i++) {
        sb_stemmer_delete(a->stemmers[i]);
        free(a->stops[i]);
    }
    free(a->cache);
    free(a);
}

void analyse(struct analyser *a, struct str text, enum language language)
{
    a->text = text;
    a->at = 0;
    a->language = language;
}

/* ---- Characters --------------------------------------------------------- */

enum term_char {
    KIND_GAP,
    KIND_LETTER,
    KIND_DIGIT,
    KIND_ALONE,
    KIND_UNSPACED /* of a script without spaces between words */
};

/* Chinese and Japanese characters. */
static bool is_alone(uint32_t c)
{
    return (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) ||
           (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}

/* Thai, Lao, Khmer, Burmese. */
static bool is_unspaced(uint32_t c)
{
    return (c >= 0x0e00 && c <= 0x0eff) || (c >= 0x1000 && c <= 0x109f) ||
           (c >= 0x1780 && c <= 0x17ff);
}

/* utf8proc numbers categories by group: letters, then marks, then numbers. */
static enum term_char kind_of(uint32_t c)
{
    int category;

    if (c >= '0' && c <= '9')
        return KIND_DIGIT;
    if (c < 0x80)
        return (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? KIND_LETTER : KIND_GAP;
    category = utf8proc_category((utf8proc_int32_t)c);
    if (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ME)
        return is_alone(c)      ? KIND_ALONE
               : is_unspaced(c) ? KIND_UNSPACED
                                : KIND_LETTER;
    if (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO)
        return KIND_DIGIT;
    return KIND_GAP;
}

static enum term_char kind_at(struct str text, size_t at, size_t *next)
{
    *next = at;
    return at < text.n ? kind_of(utf8_next(text, next)) : KIND_GAP;
}

/* ---- Folding ------------------------------------------------------------ */

static void add_char(struct analyser *a, uint32_t c)
{
    char bytes[4];
    size_t n = utf8_put(c, bytes);

    if (a->word_n + n > sizeof(a->word))
        return;
    memcpy(a->word + a->word_n, bytes, n);
    a->word_n += n;
}

/* Letters that Unicode does not decompose. */
static const char *spelled_out(uint32_t c)
{
    switch (c) {
    case 0xe6: return "ae";
    case 0xf8: return "o";
    case 0xfe: return "th";
    case 0x111: return "d";
    case 0x131: return "i";
    case 0x142: return "l";
    case 0x153: return "oe";
    default: return NULL;
    }
}

static void add_folded(struct analyser *a, uint32_t c)
{
    utf8proc_int32_t parts[8];
    int last = 0;
    utf8proc_ssize_t n;
    utf8proc_option_t how = UTF8PROC_CASEFOLD;
    uint32_t small = (uint32_t)utf8proc_tolower((utf8proc_int32_t)c);
    const char *letters = spelled_out(small);

    if (letters) {
        for (; *letters; letters++)
            add_char(a, (unsigned char)*letters);
        return;
    }
    /* Marks are accents in these scripts; in others they are vowels, and the
     * Russian stemmer knows this letter. */
    if (c == 0x439 || c == 0x419) {
        add_char(a, 0x439);
        return;
    }
    if (c < 0x530 || (c >= 0x1e00 && c <= 0x1fff))
        how |= UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK;
    /* Typesetters' ligatures, and full-width forms. */
    if ((c >= 0xfb00 && c <= 0xfb06) || (c >= 0xff00 && c <= 0xffef))
        how |= UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT;
    n = utf8proc_decompose_char((utf8proc_int32_t)small, parts, 8, how, &last);
    for (utf8proc_ssize_t i = 0; i < n && i < 8; i++)
        add_char(a, (uint32_t)parts[i]);
}

/* ---- Words -------------------------------------------------------------- */

static bool digit_at(struct str s, size_t i)
{
    return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

/* The comma of 1,000: three digits follow, and no fourth. */
static bool is_thousands(struct str s, size_t comma)
{
    return digit_at(s, comma + 1) && digit_at(s, comma + 2) &&
           digit_at(s, comma + 3) && !digit_at(s, comma + 4);
}

/* Whether a point or comma at `at` is inside of a number; adds it if it
 * counts. */
static bool join_number(struct analyser *a, size_t at)
{
    char c = a->text.p[at];

    if ((c != '.' && c != ',') || at == 0 || !digit_at(a->text, at - 1) ||
        !digit_at(a->text, at + 1))
        return false;
    if (c == '.' || !is_thousands(a->text, at))
        add_char(a, '.');
    return true;
}

/* The end of a possessive 's at `at`, or `at` itself. */
static size_t skip_possessive(struct str s, size_t at)
{
    struct str rest = str_skip(s, at);
    size_t n = str_starts(rest, STR("'"))              ? 1
               : str_starts(rest, STR("\xe2\x80\x99")) ? 3
                                                       : 0;
    size_t next;

    if (!n || at + n >= s.n || (s.p[at + n] | 0x20) != 's')
        return at;
    return kind_at(s, at + n + 1, &next) == KIND_GAP ? at + n + 1 : at;
}

/* C++, C#, F#: signs that follow a single letter and end the word. */
static size_t take_signs(struct analyser *a, size_t at)
{
    size_t end = at, next;

    if (a->word_n != 1)
        return at;
    if (end < a->text.n && a->text.p[end] == '#')
        end++;
    else if (str_starts(str_skip(a->text, end), STR("++")))
        end += 2;
    if (end == at || kind_at(a->text, end, &next) != KIND_GAP)
        return at;
    for (size_t i = at; i < end; i++)
        add_char(a, (unsigned char)a->text.p[i]);
    return end;
}

/* Folds the word that begins at `at` into a->word; returns where it ends. */
static size_t take_word(struct analyser *a, size_t at)
{
    struct str s = a->text;

    a->word_n = 0;
    while (at < s.n) {
        unsigned char c = (unsigned char)s.p[at];
        size_t next = at;
        uint32_t code = c < 0x80 ? (next++, c) : utf8_next(s, &next);
        enum term_char kind = kind_of(code);

        if ((kind == KIND_ALONE && a->word_n) || kind == KIND_UNSPACED)
            break;
        if (kind == KIND_GAP && !join_number(a, at))
            break;
        if (kind != KIND_GAP && c < 0x80)
            add_char(a, c >= 'A' && c <= 'Z' ? c | 0x20u : c);
        else if (kind != KIND_GAP)
            add_folded(a, code);
        at = next;
        if (kind == KIND_ALONE)
            break;
    }
    return at;
}

/* ---- Scripts without spaces ---------------------------------------------- */

enum { SYLLABLES = 2 };

/* A vowel that is written before the consonant that it follows. */
static bool is_leading(uint32_t c)
{
    return (c >= 0x0e40 && c <= 0x0e44) || (c >= 0x0ec0 && c <= 0x0ec4);
}

/* Marks, vowels that are letters of their own, and a consonant that is written
 * below the one before: what belongs to the letter before it. */
static bool is_trailing(uint32_t before, uint32_t c)
{
    int k = utf8proc_category((utf8proc_int32_t)c);

    return k == UTF8PROC_CATEGORY_MN || k == UTF8PROC_CATEGORY_MC ||
           before == 0x17d2 || c == 0x0e30 || c == 0x0e32 || c == 0x0e33 ||
           c == 0x0e45 || c == 0x0eb0 || c == 0x0eb2 || c == 0x0eb3;
}

/* Behind the syllable at `at`, as far as it can be told without a dictionary;
 * `at` itself where there is none. */
static size_t syllable_end(struct str s, size_t at)
{
    size_t next, end = at;
    uint32_t before = 0;

    while (kind_at(s, end, &next) == KIND_UNSPACED) {
        size_t i = end;
        uint32_t c = utf8_next(s, &i);
        bool joins = end == at || is_leading(before) || is_trailing(before, c);
        if (!joins)
            break;
        before = c;
        end = next;
    }
    return end;
}

/* Two syllables are the word; the next one begins at the second.  Returns where
 * the word ends. */
static size_t take_syllables(struct analyser *a)
{
    size_t first = syllable_end(a->text, a->at), end = a->at, n = 0, next;

    for (; n < SYLLABLES; n++) {
        size_t more = syllable_end(a->text, end);
        if (more == end)
            break;
        end = more;
    }
    a->word_n = 0;
    for (size_t i = a->at; i < end;)
        add_char(a, utf8_next(a->text, &i));
    bool last = kind_at(a->text, end, &next) != KIND_UNSPACED;
    a->at = last ? end : first;
    return end;
}

/* ---- Stems -------------------------------------------------------------- */

static struct str stem(struct analyser *a, struct str word)
{
    enum language l = a->language;
    const sb_symbol *s;

    if (!stemmers[l])
        return word;
    if (!a->stemmers[l])
        a->stemmers[l] = sb_stemmer_new(stemmers[l], NULL);
    if (!a->stemmers[l])
        return word;
    s = sb_stemmer_stem(a->stemmers[l], (const sb_symbol *)word.p, (int)word.n);
    return s ? (struct str){(const char *)s,
                            (size_t)sb_stemmer_length(a->stemmers[l])}
             : word;
}

/* The place of a stem, or the free one where it belongs. */
static uint64_t *stop_place(struct stop_stems *stops, struct str stem)
{
    uint64_t h = str_hash(stem) | 1;
    size_t i = h >> 32;

    while (stops->hashes[i % STOP_STEMS] && stops->hashes[i % STOP_STEMS] != h)
        i++;
    return &stops->hashes[i % STOP_STEMS];
}

static void learn_stops(struct analyser *a, enum language l)
{
    size_t n;
    const char *const *words = stop_words(l, &n);

    a->stops[l] = calloc(1, sizeof(*a->stops[l]));
    assert(n < STOP_STEMS / 2);
    for (size_t i = 0; a->stops[l] && i < n; i++) {
        struct str s = stem(a, str_c(words[i]));

        if (s.n >= STOP_LETTERS_MIN)
            *stop_place(a->stops[l], s) = str_hash(s) | 1;
    }
}

/* Also "showing" and "happening", which no list has: their stems are those of
 * function words. */
static bool is_stop_form(struct analyser *a, struct str word, struct str stem)
{
    enum language l = a->language;

    if (is_stop(l, word))
        return true;
    if (stem.n < STOP_LETTERS_MIN || !stemmers[l])
        return false;
    return a->stops[l] && *stop_place(a->stops[l], stem) != 0;
}

static const struct cached_stem *find_stem(struct analyser *a, struct str word)
{
    uint64_t h = str_hash(word) * 31 + (uint64_t)a->language;
    struct cached_stem *r = &a->cache[(h ^ h >> 29) % CACHED_STEMS];
    struct str s;

    assert(word.n > 0 && word.n <= TERM_BYTES_MAX);
    if (r->word_n == word.n && r->language == (uint8_t)a->language &&
        memcmp(r->word, word.p, word.n) == 0)
        return r;
    if (!a->stops[a->language])
        learn_stops(a, a->language);
    s = stem(a, word);
    if (s.n > TERM_BYTES_MAX || s.n == 0)
        s = word;
    r->language = (uint8_t)a->language;
    r->word_n = (uint8_t)word.n;
    r->stem_n = (uint8_t)s.n;
    r->stop = is_stop_form(a, word, s);
    memcpy(r->word, word.p, word.n);
    memcpy(r->stem, s.p, s.n);
    return r;
}

bool analyse_next(struct analyser *a, struct token *out)
{
    const struct cached_stem *r;
    size_t next;

    do {
        while (kind_at(a->text, a->at, &next) == KIND_GAP) {
            if (a->at >= a->text.n)
                return false;
            a->at = next;
        }
        out->start = a->at;
        if (kind_at(a->text, a->at, &next) == KIND_UNSPACED) {
            out->end = take_syllables(a);
            continue;
        }
        a->at = take_word(a, a->at);
        a->at = take_signs(a, a->at);
        out->end = a->at;
        a->at = skip_possessive(a->text, a->at);
    } while (a->word_n == 0); /* the word was nothing but marks */
    r = find_stem(a, (struct str){a->word, a->word_n});
    out->term = (struct str){r->stem, r->stem_n};
    out->word = (struct str){a->word, a->word_n};
    out->stop = r->stop;
    return true;
}

struct str analyse_word(struct analyser *a, struct str word,
                        enum language language)
{
    a->language = language;
    return stem(a, word);
}

/* ---- Languages ---------------------------------------------------------- */

/* The language that is most often written in the script of a letter; NONE: the
 * script tells nothing. */
static enum language language_of_script(uint32_t c)
{
    static const struct {
        uint32_t first, last;
        enum language language;
    } scripts[] = {{0x370, 0x3ff, LANGUAGE_EL}, {0x400, 0x52f, LANGUAGE_RU},
                   {0x530, 0x58f, LANGUAGE_HY}, {0x600, 0x6ff, LANGUAGE_AR},
                   {0x900, 0x97f, LANGUAGE_HI}, {0xb80, 0xbff, LANGUAGE_TA}};

    for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
        if (c >= scripts[i].first && c <= scripts[i].last)
            return scripts[i].language;
    return LANGUAGE_NONE;
}

/* Counts function words; all lists have about a hundred.  One word in eight
 * must be a function word: in running text it is one in two.  Where they do not
 * decide, the script of half of the words does. */
enum language language_guess(struct analyser *a, struct str text)
{
    size_t found[LANGUAGES] = {0}, scripts[LANGUAGES] = {0}, words = 0;
    enum language best = LANGUAGE_NONE;
    struct token t;

    analyse(a, text, LANGUAGE_NONE);
    while (words < GUESS_WORDS && analyse_next(a, &t)) {
        size_t first = 0;
        scripts[language_of_script(utf8_next(t.word, &first))]++;
        words++;
        for (int l = 1; l < LANGUAGES; l++)
            found[l] += is_stop((enum language)l, t.term);
    }
    for (int l = 1; l < LANGUAGES; l++)
        if (found[l] > found[best])
            best = (enum language)l;
    if (found[best] * 8 >= words && words > 0)
        return best;
    for (int l = 1; l < LANGUAGES; l++)
        if (2 * scripts[l] > words)
            return (enum language)l;
    return LANGUAGE_NONE;
}
