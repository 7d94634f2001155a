/* metrics_search.c - the servers that searches ask for help, in numbers for
 * Prometheus. */
#include <stdio.h>

#include "http/ops/metrics.h"
#include "retrieve/remote/endpoint.h"
#include "retrieve/retrieve.h"

static const char *const lane_names[ENDPOINT_LANES] = {"questions", "passages"};

static void write_calls(const char *name, const struct endpoint_state *s,
                        size_t lanes, struct buf *b)
{
    char title[64];

    snprintf(title, sizeof(title), "footnote_%s_calls_total", name);
    metrics_comment(b, title, "counter", "Its calls, by how they ended.");
    for (size_t i = 0; i < lanes; i++) {
        const struct endpoint_counts *n = &s->lanes[i];

        buf_printf(b, "%s{for=\"%s\",result=\"answered\"} %llu\n", title,
                   lane_names[i],
                   (unsigned long long)(n->requests - n->failures));
        buf_printf(b, "%s{for=\"%s\",result=\"failed\"} %llu\n", title,
                   lane_names[i], (unsigned long long)n->failures);
    }
    snprintf(title, sizeof(title), "footnote_%s_seconds_total", name);
    metrics_comment(b, title, "counter", "How long they took together.");
    for (size_t i = 0; i < lanes; i++)
        buf_printf(b, "%s{for=\"%s\"} %.3f\n", title, lane_names[i],
                   (double)s->lanes[i].ms / 1000);
}

/* Before the first call nobody knows whether it is up. */
static void write_endpoint(const char *name, struct endpoint *e, size_t lanes,
                           struct buf *b)
{
    struct endpoint_state s;
    char title[64];

    endpoint_look(e, &s);
    write_calls(name, &s, lanes, b);
    snprintf(title, sizeof(title), "footnote_%s_up", name);
    if (s.answered_ms || s.failed_ms)
        metrics_add(b, title, "gauge", "1: its last calls were answered.",
                    !s.failing);
}

void metrics_write_search(struct retriever *r, struct buf *b)
{
    struct retriever_progress p;

    metrics_add(b, "footnote_index_files_damaged_total", "counter",
                "Index files that were damaged, and made again.",
                retriever_damaged(r));
    if (retriever_reranker(r))
        write_endpoint("reranker", retriever_reranker(r), 1, b);
    if (!retriever_progress(r, STR_NONE, STR_NONE, &p))
        return;
    write_endpoint("embedder", retriever_embedder(r), ENDPOINT_LANES, b);
    metrics_add(b, "footnote_vectors", "gauge",
                "Passages that have their vector.", (uint64_t)p.vectors);
    metrics_add(b, "footnote_vectors_missing", "gauge",
                "Passages that wait for theirs.",
                p.passages > p.vectors ? (uint64_t)(p.passages - p.vectors)
                                       : 0);
}
