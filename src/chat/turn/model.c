/* model.c - what the model says, and what it asks for.
 *
 * A model may ask for searches instead of ending.  They are run one after
 * another, each is an event of its own with its own commit, and then the model
 * is asked again with what was found.  Its arguments are a stranger's input: a
 * search can only be narrowed, never widened, and the count is bounded. */
#include "chat/turn/model.h"

#include "base/json.h"
#include "chat/turn/extractive.h"
#include "chat/turn/prompt.h"
#include "chat/turn/search.h"
#include "chat/turn/text.h"
#include "chat/turn/turn.h"
#include "store/document/filter.h"
#include "store/document/kind.h"

static struct str finish_word(enum model_finish f)
{
    switch (f) {
    case MODEL_FINISH_STOP: return STR("stop");
    case MODEL_FINISH_LENGTH: return STR("length");
    case MODEL_FINISH_FILTER: return STR("content-filter");
    case MODEL_FINISH_TOOLS:
    case MODEL_FINISH_OTHER: break;
    }
    return STR("other");
}

static void ask(struct turn *t);

/* ---- Searches that it asks for ------------------------------------------ */

static struct str absent_if_empty(struct str s)
{
    return s.n ? s : STR_NONE;
}

static bool copy_calls(struct turn *t, const struct model_end *end)
{
    struct arena *a = &t->arena;

    t->calls = arena_many(a, end->calls_n, struct model_tool_call);
    for (size_t i = 0; t->calls && i < end->calls_n; i++)
        t->calls[i] = (struct model_tool_call){
            arena_str(a, end->calls[i].id), arena_str(a, end->calls[i].name),
            arena_str(a, end->calls[i].arguments),
            arena_str(a, end->calls[i].extra)};
    t->calls_n = end->calls_n;
    t->calls_at = 0;
    return !a->failed;
}

/* What the call narrows its search to, inside of what the question is limited
 * to: a document outside of that is none.  NULL: what it says cannot be. */
static const struct search_filter *read_filter(struct turn *t,
                                               const struct json *o)
{
    struct search_filter *f = arena_new(&t->arena, struct search_filter);
    struct str *document = arena_new(&t->arena, struct str);
    const struct json *kinds = json_get(o, STR("kinds"));
    enum document_kind kind;

    if (!f || !document)
        return NULL;
    *document = json_text(o, STR("documentId"));
    f->documents = document;
    f->documents_n = document->n > 0;
    f->from = absent_if_empty(json_text(o, STR("dateFrom")));
    f->to = absent_if_empty(json_text(o, STR("dateTo")));
    if (kinds && kinds->type == JSON_ARRAY)
        for (const struct json *v = kinds->first; v; v = v->next) {
            if (v->type != JSON_STR || !document_kind_parse(v->s, &kind))
                return NULL;
            f->kinds |= KIND_BIT(kind);
        }
    return filter_check(f, NULL) == FOOTNOTE_OK ? f : NULL;
}

/* Starts the search of the call at calls_at; false with a sentence for the
 * model. */
static bool start_search(struct turn *t, const char **why)
{
    const struct model_tool_call *c = &t->calls[t->calls_at];
    struct json *o = NULL;
    const struct search_filter *within;
    struct str query;

    *why = "There is no tool of that name.";
    if (!str_eq(c->name, STR(MODEL_SEARCH_TOOL)))
        return false;
    *why = "No more searches: answer with what you have.";
    if (t->searches >= CHAT_SEARCHES_MAX)
        return false;
    *why = "The arguments are not a JSON object with a text `query`.";
    if (json_read(&t->arena, c->arguments, &o, NULL) != FOOTNOTE_OK)
        return false;
    query = json_text(o, STR("query"));
    if (query.n == 0 || query.n > RETRIEVE_QUERY_BYTES)
        return false;
    *why = "A kind is slides, lecture, journal, page or text; a day is like "
           "2026-02-26.";
    within = read_filter(t, o);
    if (!within)
        return false;
    t->state = TURN_SEARCHING;
    turn_search(t, query, within);
    return true;
}

