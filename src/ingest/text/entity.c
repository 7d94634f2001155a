/* entity.c - names are looked up in the table that libxml2 has of HTML. */
#include "ingest/text/entity.h"

#include <assert.h>
#include <libxml/HTMLparser.h>

static uint32_t numbered(struct str digits)
{
    bool hex = digits.n > 1 && (digits.p[0] | 0x20) == 'x';
    uint32_t c = 0, base = hex ? 16 : 10;

    for (size_t i = hex; i < digits.n && c < 0x110000; i++) {
        char d = digits.p[i], small = (char)(d | 0x20);
        uint32_t v;

        if (d >= '0' && d <= '9')
            v = (uint32_t)(d - '0');
        else if (hex && small >= 'a' && small <= 'f')
            v = (uint32_t)(small - 'a' + 10);
        else
            return 0;
        c = c * base + v;
    }
    if (c == 0 || c >= 0x110000 || (c >= 0xd800 && c < 0xe000))
        return 0xfffd;
    return c;
}

uint32_t entity_at(struct str s, size_t at, size_t *bytes)
{
    struct str rest = str_skip(s, at + 1);
    char text[ENTITY_BYTES_MAX + 1];
    const htmlEntityDesc *known;

    assert(at < s.n && s.p[at] == '&');
    if (rest.n > ENTITY_BYTES_MAX)
        rest.n = ENTITY_BYTES_MAX;
    struct str name = {rest.p, str_find(rest, ';')};
    if (name.n < 2 || name.n == rest.n)
        return 0;
    *bytes = name.n + 2;
    if (name.p[0] == '#')
        return numbered(str_skip(name, 1));
    if (str_eq(name, STR("apos"))) /* XML has it, HTML 4 has not */
        return '\'';
    memcpy(text, name.p, name.n);
    text[name.n] = '\0';
    known = htmlEntityLookup((const xmlChar *)text);
    return known ? known->value : 0;
}
