/* librechat.c - conversations of LibreChat: its export, or its MongoDB.
 *
 *     conversations.jsonl    a conversation each, maybe with its messages
 *     messages.jsonl         a message each, with its conversationId
 *
 * What tools found is attached to the answer.  Anchors in the text name a tool
 * call and a place in its list: characters of their own, or their escapes. */
#include "import/message.h"
#include "import/passage.h"
#include "import/rewrite.h"
#include "import/staged.h"
#include "import/tree.h"
#include "import/value.h"

enum { CONVERSATIONS, MESSAGES };
enum { FOUND_MAX = 1000, TEXT_DEPTH_MAX = 200 };

/* What an anchor may name. */
struct place {
    const struct json *attachment;
    struct str kind; /* as anchors write it */
    int64_t index;
};
struct citing {
    struct import *im;
    const struct row *row;
    struct place places[FOUND_MAX]; /* the k-th has number k + 1 */
    struct found found[FOUND_MAX];
    size_t n;
    const struct json *files; /* that a "file" is of, at this place */
    struct str lost;          /* an anchor that names nothing */
};

/* ---- Sources ------------------------------------------------------------- */

static enum footnote_rc add_one(struct citing *c, const struct json *attachment,
                                struct str kind, int64_t index,
                                const struct json *o, struct footnote_err *err)
{
    struct passage p = {.document = TEXT_OF(o, "fileId"),
                        .title = TEXT_OF(o, "fileName", "title"),
                        .url = TEXT_OF(o, "link", "url"),
                        .text = TEXT_OF(o, "content", "snippet")};
    const struct json *pages = FIELD(o, "pages");
    struct found *f = &c->found[c->n];

    if (c->n == FOUND_MAX)
        return row_refuse(c->im, c->row, err, "over %d sources of one message",
                          FOUND_MAX);
    if (pages && pages->type == JSON_ARRAY)
        p.has_page = value_whole(pages->first, &p.page);
    p.has_score = value_number(FIELD(o, "relevance"), &p.score);
    TRY(passage_found(c->im, c->row, &p, f, err));
    c->places[c->n++] =
        (struct place){.attachment = attachment, .kind = kind, .index = index};
    /* One passage that several calls found is the same, and keeps them all. */
    f->has_number = true;
    f->number = f->created_ms = (int64_t)c->n;
    f->same = arena_printf(c->im->a, "%zu", c->n);
    return arena_rc(c->im->a, err);
}

static enum footnote_rc add_list(struct citing *c,
                                 const struct json *attachment,
                                 const char *kind, const struct json *list,
                                 struct footnote_err *err)
{
    int64_t i = 0;

    if (!list || list->type != JSON_ARRAY)
        return FOOTNOTE_OK;
    for (const struct json *o = list->first; o; o = o->next)
        TRY(add_one(c, attachment, str_c(kind), i++, o, err));
    return FOOTNOTE_OK;
}

static enum footnote_rc add_attachments(struct citing *c,
                                        const struct json *list,
                                        struct footnote_err *err)
{
    size_t files = 0;

    c->n = 0;
    c->files = NULL;
    c->lost = STR_NONE;
    if (!list || list->type != JSON_ARRAY)
        return FOOTNOTE_OK;
    for (const struct json *a = list->first; a; a = a->next) {
        const struct json *web = FIELD(a, "web_search");
        const struct json *file = FIELD(a, "file_search");

        TRY(add_list(c, a, "file", FIELD(file, "sources"), err));
        TRY(add_list(c, a, "search", FIELD(web, "organic"), err));
        TRY(add_list(c, a, "news", FIELD(web, "topStories"), err));
        TRY(add_list(c, a, "ref", FIELD(web, "references"), err));
        files += file != NULL;
        if (file)
            c->files = a;
    }
    if (files > 1)
        c->files = NULL; /* the calls in the text say which */
    return FOOTNOTE_OK;
}

/* ---- Anchors ------------------------------------------------------------- */

