/* index_test.c - segments against a search that looks at every passage. */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "retrieve_help.h"

/* Several windows of rank.c, so that there is something to leave out. */
enum {
    PASSAGES = 20000,
    THIRD = 7000,
    MOST = 19500,
    VOCABULARY = 400,
    TERMS = 6
};

/* ---- Passages made from numbers, and an exhaustive search of them -------- */

static uint32_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

/* Small numbers are frequent. */
static uint32_t draw(uint64_t *seed)
{
    uint32_t limit = 1 + next(seed) % VOCABULARY;

    return next(seed) % (1 + next(seed) % limit);
}

static uint8_t counts[PASSAGES][VOCABULARY];
static uint32_t lengths[PASSAGES];

static const char *make_passage(uint64_t *seed, size_t i)
{
    uint32_t n = 5 + next(seed) % 60;
    struct buf b = BUF(4096);
    struct str text;

    memset(counts[i], 0, sizeof(counts[i]));
    lengths[i] = n;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t word = draw(seed);

        counts[i][word]++;
        buf_printf(&b, "q%uz ", word);
    }
    CHECK_OK(buf_take(&b, &text, &err), &err);
    return text.p;
}

static double oracle_score(const uint32_t *words, size_t words_n, size_t i,
                           const double *df, double live, double average)
{
    double score = 0;

    for (size_t k = 0; k < words_n; k++) {
        double tf = counts[i][words[k]];
        double idf = log(1 + (live - df[k] + 0.5) / (df[k] + 0.5));

        score +=
            idf * 2.2 * tf / (tf + 1.2 * (0.25 + 0.75 * lengths[i] / average));
    }
    return score;
}

static int descending(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? 1 : *x > *y ? -1 : 0;
}

/* The scores of the best, with what is dead or out of range left out; dead
 * passages still count for frequencies, as they do in the index. */
static size_t oracle(const uint32_t *words, size_t words_n,
                     const struct segment_range *scope, double *best)
{
    double df[TERMS] = {0}, average = 0;
    size_t n = 0;

    for (size_t i = 0; i < PASSAGES; i++) {
        average += lengths[i] / (double)PASSAGES;
        for (size_t k = 0; k < words_n; k++)
            df[k] += counts[i][words[k]] > 0;
    }
    for (size_t i = scope->from; i < scope->to; i++) {
        bool dead = scope->dead && (scope->dead[i / 64] >> i % 64 & 1);
        double s = oracle_score(words, words_n, i, df, PASSAGES, average);

        if (!dead && s > 0)
            best[n++] = s;
    }
    qsort(best, n, sizeof(*best), descending);
    return n;
}

static void make_question(uint64_t *seed, uint32_t *words, size_t n, char *text,
                          size_t bytes)
{
    size_t used = 0;

    for (size_t k = 0; k < n; k++) {
        bool again;

        do {
            again = false;
            words[k] = draw(seed);
            for (size_t j = 0; j < k; j++)
                again |= words[j] == words[k];
        } while (again);
        used += (size_t)snprintf(text + used, bytes - used, "q%uz ", words[k]);
    }
}

/* The same scores, best first, for many questions. */
static void compare(const struct segment_range *ranges, size_t ranges_n,
                    const struct segment_range *scope)
{
    static double best[PASSAGES];
    struct ranked ranked[QUERY_TOP];
    uint64_t seed = 99;

    for (int round = 0; round < 100; round++) {
        uint32_t words[TERMS];
        size_t words_n = 1 + next(&seed) % TERMS, max, want, n;
        char question[256];

        make_question(&seed, words, words_n, question, sizeof(question));
        max = round % 3 == 0 ? QUERY_TOP : 1 + next(&seed) % 20;
        want = oracle(words, words_n, scope, best);
        n = rank(ranges, ranges_n, question, ranked, max);
        CHECK_INT(n, want < max ? want : max);
        for (size_t i = 0; i < n; i++)
            if (fabs((double)ranked[i].score - best[i]) > 1e-4 * best[i])
                FAIL("question \"%s\": %zu of %zu has %g, not %g", question, i,
                     n, (double)ranked[i].score, best[i]);
        arena_reset(&out);
    }
}

