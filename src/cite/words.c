/* words.c - cuts text into words.
 *
 * Letters are told apart coarsely: every character beyond ASCII is one, except
 * for blocks of punctuation and signs.  A table of all Unicode would change no
 * measure. */
#include "cite/words.h"
#include "base/utf8.h"

enum char_kind { KIND_GAP, KIND_LETTER, KIND_DIGIT, KIND_ALONE };

struct char_block {
    uint32_t first, last;
    enum char_kind kind;
};

static const struct char_block blocks[] = {
    {0x0080, 0x00a9, KIND_GAP}, /* Latin-1 signs, but for ª µ º */
    {0x00ab, 0x00b4, KIND_GAP},     {0x00b6, 0x00b9, KIND_GAP},
    {0x00bb, 0x00bf, KIND_GAP},     {0x00d7, 0x00d7, KIND_GAP},
    {0x00f7, 0x00f7, KIND_GAP},     {0x2000, 0x206f, KIND_GAP},
    {0x20a0, 0x20cf, KIND_GAP},     {0x2190, 0x2bff, KIND_GAP},
    {0x3000, 0x303f, KIND_GAP},     {0x3040, 0x30ff, KIND_ALONE},
    {0x3400, 0x9fff, KIND_ALONE},   {0xf900, 0xfaff, KIND_ALONE},
    {0xfe30, 0xfe6f, KIND_GAP},     {0xff00, 0xff0f, KIND_GAP},
    {0xff1a, 0xff20, KIND_GAP},     {0xff3b, 0xff40, KIND_GAP},
    {0xff5b, 0xff65, KIND_GAP},     {0x1f000, 0x1faff, KIND_GAP},
    {0x20000, 0x3ffff, KIND_ALONE},
};

static enum char_kind kind_of(uint32_t c)
{
    if (c < 0x80) {
        uint32_t small = c | 0x20;
        if (c >= '0' && c <= '9')
            return KIND_DIGIT;
        return small >= 'a' && small <= 'z' ? KIND_LETTER : KIND_GAP;
    }
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        if (c >= blocks[i].first && c <= blocks[i].last)
            return blocks[i].kind;
    }
    return KIND_LETTER;
}

static bool is_digit(struct str text, size_t at)
{
    return at < text.n && text.p[at] >= '0' && text.p[at] <= '9';
}

/* A point or comma with a digit on either side belongs to a number. */
static bool inside_number(struct str text, size_t at)
{
    return (text.p[at] == '.' || text.p[at] == ',') && at > 0 &&
           is_digit(text, at - 1) && is_digit(text, at + 1);
}

/* Behind the word that begins at `at`, whose first character is `kind`. */
static size_t word_end(struct str text, size_t at, enum char_kind kind)
{
    size_t end = at;

    (void)utf8_next(text, &end);
    while (end < text.n && kind != KIND_ALONE) {
        size_t next = end;
        enum char_kind k = kind_of(utf8_next(text, &next));
        if (k == KIND_ALONE || (k == KIND_GAP && !inside_number(text, end)))
            break;
        end = next;
    }
    return end;
}

bool words_next(struct words *w, struct str *word)
{
    enum char_kind kind;
    size_t first, n = 0;

    do {
        if (w->at == w->text.n)
            return false;
        first = w->at;
        kind = kind_of(utf8_next(w->text, &w->at));
    } while (kind == KIND_GAP);
    w->at = word_end(w->text, first, kind);
    for (size_t i = first; i < w->at && n < WORD_BYTES_MAX; i++) {
        char c = w->text.p[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c | 0x20);
        w->word[n++] = c;
    }
    *word = (struct str){w->word, n};
    return true;
}
