/* onyx.c - chats of Onyx: its PostgreSQL, or sessions as its API gives them.
 *
 *     chat_session, chat_message     who said what: a tree with an empty root
 *     chat_message__search_doc       what an answer was given,
 *     search_doc                     and the words of it
 *
 * An answer has its citations by number; what it was given beside them gets
 * the numbers behind. */
#include <ctype.h>

#include "import/message.h"
#include "import/passage.h"
#include "import/rewrite.h"
#include "import/staged.h"
#include "import/tree.h"
#include "import/value.h"

enum { SESSIONS, MESSAGES, LINKS, DOCS };

/* ---- Sources ------------------------------------------------------------- */

struct docs {
    const struct json **items;
    const struct row **rows;
    size_t n;
};

static enum footnote_rc read_doc(struct import *im, const struct row *row,
                                 const struct json *o, struct found *f,
                                 struct footnote_err *err)
{
    struct str document = TEXT_OF(o, "document_id");
    struct str chunk = TEXT_OF(o, "chunk_ind");
    struct passage p = {.document = document,
                        .title =
                            TEXT_OF(o, "semantic_id", "semantic_identifier"),
                        .url = TEXT_OF(o, "link"),
                        .text = TEXT_OF(o, "blurb")};

    p.id = arena_printf(im->a, "%.*s__%.*s", STR_ARG(document), STR_ARG(chunk));
    p.has_score = value_number(FIELD(o, "score"), &p.score);
    return passage_found(im, row, &p, f, err);
}

/* A citation names a row of search_doc, or a document. */
static bool is_cited(const struct json *doc, struct str name)
{
    return str_eq(TEXT_OF(doc, "db_doc_id", "id"), name) ||
           str_eq(TEXT_OF(doc, "document_id"), name);
}

/* What becomes of them: each once, or under every number that names it. */
struct sources {
    struct found *list;
    size_t n;
    bool *used; /* by docs */
};

static enum footnote_rc add_doc(struct import *im, const struct docs *docs,
                                size_t i, struct sources *to,
                                struct footnote_err *err)
{
    struct found *f = &to->list[to->n];

    TRY(read_doc(im, docs->rows[i], docs->items[i], f, err));
    f->created_ms = (int64_t)++to->n; /* their order */
    to->used[i] = true;
    return FOOTNOTE_OK;
}

