/* search.c - `footnote search QUERY`: the passages for a question. */
#include <assert.h>

#include "base/json.h"
#include "base/utf8.h"
#include "cli/limits.h"
#include "cli/services.h"
#include "retrieve/retrieve.h"

enum { TEXT_BYTES_MAX = 16 * 1024 * 1024, SHOWN_BYTES = 300 };

static void close_store(struct store **st)
{
    if (*st)
        store_close(*st);
}

static void close_retriever(struct retriever **r)
{
    retriever_close(*r);
}

/* ---- For people --------------------------------------------------------- */

/* One line: control characters become spaces. */
static void add_line(struct buf *b, struct str text, size_t bytes_max)
{
    bool cut = text.n > bytes_max;

    if (cut)
        text.n = utf8_whole((struct str){text.p, bytes_max});
    for (size_t i = 0; i < text.n; i++) {
        bool gap = (unsigned char)text.p[i] < 0x20 || text.p[i] == 0x7f;

        buf_add(b, gap ? STR(" ") : (struct str){text.p + i, 1});
    }
    buf_add(b, cut ? STR("...\n") : STR("\n"));
}

static void show_text(struct buf *b, const struct search *s)
{
    for (size_t i = 0; i < s->hits_n; i++) {
        const struct hit *h = &s->hits[i];
        const struct source *at = &h->source;

        buf_printf(b, "%zu. %.2f  %.*s", i + 1, h->score,
                   STR_ARG(at->title.p ? at->title : h->doc_ref));
        if (at->has_page)
            buf_printf(b, ", page %lld", (long long)at->page);
        else if (at->has_start)
            buf_printf(b, ", %lld:%02lld", (long long)at->start / 60,
                       (long long)at->start % 60);
        else if (at->date.p)
            buf_printf(b, ", %.*s", STR_ARG(at->date));
        buf_add(b, STR("\n   "));
        add_line(b, h->text, SHOWN_BYTES);
    }
    for (size_t i = 0; i < s->repaired_n; i++)
        buf_printf(b, "Searched for \"%.*s\" instead of \"%.*s\".\n",
                   STR_ARG(s->repaired[i].used), STR_ARG(s->repaired[i].typed));
    if (s->scope_empty)
        limits_say_empty(b, s->scope_waits);
    else if (s->hits_n == 0)
        buf_add(b, STR("Nothing was found.\n"));
    else if (s->low_confidence)
        buf_add(b, STR("None of these is likely to answer it.\n"));
}

/* ---- For programs ------------------------------------------------------- */

static void add_text(struct json_out *w, struct str key, struct str value)
{
    json_key(w, key);
    json_str(w, value);
}

static void add_number(struct json_out *w, struct str key, bool has,
                       double value)
{
    json_key(w, key);
    if (has)
        json_f64(w, value);
    else
        json_null(w);
}

/* A source as GET /api/search has it. */
static enum footnote_rc add_hit(struct json_out *w, struct arena *a,
                                const struct hit *h, struct footnote_err *err)
{
    const struct source *s = &h->source;
    struct str key;

    TRY(source_key(a, s, &key, err));
    json_object(w);
    add_text(w, STR("sourceId"), key);
    add_text(w, STR("sourceType"), source_type_name(s->type));
    add_text(w, STR("contentPreview"), s->preview);
    add_text(w, STR("documentId"), s->document);
    add_number(w, STR("slideNumber"), s->has_page, (double)s->page);
    add_text(w, STR("lectureId"), s->lecture);
    add_number(w, STR("startSeconds"), s->has_start, s->start);
    add_number(w, STR("endSeconds"), s->has_end, s->end);
    add_text(w, STR("courseId"), s->course);
    add_text(w, STR("title"), s->title);
    add_text(w, STR("url"), s->url);
    add_number(w, STR("score"), true, h->score);
    add_number(w, STR("coverage"), true, h->coverage);
    json_end(w, '}');
    return FOOTNOTE_OK;
}

static enum footnote_rc show_json(struct buf *b, struct arena *a,
                                  const struct search *s,
                                  struct footnote_err *err)
{
    struct json_out w = JSON_OUT(b);

    json_object(&w);
    json_key(&w, STR("hits"));
    json_array(&w);
    for (size_t i = 0; i < s->hits_n; i++)
        TRY(add_hit(&w, a, &s->hits[i], err));
    json_end(&w, ']');
    json_key(&w, STR("lowConfidence"));
    json_bool(&w, s->low_confidence);
    json_key(&w, STR("scopeEmpty"));
    json_bool(&w, s->scope_empty);
    json_end(&w, '}');
    buf_add_c(b, '\n');
    return FOOTNOTE_OK;
}

/* ---- The verb ----------------------------------------------------------- */

static enum footnote_rc run(struct cli *c, struct search *s, struct buf *b,
                            struct footnote_err *err)
{
    AUTO(close_store) struct store *st = NULL;
    AUTO(close_retriever) struct retriever *r = NULL;
    struct str folder =
        arena_printf(&c->arena, "%.*s/index", STR_ARG(c->config.data));
    struct retriever_options o = services_retriever(&c->config);

    o.folder = folder.p;
    o.only_reads = true; /* a server may be making them */
    assert(s->limit >= 1 && s->limit <= RETRIEVE_HITS_MAX);
    TRY(arena_rc(&c->arena, err));
    TRY(folder_enter_existing(&c->config, err));
    TRY(folder_open_store(&c->arena, &c->config, &st, err));
    if (s->course.p)
        TRY(cli_course(st, s->who, &c->arena, s->course, &s->course, err));
    TRY(retriever_open(st, &o, &r, err));
    TRY(retriever_search(r, &c->arena, s, err));
    if (c->json)
        return show_json(b, &c->arena, s, err);
    show_text(b, s);
    return FOOTNOTE_OK;
}

int verb_search(struct cli *c)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct search s = {.who = {STR("default"), STR("local")}};
    struct limits limits = {.kinds = STR_NONE};
    struct str limit = STR("8");
    const struct cli_option options[] = {
        {.name = "json", .on = &c->json},
        {.name = "course", .text = &s.course},
        {.name = "user", .text = &s.who.user},
        {.name = "tenant", .text = &s.who.tenant},
        {.name = "limit", .text = &limit},
        LIMITS_OPTIONS(&limits)};
    int code = cli_read(c, options, sizeof(options) / sizeof(options[0]));
    struct footnote_err err;
    enum footnote_rc rc;
    int64_t n = 0;

    if (code == CLI_GO_ON)
        code = cli_expect(c, 1, 1, "the question (put it in quotes)");
    if (code == CLI_GO_ON)
        code = limits_read(c, &limits);
    if (code != CLI_GO_ON)
        return code;
    if (!str_i64(limit, &n) || n < 1 || n > RETRIEVE_HITS_MAX)
        return cli_usage(c, "--limit: not 1 to %d", RETRIEVE_HITS_MAX);
    s.limit = (size_t)n;
    s.query = c->operands[0];
    s.filter = &limits.filter;
    rc = run(c, &s, &b, &err);
    return rc == FOOTNOTE_OK ? cli_print(c, &b) : cli_fail(c, rc, &err);
}
