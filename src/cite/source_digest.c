/* source_digest.c - the digest of a source's canonical form.
 *
 * Streamed into the hasher a line at a time: nothing is allocated, so nothing
 * can fail.  Lengths go before values, so no value can pose as another field.
 * Stored digests were made by this, so it only ever changes with its first
 * line. */
#include "base/number.h"
#include "cite/source_fields.h"

static void add_line(struct sha256_ctx *c, struct str name, struct str value)
{
    char length[NUMBER_BYTES + 2] = "=";

    if (!value.p)
        return;
    size_t n = 1 + number_print_i64((int64_t)value.n, length + 1);
    length[n++] = ':';
    sha256_add(c, name);
    sha256_add(c, (struct str){length, n});
    sha256_add(c, value);
    sha256_add(c, STR("\n"));
}

static void add_i64(struct sha256_ctx *c, struct str name, int64_t v)
{
    char text[NUMBER_BYTES];
    size_t n = number_print_i64(v, text);
    add_line(c, name, (struct str){text, n});
}

static void add_f64(struct sha256_ctx *c, struct str name, double v)
{
    char text[NUMBER_BYTES];
    size_t n = number_print(v, text);
    add_line(c, name, (struct str){text, n});
}

static void add_numbers(struct sha256_ctx *c, const struct source *s)
{
    if (s->has_page)
        add_i64(c, STR("slideNumber"), s->page);
    if (s->has_start)
        add_f64(c, STR("startSeconds"), s->start);
    if (s->has_end)
        add_f64(c, STR("endSeconds"), s->end);
    if (s->part)
        add_i64(c, STR("part"), s->part);
}

void source_digest(struct sha256_ctx *c, const struct source *s, struct str key,
                   struct sha256 *out)
{
    struct source shown = *s;

    if (!shown.id.p)
        shown.id = key;
    sha256_begin(c);
    sha256_add(c, STR("footnote-source-1\n"));
    add_line(c, STR("sourceType"), source_type_name(s->type));
    for (size_t i = 0; i < SOURCE_FIELDS_N; i++) {
        const struct source_field *f = &source_fields[i];
        add_line(c, f->name, source_field_get(&shown, f));
    }
    add_numbers(c, s);
    sha256_end(c, out);
}
