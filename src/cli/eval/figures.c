/* figures.c - prints what was measured. */
#include "cli/eval/figures.h"

#include <assert.h>
#include <math.h>

#include "base/json.h"

enum { TEXT_BYTES_MAX = 64 * 1024 };

void figures_add(struct figures *f, const char *key, double value)
{
    assert(f->n < FIGURES_MAX);
    if (!isnan(value))
        f->items[f->n++] = (struct figure){key, round(value * 1e4) / 1e4};
}

int figures_print(struct cli *c, const struct figures *f)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    if (c->json)
        json_object(&w);
    for (size_t i = 0; i < f->n; i++) {
        if (!c->json) {
            buf_printf(&b, "%-11s %.4f\n", f->items[i].key, f->items[i].value);
            continue;
        }
        json_key(&w, str_c(f->items[i].key));
        json_f64(&w, f->items[i].value);
    }
    if (c->json) {
        json_end(&w, '}');
        buf_add_c(&b, '\n');
    }
    return cli_print(c, &b);
}