/* U+E200 to U+E204, or their escapes: which of them; -1: none. */
static int delimiter(struct str rest, size_t *at)
{
    size_t i = *at;

    if (rewrite_word(rest, &i, STR("\xee\x88")) && i < rest.n &&
        (unsigned char)rest.p[i] >= 0x80 && (unsigned char)rest.p[i] <= 0x84) {
        *at = i + 1;
        return (unsigned char)rest.p[i] - 0x80;
    }
    i = *at;
    if (rewrite_word(rest, &i, STR("\\ue20")) && i < rest.n &&
        rest.p[i] >= '0' && rest.p[i] <= '4') {
        *at = i + 1;
        return rest.p[i] - '0';
    }
    return -1;
}

static bool is_of_turn(const struct citing *c, const struct place *p,
                       int64_t turn)
{
    int64_t its = 0;

    if (str_eq(p->kind, STR("file")))
        return p->attachment == c->files;
    (void)value_whole(FIELD(FIELD(p->attachment, "web_search"), "turn"), &its);
    return its == turn;
}

static size_t number_of(const struct citing *c, struct str kind, int64_t turn,
                        int64_t index)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->places[i].index == index && str_eq(c->places[i].kind, kind) &&
            is_of_turn(c, &c->places[i], turn))
            return i + 1;
    return 0;
}

/* "turn0file3" behind its delimiter. */
static size_t anchor(struct citing *c, struct str rest, size_t i,
                     struct buf *to)
{
    static const char *const kinds[] = {"search", "news", "ref", "file"};
    int64_t turn, index;
    size_t number = 0;

    if (!rewrite_word(rest, &i, STR("turn")) ||
        (turn = rewrite_number(rest, &i)) < 0)
        return 0;
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        size_t behind = i;

        if (!rewrite_word(rest, &behind, str_c(kinds[k])) ||
            (index = rewrite_number(rest, &behind)) < 0)
            continue;
        number = number_of(c, str_c(kinds[k]), turn, index);
        i = behind;
        break;
    }
    if (!number) {
        c->lost = (struct str){rest.p, i};
        return 0;
    }
    buf_printf(to, "[%zu]", number);
    return i;
}

static size_t mark(void *arg, struct str rest, struct buf *to)
{
    size_t i = 0;
    int which = delimiter(rest, &i);

    if (which < 0)
        return 0;
    return which == 2 ? anchor(arg, rest, i, to) : i;
}

/* ---- Text ---------------------------------------------------------------- */

/* {"type": "text", "text": "..."}, or {"value": "..."} in its place. */
static struct str part_text(const struct json *part)
{
    const struct json *text = FIELD(part, "text");

    if (!str_eq(TEXT_OF(part, "type"), STR("text")))
        return STR_NONE;
    return text && text->type == JSON_OBJECT ? TEXT_OF(text, "value")
                                             : value_text(text);
}

static const struct json *files_of_call(const struct json *list, struct str id)
{
    if (!list || list->type != JSON_ARRAY || !id.p)
        return NULL;
    for (const struct json *a = list->first; a; a = a->next)
        if (FIELD(a, "file_search") && str_eq(TEXT_OF(a, "toolCallId"), id))
            return a;
    return NULL;
}

/* What is said behind a call cites what that has found. */
static enum footnote_rc add_parts(struct citing *c, const struct json *parts,
                                  const struct json *attachments,
                                  struct str *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(REWRITTEN_BYTES_MAX);

    for (const struct json *p = parts->first; p; p = p->next) {
        const struct json *files =
            files_of_call(attachments, TEXT_OF(FIELD(p, "tool_call"), "id"));
        struct str text = part_text(p);

        if (files)
            c->files = files;
        if (!text.n)
            continue;
        TRY(rewrite(c->im, text, mark, c, &text, err));
        buf_add(&b, text);
    }
    TRY(buf_rc(&b, err));
    *out = arena_str(c->im->a, buf_str(&b));
    return arena_rc(c->im->a, err);
}

static enum footnote_rc read_answer(struct citing *c, const struct json *o,
                                    struct message *m, struct footnote_err *err)
{
    const struct json *attachments = FIELD(o, "attachments");
    const struct json *parts = FIELD(o, "content");
    struct str text = TEXT_OF(o, "text");

