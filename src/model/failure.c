/* failure.c - why an answer failed, from what servers say about it.
 *
 * There is no one shape of an error.  Met in the wild: {"error":{message,
 * type, code}}, {"error":"text"}, {"object":"error","message"}, {"message"},
 * {"detail"}, [{"error":...}], an HTML page, nothing; and `code` is a word, a
 * number, or absent.  So words are searched for wherever they may be, and the
 * status decides when none is found. */
#include "model/failure.h"

#include <assert.h>
#include <stdio.h>
#include <strings.h>

#include "base/utf8.h"

/* ---- The table -------------------------------------------------------------
 */

struct failure_row {
    const char *code, *text;
    bool allows_retry;
};

#define LOG_HAS_IT " Whoever runs this server finds the reason in its log."
// clang-format off
static const struct failure_row kinds[] = {
    [FAILURE_NONE] = {"", "", false},
    [FAILURE_UNREACHABLE] = {"model_unavailable",
        "The model cannot be reached right now. Try again in a moment.", true},
    [FAILURE_BUSY] = {"model_unavailable",
        "The model is busy right now. Try again in a moment.", true},
    [FAILURE_LOADING] = {"model_unavailable",
        "The model is still being loaded. Try again in a moment.", true},
    [FAILURE_QUOTA] = {"model_unavailable",
        "The model's quota is used up." LOG_HAS_IT, false},
    [FAILURE_TIMEOUT] = {"model_timeout",
        "The model took too long to answer. Try again.", false},
    [FAILURE_REFUSED] = {"model_refused",
        "The model's server refused the request." LOG_HAS_IT, false},
    [FAILURE_NO_USAGE] = {"model_refused",
        "The model's server refused the request." LOG_HAS_IT, true},
    [FAILURE_NO_TOOLS] = {"model_refused",
        "The model's server refused the request." LOG_HAS_IT, true},
    [FAILURE_CONTEXT] = {"context_too_long",
        "This conversation is too long for the model. Start a new one.",
        false},
    [FAILURE_FILTER] = {"content_filter",
        "The model's provider does not answer this question: its content "
        "filter stopped it.", false},
    [FAILURE_UPSTREAM] = {"model_error",
        "The model failed while it answered. Try again.", false},
    [FAILURE_GARBAGE] = {"model_error",
        "The model sent something that is no answer." LOG_HAS_IT, false},
    [FAILURE_CUT] = {"model_error",
        "The model's answer ended before it was complete. Try again.", false},
    [FAILURE_TOO_LARGE] = {"model_limit",
        "The model's answer was too large and was cut off.", false},
    [FAILURE_NO_MEMORY] = {"internal",
        "The server is out of memory. Try again in a moment.", false},
};
// clang-format on

const char *failure_code(enum failure_kind kind)
{
    assert(kind != FAILURE_NONE);
    return kinds[kind].code;
}

const char *failure_text(enum failure_kind kind)
{
    return kinds[kind].text;
}

bool failure_allows_retry(enum failure_kind kind)
{
    return kinds[kind].allows_retry;
}

void failure_set(struct failure *f, enum failure_kind kind, struct str detail)
{
    size_t max = sizeof(f->detail) - 1;
    struct str cut = {detail.p, detail.n < max ? detail.n : max};

    assert(kind != FAILURE_NONE);
    if (f->kind != FAILURE_NONE)
        return;
    f->kind = kind;
    cut.n = utf8_whole(cut);
    snprintf(f->detail, sizeof(f->detail), "%.*s", STR_ARG(cut));
}

/* ---- Reading an error
 * ----------------------------------------------------------
 */

struct upstream_error {
    struct str message;
    struct str code, type; /* words, "" when absent */
    int64_t number;        /* a code that is a number */
};

static struct str text_of(const struct json *j)
{
    return j && j->type == JSON_STR ? j->s : STR("");
}

