/* clean.c - which characters are seen, as a table. */
#include "ingest/text/clean.h"
#include "base/utf8.h"

enum fate {
    FATE_DROP,   /* useless and harmless: soft hyphens, byte order marks */
    FATE_HIDDEN, /* dropped, and clean.hidden says so */
    FATE_JOINER, /* stays in scripts that need it, else hidden */
    FATE_SPACE,
    FATE_LINE
};

struct char_range {
    uint32_t first, last;
    enum fate fate;
};

/* Sorted; none is ASCII. */
static const struct char_range ranges[] = {
    {0x0080, 0x0084, FATE_DROP},     {0x0085, 0x0085, FATE_LINE},
    {0x0086, 0x009f, FATE_DROP},     {0x00a0, 0x00a0, FATE_SPACE},
    {0x00ad, 0x00ad, FATE_DROP},     {0x034f, 0x034f, FATE_JOINER},
    {0x061c, 0x061c, FATE_JOINER},   {0x115f, 0x1160, FATE_JOINER},
    {0x17b4, 0x17b5, FATE_JOINER},   {0x180b, 0x180f, FATE_JOINER},
    {0x2000, 0x200a, FATE_SPACE},    {0x200b, 0x200b, FATE_HIDDEN},
    {0x200c, 0x200f, FATE_JOINER},   {0x2028, 0x2029, FATE_LINE},
    {0x202a, 0x202e, FATE_HIDDEN},   {0x202f, 0x202f, FATE_SPACE},
    {0x205f, 0x205f, FATE_SPACE},    {0x2060, 0x206f, FATE_HIDDEN},
    {0x3000, 0x3000, FATE_SPACE},    {0x3164, 0x3164, FATE_HIDDEN},
    {0xfeff, 0xfeff, FATE_DROP},     {0xffa0, 0xffa0, FATE_HIDDEN},
    {0xfff0, 0xfffb, FATE_HIDDEN},   {0xfffe, 0xffff, FATE_HIDDEN},
    {0x1d173, 0x1d17a, FATE_HIDDEN}, {0xe0000, 0xe0fff, FATE_HIDDEN},
};

static const struct char_range *find_range(uint32_t c)
{
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        if (c <= ranges[i].last)
            return c >= ranges[i].first ? &ranges[i] : NULL;
    }
    return NULL;
}

static uint32_t clean_ascii(uint32_t before, uint32_t c)
{
    if (c >= ' ')
        return c == 0x7f ? 0 : c;
    switch (c) {
    case '\t':
    case '\f': return c;
    case '\n': return before == '\r' ? 0 : c;
    case '\r':
    case '\v': return '\n';
    default: return 0;
    }
}

uint32_t clean_char(struct clean *k, uint32_t c)
{
    uint32_t before = k->before;

    k->before = c;
    if (c < 0x80)
        return clean_ascii(before, c);
    const struct char_range *r = c < 0x250 && c > 0xad ? NULL : find_range(c);
    if (!r)
        return c;
    switch (r->fate) {
    case FATE_SPACE: return ' ';
    case FATE_LINE: return '\n';
    case FATE_JOINER:
        /* Joiners change what is seen in scripts from Hebrew on, and between
         * the signs that emoji are joined from. */
        if (before >= 0x0590 && !(before >= 0x1e00 && before < 0x200c) &&
            !(before >= 0x2028 && before < 0x2190))
            return c;
        break;
    case FATE_HIDDEN: break;
    case FATE_DROP: return 0;
    }
    /* Direction marks are often left over where they do nothing. */
    if (c != 0x200e && c != 0x200f && c != 0x061c)
        k->hidden = true;
    return 0;
}

void clean_add(struct clean *k, struct buf *out, struct str s)
{
    for (size_t at = 0; at < s.n;) {
        size_t run = at;
        char bytes[4];

        while (run < s.n && s.p[run] >= ' ' && s.p[run] < 0x7f)
            run++;
        if (run > at) {
            buf_add(out, (struct str){s.p + at, run - at});
            at = run;
            k->before = (unsigned char)s.p[at - 1];
            continue;
        }
        uint32_t c = clean_char(k, utf8_next(s, &at));
        if (c)
            buf_add(out, (struct str){bytes, utf8_put(c, bytes)});
    }
}
