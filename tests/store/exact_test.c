/* exact_test.c - what was saved comes back byte for byte. */
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "store/read/history.h"
#include "store/session/message.h"
#include "store_help.h"

/* ---- By hand ------------------------------------------------------------ */

STORED(zero_and_absent_stay_apart)
{
    struct reference r[8];
    struct message m;

    for (size_t i = 0; i < 8; i++)
        r[i] = (struct reference){
            .source = {.type = FOOTNOTE_TEXT, .id = STR("x")}};
    r[1].source.preview = STR("");
    r[2].source.title = r[2].source.url = STR("");
    r[3].source.has_page = true;
    r[4].source.has_start = true;
    r[5].source.has_start = r[5].source.has_end = true;
    r[6].source.meta = STR("{}");
    r[7].source.date = r[7].source.s3key = STR("");
    r[7].has_score = true;
    answer(ANN, "s", "m", "", r, 8);
    help_reopen();
    m = message_of(ANN, "m");
    CHECK_TEXT(m.content, STR(""));
    CHECK_INT(m.sources_n, 8);
    for (size_t i = 0; i < 8; i++) {
        check_source(&m.sources[i].source, &r[i].source);
        CHECK_INT(m.sources[i].has_score, r[i].has_score);
    }
    check_digest(&m);
}

STORED(numbers_come_back_to_the_last_bit)
{
    static const double v[] = {12.345,
                               1e-7,
                               0.1,
                               1.0 / 3,
                               DBL_MIN,
                               5e-324,
                               4503599627370497.5,
                               9007199254740992.0,
                               0.0};
    enum { N = sizeof(v) / sizeof(v[0]) };
    struct reference r[N + 1];
    struct message m;

    for (size_t i = 0; i <= N; i++) {
        r[i] = slide("d", (int64_t)i + 1, "x");
        r[i].source.has_start = r[i].has_score = true;
        r[i].source.start = i < N ? v[i] : 3;
        r[i].score = i < N ? -v[i] : DBL_MAX;
    }
    r[N].source.page = INT64_MAX;
    r[N].source.part = INT64_MAX;
    answer(ANN, "s", "m", "so", r, N + 1);
    help_reopen();
    m = message_of(ANN, "m");
    for (size_t i = 0; i <= N; i++) {
        check_source(&m.sources[i].source, &r[i].source);
        CHECK(m.sources[i].score == r[i].score);
    }
    check_digest(&m);
}

STORED(long_and_strange_text_comes_back)
{
    static char preview[64 * 1024];
    static const char fire[4] = {'\xF0', '\x9F', '\x94', '\xA5'};
    static const char strange[] =
        "\x01\x7F \xC2\x80 \xE2\x80\xA8 \xEF\xBF\xBF \xF4\x8F\xBF\xBF "
        "e\xCC\x81 \xC3\xA9 \r\n\t\"\\'%_;";
    struct reference r[] = {slide("d", 1, NULL), everything(strange)};
    struct message m;

    for (size_t i = 0; i < sizeof(preview); i += 4)
        memcpy(preview + i, fire, sizeof(fire));
    r[0].source.preview = (struct str){preview, sizeof(preview)};
    r[1].source.title = str_c(strange);
    answer(ANN, "s", strange, strange, r, 2);
    help_reopen();
    for (int i = 0; i < 2; i++) { /* from the table, from the cache */
        m = message_of(ANN, strange);
        CHECK_TEXT(m.content, str_c(strange));
        check_source(&m.sources[0].source, &r[0].source);
        check_source(&m.sources[1].source, &r[1].source);
        check_digest(&m);
    }
}

STORED(sources_come_in_the_order_of_their_numbers)
{
    struct reference r[] = {slide("d", 1, "x"), slide("d", 2, "x"),
                            slide("d", 3, "x")};
    struct message m;

    r[0].number = 100;
    r[1].number = 20;
    r[2].number = 3;
    answer(ANN, "s", "m", "so", r, 3);
    m = message_of(ANN, "m");
    for (size_t i = 0; i < 3; i++)
        CHECK_INT(m.sources[i].source.page, 3 - i);
    check_digest(&m);
}

