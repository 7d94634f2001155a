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

double figures_area(const double *better, size_t better_n, const double *worse,
                    size_t worse_n)
{
    double sum = 0;

    for (size_t i = 0; i < better_n; i++)
        for (size_t k = 0; k < worse_n; k++)
            sum += better[i] > worse[k] ? 1 : better[i] < worse[k] ? 0 : 0.5;
    return better_n && worse_n ? sum / (double)better_n / (double)worse_n
                               : nan("");
}

int figures_print(struct cli *c, const struct figures *f)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    if (c->json)
        json_object(&w);
    for (size_t i = 0; i < f->n; i++) {
        if (!c->json) {
            buf_printf(&b, "%-13s %.4f\n", f->items[i].key, f->items[i].value);
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