static struct segment *make_segment(size_t from, size_t to)
{
    static const char *texts[PASSAGES];
    uint64_t seed = 1 + from;
    struct segment *s;

    for (size_t i = from; i < to; i++)
        texts[i] = make_passage(&seed, i);
    s = segment_of((int64_t)from + 1, texts + from, to - from);
    for (size_t i = from; i < to; i++)
        free((void *)(uintptr_t)texts[i]);
    return s;
}

/* ---- Tests --------------------------------------------------------------- */

TEST(the_best_are_those_that_an_exhaustive_search_finds)
{
    struct segment *s = make_segment(0, PASSAGES);
    struct segment_range all = {s, NULL, 0, PASSAGES};

    CHECK_INT(s->passages_n, PASSAGES);
    compare(&all, 1, &all);
    segment_drop(s);
}

TEST(what_is_dead_or_out_of_scope_is_not_found)
{
    struct segment *s = make_segment(0, PASSAGES);
    uint64_t dead[PASSAGES / 64 + 1], seed = 3;
    struct segment_range some = {s, dead, 3000, 17000};

    for (size_t i = 0; i <= PASSAGES / 64; i++)
        dead[i] = (uint64_t)next(&seed) << 32 | next(&seed);
    compare(&some, 1, &some);
    segment_drop(s);
}

TEST(several_segments_are_as_good_as_one)
{
    struct segment *a = make_segment(0, THIRD), *b = make_segment(THIRD, MOST),
                   *c = make_segment(MOST, PASSAGES);
    struct segment_range ranges[] = {{a, NULL, 0, a->passages_n},
                                     {b, NULL, 0, b->passages_n},
                                     {c, NULL, 0, c->passages_n}};
    struct segment_range all = {NULL, NULL, 0, PASSAGES};

    compare(ranges, 3, &all);
    segment_drop(a);
    segment_drop(b);
    segment_drop(c);
}

TEST(merged_segments_are_what_they_were_made_of)
{
    struct segment *b = make_segment(THIRD, MOST), *a = make_segment(0, THIRD),
                   *c = make_segment(MOST, PASSAGES), *whole = NULL;
    struct segment_input in[] = {{b, NULL}, {c, NULL}, {a, NULL}};
    struct segment_range all;

    CHECK_OK(segment_merge(in, 3, NULL, &whole, &err), &err);
    all = (struct segment_range){whole, NULL, 0, PASSAGES};
    CHECK_INT(whole->passages_n, PASSAGES);
    for (uint32_t i = 0; i < PASSAGES; i++)
        CHECK_INT(whole->documents[i].key, i + 1);
    compare(&all, 1, &all);
    segment_drop(a);
    segment_drop(b);
    segment_drop(c);
    segment_drop(whole);
}

TEST(merging_leaves_the_dead_behind)
{
    const char *texts[] = {"red apple", "green apple", "blue plum"};
    struct segment *s = segment_of(1, texts, 3), *rest = NULL;
    uint64_t dead = 2; /* the second */
    struct segment_input in = {s, &dead};
    uint32_t terms[8];

    CHECK_OK(segment_merge(&in, 1, NULL, &rest, &err), &err);
    CHECK_INT(rest->passages_n, 2);
    CHECK_INT(rest->documents_n, 2);
    CHECK_INT(segment_find(rest, STR("green")), NO_TERM);
    CHECK_INT(rest->terms[segment_find(rest, STR("appl"))].df, 1);
    CHECK_INT(segment_forward(rest, 1, terms, 8), 2);
    CHECK_TEXT(segment_word(rest, terms[1]), STR("plum"));
    segment_drop(s);
    segment_drop(rest);
}

static const struct sha256 course_name = {{1}}, another_name = {{2}};

TEST(a_saved_segment_comes_back)
{
    char path[256];
    struct segment *s = make_segment(0, PASSAGES), *again = NULL;
    struct segment_range all;

    snprintf(path, sizeof(path), "%s/a.index", test_dir());
    CHECK_OK(segment_save(s, path, &course_name, &err), &err);
    segment_drop(s);
    CHECK_OK(segment_load(path, &course_name, &again, &err), &err);
    all = (struct segment_range){again, NULL, 0, PASSAGES};
    compare(&all, 1, &all);
    segment_drop(again);
}