/* ---- Ten thousand ------------------------------------------------------- */

enum { EACH = 100, SESSIONS = 100, WRITERS = 32, SOURCES = 4 };
static uint64_t seed;
static size_t messages_n;

/* splitmix64: any state is a good one, so message i starts at seed + i. */
static uint64_t roll(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static bool one_in(uint64_t *rng, unsigned n)
{
    return roll(rng) % n == 0;
}

/* Characters of every length; never NUL. */
static struct str some_text(struct arena *a, uint64_t *rng, size_t bytes_max)
{
    static const struct str pieces[] = {
        {"a", 1},        {"B ", 2},           {"[1]", 3},
        {"\n", 1},       {"\"\\", 2},         {"'", 1},
        {"\xC3\xA9", 2}, {"\xE2\x82\xAC", 3}, {"\xF0\x9F\x94\xA5", 4},
        {"\x01", 1},     {"entropy ", 8},     {"[2][3] ", 7}};
    AUTO(buf_free) struct buf b = BUF(bytes_max);
    size_t want = roll(rng) % (bytes_max + 1);

    for (;;) {
        struct str piece =
            pieces[roll(rng) % (sizeof(pieces) / sizeof(pieces[0]))];

        if (b.n + piece.n > want)
            break;
        buf_add(&b, piece);
    }
    return arena_str(a, b.p ? buf_str(&b) : STR(""));
}

static struct str maybe_text(struct arena *a, uint64_t *rng, size_t max)
{
    return one_in(rng, 3) ? STR_NONE : some_text(a, rng, max);
}

static struct str maybe_id(struct arena *a, uint64_t *rng)
{
    struct str s = maybe_text(a, rng, 60);

    return s.n ? s : STR_NONE;
}

static double some_seconds(uint64_t *rng)
{
    static const double v[] = {0, 1e-7, 12.345, 0.1, 61.5, 5e-324, 3600};

    if (one_in(rng, 2))
        return v[roll(rng) % (sizeof(v) / sizeof(v[0]))];
    return (double)(roll(rng) >> 12) / (double)(1 << (roll(rng) % 30));
}

static struct reference some_source(struct arena *a, uint64_t *rng, size_t i)
{
    struct reference r = {
        .source = {.type = (enum footnote_type)(1 + roll(rng) % 6),
                   .id = arena_printf(a, "source %zu", i),
                   .preview =
                       maybe_text(a, rng, one_in(rng, 200) ? 65536 : 300),
                   .title = maybe_text(a, rng, 60),
                   .url = maybe_text(a, rng, 60),
                   .course = maybe_id(a, rng),
                   .owner = maybe_id(a, rng),
                   .document = maybe_id(a, rng),
                   .lecture = maybe_id(a, rng),
                   .date = maybe_text(a, rng, 10),
                   .s3key = maybe_text(a, rng, 60),
                   .has_page = one_in(rng, 2),
                   .page = (int64_t)(roll(rng) >> (1 + roll(rng) % 63)),
                   .has_start = one_in(rng, 2),
                   .has_end = one_in(rng, 2),
                   .start = some_seconds(rng),
                   .part = one_in(rng, 2) ? (int64_t)(roll(rng) % 9) : 0},
        .has_score = one_in(rng, 2),
        .score = some_seconds(rng) - (one_in(rng, 2) ? 1 : 0)};

    r.source.end = r.source.start + some_seconds(rng);
    r.source.meta = one_in(rng, 3)
                        ? arena_printf(a, "{ \"k\" : %llu.50,\"\xC3\xA9\":[]}",
                                       (unsigned long long)roll(rng) % 1000)
                        : STR_NONE;
    return r;
}

static struct str *some_strings(struct arena *a, uint64_t *rng, size_t *n)
{
    struct str *s = arena_many(a, 3, struct str);

    CHECK(s != NULL);
    *n = one_in(rng, 2) ? 0 : 1 + roll(rng) % 3;
    for (size_t i = 0; i < *n; i++)
        s[i] = some_text(a, rng, 40);
    return s;
}

static void some_sources(struct arena *a, uint64_t *rng, struct message *m)
{
    struct reference *r = arena_many(a, SOURCES, struct reference);
    uint32_t number = 1 + (uint32_t)(roll(rng) % 1000);
    bool numbered = one_in(rng, 2);

    CHECK(r != NULL);
    m->sources = r;
    m->sources_n = roll(rng) % (SOURCES + 1);
    for (size_t i = 0; i < m->sources_n; i++) {
        r[i] = some_source(a, rng, i);
        r[i].number = numbered ? number : 0;
        number += 1 + (uint32_t)(roll(rng) % 5);
    }
}

/* Message i of this seed; sources are by number, as they will be read. */
static struct message some_message(struct arena *a, size_t i)
{
    uint64_t rng = seed + i * 1000003;
    struct message m = {
        .session = arena_printf(a, "s%zu", i % SESSIONS),
        .id = arena_printf(a, "m%zu", i),
        .role = (enum footnote_role)(1 + roll(&rng) % 3),
        .status = (enum footnote_status)(roll(&rng) % FOOTNOTE_STREAMING),
        .content = some_text(a, &rng, one_in(&rng, 50) ? 8000 : 300),
        .created_ms = 1 + (int64_t)(roll(&rng) % 4000000000000),
        .has_low_confidence = one_in(&rng, 2),
        .has_image = one_in(&rng, 3)};

    m.low_confidence = m.has_low_confidence && one_in(&rng, 2);
    m.doc_refs = some_strings(a, &rng, &m.doc_refs_n);
    m.rag_source_ids = some_strings(a, &rng, &m.rag_source_ids_n);
    m.web_source_ids = some_strings(a, &rng, &m.web_source_ids_n);
    if (m.has_image) {
        m.image_s3key = some_text(a, &rng, 60);
        m.image_slide = maybe_id(a, &rng);
        m.has_image_page = one_in(&rng, 2);
        m.image_page = m.has_image_page ? (int64_t)(roll(&rng) % 99) : 0;
    }
    if (m.role == FOOTNOTE_ASSISTANT)
        some_sources(a, &rng, &m);
    return m;
}

static void save_random(size_t t)
{
    AUTO(arena_free) struct arena a = ARENA((size_t)64 * 1024 * 1024);
    struct footnote_err own;

    for (size_t i = t; i < messages_n; i += WRITERS) {
        struct message_save op = {.message = some_message(&a, i)};
        struct reference turned[SOURCES];
        size_t n = op.message.sources_n;

        if (n && op.message.sources[0].number) { /* given in any order */
            for (size_t k = 0; k < n; k++)
                turned[k] = op.message.sources[n - 1 - k];
            op.message.sources = turned;
        }
        CHECK_OK(store_write(st, ANN, OP(message_save), &op, &own), &own);
        arena_reset(&a);
    }
}

static void check_session(size_t s)
{
    AUTO(arena_free) struct arena a = ARENA((size_t)256 * 1024 * 1024);
    struct footnote_err own;
    char name[32];
    struct history h = {.light = false};

    snprintf(name, sizeof(name), "s%zu", s);
    h.session = str_c(name);
    CHECK_OK(store_read(st, ANN, &a, OP(history), &h, &own), &own);
    CHECK_INT(h.messages_n, messages_n / SESSIONS);
    for (size_t k = 0; k < h.messages_n; k++) {
        size_t i = strtoul(h.messages[k].id.p + 1, NULL, 10);
        struct message want = some_message(&a, i);

        check_message_is(&h.messages[k], &want);
        check_digest(&h.messages[k]);
    }
}

static void check_some(size_t t)
{
    for (size_t s = t; s < SESSIONS; s += 4)
        check_session(s);
}

STORED_LIMIT(ten_thousand_random_messages_by_many_threads_come_back, 120)
{
    const char *given = getenv("TEST_SEED");

    seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL) * 1000;
    printf("TEST_SEED=%" PRIu64 " makes the same messages\n", seed);
    messages_n = (size_t)SESSIONS * test_count(EACH, EACH);
    in_threads(WRITERS, save_random);
    CHECK_INT(sql_i64("SELECT count(*) FROM message"), messages_n);
    help_reopen();
    in_threads(4, check_some);
}
