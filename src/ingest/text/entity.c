/* entity.c - names are looked up in the table that libxml2 has of HTML.
 *
 * libxml2 compares a name with all of them, which takes ten seconds for a file
 * that is full of names; so they are sorted here, once. */
#include "ingest/text/entity.h"

#include <assert.h>
#include <libxml/HTMLparser.h>
#include <pthread.h>
#include <stdlib.h>

enum { ENTITIES_MAX = 512, ENTITY_VALUE_MAX = 0x2fff }; /* the last: U+2666 */

static htmlEntityDesc entities[ENTITIES_MAX]; /* by name */
static size_t entities_n;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int by_name(const void *x, const void *y)
{
    const htmlEntityDesc *a = x, *b = y;

    return strcmp(a->name, b->name);
}

static void sort_entities(void)
{
    for (unsigned v = 0; v <= ENTITY_VALUE_MAX; v++) {
        const htmlEntityDesc *e = htmlEntityValueLookup(v);

        if (e && entities_n < ENTITIES_MAX)
            entities[entities_n++] = *e;
    }
    qsort(entities, entities_n, sizeof(entities[0]), by_name);
}

static uint32_t named(const char *name)
{
    const htmlEntityDesc key = {.name = name}, *found;

    pthread_once(&once, sort_entities);
    found = bsearch(&key, entities, entities_n, sizeof(key), by_name);
    return found ? found->value : 0;
}

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
    return named(text);
}
