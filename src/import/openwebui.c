/* openwebui.c - chats of Open WebUI: its export, or its database.
 *
 *     chat            a chat each; `chat` is JSON with its messages, a tree
 *     chat_message    newer versions: the same messages, a row each
 *
 * A number in a text is a file or a page, in the order in which their passages
 * were found; the first passage of each gets it, and the others numbers behind
 * them all. */
#include "import/message.h"
#include "import/passage.h"
#include "import/rewrite.h"
#include "import/staged.h"
#include "import/tree.h"
#include "import/value.h"

enum { CHATS, MESSAGES };

/* ---- Sources ------------------------------------------------------------- */

static const struct json *at(const struct json *list, size_t i)
{
    const struct json *v =
        list && list->type == JSON_ARRAY ? list->first : NULL;

    while (v && i--)
        v = v->next;
    return v;
}

struct sources {
    struct found *items;
    size_t n, max;
    struct str ids[STORE_SOURCES_MAX]; /* number k + 1 is ids[k] */
    size_t ids_n;
};

/* The number of the file or page; 0: an earlier passage has it. */
static int64_t number_of(struct sources *all, struct str id)
{
    for (size_t i = 0; i < all->ids_n; i++)
        if (str_eq(all->ids[i], id))
            return 0;
    if (all->ids_n == STORE_SOURCES_MAX)
        return 0;
    all->ids[all->ids_n] = id;
    return (int64_t)++all->ids_n;
}

static enum footnote_rc add_passage(struct import *im, const struct row *row,
                                    const struct json *s, size_t i,
                                    struct str text, struct sources *all,
                                    struct footnote_err *err)
{
    const struct json *source = FIELD(s, "source");
    const struct json *meta = at(FIELD(s, "metadata"), i);
    struct str id = TEXT_OF(meta, "source");
    struct found *f = &all->items[all->n];
    struct passage p = {.text = text, .title = TEXT_OF(meta, "name", "title")};

    if (!id.p)
        id = TEXT_OF(source, "id", "name");
    p.document = TEXT_OF(meta, "file_id", "note_id");
    if (!p.document.p && str_eq(TEXT_OF(source, "type"), STR("file")))
        p.document = TEXT_OF(source, "id");
    p.url = is_web(id) ? id : TEXT_OF(meta, "url");
    if (!is_web(p.url))
        p.url = TEXT_OF(source, "url", "embed_url");
    if (!p.title.p)
        p.title = TEXT_OF(source, "name");
    p.has_page = value_whole(FIELD(meta, "page"), &p.page) && p.page >= 0;
    p.page += p.has_page; /* theirs count from 0 */
    p.has_score = value_number(at(FIELD(s, "distances"), i), &p.score);
    TRY(passage_found(im, row, &p, f, err));
    f->number = number_of(all, id.p ? id : STR("N/A"));
    f->has_number = f->number > 0;
    f->created_ms = (int64_t)++all->n; /* their order */
    return FOOTNOTE_OK;
}

static size_t count_passages(const struct json *list)
{
    size_t n = 0;

    for (const struct json *s = list->first; s; s = s->next) {
        const struct json *texts = FIELD(s, "document");

        n += texts && texts->type == JSON_ARRAY ? texts->n : 0;
    }
    return n;
}

static enum footnote_rc add_sources(struct import *im, const struct row *row,
                                    const struct json *list, struct message *m,
                                    struct footnote_err *err)
{
    struct sources *all = arena_new(im->a, struct sources);

    if (!list || list->type != JSON_ARRAY)
        return FOOTNOTE_OK;
    if (!all)
        return arena_rc(im->a, err);
    all->max = count_passages(list);
    all->items = arena_many(im->a, all->max + 1, struct found);
    if (!all->items)
        return arena_rc(im->a, err);
    for (const struct json *s = list->first; s; s = s->next) {
        const struct json *texts = FIELD(s, "document");
        size_t i = 0;

        if (!texts || texts->type != JSON_ARRAY || texts->n == 0) {
            import_note(im, IMPORT_LEFT_OUT, row,
                        "a source of message %.*s has no passage",
                        STR_ARG(m->id));
            continue;
        }
        for (const struct json *t = texts->first; t; t = t->next, i++)
            TRY(add_passage(im, row, s, i, value_text(t), all, err));
    }
    return number_found(im, all->items, all->n, &m->sources, &m->sources_n,
                        err);
}

/* ---- Messages ------------------------------------------------------------ */

/* "[3#part]" is a 3 as well. */
static size_t suffixed(void *arg, struct str rest, struct buf *to)
{
    size_t i = 1;
    int64_t n;

    (void)arg;
    if (rest.p[0] != '[')
        return 0;
    n = rewrite_number(rest, &i);
    if (n < 0 || i >= rest.n || rest.p[i] != '#')
        return 0;
    while (i < rest.n && i < 100 && rest.p[i] != ']' && rest.p[i] != '\n')
        i++;
    if (i >= rest.n || rest.p[i] != ']')
        return 0;
    buf_printf(to, "[%lld]", (long long)n);
    return i + 1;
}

/* Newer rows have their text in `output` alone. */
static struct str text_of(struct import *im, const struct json *content,
                          const struct json *output)
{
    struct str text = message_text(im->a, content);

    if (!text.p)
        text = STR("");
    if (text.n || !output)
        return text;
    for (const struct json *part = output->first; part; part = part->next)
        if (str_eq(json_text(part, STR("type")), STR("message"))) {
            struct str more = message_text(im->a, FIELD(part, "content"));

            text = text.n ? arena_printf(im->a, "%.*s\n%.*s", STR_ARG(text),
                                         STR_ARG(more))
                          : more;
        }
    return text;
}

