/* golden.c - reads, evens out, compares and writes transcripts. */
#include "golden.h"

#include <ctype.h>

#include "test.h"

enum { LINE_BYTES = 76, INDENT = 2 };

/* ---- Files -------------------------------------------------------------- */

struct str golden_read(struct arena *a, const char *path)
{
    FILE *f = fopen(path, "rb");
    char *bytes = arena_alloc(a, GOLDEN_BYTES_MAX);
    size_t n = f && bytes ? fread(bytes, 1, GOLDEN_BYTES_MAX, f) : 0;

    if (f)
        fclose(f);
    if (n == 0 || n == GOLDEN_BYTES_MAX)
        FAIL("%s cannot be read", path);
    return (struct str){bytes, n};
}

void golden_write(const char *path, struct str text)
{
    FILE *f = fopen(path, "wb");

    if (!f || fwrite(text.p, 1, text.n, f) != text.n || fclose(f) != 0)
        FAIL("%s cannot be written", path);
}

static struct str take_line(struct str *rest)
{
    size_t n = str_find(*rest, '\n');
    struct str line = {rest->p, n};

    *rest = str_skip(*rest, n < rest->n ? n + 1 : n);
    return line;
}

bool golden_next(struct str *rest, struct golden_part *out)
{
    struct str line;

    if (rest->n == 0)
        return false;
    line = take_line(rest);
    out->head = str_starts(line, STR("=== ")) ? str_skip(line, 4) : STR("");
    out->body = (struct str){rest->p, 0};
    if (!out->head.n) /* what stands before the first head */
        out->body = (struct str){line.p, line.n + 1};
    while (rest->n && !str_starts(*rest, STR("=== "))) {
        line = take_line(rest);
        out->body.n += line.n + 1;
    }
    return true;
}

/* The lines that differ are shown, whole: a byte says little. */
void golden_compare(const char *path, struct str got, struct str want)
{
    for (int line = 1; got.n || want.n; line++) {
        struct str a = take_line(&got), b = take_line(&want);

        if (!str_eq(a, b))
            FAIL("%s:%d: UPDATE=1 rewrites it\n  got  %.*s\n  want %.*s", path,
                 line, STR_ARG(a), STR_ARG(b));
    }
}

/* ---- Ids and times ------------------------------------------------------ */

/* `shape` has 0 for a digit, x for a hexadecimal one, all else for itself. */
static bool has_shape(struct str s, const char *shape)
{
    size_t n = strlen(shape);

    if (s.n < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s.p[i];

        if (shape[i] == '0'   ? !isdigit(c)
            : shape[i] == 'x' ? !isxdigit(c)
                              : c != (unsigned char)shape[i])
            return false;
    }
    return true;
}

static const char *const id_shape = "xxxxxxxx-xxxx-7xxx-xxxx-xxxxxxxxxxxx";
static const char *const time_shape = "0000-00-00T00:00:00.000Z";
static const char *const seconds_shape = "\"created\":0000000000";

/* An id is an answer's when it is first met as that. */
static bool is_answer(const struct buf *b)
{
    static const char *const before[] = {"\"messageId\":\"", "message_id\":\"",
                                         "X-Message-Id: "};

    for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
        size_t n = strlen(before[i]);

        if (b->n >= n && memcmp(b->p + b->n - n, before[i], n) == 0)
            return true;
    }
    return false;
}

static const char *name_of(struct golden_names *n, const struct buf *b,
                           struct str id)
{
    const char *kind = is_answer(b) ? "answer" : "id";
    int same = 1;

    for (size_t i = 0; i < n->n; i++) {
        if (memcmp(n->ids[i], id.p, id.n) == 0)
            return n->names[i];
        same += n->names[i][1] == kind[0];
    }
    CHECK(n->n < GOLDEN_NAMES_MAX);
    snprintf(n->ids[n->n], sizeof(n->ids[0]), "%.*s", STR_ARG(id));
    snprintf(n->names[n->n], sizeof(n->names[0]), same > 1 ? "<%s %d>" : "<%s>",
             kind, same);
    return n->names[n->n++];
}

