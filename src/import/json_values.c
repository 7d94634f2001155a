/* json_values.c - finds where values begin and end; the JSON reader says
 * whether they are any. */
#include "import/json_values.h"

#include <errno.h>

/* Where in a value a byte stands. */
struct nesting {
    unsigned depth;
    bool in_string, escaped;
};

static void step(struct nesting *n, int c)
{
    if (n->in_string) {
        n->in_string = n->escaped || c != '"';
        n->escaped = !n->escaped && c == '\\';
    } else if (c == '"') {
        n->in_string = true;
    } else if (c == '{' || c == '[') {
        n->depth++;
    } else if ((c == '}' || c == ']') && n->depth > 0) {
        n->depth--;
    }
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The first byte that is not blank; EOF. */
static int skip_blanks(struct json_values *v)
{
    int c = getc_unlocked(v->file);

    for (; is_blank(c); c = getc_unlocked(v->file))
        v->line += c == '\n';
    return c;
}

/* Whether the first line is a value of its own. */
static bool first_line_is_whole(struct json_values *v)
{
    struct nesting n = {.depth = 0};
    int c = skip_blanks(v);

    if (c == '[')
        return false;
    for (; c != EOF && c != '\n'; c = getc_unlocked(v->file))
        step(&n, c);
    return n.depth == 0 && !n.in_string;
}

enum footnote_rc json_values_open(const char *path, size_t value_bytes_max,
                                  struct json_values *v,
                                  struct footnote_err *err)
{
    *v = (struct json_values){.text = BUF(value_bytes_max), .line = 1};
    v->file = fopen(path, "re");
    if (!v->file)
        return err_set(err,
                       errno == ENOENT ? FOOTNOTE_NOTFOUND : FOOTNOTE_INVALID,
                       "%.120s: %s", path, strerror(errno));
    v->by_line = first_line_is_whole(v);
    rewind(v->file);
    v->line = 1;
    return FOOTNOTE_OK;
}

void json_values_close(struct json_values *v)
{
    if (v->file)
        (void)fclose(v->file);
    buf_free(&v->text);
}

static void read_line(struct json_values *v, int c)
{
    for (; c != EOF && c != '\n'; c = getc_unlocked(v->file))
        buf_add_c(&v->text, (char)c);
    v->line += c == '\n';
}

/* What is no object or list ends where a blank or a comma is. */
static void read_value(struct json_values *v, int c)
{
    struct nesting n = {.depth = 0};

    for (; c != EOF; c = getc_unlocked(v->file)) {
        if (v->text.n && n.depth == 0 && !n.in_string &&
            (c == ',' || c == ']' || is_blank(c))) {
            (void)ungetc(c, v->file);
            return;
        }
        step(&n, c);
        buf_add_c(&v->text, (char)c);
        v->line += c == '\n';
        if (n.depth == 0 && (c == '}' || c == ']'))
            return;
    }
}

enum footnote_rc json_values_next(struct json_values *v, struct str *out,
                                  int64_t *line, struct footnote_err *err)
{
    int c = skip_blanks(v);

    while (!v->by_line && (c == '[' || c == ',' || c == ']')) {
        v->lists += c == '[' ? 1 : c == ']' ? -1 : 0;
        c = skip_blanks(v);
    }
    *out = STR_NONE;
    *line = v->by_line ? v->line : ++v->values;
    buf_reset(&v->text);
    if (c != EOF && v->by_line)
        read_line(v, c);
    else if (c != EOF)
        read_value(v, c);
    if (ferror(v->file))
        return err_set(err, FOOTNOTE_BUSY, "reading line %lld: %s",
                       (long long)v->line, strerror(errno));
    if (c == EOF && v->lists != 0)
        return err_set(err, FOOTNOTE_INVALID,
                       "line %lld: the file ends within its list",
                       (long long)v->line);
    TRY(buf_rc(&v->text, err));
    if (c != EOF)
        *out = buf_str(&v->text);
    return FOOTNOTE_OK;
}
