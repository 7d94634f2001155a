/* formats.c - THE TABLE of formats. */
#include "export/export.h"

#define S(text)                                                                \
    {                                                                          \
        "" text, sizeof(text) - 1                                              \
    }

// clang-format off
const struct export_kind export_kinds[EXPORT_FORMATS_N] = {
    [EXPORT_JSON] = {S("json"), S("application/json"), S("json")},
    [EXPORT_JSONL] = {S("jsonl"), S("application/jsonl"), S("jsonl")},
};
// clang-format on

const char *export_words(void)
{
    return "json, jsonl";
}

bool export_parse(struct str word, enum export_format *out)
{
    for (size_t i = 0; i < EXPORT_FORMATS_N; i++)
        if (str_eq(word, export_kinds[i].name)) {
            *out = (enum export_format)i;
            return true;
        }
    return false;
}
