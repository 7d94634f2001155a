/* source.c - reads sources and settles their numbers. */
#include "import/source.h"

#include <stdlib.h>

#include "import/value.h"

enum { ROWS_MAX = 2 * STORE_SOURCES_MAX }; /* of one message, looked through */

static const struct json *value_for(const struct json *o, struct str camel,
                                    const struct alias *aliases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct json *v = NULL;

        if (str_eq(str_c(aliases[i].field), camel))
            v = field(o, &aliases[i].names);
        if (v)
            return v;
    }
    return field_named(o, camel);
}

/* False when the field cannot have that value. */
static bool read_value(const struct source_field *f, const struct json *v,
                       struct source_value *out)
{
    *out = (struct source_value){.has = true};
    switch (f->kind) {
    case SOURCE_ID:
    case SOURCE_TEXT: out->text = value_text(v); return out->text.p != NULL;
    case SOURCE_OBJECT: out->text = v->raw; return v->type == JSON_OBJECT;
    case SOURCE_WHOLE:
    case SOURCE_COUNT: return value_whole(v, &out->whole);
    case SOURCE_SECONDS: return value_number(v, &out->seconds);
    }
    return false;
}

static enum footnote_rc read_type(struct import *im, const struct row *row,
                                  const struct json *o,
                                  const struct alias *aliases, size_t n,
                                  enum footnote_type *out,
                                  struct footnote_err *err)
{
    struct str type = value_text(value_for(o, STR("sourceType"), aliases, n));

    if (!type.p || source_type_parse(type, out))
        return FOOTNOTE_OK;
    return row_refuse(im, row, err, "sourceType %.*s is none of ours",
                      STR_ARG(type));
}

enum footnote_rc source_of(struct import *im, const struct row *row,
                           const struct json *o, const struct alias *aliases,
                           size_t aliases_n, struct reference *out,
                           struct footnote_err *err)
{
    struct footnote_err why;

    *out = (struct reference){.source = {.type = FOOTNOTE_TEXT}};
    for (size_t i = 0; i < SOURCE_FIELDS_N; i++) {
        const struct source_field *f = &source_fields[i];
        const struct json *v = value_for(o, f->name, aliases, aliases_n);
        struct source_value value;

        if (!v)
            continue;
        if (!read_value(f, v, &value))
            return row_refuse(im, row, err, "%.*s cannot be %.*s",
                              STR_ARG(f->name),
                              (int)(v->raw.n < 40 ? v->raw.n : 40), v->raw.p);
        source_set(&out->source, f, &value);
    }
    TRY(read_type(im, row, o, aliases, aliases_n, &out->source.type, err));
    out->has_score = value_number(field_named(o, STR("score")), &out->score);
    if (source_check(&out->source, &why) != FOOTNOTE_OK)
        return row_refuse(im, row, err, "%s", why.text);
    return FOOTNOTE_OK;
}

/* ---- Numbers ------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    const struct found *x = a, *y = b;

    if (x->created_ms != y->created_ms)
        return x->created_ms < y->created_ms ? -1 : 1;
    return (x->row->line > y->row->line) - (x->row->line < y->row->line);
}

static bool is_number(const struct found *f)
{
    return f->has_number && f->number >= 1 && f->number <= STORE_NUMBER_MAX;
}

/* The one before it that has its number, or is the same without a number of its
 * own. */
static const struct found *rival(const struct found *list, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (is_number(&list[i]) &&
            list[k].ref.number == (uint32_t)list[i].number)
            return &list[k];
        if (!is_number(&list[i]) && str_eq(list[k].same, list[i].same))
            return &list[k];
    }
    return NULL;
}

/* Those that keep their numbers; the others stay 0, or go. */
static size_t keep_numbers(struct import *im, struct found *list, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        const struct found *other;

        list[kept] = list[i];
        other = rival(list, kept);
        if (other && str_eq(other->same, list[kept].same)) {
            import_note(im, IMPORT_CHANGED, list[kept].row,
                        "stands there twice; once is kept");
            continue;
        }
        if (!other && is_number(&list[kept]))
            list[kept].ref.number = (uint32_t)list[kept].number;
        kept++;
    }
    return kept;
}

enum footnote_rc number_found(struct import *im, struct found *list, size_t n,
                              const struct reference **out, size_t *out_n,
                              struct footnote_err *err)
{
    struct reference *refs;
    uint32_t next = 1;

    if (n > IMPORT_MESSAGES_MAX)
        return row_refuse(im, list[0].row, err, "%zu sources of one message",
                          n);
    if (n)
        qsort(list, n, sizeof(*list), by_time);
    n = n <= ROWS_MAX ? keep_numbers(im, list, n) : n;
    if (n > STORE_SOURCES_MAX)
        return row_refuse(im, list[0].row, err,
                          "its message has %zu sources, at most %d", n,
                          STORE_SOURCES_MAX);
    refs = arena_many(im->a, n + 1, struct reference);
    if (!refs)
        return arena_rc(im->a, err);
    for (size_t i = 0; i < n; i++)
        if (list[i].ref.number >= next)
            next = list[i].ref.number + 1;
    for (size_t i = 0; i < n; i++) {
        refs[i] = list[i].ref;
        if (refs[i].number)
            continue;
        refs[i].number = next++;
        if (list[i].has_number)
            import_note(im, IMPORT_CHANGED, list[i].row,
                        "number %lld is %s; it has %u now",
                        (long long)list[i].number,
                        is_number(&list[i]) ? "another source's" : "no number",
                        refs[i].number);
    }
    *out = refs;
    *out_n = n;
    return FOOTNOTE_OK;
}