static enum footnote_rc add_cited(struct import *im, const struct row *row,
                                  const struct json *citations,
                                  const struct docs *docs, struct sources *to,
                                  struct footnote_err *err)
{
    for (const struct json *c = citations->first; c; c = c->next) {
        int64_t number;
        size_t i = 0;

        while (i < docs->n && !is_cited(docs->items[i], value_text(c)))
            i++;
        if (i == docs->n || !str_i64(c->key, &number)) {
            import_note(im, IMPORT_LEFT_OUT, row,
                        "citation %.*s names a document (%.*s) that the answer "
                        "was not given",
                        STR_ARG(c->key), STR_ARG(value_text(c)));
            continue;
        }
        TRY(add_doc(im, docs, i, to, err));
        to->list[to->n - 1].has_number = true;
        to->list[to->n - 1].number = number;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc add_sources(struct import *im, const struct row *row,
                                    const struct json *citations,
                                    const struct docs *docs, struct message *m,
                                    struct footnote_err *err)
{
    bool cited = citations && citations->type == JSON_OBJECT;
    size_t room = docs->n + (cited ? citations->n : 0) + 1;
    struct sources to = {.list = arena_many(im->a, room, struct found),
                         .used = arena_many(im->a, docs->n + 1, bool)};

    if (!to.list || !to.used)
        return arena_rc(im->a, err);
    if (cited)
        TRY(add_cited(im, row, citations, docs, &to, err));
    for (size_t i = 0; i < docs->n; i++)
        if (!to.used[i])
            TRY(add_doc(im, docs, i, &to, err));
    return number_found(im, to.list, to.n, &m->sources, &m->sources_n, err);
}

static enum footnote_rc docs_room(struct import *im, size_t n, struct docs *out,
                                  struct footnote_err *err)
{
    out->n = 0;
    out->items = arena_many(im->a, n + 1, const struct json *);
    out->rows = arena_many(im->a, n + 1, const struct row *);
    return arena_rc(im->a, err);
}

/* By the rows that link an answer with what it was given. */
static enum footnote_rc docs_of_rows(struct import *im, struct str message,
                                     struct docs *out, struct footnote_err *err)
{
    struct rows links, docs;

    TRY(staged_rows(im, LINKS, message, &links, err));
    TRY(docs_room(im, links.n, out, err));
    for (size_t i = 0; i < links.n; i++) {
        struct str id = TEXT_OF(links.items[i].o, "search_doc_id");

        docs.n = 0;
        if (id.p)
            TRY(staged_rows(im, DOCS, id, &docs, err));
        if (docs.n == 0) {
            import_note(im, IMPORT_LEFT_OUT, &links.items[i],
                        "search_doc %.*s is not there", STR_ARG(id));
            continue;
        }
        out->items[out->n] = docs.items[0].o;
        out->rows[out->n++] = &docs.items[0];
    }
    return FOOTNOTE_OK;
}

/* A list, or {"top_documents": a list}. */
static enum footnote_rc docs_of_list(struct import *im, const struct row *row,
                                     const struct json *list, struct docs *out,
                                     struct footnote_err *err)
{
    if (list && list->type == JSON_OBJECT)
        list = FIELD(list, "top_documents");
    if (list && list->type != JSON_ARRAY)
        list = NULL;
    TRY(docs_room(im, list ? list->n : 0, out, err));
    for (const struct json *o = list ? list->first : NULL; o; o = o->next) {
        out->items[out->n] = o;
        out->rows[out->n++] = row;
    }
    return FOOTNOTE_OK;
}

/* ---- Text ---------------------------------------------------------------- */

/* "[[3]](address)" is a 3, when there is one. */
static size_t linked(void *arg, struct str rest, struct buf *to)
{
    const struct message *m = arg;
    size_t i = 0;
    int64_t n;

    if (!rewrite_word(rest, &i, STR("[[")) ||
        (n = rewrite_number(rest, &i)) < 0 ||
        !rewrite_word(rest, &i, STR("]](")))
        return 0;
    while (i < rest.n && rest.p[i] != ')' && rest.p[i] != '\n')
        i++;
    if (i == rest.n || rest.p[i] != ')')
        return 0;
    for (size_t k = 0; k < m->sources_n; k++)
        if (m->sources[k].number == n) {
            buf_printf(to, "[%lld]", (long long)n);
            return i + 1;
        }
    return 0;
}

/* ---- Messages ------------------------------------------------------------ */

static bool read_role(struct import *im, const struct json *o,
                      enum footnote_role *out)
{
    struct str word = TEXT_OF(o, "message_type");
    char *lower = arena_raw(im->a, word.n + 1);

    for (size_t i = 0; lower && i < word.n; i++)
        lower[i] = (char)tolower((unsigned char)word.p[i]);
    return lower && role_read((struct str){lower, word.n}, out) &&
           *out != FOOTNOTE_SYSTEM;
}

static enum footnote_rc add_message(struct import *im, struct tree *t,
                                    const struct row *row, const struct json *o,
                                    bool is_row, struct footnote_err *err)
{
    struct tree_node *node = tree_add(im, t);
    const struct json *citations;
    struct docs docs;
    struct message *m;

    if (!node)
        return err_set(err, FOOTNOTE_TOOBIG, "over %d messages",
                       IMPORT_MESSAGES_MAX);
    m = &node->m.m;
    node->row = row;
    node->id = m->id = TEXT_OF(o, "message_id", "id");
    node->parent = TEXT_OF(o, "parent_message", "parent_message_id");
    node->shown = m->id.p && read_role(im, o, &m->role);
    if (!value_time(FIELD(o, "time_sent"), &m->created_ms) && node->shown)
        return row_refuse(im, row, err, "message %.*s has no time",
                          STR_ARG(m->id));
    m->content = TEXT_OF(o, "message");
    if (!m->content.p)
        m->content = STR("");
    if (!node->shown || m->role != FOOTNOTE_ASSISTANT)
        return FOOTNOTE_OK;
    if (value_parsed(im->a, FIELD(o, "citations"), &citations, NULL) !=
        FOOTNOTE_OK)
        return row_refuse(im, row, err, "citations of message %.*s are no JSON",
                          STR_ARG(m->id));
    TRY(is_row ? docs_of_rows(im, m->id, &docs, err)
               : docs_of_list(im, row, FIELD(o, "context_docs"), &docs, err));
    TRY(add_sources(im, row, citations, &docs, m, err));
    return rewrite(im, m->content, linked, m, &m->content, err);
}

struct step {
    struct str id, parent, next;
};

/* Each message says which of those behind it was the last to be shown. */
static struct str last_shown(const struct step *steps, size_t n)
{
    struct str id = STR_NONE;
    size_t at = n;

    for (size_t i = 0; i < n && at == n; i++)
        if (!steps[i].parent.p)
            at = i;
    for (size_t walked = 0; at < n && walked <= n; walked++) {
        struct str next = steps[at].next;

        id = steps[at].id;
        for (at = 0; at < n && !(next.p && str_eq(steps[at].id, next)); at++)
            ;
    }
    return id;
}

static struct step step_of(const struct json *o)
{
    return (struct step){
        .id = TEXT_OF(o, "message_id", "id"),
        .parent = TEXT_OF(o, "parent_message", "parent_message_id"),
        .next = TEXT_OF(o, "latest_child_message", "latest_child_message_id")};
}

static enum footnote_rc add_head(struct import *im, const struct row *row,
                                 struct import_session *out,
                                 struct footnote_err *err)
{
    bool deleted = false;

    (void)value_flag(FIELD(row->o, "deleted"), &deleted);
    if (deleted)
        return row_refuse(im, row, err, "was deleted there");
    session_head(out, row->o);
    out->title = TEXT_OF(row->o, "description");
    (void)value_time(FIELD(row->o, "time_created"), &out->created_ms);
    (void)value_time(FIELD(row->o, "time_updated"), &out->active_ms);
    return FOOTNOTE_OK;
}

static enum footnote_rc read(struct import *im, struct str key,
                             struct import_session *out,
                             struct footnote_err *err)
{
    struct rows sessions, rows;
    const struct json *list;
    struct tree t = {.n = 0};
    struct step *steps;
    size_t n = 0;

    TRY(staged_rows(im, SESSIONS, key, &sessions, err));
    TRY(staged_rows(im, MESSAGES, key, &rows, err));
    if (sessions.n == 0) {
        for (size_t i = 0; i < rows.n; i++)
            import_note(im, IMPORT_LEFT_OUT, &rows.items[i],
                        "session %.*s is not there", STR_ARG(key));
        return FOOTNOTE_OK;
    }
    TRY(add_head(im, &sessions.items[0], out, err));
    list = FIELD(sessions.items[0].o, "messages");
    if (!list || list->type != JSON_ARRAY)
        list = NULL;
    steps = arena_many(im->a, rows.n + (list ? list->n : 0) + 1, struct step);
    if (!steps)
        return arena_rc(im->a, err);
    for (const struct json *o = list ? list->first : NULL; o; o = o->next) {
        TRY(add_message(im, &t, &sessions.items[0], o, false, err));
        steps[n++] = step_of(o);
    }
    for (size_t i = 0; i < rows.n; i++) {
        TRY(add_message(im, &t, &rows.items[i], rows.items[i].o, true, err));
        steps[n++] = step_of(rows.items[i].o);
    }
    return tree_end(im, &t, last_shown(steps, n), out, err);
}

const struct import_kind import_onyx = {
    "onyx",
    {{.names = {{"chat_session", "chat_sessions"}},
      .key = {{"id", "chat_session_id"}},
      .id = {{"id", "chat_session_id"}},
      .needed = true,
      .by_session = true},
     {.names = {{"chat_message"}},
      .key = {{"chat_session_id"}},
      .id = {{"id"}},
      .columns = {{"id", "chat_session_id", "message", "message_type"}},
      .by_session = true},
     {.names = {{"chat_message__search_doc"}},
      .key = {{"chat_message_id"}},
      .columns = {{"chat_message_id", "search_doc_id"}}},
     {.names = {{"search_doc"}},
      .key = {{"id"}},
      .id = {{"id"}},
      .columns = {{"id", "document_id", "blurb"}}}},
    read,
    NULL};
