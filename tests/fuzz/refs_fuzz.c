/* refs_fuzz.c - fuzzes the packed references of a message: what can be read is
 * packed to the very same bytes again, and its spans are read or refused. */
#include "store/source/refs.h"
#include "store/source/spans.h"
#include "store/store.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { ARENA_BYTES_MAX = 64 * 1024 * 1024 };

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_spans(struct arena *a, struct str packed)
{
    uint32_t *pairs = arena_raw(a, packed.n * sizeof(*pairs));
    struct str again;
    size_t n;

    must(pairs != NULL);
    if (spans_unpack(packed, pairs, &n, NULL) != FOOTNOTE_OK)
        return;
    again = spans_pack(a, pairs, n);
    must(str_eq(again, packed));
}

static bool unpack(struct str packed, struct ref *out, size_t *n)
{
    struct refs r;

    if (refs_begin(&r, packed, NULL) != FOOTNOTE_OK)
        return false;
    while (r.n)
        if (refs_next(&r, &out[(*n)++], NULL) != FOOTNOTE_OK)
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str packed = {(const char *)data, n};
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    struct ref refs[STORE_SOURCES_MAX];
    size_t refs_n = 0;

    if (n == 0 || !unpack(packed, refs, &refs_n))
        return 0;
    must(str_eq(refs_pack(&a, refs, refs_n), packed));
    for (size_t i = 0; i < refs_n; i++)
        check_spans(&a, refs[i].spans);
    return 0;
}
