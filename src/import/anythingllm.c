/* anythingllm.c - chats of AnythingLLM: its database, or what its API gives.
 *
 *     workspace_chats        a question with its answer each
 *     workspaces             become courses
 *     workspace_threads      their conversations; a workspace has one without
 *                            a thread for each user, and one for each session
 *                            of its API
 *
 * Sources are listed below an answer, whose text has no marks of its own. */
#include "import/message.h"
#include "import/passage.h"
#include "import/staged.h"
#include "import/value.h"

enum { CHATS, WORKSPACES, THREADS };

/* "name:value", when there is one. */
static struct str part(struct arena *a, const char *name, struct str value)
{
    return value.p ? arena_printf(a, "%s:%.*s ", name, STR_ARG(value))
                   : STR("");
}

static struct str key_of(struct arena *a, const struct json *o)
{
    struct str workspace = TEXT_OF(o, "workspaceId", "slug");

    if (TEXT_OF(o, "thread_id").p)
        return part(a, "thread", TEXT_OF(o, "thread_id"));
    if (!workspace.p)
        return STR_NONE;
    return arena_printf(a, "%.*s%.*s%.*s",
                        STR_ARG(part(a, "workspace", workspace)),
                        STR_ARG(part(a, "user", TEXT_OF(o, "user_id"))),
                        STR_ARG(part(a, "api", TEXT_OF(o, "api_session_id"))));
}

/* ---- Sources ------------------------------------------------------------- */

/* What stands before the words of a passage is not said by them. */
static struct str words_of(struct str text)
{
    static const char begin[] = "<document_metadata>";
    static const char end[] = "</document_metadata>";
    const char *at;

    if (!str_starts(text, str_c(begin)))
        return text;
    at = memmem(text.p, text.n, end, strlen(end));
    if (!at)
        return text;
    text = str_skip(text, (size_t)(at - text.p) + strlen(end));
    while (text.n && (unsigned char)text.p[0] <= ' ')
        text = str_skip(text, 1);
    return text;
}

/* "link://https://..." is where the file came from. */
static struct str url_of(const struct json *o)
{
    struct str from = TEXT_OF(o, "chunkSource");

    if (str_starts(from, STR("link://")))
        from = str_skip(from, strlen("link://"));
    return is_web(from) ? from : TEXT_OF(o, "url");
}

static enum footnote_rc add_sources(struct import *im, const struct row *row,
                                    const struct json *list, struct message *m,
                                    struct footnote_err *err)
{
    struct found *found;
    uint32_t last;
    size_t n = 0;

    if (!list || list->type != JSON_ARRAY)
        return FOOTNOTE_OK;
    found = arena_many(im->a, list->n + 1, struct found);
    if (!found)
        return arena_rc(im->a, err);
    TRY(text_last_number(im, m->content, &last, err));
    for (const struct json *o = list->first; o; o = o->next) {
        struct passage p = {.id = TEXT_OF(o, "id"),
                            .title = TEXT_OF(o, "title"),
                            .url = url_of(o),
                            .text = words_of(TEXT_OF(o, "text"))};

        p.has_score = value_number(FIELD(o, "score"), &p.score);
        TRY(passage_found(im, row, &p, &found[n], err));
        found[n].has_number = true;
        found[n].number = (int64_t)last + (int64_t)n + 1;
        found[n].created_ms = (int64_t)n + 1;
        n++;
    }
    return number_found(im, found, n, &m->sources, &m->sources_n, err);
}

/* ---- Messages ------------------------------------------------------------ */

static enum footnote_rc add_message(struct import *im, struct import_session *s,
                                    const struct message *m,
                                    struct message **out,
                                    struct footnote_err *err)
{
    struct import_message *place = message_add(im, s);

    if (!place)
        return err_set(err, FOOTNOTE_TOOBIG, "over %d messages",
                       IMPORT_MESSAGES_MAX);
    place->m = *m;
    if (!m->content.p)
        place->m.content = STR("");
    *out = &place->m;
    return arena_rc(im->a, err);
}

static struct str question_id(struct import *im, struct str id)
{
    return arena_printf(im->a, "%.*s-prompt", STR_ARG(id));
}

/* Whether its user has cleared it away. */
static bool is_cleared(const struct json *o)
{
    const struct json *include = FIELD(o, "include");
    bool flag = true;
    int64_t n;

    if (!value_flag(include, &flag) && value_whole(include, &n))
        flag = n != 0;
    return !flag;
}

