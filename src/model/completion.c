/* completion.c - chunks of chat completions, as real servers send them.
 *
 * Nothing is required of a chunk: a key that is null or of another type counts
 * as missing.  Only two things are failures: an error, and text that is not
 * JSON, because skipping it would lose words without a trace. */
#include "model/completion.h"

/* A NUL of one byte becomes a sign of three. */
enum {
    TEXT_BYTES_MAX = 2 * SSE_EVENT_BYTES_MAX,
    CLEAN_BYTES_MAX = 3 * TEXT_BYTES_MAX
};

static struct str text_of(const struct json *j)
{
    return j && j->type == JSON_STR ? j->s : STR("");
}

/* ---- Text ------------------------------------------------------------------
 */

/* A text, or a list of parts; parts that are not text, as thoughts, are left
 * out. */
static void add_content(struct buf *b, const struct json *content)
{
    if (!content)
        return;
    buf_add(b, text_of(content));
    if (content->type != JSON_ARRAY)
        return;
    for (const struct json *p = content->first; p; p = p->next) {
        struct str type = text_of(json_get(p, STR("type")));

        if (type.n == 0 || str_eq(type, STR("text")))
            buf_add(b, text_of(json_get(p, STR("text"))));
    }
}

/* Databases refuse a NUL. */
static void replace_nul(struct buf *b, struct str s)
{
    while (s.n) {
        size_t n = str_find(s, '\0');

        buf_add(b, (struct str){s.p, n});
        s = str_skip(s, n);
        if (s.n) {
            buf_add(b, STR("\xEF\xBF\xBD"));
            s = str_skip(s, 1);
        }
    }
}

static void read_text(struct completion *r, struct arena *scratch,
                      const struct json *delta, struct str *text)
{
    AUTO(buf_free) struct buf raw = BUF(TEXT_BYTES_MAX);
    AUTO(buf_free) struct buf clean = BUF(CLEAN_BYTES_MAX);
    struct str refusal = text_of(json_get(delta, STR("refusal")));

    add_content(&raw, json_get(delta, STR("content")));
    buf_add(&raw, refusal);
    r->refusal = r->refusal || refusal.n > 0;
    if (raw.n == 0)
        return;
    replace_nul(&clean, buf_str(&raw));
    *text = arena_str(scratch, buf_str(&clean));
    if (raw.broken || clean.broken || !text->p) {
        failure_set(&r->failure, FAILURE_NO_MEMORY, STR("text of an answer"));
        *text = STR("");
        return;
    }
    r->began = true;
    r->text_bytes += text->n;
    if (r->text_bytes > r->text_bytes_max)
        failure_set(&r->failure, FAILURE_TOO_LARGE,
                    STR("the answer is over model-bytes-max"));
}

/* ---- Tool calls ------------------------------------------------------------
 */

static void read_calls(struct completion *r, struct arena *scratch,
                       const struct json *delta)
{
    const struct json *list = json_get(delta, STR("tool_calls"));
    const struct json *old = json_get(delta, STR("function_call"));
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = FOOTNOTE_OK;

    if (old && old->type == JSON_OBJECT)
        rc = calls_add(&r->calls, old, scratch, &err);
    if (list && list->type == JSON_ARRAY)
        for (const struct json *p = list->first; p && rc == FOOTNOTE_OK;
             p = p->next)
            rc = p->type == JSON_OBJECT ? calls_add(&r->calls, p, scratch, &err)
                                        : FOOTNOTE_OK;
    r->began = r->began || r->calls.n > 0;
    if (rc != FOOTNOTE_OK)
        failure_set(&r->failure,
                    rc == FOOTNOTE_NOMEM ? FAILURE_NO_MEMORY
                                         : FAILURE_TOO_LARGE,
                    str_c(err.text));
}

/* ---- The end ---------------------------------------------------------------
 */

static void read_finish(struct completion *r, const struct json *choice)
{
    static const struct {
        struct str word;
        enum model_finish finish;
    } words[] = {
        {{"stop", 4}, MODEL_FINISH_STOP},
        {{"length", 6}, MODEL_FINISH_LENGTH},
        {{"content_filter", 14}, MODEL_FINISH_FILTER},
        {{"tool_calls", 10}, MODEL_FINISH_TOOLS},
        {{"function_call", 13}, MODEL_FINISH_TOOLS},
    };
    struct str word = text_of(json_get(choice, STR("finish_reason")));

    if (word.n == 0)
        return;
    r->finished = true;
    r->finish = MODEL_FINISH_OTHER;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (str_eq(word, words[i].word))
            r->finish = words[i].finish;
    if (str_eq(word, STR("error")))
        failure_set(&r->failure, FAILURE_UPSTREAM,
                    STR("finish_reason is error"));
}