void golden_add_text(struct buf *b, struct golden_names *n, struct str text)
{
    while (text.n) {
        size_t took = 1;

        if (has_shape(text, id_shape)) {
            took = strlen(id_shape);
            buf_add(b, str_c(name_of(n, b, (struct str){text.p, took})));
        } else if (has_shape(text, time_shape)) {
            took = strlen(time_shape);
            buf_add(b, STR("<time>"));
        } else if (has_shape(text, seconds_shape)) {
            took = strlen(seconds_shape);
            buf_add(b, STR("\"created\":<time>"));
        } else {
            buf_add_c(b, *text.p);
        }
        text = str_skip(text, took);
    }
}

/* ---- Streams ------------------------------------------------------------ */

#define DELTA     "data: {\"type\":\"text-delta\",\"id\":\"t0\",\"delta\":\""
#define DELTA_END "\"}\n\n"

/* One event with its blank line. */
static struct str take_event(struct str *rest)
{
    const char *end = memmem(rest->p, rest->n, "\n\n", 2);
    size_t n = end ? (size_t)(end - rest->p) + 2 : rest->n;
    struct str event = {rest->p, n};

    *rest = str_skip(*rest, n);
    return event;
}

/* How text is cut depends on how long the disk takes. */
void golden_add_stream(struct buf *b, struct golden_names *n, struct str body)
{
    AUTO(buf_free) struct buf joined = BUF(GOLDEN_BYTES_MAX);
    bool open = false;

    while (body.n) {
        struct str event = take_event(&body);
        bool delta = str_starts(event, STR(DELTA));

        if (delta && open) {
            joined.n -= sizeof(DELTA_END) - 1;
            event = str_skip(event, sizeof(DELTA) - 1);
        }
        buf_add(&joined, event);
        open = delta;
    }
    golden_add_text(b, n, joined.n ? buf_str(&joined) : STR(""));
}

/* ---- JSON --------------------------------------------------------------- */

static void new_line(struct buf *b, int depth)
{
    buf_add_c(b, '\n');
    for (int i = 0; i < INDENT * depth; i++)
        buf_add_c(b, ' ');
}

static size_t column(const struct buf *b)
{
    const char *line = b->n ? memrchr(b->p, '\n', b->n) : NULL;

    return line ? b->n - (size_t)(line + 1 - b->p) : b->n;
}

static bool is_short(const struct json *v, int depth)
{
    return (v->type != JSON_ARRAY && v->type != JSON_OBJECT) || v->n == 0 ||
           v->key.n + v->raw.n + (size_t)(INDENT * depth) <= LINE_BYTES;
}

/* Short members share lines; a long one has lines of its own. */
static void pretty(struct buf *b, const struct json *v, int depth)
{
    bool object = v->type == JSON_OBJECT, alone = true;

    if (is_short(v, depth)) {
        buf_add(b, v->raw);
        return;
    }
    buf_add_c(b, object ? '{' : '[');
    for (const struct json *m = v->first; m; m = m->next) {
        bool fits = is_short(m, depth + 1);

        if (alone || !fits ||
            column(b) + m->key.n + m->raw.n + INDENT > LINE_BYTES)
            new_line(b, depth + 1);
        if (object) {
            buf_add_json(b, m->key);
            buf_add_c(b, ':');
        }
        pretty(b, m, depth + 1);
        if (m->next)
            buf_add_c(b, ',');
        alone = !fits;
    }
    new_line(b, depth);
    buf_add_c(b, object ? '}' : ']');
}

void golden_add_json(struct buf *b, struct golden_names *n,
                     const struct json *v)
{
    AUTO(buf_free) struct buf lines = BUF(GOLDEN_BYTES_MAX);

    pretty(&lines, v, 0);
    buf_add_c(&lines, '\n');
    golden_add_text(b, n, buf_str(&lines));
}
