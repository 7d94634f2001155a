/* source_fields.c - the table of a source's fields at run time, and the words
 * for its types. */
#include "cite/source.h"

#include <assert.h>

#define HAS_ID(member)      0
#define HAS_TEXT(member)    0
#define HAS_OBJECT(member)  0
#define HAS_WHOLE(member)   offsetof(struct source, has_##member)
#define HAS_SECONDS(member) offsetof(struct source, has_##member)
#define HAS_COUNT(member)   0
#define FIELD(line, kind, member, camel, snake, max)                           \
    [line] = {{"" camel, sizeof(camel) - 1},                                   \
              SOURCE_##kind,                                                   \
              offsetof(struct source, member),                                 \
              HAS_##kind(member),                                              \
              max},

const struct source_field source_fields[SOURCE_FIELDS_N] = {
    SOURCE_FIELDS(FIELD)};

struct source_value source_get(const struct source *s,
                               const struct source_field *f)
{
    const char *from = (const char *)s + f->offset;
    struct source_value v = {.has = false};

    switch (f->kind) {
    case SOURCE_ID:
    case SOURCE_TEXT:
    case SOURCE_OBJECT:
        memcpy(&v.text, from, sizeof(v.text));
        v.has = v.text.p != NULL;
        break;
    case SOURCE_WHOLE:
    case SOURCE_COUNT:
        memcpy(&v.whole, from, sizeof(v.whole));
        v.has = v.whole != 0;
        break;
    case SOURCE_SECONDS: memcpy(&v.seconds, from, sizeof(v.seconds)); break;
    }
    if (f->has_offset)
        memcpy(&v.has, (const char *)s + f->has_offset, sizeof(v.has));
    return v;
}

void source_set(struct source *s, const struct source_field *f,
                const struct source_value *v)
{
    char *to = (char *)s + f->offset;

    if (!v->has)
        return;
    switch (f->kind) {
    case SOURCE_ID:
    case SOURCE_TEXT:
    case SOURCE_OBJECT: memcpy(to, &v->text, sizeof(v->text)); break;
    case SOURCE_WHOLE:
    case SOURCE_COUNT: memcpy(to, &v->whole, sizeof(v->whole)); break;
    case SOURCE_SECONDS: memcpy(to, &v->seconds, sizeof(v->seconds)); break;
    }
    if (f->has_offset)
        memcpy((char *)s + f->has_offset, &v->has, sizeof(v->has));
}

/* The text of the i-th field; NULL when it is a number or absent. */
static struct str *text_of(struct source *s, size_t i)
{
    const struct source_field *f = &source_fields[i];
    struct str *text = (struct str *)((char *)s + f->offset);

    return source_is_text(f) && text->p ? text : NULL;
}

size_t source_texts_bytes(const struct source *s)
{
    struct source copy = *s;
    size_t bytes = 0;

    for (size_t i = 0; i < SOURCE_FIELDS_N; i++) {
        const struct str *text = text_of(&copy, i);

        bytes += text ? text->n + 1 : 0;
    }
    return bytes;
}

void source_copy_texts(struct source *s, char *to)
{
    for (size_t i = 0; i < SOURCE_FIELDS_N; i++) {
        struct str *text = text_of(s, i);

        if (!text)
            continue;
        memcpy(to, text->p, text->n);
        to[text->n] = '\0';
        text->p = to;
        to += text->n + 1;
    }
}

void source_move_texts(struct source *s, const char *to)
{
    for (size_t i = 0; i < SOURCE_FIELDS_N; i++) {
        struct str *text = text_of(s, i);

        if (!text)
            continue;
        assert(to[text->n] == '\0'); /* else they are not these bytes */
        text->p = to;
        to += text->n + 1;
    }
}

struct str source_type_name(enum footnote_type type)
{
    switch (type) {
    case FOOTNOTE_TEXT: return STR("text");
    case FOOTNOTE_SLIDE: return STR("slide");
    case FOOTNOTE_LECTURE: return STR("lecture");
    case FOOTNOTE_JOURNAL: return STR("journal");
    case FOOTNOTE_WEB: return STR("web");
    case FOOTNOTE_IMAGE: return STR("image");
    }
    return STR_NONE;
}

bool source_type_parse(struct str word, enum footnote_type *out)
{
    for (int i = FOOTNOTE_TEXT; i <= FOOTNOTE_IMAGE; i++) {
        if (word.p && str_eq(word, source_type_name((enum footnote_type)i))) {
            *out = (enum footnote_type)i;
            return true;
        }
    }
    return false;
}
