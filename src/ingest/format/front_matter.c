/* front_matter.c - front matter.  Not YAML: three keys of it, the way people
 * write them. */
#include "ingest/format/front_matter.h"
#include "ingest/text/lines.h"

enum { FRONT_BYTES_MAX = 64 * 1024 };

static struct str unquote(struct str s)
{
    s = lines_trim(s);
    if (s.n >= 2 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.n - 1] == s.p[0])
        s = (struct str){s.p + 1, s.n - 2};
    return s;
}

static void read_line(struct str line, struct front_matter *out)
{
    size_t colon = str_find(line, ':');
    struct str key = {line.p, colon};

    if (colon == line.n)
        return;
    struct str value = unquote(str_skip(line, colon + 1));
    if (value.n == 0)
        return;
    if (lines_same(key, STR("title")))
        out->title = value;
    else if (lines_same(key, STR("date")))
        out->date = value;
    else if (lines_same(key, STR("lang")) || lines_same(key, STR("language")))
        out->language = value;
}

static bool is_end(struct str line)
{
    line = lines_trim(line);
    return str_eq(line, STR("---")) || str_eq(line, STR("..."));
}

void front_matter_take(struct str *text, struct front_matter *out)
{
    struct front_matter found = {STR_NONE, STR_NONE, STR_NONE};
    struct str rest = *text, line;

    *out = found;
    if (!lines_next(&rest, &line) || !str_eq(lines_trim(line), STR("---")))
        return;
    while (lines_next(&rest, &line) && text->n - rest.n <= FRONT_BYTES_MAX) {
        if (is_end(line)) {
            *text = rest;
            *out = found;
            return;
        }
        read_line(line, &found);
    }
}
