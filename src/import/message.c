/* message.c - messages out of rows. */
#include "import/message.h"

#include <stdlib.h>

#include "http/shape/names.h"
#include "import/value.h"

struct import_message *message_add(struct import *im, struct import_session *s)
{
    /* The list is as long as the next power of two. */
    if ((s->messages_n & (s->messages_n - 1)) == 0 || s->messages_n == 0) {
        size_t room = s->messages_n ? s->messages_n * 2 : 1;
        struct import_message *more =
            room / 2 <= IMPORT_MESSAGES_MAX
                ? arena_many(im->a, room, struct import_message)
                : NULL;

        if (!more)
            return NULL;
        if (s->messages_n)
            memcpy(more, s->messages, s->messages_n * sizeof(*more));
        s->messages = more;
    }
    return &s->messages[s->messages_n++];
}

/* What is said: reasoning and tools have texts as well. */
static struct str part_text(const struct json *part)
{
    struct str type = json_text(part, STR("type"));

    if (part->type == JSON_STR)
        return part->s;
    if (type.p && !str_eq(type, STR("text")) &&
        !str_eq(type, STR("output_text")))
        return STR_NONE;
    return json_text(part, STR("text"));
}

struct str message_text(struct arena *a, const struct json *v)
{
    struct str out = STR("");
    size_t n = 0;
    char *to;

    if (v && v->type == JSON_STR)
        return v->s;
    if (!v || v->type != JSON_ARRAY)
        return v ? v->raw : STR_NONE;
    for (const struct json *part = v->first; part; part = part->next)
        n += part_text(part).n;
    to = n ? arena_raw(a, n) : NULL;
    if (!to)
        return out; /* refused, the arena gives nothing more: no session */
    out = (struct str){to, 0};
    for (const struct json *part = v->first; part; part = part->next) {
        struct str text = part_text(part);

        if (text.n)
            memcpy(to + out.n, text.p, text.n);
        out.n += text.n;
    }
    return out;
}

static bool is_tool(struct str role)
{
    static const char *const words[] = {"tool", "function", "tool_call",
                                        "remove", "developer"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (str_eq(role, str_c(words[i])))
            return true;
    return false;
}

bool role_read(struct str role, enum footnote_role *out)
{
    if (role_parse(role, out))
        return true;
    if (!str_eq(role, STR("bot")) && !str_eq(role, STR("model")))
        return false;
    *out = FOOTNOTE_ASSISTANT;
    return true;
}

enum footnote_rc message_of_row(struct import *im, struct import_session *s,
                                const struct row *row, const struct json *o,
                                struct import_message **out,
                                struct footnote_err *err)
{
    struct str role = TEXT_OF(o, "role", "type", "sender");
    const struct json *time = FIELD(o, "created_at", "createdAt", "timestamp");
    struct message m = {.id =
                            TEXT_OF(o, "id", "message_id", "messageId", "_id")};

    *out = NULL;
    if (is_tool(role))
        return FOOTNOTE_OK;
    if (!m.id.p || !role.p || !role_read(role, &m.role)) {
        import_note(im, IMPORT_LEFT_OUT, row, "%s",
                    !m.id.p   ? "a message has no id"
                    : !role.p ? "a message has no role"
                              : "the role of a message is none of ours");
        return FOOTNOTE_OK;
    }
    if (time && !value_time(time, &m.created_ms))
        return row_refuse(im, row, err, "%.*s is no time",
                          (int)(time->raw.n < 40 ? time->raw.n : 40),
                          time->raw.p);
    m.content = message_text(im->a, FIELD(o, "content", "text", "message"));
    if (!m.content.p)
        m.content = STR("");
    *out = message_add(im, s);
    if (!*out)
        return err_set(err, FOOTNOTE_TOOBIG, "over %d messages",
                       IMPORT_MESSAGES_MAX);
    (*out)->m = m;
    return FOOTNOTE_OK;
}

static int by_time(const void *a, const void *b)
{
    const struct import_message *x = a, *y = b;

    if (x->m.created_ms != y->m.created_ms)
        return x->m.created_ms < y->m.created_ms ? -1 : 1;
    return (x->m.seq > y->m.seq) - (x->m.seq < y->m.seq);
}

void messages_sort(struct import_session *s)
{
    for (size_t i = 0; i < s->messages_n; i++)
        s->messages[i].m.seq = (int64_t)i;
    if (s->messages_n)
        qsort(s->messages, s->messages_n, sizeof(*s->messages), by_time);
}

/* ---- Sessions ------------------------------------------------------------ */

void session_head(struct import_session *s, const struct json *o)
{
    struct str title = TEXT_OF(o, "title", "name", "session_name");
    struct str user = TEXT_OF(o, "user_id", "userId");
    struct str course = TEXT_OF(o, "course_id", "courseId");

    s->is_there = true;
    if (title.p)
        s->title = title;
    if (user.p)
        s->user = user;
    if (course.p)
        s->course = course;
    (void)value_time(FIELD(o, "created_at", "createdAt"), &s->created_ms);
    (void)value_time(FIELD(o, "updated_at", "updatedAt", "last_message_at"),
                     &s->active_ms);
}

void session_course(struct import_session *s)
{
    struct str course = STR_NONE;

    for (size_t i = 0; i < s->messages_n && !s->course.p; i++)
        for (size_t k = 0; k < s->messages[i].m.sources_n; k++) {
            struct str its = s->messages[i].m.sources[k].source.course;

            if (!its.p || (course.p && !str_eq(course, its)))
                return;
            course = its;
        }
    if (!s->course.p)
        s->course = course;
}

/* ---- Rows by message ----------------------------------------------------- */

static int by_message(const void *a, const void *b)
{
    const struct row_by_message *x = a, *y = b;
    int order = str_cmp(x->message, y->message);

    if (order)
        return order;
    return (x->row->line > y->row->line) - (x->row->line < y->row->line);
}

enum footnote_rc group_rows(struct import *im, const struct rows *rows,
                            const struct names *field_names,
                            struct rows_by_message *out,
                            struct footnote_err *err)
{
    out->items = arena_many(im->a, rows->n + 1, struct row_by_message);
    out->n = rows->n;
    if (!out->items)
        return arena_rc(im->a, err);
    for (size_t i = 0; i < rows->n; i++)
        out->items[i] = (struct row_by_message){
            .message = value_text(field(rows->items[i].o, field_names)),
            .row = &rows->items[i]};
    if (rows->n)
        qsort(out->items, out->n, sizeof(*out->items), by_message);
    return FOOTNOTE_OK;
}

struct rows_by_message rows_of(const struct rows_by_message *all,
                               struct str message)
{
    struct rows_by_message found = {.items = all->items};
    size_t from = 0, to = all->n;

    while (from < to) {
        size_t middle = (from + to) / 2;

        if (str_cmp(all->items[middle].message, message) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    found.items += from;
    while (from + found.n < all->n &&
           str_eq(found.items[found.n].message, message))
        found.items[found.n++].used = true;
    return found;
}

void note_unused(struct import *im, const struct rows_by_message *all)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct row_by_message *r = &all->items[i];

        if (r->used)
            continue;
        if (r->message.p)
            import_note(im, IMPORT_LEFT_OUT, r->row,
                        "its session has no answer %.*s", STR_ARG(r->message));
        else
            import_note(im, IMPORT_LEFT_OUT, r->row, "has no message_id");
    }
}
