/* front_matter.c - three keys of YAML, as people write them; no YAML parser. */
#include "ingest/format/front_matter.h"
#include "ingest/text/lines.h"

enum { FRONT_MATTER_BYTES_MAX = 64 * 1024 };

static void read_line(struct str line, struct front_matter *out)
{
    size_t colon = str_find(line, ':');
    struct str key = {line.p, colon};

    if (colon == line.n)
        return;
    struct str value = lines_trim(str_skip(line, colon + 1));
    if (value.n >= 2 && (value.p[0] == '"' || value.p[0] == '\'') &&
        value.p[value.n - 1] == value.p[0])
        value = (struct str){value.p + 1, value.n - 2};
    if (value.n == 0)
        return;
    if (lines_same(key, STR("title")))
        out->title = value;
    else if (lines_same(key, STR("date")))
        out->date = value;
    else if (lines_same(key, STR("lang")) || lines_same(key, STR("language")))
        out->language = value;
}

void front_matter_take(struct str *text, struct front_matter *out)
{
    struct front_matter found = {STR_NONE, STR_NONE, STR_NONE};
    struct str rest = *text, line;

    *out = found;
    if (!lines_next(&rest, &line) || !str_eq(lines_trim(line), STR("---")))
        return;
    while (lines_next(&rest, &line) &&
           text->n - rest.n <= FRONT_MATTER_BYTES_MAX) {
        struct str mark = lines_trim(line);
        if (str_eq(mark, STR("---")) || str_eq(mark, STR("..."))) {
            *text = rest;
            *out = found;
            return;
        }
        read_line(line, &found);
    }
}
