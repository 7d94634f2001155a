/* source_digest.c - the digest of a source's canonical form.
 *
 * Streamed into the hasher a line at a time: nothing is allocated, so nothing
 * can fail.  Lengths go before values, so no value can pose as another field.
 * Stored digests were made by this, so it only ever changes with its first
 * line. */
#include "base/number.h"
#include "cite/source.h"

#include <assert.h>

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

void source_digest(struct sha256_ctx *c, const struct source *s, struct str key,
                   struct sha256 *out)
{
    struct source shown = *s;
    char digits[NUMBER_BYTES];

    if (!shown.id.p)
        shown.id = key;
    assert(shown.id.p);
    sha256_begin(c);
    sha256_add(c, STR("footnote-source-1\n"));
    add_line(c, STR("sourceType"), source_type_name(s->type));
    for (size_t i = 0; i < SOURCE_FIELDS_N; i++) {
        const struct source_field *f = &source_fields[i];
        struct source_value v = source_get(&shown, f);

        if (v.has && f->kind == SOURCE_SECONDS)
            v.text = (struct str){digits, number_print(v.seconds, digits)};
        else if (v.has && !source_is_text(f))
            v.text = (struct str){digits, number_print_i64(v.whole, digits)};
        add_line(c, f->name, v.text); /* none when it is absent */
    }
    sha256_end(c, out);
}
