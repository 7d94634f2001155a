/* config_fuzz.c - fuzzes the file of settings: no crash on any bytes, keys
 * and values lie in what was read, lines only go forward. */
#include <stdlib.h>

#include "base/utf8.h"
#include "config/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { ARENA_BYTES_MAX = 64 * 1024 * 1024 };

struct seen {
    struct str text;
    int line;
};

static void must(bool holds)
{
    if (!holds)
        abort();
}

static enum footnote_rc see(void *arg, const struct config_key *key,
                            const struct config_value *v,
                            struct footnote_err *err)
{
    struct seen *s = arg;

    (void)err;
    must(key->name.n > 0 && utf8_valid(key->name));
    must(!key->list.p || (key->list.n > 0 && key->item <= s->text.n));
    must(key->line > s->line && (size_t)key->line <= s->text.n + 1);
    s->line = key->line;
    must(v->form == FORM_LIST || v->text.p);
    must(v->form == FORM_LIST || utf8_valid(v->text));
    for (size_t i = 0; i < v->items_n; i++)
        must(v->items[i].p && utf8_valid(v->items[i]));
    return FOOTNOTE_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena a = ARENA(ARENA_BYTES_MAX);
    struct seen s = {.text = {(const char *)data, n}};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = config_parse(&a, s.text, see, &s, &err);

    must(rc == FOOTNOTE_OK || (err.rc == rc && err.text[0]));
    arena_free(&a);
    return 0;
}