    TRY(add_attachments(c, attachments, err));
    if (parts && parts->type == JSON_ARRAY && parts->n)
        TRY(add_parts(c, parts, attachments, &m->content, err));
    else
        TRY(rewrite(c->im, text.p ? text : STR(""), mark, c, &m->content, err));
    if (!m->content.n && text.n)
        TRY(rewrite(c->im, text, mark, c, &m->content, err));
    if (c->lost.p)
        import_note(c->im, IMPORT_CHANGED, c->row,
                    "message %.*s: an anchor (%.*s) names nothing that was "
                    "found; it stays as it is",
                    STR_ARG(m->id), STR_ARG(c->lost));
    return number_found(c->im, c->found, c->n, &m->sources, &m->sources_n, err);
}

/* ---- Messages ------------------------------------------------------------ */

static enum footnote_rc add_message(struct citing *c, struct tree *t,
                                    const struct json *o,
                                    struct footnote_err *err)
{
    static const char root[] = "00000000-0000-0000-0000-000000000000";
    struct tree_node *node = tree_add(c->im, t);
    const struct json *time = FIELD(o, "createdAt");
    bool is_user = str_eq(TEXT_OF(o, "sender"), STR("User"));
    struct message *m;

    if (!node)
        return err_set(err, FOOTNOTE_TOOBIG, "over %d messages",
                       IMPORT_MESSAGES_MAX);
    m = &node->m.m;
    node->row = c->row;
    node->id = m->id = TEXT_OF(o, "messageId");
    node->parent = TEXT_OF(o, "parentMessageId");
    if (str_eq(node->parent, str_c(root)))
        node->parent = STR_NONE;
    node->shown = m->id.p != NULL;
    (void)value_flag(FIELD(o, "isCreatedByUser"), &is_user);
    m->role = is_user ? FOOTNOTE_USER : FOOTNOTE_ASSISTANT;
    if (time && !value_time(time, &m->created_ms))
        return row_refuse(c->im, c->row, err,
                          "the time of message %.*s is none", STR_ARG(m->id));
    m->content = TEXT_OF(o, "text");
    if (!m->content.p)
        m->content = STR("");
    return is_user ? FOOTNOTE_OK : read_answer(c, o, m, err);
}

/* A list, or a tree of children: parents come first. */
static enum footnote_rc add_messages(struct citing *c, struct tree *t,
                                     const struct json *list, int depth,
                                     struct footnote_err *err)
{
    if (!list || list->type != JSON_ARRAY)
        return FOOTNOTE_OK;
    if (depth > TEXT_DEPTH_MAX)
        return row_refuse(c->im, c->row, err, "over %d messages deep",
                          TEXT_DEPTH_MAX);
    for (const struct json *o = list->first; o; o = o->next) {
        if (!TEXT_OF(o, "messageId").p)
            continue; /* in MongoDB: only the key of its row */
        TRY(add_message(c, t, o, err));
        TRY(add_messages(c, t, FIELD(o, "children"), depth + 1, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read(struct import *im, struct str key,
                             struct import_session *out,
                             struct footnote_err *err)
{
    struct citing *c = arena_new(im->a, struct citing);
    struct rows conversations, messages;
    struct tree t = {.n = 0};

    if (!c)
        return arena_rc(im->a, err);
    c->im = im;
    TRY(staged_rows(im, CONVERSATIONS, key, &conversations, err));
    TRY(staged_rows(im, MESSAGES, key, &messages, err));
    for (size_t i = 0; i < conversations.n; i++) {
        const struct json *o = conversations.items[i].o;

        c->row = &conversations.items[i];
        session_head(out, o);
        if (FIELD(o, "user"))
            out->user = TEXT_OF(o, "user");
        TRY(add_messages(c, &t, FIELD(o, "messages"), 0, err));
        TRY(add_messages(c, &t, FIELD(o, "messagesTree"), 0, err));
    }
    for (size_t i = 0; i < messages.n; i++) {
        c->row = &messages.items[i];
        if (conversations.n)
            TRY(add_message(c, &t, c->row->o, err));
        else
            import_note(im, IMPORT_LEFT_OUT, c->row,
                        "conversation %.*s is not there", STR_ARG(key));
    }
    return tree_end(im, &t, STR_NONE, out, err);
}

const struct import_kind import_librechat = {
    "librechat",
    {{.names = {{"conversations", "conversation"}},
      .key = {{"conversationId"}},
      .id = {{"conversationId"}},
      .needed = true,
      .by_session = true},
     {.names = {{"messages"}},
      .key = {{"conversationId"}},
      .id = {{"messageId"}},
      .by_session = true}},
    read,
    NULL};
