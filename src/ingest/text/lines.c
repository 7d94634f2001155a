/* lines.c - lines, white space and file names. */
#include "ingest/text/lines.h"

#include <strings.h>

bool lines_next(struct str *rest, struct str *line)
{
    if (rest->n == 0)
        return false;
    size_t n = str_find(*rest, '\n');
    *line = (struct str){rest->p, n};
    *rest = str_skip(*rest, n < rest->n ? n + 1 : n);
    if (line->n && line->p[line->n - 1] == '\r')
        line->n--;
    return true;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str lines_trim(struct str s)
{
    while (s.n && is_space(s.p[0]))
        s = str_skip(s, 1);
    while (s.n && is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

void lines_squeeze(struct buf *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++) {
        if (!is_space(b->p[i]))
            b->p[n++] = b->p[i];
        else if (n && b->p[n - 1] != ' ')
            b->p[n++] = ' ';
    }
    b->n = n;
    lines_trim_end(b);
}

void lines_trim_end(struct buf *b)
{
    while (b->n && b->p[b->n - 1] == ' ')
        b->n--;
}

bool lines_begins(struct str s, struct str prefix)
{
    return s.n >= prefix.n &&
           (prefix.n == 0 || strncasecmp(s.p, prefix.p, prefix.n) == 0);
}

bool lines_same(struct str a, struct str b)
{
    return a.n == b.n && lines_begins(a, b);
}

struct str lines_basename(struct str filename)
{
    for (size_t i = filename.n; i > 0; i--) {
        if (filename.p[i - 1] == '/' || filename.p[i - 1] == '\\')
            return str_skip(filename, i);
    }
    return filename;
}

struct str lines_extension(struct str filename)
{
    struct str name = lines_basename(filename);

    for (size_t i = name.n; i > 1; i--) {
        if (name.p[i - 1] == '.')
            return str_skip(name, i);
    }
    return STR("");
}
