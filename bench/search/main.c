/* main.c - what a search costs:
 *
 *     bench/search [--small] [--big] [--vectors] [--http] [--passages N]
 *
 * The index alone, as the retriever uses it: a question is analysed, its terms
 * are looked up, the best 200 passages found, pairs of words counted.  Beside
 * it the same questions by SQLite's FTS5 in memory.  CPU time of one thread
 * each, so that other load on the machine is not measured.  Then a server over
 * HTTP (http.c), beside FTS5 and PostgreSQL where TEST_POSTGRES names the
 * folder of a server's socket: `tools/cluster run` provides one. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "retrieve/search/query.h"

enum { SLICE = 50000, SLICES_MAX = 64 };
#define SCRATCH_BYTES ((size_t)64 << 20)

/* ---- The index ---------------------------------------------------------- */

static struct segment *build_slice(struct text *t, struct builder *b,
                                   uint32_t from, uint32_t to)
{
    struct buf text = BUF(1 << 20);
    struct segment *s = NULL;

    for (uint32_t i = from; i < to; i++) {
        struct segment_document d = {.key = i / DOCUMENT + 1,
                                     .version = 1,
                                     .kind = 5,
                                     .language = LANGUAGE_EN};

        if (i % DOCUMENT == 0)
            must(builder_document(b, &d, STR_NONE, NULL) == FOOTNOTE_OK,
                 "no memory");
        buf_reset(&text);
        text_passage(t, i, &text);
        must(builder_passage(b, i % DOCUMENT + 1, STR_NONE, buf_str(&text),
                             false, NULL) == FOOTNOTE_OK,
             "no memory");
    }
    must(builder_finish(b, NULL, &s, NULL) == FOOTNOTE_OK, "no memory");
    buf_free(&text);
    return s;
}

static struct segment *build(struct text *t, struct analyser *a, uint32_t n)
{
    struct segment *slices[SLICES_MAX], *whole = NULL;
    struct segment_input in[SLICES_MAX];
    struct builder *b = NULL;
    size_t slices_n = 0;

    must(builder_open(a, &b, NULL) == FOOTNOTE_OK, "no memory");
    for (uint32_t i = 0; i < n; i += SLICE) {
        slices[slices_n] = build_slice(t, b, i, i + SLICE < n ? i + SLICE : n);
        in[slices_n] = (struct segment_input){slices[slices_n], NULL};
        slices_n++;
    }
    builder_close(b);
    must(segment_merge(in, slices_n, NULL, &whole, NULL) == FOOTNOTE_OK,
         "no memory");
    for (size_t i = 0; i < slices_n; i++)
        segment_drop(slices[i]);
    return whole;
}

static struct segment *reopen(struct segment *s)
{
    const struct sha256 course = {{0}};
    char path[] = "/tmp/footnote-bench-XXXXXX";
    struct segment *again = NULL;
    int fd = mkstemp(path);
    double start;

    must(fd >= 0, "no temporary file");
    close(fd);
    must(segment_save(s, path, &course, NULL) == FOOTNOTE_OK, "cannot save");
    start = cpu_ms();
    must(segment_load(path, &course, &again, NULL) == FOOTNOTE_OK,
         "cannot load");
    printf("  reopened      %8.0f ms   (wanted 2000)\n", cpu_ms() - start);
    segment_drop(s);
    unlink(path);
    return again;
}

static double ask(const struct segment *s, struct analyser *a,
                  struct arena *scratch, struct str question, int64_t document)
{
    struct segment_range range = {s, NULL, 0, s->passages_n};
    struct query q = {.arena = scratch,
                      .scratch = scratch,
                      .analyser = a,
                      .ranges = &range,
                      .ranges_n = 1};
    struct ranked ranked[QUERY_TOP];
    double start = cpu_ms();
    size_t n = 0;