/* Of a list, the first error counts; an object may have it in "error". */
static void read_error(const struct json *doc, struct upstream_error *out)
{
    static const struct str places[] = {
        {"message", 7}, {"detail", 6}, {"error", 5}, {"msg", 3}};
    const struct json *e, *code;

    if (doc && doc->type == JSON_ARRAY)
        doc = doc->first;
    e = json_get(doc, STR("error"));
    if (!e || e->type == JSON_NULL)
        e = doc;
    code = json_get(e, STR("code"));
    *out = (struct upstream_error){.message = text_of(e),
                                   .code = text_of(code),
                                   .type = text_of(json_get(e, STR("type")))};
    if (code && code->type == JSON_I64)
        out->number = code->i;
    str_i64(out->code, &out->number);
    for (size_t i = 0; i < 4 && out->message.n == 0; i++) {
        const struct json *m = json_get(e, places[i]);

        out->message = m && m->type != JSON_STR ? m->raw : text_of(m);
    }
    if (out->message.n == 0 && e)
        out->message = e->raw;
}

bool failure_is_json(const struct json *doc)
{
    const struct json *e = json_get(doc, STR("error"));

    if (doc && doc->type == JSON_ARRAY)
        return failure_is_json(doc->first);
    if (e && e->type != JSON_NULL && e->type != JSON_FALSE)
        return true;
    return str_eq(text_of(json_get(doc, STR("object"))), STR("error"));
}

/* ---- Its kind ---------------------------------------------------------
 */

static bool contains(struct str s, const char *word)
{
    size_t n = strlen(word);

    for (size_t i = 0; i + n <= s.n; i++)
        if (strncasecmp(s.p + i, word, n) == 0)
            return true;
    return false;
}

static bool contains_any(struct str s, const char *const *words)
{
    for (; *words; words++)
        if (contains(s, *words))
            return true;
    return false;
}

static bool about_context(const struct upstream_error *s)
{
    static const char *const words[] = {
        "context length",     "context size",   "context window",
        "context_length",     "context_size",   "maximum context",
        "prompt is too long", "too many tokens"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (contains(s->message, words[i]) || contains(s->code, words[i]) ||
            contains(s->type, words[i]))
            return true;
    return false;
}

static bool about_filter(const struct upstream_error *s)
{
    static const char *const words[] = {"content_filter", "content_policy",
                                        "responsibleaipolicy", NULL};

    return contains_any(s->code, words) || contains_any(s->type, words) ||
           contains(s->message, "content management policy");
}

static enum failure_kind by_words(const struct upstream_error *s)
{
    static const char *const busy[] = {"rate_limit", "overloaded",
                                       "unavailable", "server_busy", NULL};

    if (about_context(s))
        return FAILURE_CONTEXT;
    if (about_filter(s))
        return FAILURE_FILTER;
    if (contains(s->code, "insufficient_quota") ||
        contains(s->type, "insufficient_quota"))
        return FAILURE_QUOTA;
    if (contains(s->message, "loading model"))
        return FAILURE_LOADING;
    if (contains_any(s->code, busy) || contains_any(s->type, busy))
        return FAILURE_BUSY;
    return FAILURE_NONE;
}

static enum failure_kind by_status(int64_t status,
                                   const struct upstream_error *s)
{
    if (status == 408)
        return FAILURE_TIMEOUT;
    if (status == 429 || (status >= 500 && status <= 599))
        return FAILURE_BUSY;
    if ((status == 400 || status == 422) &&
        contains(s->message, "stream_options"))
        return FAILURE_NO_USAGE;
    if ((status == 400 || status == 422) && contains(s->message, "tool"))
        return FAILURE_NO_TOOLS;
    if (status >= 300 && status <= 499)
        return FAILURE_REFUSED;
    return FAILURE_UPSTREAM;
}

static void classify(struct failure *f, int status,
                     const struct upstream_error *s)
{
    enum failure_kind kind = by_words(s);
    char detail[sizeof(f->detail)];

    if (kind == FAILURE_NONE)
        kind = by_status(status == 200 ? s->number : status, s);
    snprintf(detail, sizeof(detail), "%d: %.*s", status,
             s->message.n < sizeof(detail) ? (int)s->message.n
                                           : (int)sizeof(detail),
             s->message.n ? s->message.p : "");
    failure_set(f, kind, (struct str){detail, strlen(detail)});
}

void failure_read_json(struct failure *f, int status, const struct json *doc)
{
    struct upstream_error s;

    read_error(doc, &s);
    classify(f, status, &s);
}

void failure_read(struct failure *f, struct arena *scratch, int status,
                  struct str body)
{
    struct upstream_error s = {
        .message = body, .code = STR(""), .type = STR("")};
    struct json *doc = NULL;

    if (json_read(scratch, body, &doc, NULL) == FOOTNOTE_OK)
        read_error(doc, &s);
    classify(f, status, &s);
}
