/* judge.c - a text is judged without a store. */
#include "lib/convert.h"
#include "store/session/message.h"
#include "store/source/verdicts.h"

static enum footnote_rc judge(struct lib_result *r, const char *text,
                              const struct footnote_source *s, size_t s_n,
                              struct footnote_err *err)
{
    struct text_judge op = {.text = str_c(text), .sources_n = s_n};
    struct message m = {.role = FOOTNOTE_ASSISTANT};
    struct reference *sources;

    if (!text)
        return err_field(err, FOOTNOTE_INVALID, "text", "is missing");
    TRY(lib_sources(&r->arena, s, s_n, &op.sources, err));
    op.numbers = arena_many(&r->arena, s_n + 1, uint32_t);
    if (!op.numbers)
        return arena_rc(&r->arena, err);
    TRY(text_judge_alone(&r->arena, &op, err));
    sources = (void *)(uintptr_t)op.sources; /* the arena's, so ours */
    for (size_t i = 0; i < s_n; i++)
        sources[i].number = op.numbers[i];
    m.content = op.text;
    m.sources = op.sources;
    m.sources_n = s_n;
    m.verdicts = &op.record;
    m.verdicts_n = 1;
    m.unknown = op.unknown;
    m.unknown_n = op.unknown_n;
    r->shown.messages_n = 1;
    return lib_messages_out(&r->arena, &m, 1, &r->shown.messages, err);
}

enum footnote_rc footnote_judge(const char *text,
                                const struct footnote_source *s, size_t s_n,
                                struct footnote_result **out,
                                struct footnote_err *err)
{
    struct lib_result *r;
    enum footnote_rc rc;

    *out = NULL;
    TRY(lib_result_new(&r, err));
    rc = judge(r, text, s, s_n, err);
    if (rc == FOOTNOTE_OK)
        *out = &r->shown; /* it is the caller's now */
    else
        footnote_result_free(&r->shown);
    return rc;
}
