/* memory_test.c - each of our allocations fails in turn while a model is
 * asked.  What comes of it is an error, never a crash, a hang or a leak. */
#include <stdlib.h>

#include "scripted_model.h"

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

/* Of this thread, so that the scripted server is spared; 0: none fails. */
static _Thread_local long fail_at, seen;

static bool fails(void)
{
    return fail_at && ++seen == fail_at;
}

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
}

struct heard {
    struct model_end end;
    bool ended;
};

static void on_text(void *arg, struct str delta)
{
    (void)arg;
    CHECK(delta.n > 0);
}

static void on_end(void *arg, const struct model_end *end)
{
    struct heard *h = arg;

    h->ended = true;
    h->end = *end;
}

/* Asks with the n-th allocation failing; false: there are not so many. */
static bool ask_failing(struct scripted_model *l, const char *script, long n)
{
    struct heard h = {.ended = false};
    struct model_events events = {.arg = &h, .text = on_text, .end = on_end};
    struct model_line line = {.role = MODEL_USER, .text = str_c(script)};
    struct model_ask question = {.model = models_find(l->models, STR_NONE),
                                 .lines = &line,
                                 .lines_n = 1,
                                 .tools = true};
    struct model_call *call;
    enum footnote_rc rc;

    seen = 0;
    fail_at = n;
    rc = model_start(l->loop, l->models, &question, &events, &call, NULL);
    while (rc == FOOTNOTE_OK && !h.ended)
        uv_run(&l->uv, UV_RUN_ONCE);
    fail_at = 0;
    CHECK(rc == FOOTNOTE_OK || rc == FOOTNOTE_NOMEM);
    if (rc == FOOTNOTE_OK && !h.end.ok)
        CHECK_STR(h.end.code, "internal");
    CHECK(seen >= n || (rc == FOOTNOTE_OK && h.end.ok));
    return seen >= n;
}

TEST(a_call_survives_each_allocation_that_fails)
{
    static const char *const scripts[] = {
        "script:plain", "script:q11_call_in_pieces", "script:q12_no_index",
        "script:q25_json_answer", "script:q26_extra_content"};

    for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
        AUTO(scripted_model_close) struct scripted_model l;
        AUTO(answer_free) struct answer first = {.on_text = NULL};
        long n = 1;

        scripted_model_open(&l);
        l.config.model_retries = 0;
        ask(&l, &first, "plain");
        wait_end(&first);
        while (ask_failing(&l, scripts[i], n))
            n++;
        CHECK(n > 5);
    }
}