/* The next call, or the model again when all are done. */
static void next_call(struct turn *t)
{
    const char *why;

    while (t->calls_at < t->calls_n) {
        struct footnote_err err;

        if (start_search(t, &why))
            return;
        if (prompt_refuse(t, &t->calls[t->calls_at], str_c(why), &err) !=
            FOOTNOTE_OK) {
            turn_no_memory(t);
            return;
        }
        t->calls_at++;
    }
    ask(t);
}

void turn_answer_on(struct turn *t)
{
    struct footnote_err err;

    if (prompt_found(t, &t->calls[t->calls_at], &err) != FOOTNOTE_OK) {
        turn_no_memory(t);
        return;
    }
    t->calls_at++;
    next_call(t);
}

/* ---- What it says ------------------------------------------------------- */

static void on_text(void *arg, struct str delta)
{
    turn_say(arg, delta);
}

static void add_tokens(int64_t *sum, int64_t n)
{
    if (n >= 0)
        *sum = (*sum < 0 ? 0 : *sum) + n;
}

static void on_end(void *arg, const struct model_end *end)
{
    struct turn *t = arg;
    struct footnote_err err;

    t->call = NULL;
    chat_model_ended(t->loop->chat, t->model, end->ok ? NULL : end->code,
                     end->cause, end->status);
    add_tokens(&t->tokens_in, end->tokens_in);
    add_tokens(&t->tokens_out, end->tokens_out);
    if (!end->ok) {
        turn_fail(t, end->code, end->text);
    } else if (end->finish == MODEL_FINISH_TOOLS && end->calls_n > 0 &&
               t->rounds < CHAT_SEARCHES_MAX) {
        if (copy_calls(t, end) && prompt_calls(t, &err) == FOOTNOTE_OK)
            next_call(t);
        else
            turn_no_memory(t);
    } else if (end->finish == MODEL_FINISH_TOOLS &&
               feed_text_bytes(t->feed) == 0) {
        /* It was offered no tool any more, and calls one instead of answering:
         * nothing said is no answer. */
        turn_fail(t, "model_error",
                  "The model kept searching and gave no answer. Try again.");
    } else {
        t->finish_reason = finish_word(end->finish);
        turn_end(t, FOOTNOTE_COMPLETE);
    }
}

/* With the last round no tools are offered, so that it has to answer. */
static void ask(struct turn *t)
{
    struct model_ask a = {.model = t->model,
                          .lines = t->lines,
                          .lines_n = t->lines_n,
                          .tools = t->model->tools &&
                                   ++t->rounds < CHAT_SEARCHES_MAX &&
                                   t->searches < CHAT_SEARCHES_MAX};
    struct model_events events = {.arg = t, .text = on_text, .end = on_end};
    struct footnote_err err;

    turn_forget_search(t);
    t->paused = false;
    if (model_start(t->loop->models, t->loop->chat->options.models, &a, &events,
                    &t->call, &err) != FOOTNOTE_OK)
        turn_fail(t, "model_unavailable", "The model cannot be reached.");
}

/* No document lies in what the question is limited to, and no page came with
 * it: no model is asked, for it would answer from what it has read elsewhere.
 */
static bool nothing_to_read(const struct turn *t)
{
    return t->search->scope_empty && t->page == PAGE_NONE;
}

void turn_answer(struct turn *t)
{
    struct footnote_err err;
    bool ours = t->model->extractive || nothing_to_read(t);
    enum footnote_rc rc =
        ours ? extractive_answer(t, &err) : prompt_first(t, &err);

    if (rc != FOOTNOTE_OK)
        turn_no_memory(t);
    else if (ours)
        turn_end(t, FOOTNOTE_COMPLETE);
    else
        ask(t);
}
