/* metrics_chat.c - what became of questions, in numbers for Prometheus. */
#include "chat/chat.h"
#include "http/ops/metrics.h"
#include "http/shape/names.h"

#define FIRST    "footnote_answer_first_token_seconds"
#define CITED    "footnote_citations_total"
#define CALLS    "footnote_model_calls_total"
#define VERDICTS "footnote_verdicts_total"
#define LOOKS    "footnote_second_looks_total"

static void write_first(const struct chat_counts *n, struct buf *b)
{
    unsigned long long sum = 0;

    metrics_comment(b, FIRST, "histogram",
                    "From a question to the first text of its answer.");
    for (size_t i = 0; i < CHAT_FIRST_LIMITS; i++) {
        sum += n->first[i];
        buf_printf(b, FIRST "_bucket{le=\"%g\"} %llu\n",
                   (double)chat_first_ms[i] / 1000, sum);
    }
    sum += n->first[CHAT_FIRST_LIMITS];
    buf_printf(b, FIRST "_bucket{le=\"+Inf\"} %llu\n", sum);
    buf_printf(b, FIRST "_sum %.3f\n", (double)n->first_total_ms / 1000);
    buf_printf(b, FIRST "_count %llu\n", sum);
}

static void write_cited(const struct chat_counts *n, struct buf *b)
{
    metrics_comment(b, CITED, "counter", "Sources that answers cite.");
    for (int i = FOOTNOTE_TEXT; i < CHAT_TYPES; i++) {
        struct str kind = source_type_name((enum footnote_type)i);

        buf_printf(b, CITED "{kind=\"%.*s\"} %llu\n", STR_ARG(kind),
                   (unsigned long long)n->cited[i]);
    }
}

static void write_verdicts(const struct chat_counts *n, struct buf *b)
{
    metrics_comment(b, VERDICTS, "counter",
                    "Sentences of answers, by what their sources carry.");
    for (int i = 0; i <= VERDICT_CONTRADICTS; i++) {
        struct str verdict = verdict_name((enum verdict_kind)i);

        buf_printf(b, VERDICTS "{verdict=\"%.*s\"} %llu\n", STR_ARG(verdict),
                   (unsigned long long)n->verdicts[i]);
    }
}

static void write_looks(const struct chat_counts *n, struct buf *b)
{
    static const char *const words[CHAT_LOOKS] = {
        [CHAT_LOOK_KEPT] = "kept",
        [CHAT_LOOK_SKIPPED] = "skipped",
        [CHAT_LOOK_FAILED] = "failed",
        [CHAT_LOOK_UNREADABLE] = "unreadable",
        [CHAT_LOOK_UNSTORED] = "unstored"};

    metrics_comment(b, LOOKS, "counter",
                    "Answers for --verify-model, by what came of it.");
    for (int i = 0; i < CHAT_LOOKS; i++)
        buf_printf(b, LOOKS "{outcome=\"%s\"} %llu\n", words[i],
                   (unsigned long long)n->looks[i]);
}

/* Before the first call nobody knows whether it is up. */
static void write_model(const struct chat *c, const struct chat_counts *n,
                        struct buf *b)
{
    struct chat_model_state state;

    metrics_comment(b, CALLS, "counter", "Calls of models, by how they ended.");
    buf_printf(b, CALLS "{result=\"answered\"} %llu\n",
               (unsigned long long)n->model_answered);
    buf_printf(b, CALLS "{result=\"failed\"} %llu\n",
               (unsigned long long)n->model_failed);
    chat_model_look(c, &state);
    if (state.answered_ms || state.failed_ms)
        metrics_add(b, "footnote_model_up", "gauge",
                    "1: the last call of a model was answered.",
                    !state.failure);
}

void metrics_write_chat(const struct chat *c, struct buf *b)
{
    struct chat_counts n;

    chat_count(c, &n);
    metrics_add(b, "footnote_turns_total", "counter",
                "Questions that were taken on.", n.turns);
    metrics_add(b, "footnote_turns_failed_total", "counter",
                "Answers that ended with an error.", n.failed);
    metrics_add(b, "footnote_turns_running", "gauge",
                "Answers that are being written.", n.running);
    write_model(c, &n, b);
    write_first(&n, b);
    write_cited(&n, b);
    write_verdicts(&n, b);
    write_looks(&n, b);
    metrics_add(b, "footnote_citations_unresolved_total", "counter",
                "Numbers in answers that name no source.", n.unresolved);
}
