/* main.c - what a search costs: bench/search [--small] [--big] [--vectors].
 *
 * The index alone, as the retriever uses it: a question is analysed, its terms
 * are looked up, the best 200 passages found, pairs of words counted.  Beside
 * it the same questions by SQLite's FTS5 in memory, without function words,
 * which makes FTS5 faster.  CPU time of one thread each, so that other load on
 * the machine is not measured. */
#include <malloc.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "retrieve/search/query.h"
#include "text.h"
#include "vectors.h"

enum { QUESTIONS = 2000, FTS_QUESTIONS = 100, SLICE = 50000, SLICES_MAX = 64 };
#define SCRATCH_BYTES ((size_t)64 << 20)

static double cpu_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "search: %s\n", what);
    exit(1);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

struct times {
    double ms[QUESTIONS];
    size_t n;
};

static double quantile(struct times *t, double q)
{
    size_t i = (size_t)(q * (double)t->n);

    qsort(t->ms, t->n, sizeof(*t->ms), by_value);
    return t->ms[i < t->n ? i : t->n - 1];
}

/* The passage that question k is about; they are spread over all. */
static uint32_t asked(uint32_t k, uint32_t passages)
{
    return (uint32_t)((uint64_t)k * 2654435761u % passages);
}

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
        uint32_t i = asked(k, s->passages_n);

        buf_reset(&b);
        text_question(t, i, false, &b);
        arena_reset(&scratch);
        out->ms[out->n++] = ask(s, a, &scratch, buf_str(&b),
                                scoped ? (int64_t)(i / DOCUMENT) + 1 : 0);
    }
    arena_free(&scratch);
    buf_free(&b);
}

/* ---- FTS5 --------------------------------------------------------------- */

static sqlite3 *fts_build(struct text *t, uint32_t n)
{
    struct buf b = BUF(1 << 20);
    sqlite3_stmt *add = NULL;
    sqlite3 *db = NULL;

    must(sqlite3_open(":memory:", &db) == SQLITE_OK &&
             sqlite3_exec(db,
                          "CREATE VIRTUAL TABLE p USING fts5(text, "
                          "tokenize='porter unicode61');BEGIN",
                          NULL, NULL, NULL) == SQLITE_OK,
         "no FTS5");
    sqlite3_prepare_v2(db, "INSERT INTO p(rowid, text) VALUES(?, ?)", -1, &add,
                       NULL);
    for (uint32_t i = 0; i < n; i++) {
        buf_reset(&b);
        text_passage(t, i, &b);
        sqlite3_bind_int64(add, 1, i + 1);
        sqlite3_bind_text(add, 2, b.p, (int)b.n, SQLITE_STATIC);
        must(sqlite3_step(add) == SQLITE_DONE, "FTS5 failed");
        sqlite3_reset(add);
    }
    sqlite3_finalize(add);
    sqlite3_exec(db, "COMMIT;INSERT INTO p(p) VALUES('optimize')", NULL, NULL,
                 NULL);
    buf_free(&b);
    return db;
}

static void fts_ask_all(sqlite3 *db, struct text *t, uint32_t passages,
                        struct times *out)
{
    struct buf b = BUF(1 << 16);
    sqlite3_stmt *ask = NULL;

    sqlite3_prepare_v2(
        db, "SELECT rowid FROM p WHERE p MATCH ? ORDER BY rank LIMIT 10", -1,
        &ask, NULL);
    out->n = 0;
    for (uint32_t k = 0; k < FTS_QUESTIONS; k++) {
        double start;

        buf_reset(&b);
        text_question(t, asked(k * (QUESTIONS / FTS_QUESTIONS), passages), true,
                      &b);
        start = cpu_ms();
        sqlite3_bind_text(ask, 1, b.p, (int)b.n, SQLITE_STATIC);
        while (sqlite3_step(ask) == SQLITE_ROW)
            continue;
        sqlite3_reset(ask);
        out->ms[out->n++] = cpu_ms() - start;
    }
    sqlite3_finalize(ask);
    buf_free(&b);
}

/* ---- All of it ---------------------------------------------------------- */

static double p50_of(const char *what, struct times *t, const char *wanted)
{
    double p50 = quantile(t, 0.5);

    printf("  %-13s %8.3f ms p50 %8.3f ms p99   %s\n", what, p50,
           quantile(t, 0.99), wanted);
    return p50;
}

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
    ours = p50_of("search", times, wanted);
    ask_all(s, a, t, true, times);
    p50_of("in a document", times, "(wanted p99 1)");
    segment_drop(s);
    if (fts) {
        sqlite3 *db = fts_build(t, n);

        fts_ask_all(db, t, n, times);
        printf("  ratio         %8.1f        (wanted 10)\n",
               p50_of("FTS5", times, "") / ours);
        sqlite3_close(db);
    }
    analyser_close(a);
    text_close(t);
    free(times);
}

int main(int argc, char **argv)
{
    bool small = false, big = false, vectors = false;

    for (int i = 1; i < argc; i++) {
        small |= strcmp(argv[i], "--small") == 0;
        big |= strcmp(argv[i], "--big") == 0;
        vectors |= strcmp(argv[i], "--vectors") == 0;
    }
    mallopt(M_MMAP_THRESHOLD, 256 << 20);
    measure_vectors(small ? 20000 : 250000, 384);
    if (vectors)
        return 0;
    measure(small ? 20000 : 200000, "(wanted 0.5 and 2.5)", true);
    if (big)
        measure(1000000, "(wanted p99 8)", false);
    return 0;
}
