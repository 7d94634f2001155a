/* calls.c - which tool call a piece belongs to.
 *
 *     index   id               name                     the piece
 *     known   new              -                        begins a call
 *     known   none             another, arguments done  begins a call
 *     known   same or none     -                        goes on
 *     new     -                -                        begins a call
 *     none    known            -                        goes on with that
 *     none    new              -                        begins a call
 *     none    none             some, arguments done     begins a call
 *     none    none             -                        goes on with the last
 *
 * An empty or blank id or name is none. */
#include "model/calls.h"

#include <stdlib.h>

struct call_slot {
    int64_t index; /* -1: none */
    struct buf id, name, arguments, extra;
};

enum { NAME_BYTES_MAX = 256, EXTRA_BYTES_MAX = CALL_BYTES_MAX };

struct call_piece {
    int64_t index;
    struct str id, name;      /* empty: none */
    struct str text;          /* of the arguments */
    const struct json *whole; /* arguments that are an object */
    const struct json *extra;
};

static struct str word_of(const struct json *j)
{
    struct str s = j && j->type == JSON_STR ? j->s : STR("");

    while (s.n && (unsigned char)s.p[0] <= ' ')
        s = str_skip(s, 1);
    return s;
}

static struct call_piece read_piece(const struct json *j)
{
    const struct json *f = json_get(j, STR("function"));
    const struct json *index = json_get(j, STR("index")), *arguments;
    struct call_piece p = {.index = -1, .text = STR("")};

    if (!f || f->type != JSON_OBJECT)
        f = j; /* function_call is not nested */
    if (index && index->type == JSON_I64 && index->i >= 0)
        p.index = index->i;
    p.id = word_of(json_get(j, STR("id")));
    p.name = word_of(json_get(f, STR("name")));
    p.extra = json_get(j, STR("extra_content"));
    arguments = json_get(f, STR("arguments"));
    if (arguments && arguments->type == JSON_STR)
        p.text = arguments->s;
    else if (arguments && arguments->type != JSON_NULL)
        p.whole = arguments;
    return p;
}

/* Whether its arguments are a whole JSON document: more would be another call.
 */
static bool is_complete(const struct call_slot *s, struct arena *scratch)
{
    struct json *doc;

    return s->arguments.n && json_read(scratch, buf_str(&s->arguments), &doc,
                                       NULL) == FOOTNOTE_OK;
}

static struct call_slot *find_last_index(const struct calls *c, int64_t index)
{
    for (size_t i = c->n; i > 0; i--)
        if (c->slots[i - 1].index == index)
            return &c->slots[i - 1];
    return NULL;
}

static struct call_slot *find_id(const struct calls *c, struct str id)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->slots[i].id.n && str_eq(buf_str(&c->slots[i].id), id))
            return &c->slots[i];
    return NULL;
}

/* The table above; NULL: the piece begins a call. */
static struct call_slot *find_call(const struct calls *c,
                                   const struct call_piece *p,
                                   struct arena *scratch)
{
    struct call_slot *s = NULL;

    if (p->index >= 0)
        s = find_last_index(c, p->index);
    else if (p->id.n)
        return find_id(c, p->id);
    else if (c->n)
        s = &c->slots[c->n - 1];
    if (!s)
        return NULL;
    if (p->id.n && s->id.n && !str_eq(buf_str(&s->id), p->id))
        return NULL;
    if (!p->id.n && p->name.n && s->name.n && is_complete(s, scratch))
        return NULL;
    return s;
}

static enum footnote_rc begin_call(struct calls *c, int64_t index,
                                   struct call_slot **out,
                                   struct footnote_err *err)
{
    if (!c->slots)
        c->slots = calloc(CALLS_MAX, sizeof(*c->slots));
    if (!c->slots)
        return err_set(err, FOOTNOTE_NOMEM, "tool calls");
    if (c->n == CALLS_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "more than %d tool calls",
                       CALLS_MAX);
    *out = &c->slots[c->n++];
    **out = (struct call_slot){.index = index,
                               .id = BUF(NAME_BYTES_MAX),
                               .name = BUF(NAME_BYTES_MAX),
                               .arguments = BUF(CALL_BYTES_MAX),
                               .extra = BUF(EXTRA_BYTES_MAX)};
    return FOOTNOTE_OK;
}

static void add_piece(struct call_slot *s, const struct call_piece *p)
{
    if (!s->id.n)
        buf_add(&s->id, p->id);
    if (!s->name.n)
        buf_add(&s->name, p->name);
    buf_add(&s->arguments, p->text);
    if (p->whole) {
        buf_reset(&s->arguments);
        buf_add(&s->arguments, p->whole->raw);
    }
    if (p->extra && p->extra->type != JSON_NULL && !s->extra.n)
        buf_add(&s->extra, p->extra->raw);
}

enum footnote_rc calls_add(struct calls *c, const struct json *piece,
                           struct arena *scratch, struct footnote_err *err)
{
    struct call_piece p = read_piece(piece);
    struct call_slot *s = find_call(c, &p, scratch);

    if (!s)
        TRY(begin_call(c, p.index, &s, err));
    add_piece(s, &p);
    TRY(buf_rc(&s->id, err));
    TRY(buf_rc(&s->name, err));
    TRY(buf_rc(&s->extra, err));
    return buf_rc(&s->arguments, err);
}

enum footnote_rc calls_list(const struct calls *c, struct arena *a,
                            const struct model_tool_call **out, size_t *n,
                            struct footnote_err *err)
{
    struct model_tool_call *list =
        arena_many(a, c->n + 1, struct model_tool_call);

    if (!list)
        return arena_rc(a, err);
    for (size_t i = 0; i < c->n; i++) {
        const struct call_slot *s = &c->slots[i];

        list[i].id =
            s->id.n ? buf_str(&s->id) : arena_printf(a, "call_%zu", i + 1);
        list[i].name = s->name.n ? buf_str(&s->name) : STR("");
        list[i].arguments = s->arguments.n ? buf_str(&s->arguments) : STR("{}");
        list[i].extra = s->extra.n ? buf_str(&s->extra) : STR_NONE;
    }
    *out = list;
    *n = c->n;
    return arena_rc(a, err);
}

void calls_free(struct calls *c)
{
    for (size_t i = 0; i < c->n; i++) {
        buf_free(&c->slots[i].id);
        buf_free(&c->slots[i].name);
        buf_free(&c->slots[i].arguments);
        buf_free(&c->slots[i].extra);
    }
    free(c->slots);
    *c = (struct calls){.n = 0};
}