static void write_byte(const char *path, long at, int change)
{
    FILE *f = fopen(path, "r+b");
    int c;

    CHECK(f);
    fseek(f, at, SEEK_SET);
    c = fgetc(f);
    fseek(f, at, SEEK_SET);
    fputc(c ^ change, f);
    fclose(f);
}

static long bytes_of(const char *path)
{
    struct stat file;

    CHECK_INT(stat(path, &file), 0);
    return (long)file.st_size;
}

static void refuses(const char *path)
{
    struct segment *s = NULL;

    CHECK_INT(segment_load(path, &course_name, &s, &err), FOOTNOTE_DAMAGED);
    CHECK(!s);
}

TEST(a_damaged_file_is_noticed_wherever_it_is_damaged)
{
    char path[256];
    const char *texts[] = {"red apple", "green apple"};
    struct segment *s = segment_of(1, texts, 2), *again = NULL;
    long bytes;

    snprintf(path, sizeof(path), "%s/a.index", test_dir());
    CHECK_OK(segment_save(s, path, &course_name, &err), &err);
    bytes = bytes_of(path);
    CHECK(bytes > (long)s->bytes);
    for (long at = 0; at < bytes; at++) {
        write_byte(path, at, 1 << at % 8);
        refuses(path);
        write_byte(path, at, 1 << at % 8);
    }
    CHECK_OK(segment_load(path, &course_name, &again, &err), &err);
    segment_drop(again);
    segment_drop(s);
}

TEST(a_file_of_another_length_or_course_is_refused)
{
    char path[256];
    const char *texts[] = {"red apple", "green apple"};
    struct segment *s = segment_of(1, texts, 2);
    long bytes;

    snprintf(path, sizeof(path), "%s/a.index", test_dir());
    CHECK_OK(segment_save(s, path, &another_name, &err), &err);
    refuses(path);
    CHECK_OK(segment_save(s, path, &course_name, &err), &err);
    bytes = bytes_of(path);
    CHECK_INT(truncate(path, bytes + 1), 0);
    refuses(path);
    for (long n = bytes - 1; n >= 0; n -= n > 99 ? 97 : 1) {
        CHECK_INT(truncate(path, n), 0);
        refuses(path);
    }
    CHECK_INT(unlink(path), 0);
    CHECK_INT(mkfifo(path, 0600), 0); /* nobody writes: it must not wait */
    refuses(path);
    segment_drop(s);
}

TEST(an_index_of_nothing_finds_nothing)
{
    struct segment *s = segment_of(1, NULL, 0);
    struct segment_range all = {s, NULL, 0, 0};
    struct ranked ranked[4];

    CHECK_INT(rank(&all, 1, "anything", ranked, 4), 0);
    CHECK_INT(rank(NULL, 0, "anything", ranked, 4), 0);
    CHECK_INT(rank(&all, 1, "", ranked, 4), 0);
    segment_drop(s);
}

TEST(a_passage_takes_few_bytes)
{
    struct segment *s = make_segment(0, PASSAGES);

    /* 35 words on average; the dictionary is small here. */
    CHECK(s->bytes / s->passages_n < 120);
    segment_drop(s);
}

TEST(making_a_segment_can_be_stopped)
{
    static const char *const texts[] = {"apples are red", "plums are blue"};
    const atomic_bool stop = true;
    struct segment *s = segment_of(1, texts, 2), *merged = NULL;
    struct segment_input in = {s, NULL};
    struct segment_document d = {.key = 1, .version = 1, .kind = DOCUMENT_TEXT};
    struct builder *b = NULL;

    CHECK_INT(segment_merge(&in, 1, &stop, &merged, &err), FOOTNOTE_ENDED);
    CHECK(!merged);
    CHECK_OK(builder_open(analyser(), &b, &err), &err);
    CHECK_OK(builder_document(b, &d, STR_NONE, &err), &err);
    CHECK_OK(builder_passage(b, 1, STR_NONE, STR("apples"), false, &err), &err);
    CHECK_INT(builder_finish(b, &stop, &merged, &err), FOOTNOTE_ENDED);
    CHECK_OK(builder_finish(b, NULL, &merged, &err), &err);
    segment_drop(merged);
    segment_drop(s);
    builder_close(b);
}