static void read_count(int64_t *to, const struct json *j)
{
    if (j && j->type == JSON_I64 && j->i >= 0)
        *to = j->i;
}

/* ---- Chunks ----------------------------------------------------------------
 */

/* The first choice that came is the answer, whatever its number; a choice with
 * another number belongs to another answer. */
static const struct json *our_choice(struct completion *r,
                                     const struct json *doc)
{
    const struct json *list = json_get(doc, STR("choices"));

    if (!list || list->type != JSON_ARRAY)
        return NULL;
    for (const struct json *c = list->first; c; c = c->next) {
        const struct json *index = json_get(c, STR("index"));

        if (c->type != JSON_OBJECT)
            continue;
        if (!index || index->type != JSON_I64)
            return c;
        if (r->choice < 0)
            r->choice = index->i;
        if (r->choice == index->i)
            return c;
    }
    return NULL;
}

/* An error may come together with choices that look well. */
static void read_chunk(struct completion *r, struct arena *scratch,
                       const struct json *doc, struct str *text)
{
    const struct json *usage = json_get(doc, STR("usage"));
    const struct json *choice, *delta;

    if (failure_is_json(doc)) {
        failure_read_json(&r->failure, 200, doc);
        return;
    }
    read_count(&r->tokens_in, json_get(usage, STR("prompt_tokens")));
    read_count(&r->tokens_out, json_get(usage, STR("completion_tokens")));
    choice = our_choice(r, doc);
    if (!choice)
        return;
    delta = json_get(choice, STR("delta"));
    if (!delta || delta->type != JSON_OBJECT)
        delta = json_get(choice, STR("message"));
    read_text(r, scratch, delta, text);
    read_calls(r, scratch, delta);
    read_finish(r, choice);
}

static struct str trim(struct str s)
{
    while (s.n && (unsigned char)s.p[0] <= ' ')
        s = str_skip(s, 1);
    while (s.n && (unsigned char)s.p[s.n - 1] <= ' ')
        s.n--;
    return s;
}

/* The failure is logged, so it must not quote the answer. */
static struct json *read_json(struct completion *r, struct arena *scratch,
                              struct str text)
{
    struct footnote_err err = {.text = ""};
    struct json *doc = NULL;
    enum footnote_rc rc = json_read(scratch, text, &doc, &err);
    bool full = scratch->used_bytes > scratch->max_bytes / 2;

    if (rc == FOOTNOTE_OK)
        return doc;
    if (rc == FOOTNOTE_NOMEM)
        failure_set(&r->failure, full ? FAILURE_TOO_LARGE : FAILURE_NO_MEMORY,
                    STR("an event"));
    failure_set(&r->failure, FAILURE_GARBAGE, str_c(err.text));
    return NULL;
}

void completion_event(struct completion *r, struct arena *scratch,
                      const struct sse_event *e, struct str *text)
{
    struct str data = trim(e->data);
    struct json *doc;

    *text = STR("");
    if (r->done || data.n == 0)
        return;
    if (e->is_error) {
        failure_read(&r->failure, scratch, 200, data);
        return;
    }
    if (str_eq(data, STR("[DONE]"))) {
        r->done = true;
        return;
    }
    doc = read_json(r, scratch, data);
    if (doc)
        read_chunk(r, scratch, doc, text);
}

void completion_document(struct completion *r, struct arena *scratch,
                         struct str body, struct str *text)
{
    const struct json *choices;
    struct json *doc = read_json(r, scratch, trim(body));

    *text = STR("");
    if (!doc)
        return;
    choices = json_get(doc, STR("choices"));
    if (!choices || choices->type != JSON_ARRAY) {
        failure_read_json(&r->failure, 200, doc);
        return;
    }
    read_chunk(r, scratch, doc, text);
    r->done = true;
}

void completion_close(struct completion *r)
{
    if (!r->finished && !r->done)
        failure_set(&r->failure, FAILURE_CUT,
                    STR("the stream ended with neither finish_reason nor "
                        "[DONE]"));
    if (r->refusal)
        r->finish = MODEL_FINISH_FILTER;
    if (r->calls.n)
        r->finish = MODEL_FINISH_TOOLS;
}

void completion_free(struct completion *r)
{
    calls_free(&r->calls);
}