/* In a row of SQLite, columns of JSON are texts. */
static enum footnote_rc column(struct import *im, const struct row *row,
                               const struct json *v, const struct json **out,
                               struct footnote_err *err)
{
    *out = v;
    if (!im->is_sqlite || row->table != &im->kind->tables[MESSAGES])
        return FOOTNOTE_OK;
    if (value_parsed(im->a, v, out, NULL) == FOOTNOTE_OK)
        return FOOTNOTE_OK;
    return row_refuse(im, row, err, "%.*s is no JSON", STR_ARG(v->key));
}

static enum footnote_rc add_message(struct import *im, struct tree *t,
                                    const struct row *row, struct str id,
                                    const struct json *o,
                                    struct footnote_err *err)
{
    struct tree_node *node = tree_add(im, t);
    const struct json *time = FIELD(o, "timestamp", "created_at");
    const struct json *content, *output, *sources;
    struct message *m;

    if (!node)
        return err_set(err, FOOTNOTE_TOOBIG, "over %d messages",
                       IMPORT_MESSAGES_MAX);
    m = &node->m.m;
    node->row = row;
    node->id = m->id = id;
    node->parent = TEXT_OF(o, "parentId", "parent_id");
    node->shown = id.p && role_read(TEXT_OF(o, "role"), &m->role);
    if (!node->shown) {
        import_note(im, IMPORT_LEFT_OUT, row,
                    "message %.*s has no role of ours", STR_ARG(id));
        return FOOTNOTE_OK;
    }
    if (time && !value_time(time, &m->created_ms))
        return row_refuse(im, row, err, "the time of message %.*s is none",
                          STR_ARG(id));
    TRY(column(im, row, FIELD(o, "content"), &content, err));
    TRY(column(im, row, FIELD(o, "output"), &output, err));
    TRY(column(im, row, FIELD(o, "sources", "citations"), &sources, err));
    m->content = text_of(im, content, output);
    if (m->role != FOOTNOTE_ASSISTANT)
        return FOOTNOTE_OK;
    TRY(rewrite(im, m->content, suffixed, NULL, &m->content, err));
    return add_sources(im, row, sources, m, err);
}

static enum footnote_rc add_chat(struct import *im, struct tree *t,
                                 const struct row *row, struct str *current,
                                 struct import_session *out,
                                 struct footnote_err *err)
{
    const struct json *chat, *history, *messages;

    if (value_parsed(im->a, FIELD(row->o, "chat"), &chat, NULL) != FOOTNOTE_OK)
        return row_refuse(im, row, err, "chat is no JSON");
    history = FIELD(chat, "history");
    messages = FIELD(history, "messages");
    session_head(out, row->o);
    if (!out->title.p)
        out->title = TEXT_OF(chat, "title");
    *current = TEXT_OF(history, "currentId");
    if (!messages || messages->type != JSON_OBJECT)
        return FOOTNOTE_OK;
    for (const struct json *o = messages->first; o; o = o->next) {
        struct str id = TEXT_OF(o, "id");

        TRY(add_message(im, t, row, id.p ? id : o->key, o, err));
    }
    return FOOTNOTE_OK;
}

static bool is_there(const struct tree *t, size_t n, struct str id)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(t->items[i].id, id))
            return true;
    return false;
}

/* Rows have "CHAT-MESSAGE" for an id. */
static enum footnote_rc add_rows(struct import *im, struct tree *t,
                                 const struct rows *rows, struct str chat,
                                 struct footnote_err *err)
{
    size_t n = t->n;

    for (size_t i = 0; i < rows->n; i++) {
        const struct row *row = &rows->items[i];
        struct str id = TEXT_OF(row->o, "id");

        if (str_starts(id, chat) && id.n > chat.n + 1 && id.p[chat.n] == '-')
            id = str_skip(id, chat.n + 1);
        if (is_there(t, n, id))
            continue;
        TRY(add_message(im, t, row, id, row->o, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read(struct import *im, struct str key,
                             struct import_session *out,
                             struct footnote_err *err)
{
    struct str current = STR_NONE;
    struct rows chats, messages;
    struct tree t = {.n = 0};

    TRY(staged_rows(im, CHATS, key, &chats, err));
    TRY(staged_rows(im, MESSAGES, key, &messages, err));
    if (chats.n == 0) {
        for (size_t i = 0; i < messages.n; i++)
            import_note(im, IMPORT_LEFT_OUT, &messages.items[i],
                        "chat %.*s is not there", STR_ARG(key));
        return FOOTNOTE_OK;
    }
    TRY(add_chat(im, &t, &chats.items[0], &current, out, err));
    TRY(add_rows(im, &t, &messages, key, err));
    return tree_end(im, &t, current, out, err);
}

const struct import_kind import_openwebui = {"openwebui",
                                             {{.names = {{"chat", "chats"}},
                                               .key = {{"id"}},
                                               .id = {{"id"}},
                                               .columns = {{"id", "chat"}},
                                               .needed = true,
                                               .by_session = true},
                                              {.names = {{"chat_message"}},
                                               .key = {{"chat_id"}},
                                               .id = {{"id"}},
                                               .by_session = true}},
                                             read,
                                             NULL};