static enum footnote_rc add_row(struct import *im, struct import_session *s,
                                const struct row *row, struct footnote_err *err)
{
    const struct json *response;
    struct str id = TEXT_OF(row->o, "id");
    struct message m = {.id = question_id(im, id),
                        .role = FOOTNOTE_USER,
                        .content = TEXT_OF(row->o, "prompt")};
    struct message *placed;

    if (is_cleared(row->o)) {
        import_note(im, IMPORT_LEFT_OUT, row, "was cleared away there");
        return FOOTNOTE_OK;
    }
    if (!id.p || !value_time(FIELD(row->o, "createdAt"), &m.created_ms))
        return row_refuse(im, row, err, "has no %s", id.p ? "time" : "id");
    if (value_parsed(im->a, FIELD(row->o, "response"), &response, NULL) !=
            FOOTNOTE_OK ||
        !response || response->type != JSON_OBJECT)
        return row_refuse(im, row, err, "response is no JSON object");
    TRY(add_message(im, s, &m, &placed, err));
    m.id = id;
    m.role = FOOTNOTE_ASSISTANT;
    m.content = TEXT_OF(response, "text");
    TRY(add_message(im, s, &m, &placed, err));
    return add_sources(im, row, FIELD(response, "sources"), placed, err);
}

/* What GET /api/v1/workspace/{slug}/chats says. */
static enum footnote_rc add_history(struct import *im, struct import_session *s,
                                    const struct row *row,
                                    const struct json *list,
                                    struct footnote_err *err)
{
    for (const struct json *o = list->first; o; o = o->next) {
        struct message m = {.id = TEXT_OF(o, "chatId"),
                            .content = TEXT_OF(o, "content")};
        struct message *placed;

        if (!m.id.p || !role_read(TEXT_OF(o, "role"), &m.role) ||
            !value_time(FIELD(o, "sentAt"), &m.created_ms))
            return row_refuse(im, row, err,
                              "a message has no chatId, role or time");
        if (m.role == FOOTNOTE_USER)
            m.id = question_id(im, m.id);
        TRY(add_message(im, s, &m, &placed, err));
        if (m.role == FOOTNOTE_ASSISTANT)
            TRY(add_sources(im, row, FIELD(o, "sources"), placed, err));
    }
    return FOOTNOTE_OK;
}

/* ---- The session --------------------------------------------------------- */

static enum footnote_rc one_row(struct import *im, size_t table, struct str id,
                                const struct json **out,
                                struct footnote_err *err)
{
    struct rows rows = {.n = 0};

    if (id.p)
        TRY(staged_rows(im, table, id, &rows, err));
    *out = rows.n ? rows.items[0].o : NULL;
    return FOOTNOTE_OK;
}

static struct str or_else(struct str one, struct str other)
{
    return one.p ? one : other;
}

/* A thread has a name of its own; what has none is its workspace's. */
static enum footnote_rc name_it(struct import *im, const struct json *o,
                                struct import_session *s,
                                struct footnote_err *err)
{
    struct str workspace_id = TEXT_OF(o, "workspaceId");
    struct str thread_id = TEXT_OF(o, "thread_id");
    const struct json *workspace, *thread;
    struct str slug;

    TRY(one_row(im, WORKSPACES, workspace_id, &workspace, err));
    TRY(one_row(im, THREADS, thread_id, &thread, err));
    slug = or_else(TEXT_OF(workspace, "slug"),
                   or_else(TEXT_OF(o, "slug"), workspace_id));
    s->is_there = true;
    s->course = slug;
    s->user = TEXT_OF(o, "user_id");
    if (thread_id.p) {
        s->title = TEXT_OF(thread, "name");
        s->id = or_else(TEXT_OF(thread, "slug"),
                        arena_printf(im->a, "thread-%.*s", STR_ARG(thread_id)));
        return arena_rc(im->a, err);
    }
    s->title = TEXT_OF(workspace, "name");
    s->id = arena_printf(im->a, "workspace-%.*s", STR_ARG(slug));
    if (s->user.p)
        s->id = arena_printf(im->a, "%.*s-user-%.*s", STR_ARG(s->id),
                             STR_ARG(s->user));
    if (TEXT_OF(o, "api_session_id").p)
        s->id = arena_printf(im->a, "%.*s-api-%.*s", STR_ARG(s->id),
                             STR_ARG(TEXT_OF(o, "api_session_id")));
    return arena_rc(im->a, err);
}

static enum footnote_rc read(struct import *im, struct str key,
                             struct import_session *out,
                             struct footnote_err *err)
{
    struct rows rows;

    TRY(staged_rows(im, CHATS, key, &rows, err));
    TRY(name_it(im, rows.items[0].o, out, err));
    for (size_t i = 0; i < rows.n; i++) {
        const struct json *history = FIELD(rows.items[i].o, "history");

        TRY(history && history->type == JSON_ARRAY
                ? add_history(im, out, &rows.items[i], history, err)
                : add_row(im, out, &rows.items[i], err));
    }
    out->is_there = out->messages_n > 0;
    messages_sort(out);
    return FOOTNOTE_OK;
}

const struct import_kind import_anythingllm = {
    "anythingllm",
    {{.names = {{"workspace_chats"}},
      .key = {{"workspaceId"}},
      .key_of = key_of,
      .id = {{"id"}},
      .columns = {{"id", "workspaceId", "prompt", "response"}},
      .needed = true,
      .by_session = true},
     {.names = {{"workspaces"}}, .key = {{"id"}}, .id = {{"id"}}},
     {.names = {{"workspace_threads"}}, .key = {{"id"}}, .id = {{"id"}}}},
    read,
    NULL};