    if (document) {
        uint32_t d = segment_document(s, document);

        range.from = s->documents[d].first;
        range.to = s->documents[d + 1].first;
    }
    must(query_init(&q, NULL) == FOOTNOTE_OK &&
             query_add_text(&q, question, false, NULL) == FOOTNOTE_OK &&
             rank_top(&q, ranked, QUERY_TOP, &n, NULL) == FOOTNOTE_OK,
         "a search failed");
    rank_proximity(&q, ranked, n);
    must(n > 0, "a search found nothing");
    return cpu_ms() - start;
}

static void ask_all(const struct segment *s, struct analyser *a, struct text *t,
                    bool scoped, struct times *out)
{
    struct arena scratch = ARENA(SCRATCH_BYTES);
    struct buf b = BUF(1 << 16);

    out->n = 0;
    for (uint32_t k = 0; k < QUESTIONS; k++) {
        uint32_t i = asked_about(k, s->passages_n);

        buf_reset(&b);
        text_question(t, i, false, &b);
        arena_reset(&scratch);
        out->ms[out->n++] = ask(s, a, &scratch, buf_str(&b),
                                scoped ? (int64_t)(i / DOCUMENT) + 1 : 0);
    }
    arena_free(&scratch);
    buf_free(&b);
}

/* ---- All of it ---------------------------------------------------------- */

static void measure(uint32_t n, const char *wanted, bool fts)
{
    struct text *t = text_open();
    struct analyser *a = NULL;
    struct times *times = calloc(1, sizeof(*times));
    struct segment *s;
    double start = cpu_ms(), ours;

    must(t && times && analyser_open(&a, NULL) == FOOTNOTE_OK, "no memory");
    s = build(t, a, n);
    printf("%u passages of about %d words\n", n, PASSAGE_WORDS);
    printf("  built         %8.0f ms   with the time to make the text\n",
           cpu_ms() - start);
    printf("  a passage     %8.0f bytes (wanted 400)\n",
           (double)s->bytes / (double)n);
    s = reopen(s);
    ask_all(s, a, t, false, times); /* warm */
    ask_all(s, a, t, false, times);
    ours = times_print("search", times, wanted);
    ask_all(s, a, t, true, times);
    times_print("in a document", times, "(wanted p99 1)");
    segment_drop(s);
    if (fts) {
        printf("  ratio         %8.1f        (wanted 10)\n",
               measure_fts(t, n) / ours);
    }
    analyser_close(a);
    text_close(t);
    free(times);
}

/* The whole server, and others beside it. */
static void measure_served(const char *self, uint32_t n)
{
    const char *postgres = getenv("TEST_POSTGRES");
    struct text *t = text_open();
    char program[600];

    must(t != NULL, "no memory");
    program_find(self, program, sizeof(program));
    printf("%u passages over HTTP\n", n);
    measure_http(program, t, n);
    (void)measure_fts(t, n);
    if (postgres)
        measure_postgres(postgres, t, n);
    else
        printf("TEST_POSTGRES is not set: PostgreSQL is NOT measured.  Run "
               "`make bench`, or `tools/cluster run` this.\n");
    text_close(t);
}

int main(int argc, char **argv)
{
    bool small = asked(argc, argv, "--small", false);
    bool vectors = asked(argc, argv, "--vectors", false);
    bool http = asked(argc, argv, "--http", false);
    uint32_t served = small ? 20000 : 250000;

    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--passages") == 0)
            served = (uint32_t)strtoul(argv[i + 1], NULL, 10);
    must(served > 0, "--passages needs a number");
    setvbuf(stdout, NULL, _IOLBF, 0);
    mallopt(M_MMAP_THRESHOLD, 256 << 20);
    if (!http)
        measure_vectors(small ? 20000 : 250000);
    if (vectors)
        return 0;
    if (!http) {
        measure(small ? 20000 : 200000, "(wanted 0.5 and 2.5)", true);
        if (asked(argc, argv, "--big", false))
            measure(1000000, "(wanted p99 8)", false);
    }
    measure_served(argv[0], served);
    return 0;
}
