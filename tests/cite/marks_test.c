/* marks_test.c - the marker grammar, whole and while text streams in. */
#include "base/json.h"
#include "base/utf8.h"
#include "case_files.h"
#include "cite/marks.h"
#include "test.h"

enum { SCRATCH = 8 * 1024 * 1024 };

/* --- Cases ---------------------------------------------------------------- */

static struct json *cases(struct arena *a)
{
    struct footnote_err err;
    struct json *all;
    struct str text = read_cases(a, "tests/cite/marks.json");

    CHECK_OK(json_read(a, text, &all, &err), &err);
    CHECK_INT(all->type, JSON_ARRAY);
    return all;
}

static int64_t number(const struct json *o, const char *name)
{
    const struct json *v = json_get(o, str_c(name));
    return v ? v->i : 0;
}

static bool equals(const struct mark *m, const struct json *want)
{
    return (int64_t)m->start_utf16 == number(want, "start") &&
           (int64_t)m->end_utf16 == number(want, "end") &&
           m->from == number(want, "from") && m->to == number(want, "to") &&
           m->page == (json_get(want, STR("page")) != NULL);
}

/* Byte offsets name the same stretch as the UTF-16 ones. */
static void check_offsets(struct str text, const struct mark *m)
{
    CHECK(m->start < m->end && m->end <= text.n);
    CHECK_INT(utf8_utf16((struct str){text.p, m->start}), m->start_utf16);
    CHECK_INT(utf8_utf16((struct str){text.p, m->end}), m->end_utf16);
}

static void check_case(struct arena *a, const struct json *c)
{
    struct footnote_err err;
    struct str text = json_get(c, STR("text"))->s;
    const struct json *want = json_get(c, STR("marks"));
    struct mark *marks;
    size_t n;

    CHECK_OK(marks_find(a, text, &marks, &n, &err), &err);
    if (n != want->n)
        FAIL("%zu markers, not %zu, in: %.*s", n, (size_t)want->n,
             STR_ARG(text));
    const struct json *w = want->first;
    for (size_t i = 0; i < n; i++, w = w->next) {
        if (!equals(&marks[i], w))
            FAIL("marker %zu is %zu-%zu: %u to %u in: %.*s", i,
                 marks[i].start_utf16, marks[i].end_utf16, marks[i].from,
                 marks[i].to, STR_ARG(text));
        check_offsets(text, &marks[i]);
    }
}

TEST(markers_follow_the_case_file)
{
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);
    const struct json *all = cases(&a);

    CHECK(all->n >= 60);
    for (const struct json *c = all->first; c; c = c->next)
        check_case(&a, c);
}

TEST(the_absent_text_has_no_markers)
{
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);
    struct mark *marks;
    size_t n = 1;

    CHECK_INT(marks_find(&a, STR_NONE, &marks, &n, NULL), FOOTNOTE_OK);
    CHECK_INT(n, 0);
    CHECK_INT(marks_settled(STR_NONE), 0);
}

TEST(markers_without_memory_are_an_error)
{
    AUTO(arena_free) struct arena a = ARENA(8);
    struct mark *marks;
    size_t n;

    CHECK_INT(marks_find(&a, STR("[1]"), &marks, &n, NULL), FOOTNOTE_NOMEM);
}

/* --- Streams -------------------------------------------------------------- */

static bool same(const struct mark *a, const struct mark *b)
{
    return a->start == b->start && a->end == b->end && a->from == b->from &&
           a->to == b->to && a->page == b->page &&
           a->start_utf16 == b->start_utf16 && a->end_utf16 == b->end_utf16;
}

/* The shown bytes alone have the markers that the whole text has there, and
 * none of the whole text's is cut by their end. */
static void check_shown(struct arena *a, struct str text, size_t shown,
                        const struct mark *whole, size_t whole_n)
{
    struct mark *marks;
    size_t n;
    struct str prefix = {text.p, shown};

    CHECK_INT(marks_find(a, prefix, &marks, &n, NULL), FOOTNOTE_OK);
    for (size_t i = 0; i < whole_n; i++) {
        bool inside = whole[i].end <= shown;
        if (inside != (i < n) || (inside && !same(&whole[i], &marks[i])))
            FAIL("marker %zu changes behind byte %zu of: %.*s", i, shown,
                 STR_ARG(text));
        if (!inside && whole[i].start < shown)
            FAIL("marker %zu is cut at byte %zu of: %.*s", i, shown,
                 STR_ARG(text));
    }
    CHECK(n <= whole_n);
}

/* Goes on with no more of the text than that needs. */
static size_t settled_on(struct str text, size_t *from)
{
    size_t out = *from > MARK_BACK_BYTES ? *from - MARK_BACK_BYTES : 0;
    size_t at = *from - out, n;

    n = out + marks_settled_from(str_skip(text, out), &at);
    *from = out + at;
    return n;
}

static void check_stream(struct str text)
{
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);
    AUTO(arena_free) struct arena scratch = ARENA(SCRATCH);
    struct mark *whole;
    size_t whole_n, before = 0, from = 0;

    CHECK_INT(marks_find(&a, text, &whole, &whole_n, NULL), FOOTNOTE_OK);
    for (size_t cut = 0; cut <= text.n; cut++) {
        size_t shown = marks_settled((struct str){text.p, cut});
        size_t resumed = from, on;
        on = settled_on((struct str){text.p, cut}, &from);
        if (on != shown)
            FAIL("from %zu on %zu bytes of %zu are shown, not %zu, of: %.*s",
                 resumed, on, cut, shown, STR_ARG(text));
        if (shown < before || shown > cut)
            FAIL("%zu bytes of %zu are shown after %zu of: %.*s", shown, cut,
                 before, STR_ARG(text));
        CHECK(cut - shown < MARK_HELD_BYTES_MAX);
        CHECK_INT(utf8_whole((struct str){text.p, shown}), shown);
        if (shown > before)
            check_shown(&scratch, text, shown, whole, whole_n);
        arena_reset(&scratch);
        before = shown;
    }
}

/* To go on where the last call left off is to read all of it again. */
static void check_going_on(struct str text)
{
    size_t from = 0;

    for (size_t cut = 0; cut <= text.n; cut++) {
        struct str part = {text.p, cut};

        CHECK_INT(marks_settled_from(part, &from), marks_settled(part));
    }
}

TEST(the_case_file_streams_byte_by_byte)
{
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);

    for (const struct json *c = cases(&a)->first; c; c = c->next) {
        check_stream(json_get(c, STR("text"))->s);
        check_going_on(json_get(c, STR("text"))->s);
    }
}

TEST(a_line_without_end_is_read_once)
{
    enum { YOUNG = 8 };
    static char line[4096];
    size_t from = 0;

    memset(line, 'x', sizeof(line));
    for (size_t n = 1; n <= sizeof(line); n++) {
        CHECK_INT(marks_settled_from((struct str){line, n}, &from), n);
        if (n > YOUNG) /* a line so short may still become a fence */
            CHECK_INT(from, n - 1);
    }
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(*state >> 33);
}

/* What the grammar turns on, so that random texts meet its edges. */
static const char *const pieces[] = {
    "[",    "]",    "[1]", "[2,3]", "[1-3]", "[^Page]", "[^P",  "(x)",
    "(",    ":",    " ",   "  ",    "    ",  "\n",      "\n\n", "`",
    "``",   "```",  "```", "\n```", "~~~",   "\n~~~",   "\\",   "\\\\",
    "1",    "12,",  "-",   "–",     "【1】", "［２",    "］",   "，",
    "a",    "é",    "😀",   "word ", "\r",    "[ref]",   ";",    "```\n",
    "````", "x`y",  "\t",  "【",    "]:",    ", p. ",   "8:19", "§",
    ".",    ", S.", "с",
};
enum { PIECES_N = sizeof(pieces) / sizeof(pieces[0]) };

static struct str random_text(uint64_t *state, char *bytes, size_t max)
{
    size_t n = 0, pieces_n = next_random(state) % 24;

    for (size_t i = 0; i < pieces_n; i++) {
        struct str piece = str_c(pieces[next_random(state) % PIECES_N]);
        CHECK(n + piece.n <= max);
        memcpy(bytes + n, piece.p, piece.n);
        n += piece.n;
    }
    return (struct str){bytes, n};
}

TEST(random_texts_stream_byte_by_byte)
{
    uint64_t state = 38;
    char bytes[1024];

    for (int i = 0; i < 20000; i++)
        check_stream(random_text(&state, bytes, sizeof(bytes)));
}

static void check_settled(const char *text, const char *shown)
{
    size_t n = marks_settled(str_c(text));
    if (n != strlen(shown))
        FAIL("%zu bytes are shown, not \"%s\", of \"%s\"", n, shown, text);
}

TEST(a_stream_holds_back_what_may_become_a_marker)
{
    check_settled("Heat [", "Heat ");
    check_settled("Heat [1", "Heat ");
    check_settled("Heat [1, ", "Heat ");
    check_settled("Heat [^Pa", "Heat ");
    check_settled("Heat \xe3\x80\x90"
                  "1",
                  "Heat ");
    check_settled("Heat \xe3\x80", "Heat ");
    check_settled("Heat [1]", "Heat ");  /* "(" may come */
    check_settled("Heat [1][", "Heat "); /* so may "[ref]" */
    check_settled("Heat [1][2", "Heat ");
    check_settled("Heat [1][2]", "Heat [1]");
    check_settled("`a[1]", "`a");       /* code when it closes */
    check_settled("```a [1]", "```a "); /* text when "`" comes */
}

TEST(a_stream_shows_what_cannot_become_a_marker)
{
    check_settled("Heat [1].", "Heat [1].");
    check_settled("Heat [1](", "Heat [1](");
    check_settled("Heat [1][r", "Heat [1][r");
    check_settled("Heat \xe3\x80\x90"
                  "1\xe3\x80\x91",
                  "Heat \xe3\x80\x90"
                  "1\xe3\x80\x91");
    check_settled("Heat [see", "Heat [see");
    check_settled("Heat \\[1", "Heat \\[1");
    check_settled("`a[1]`", "`a");
    check_settled("`a[1]` ", "`a[1]` ");
    check_settled("`a[i]", "`a[i]");
    check_settled("`a [1]\n\n", "`a [1]\n\n");
    check_settled("```\n[1", "```\n[1");
    check_settled("~~~ [1", "~~~ [1");
}

TEST(a_stream_holds_back_no_more_than_a_marker)
{
    char list[2 * MARK_BYTES_MAX];

    for (size_t i = 0; i < sizeof(list); i++)
        list[i] = ",1"[i % 2];
    list[0] = '[';
    for (size_t n = 1; n <= sizeof(list); n++)
        CHECK_INT(marks_settled((struct str){list, n}),
                  n < MARK_BYTES_MAX ? 0 : n);
    check_settled("Heat [1][2[a", "Heat [1][2[a"); /* "[2" is no label */
}

/* A start that may be code, and then one character for ever. */
static void check_bound(const char *start, char more)
{
    enum { STRIDE = 61 };
    char text[2 * MARK_HELD_BYTES_MAX];
    struct str s = str_c(start);

    memset(text, more, sizeof(text));
    memcpy(text, s.p, s.n);
    for (size_t n = s.n; n <= sizeof(text); n += STRIDE) {
        size_t held = n - marks_settled((struct str){text, n});
        if (held >= MARK_HELD_BYTES_MAX)
            FAIL("%zu bytes are held back of \"%s%c...\"", held, start, more);
    }
}

TEST(a_stream_holds_back_a_bounded_number_of_bytes)
{
    const char *starts[] = {"`[1]",   "``[1]",    "`[1]\n", "`[1]\n```",
                            "```[1]", "```[1]\n", "[1][",   "[1"};
    const char more[] = "`~x \n[1,]\\";

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        for (size_t k = 0; k + 1 < sizeof(more); k++)
            check_bound(starts[i], more[k]);
    }
}

TEST(too_many_backticks_are_text)
{
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);
    const struct str marker = STR("[1]");
    char text[1024];
    struct mark *marks;
    size_t n;

    for (size_t run = 127; run <= 130; run++) {
        memset(text, '`', sizeof(text)); /* a span: run [1] run, "." */
        memcpy(text + run, marker.p, marker.n);
        text[2 * run + 3] = '.';
        struct str s = {text, 2 * run + 4};
        CHECK_INT(marks_find(&a, s, &marks, &n, NULL), FOOTNOTE_OK);
        CHECK_INT(n, run <= 128 ? 0 : 1);
    }
}

/* --- Size ----------------------------------------------------------------- */

/* Each of these costs a careless scanner time or memory by the square. */
static void check_large(const char *piece)
{
    enum { BYTES = 1024 * 1024, MARKS_BYTES_MAX = 256 * BYTES };
    static char bytes[BYTES];
    AUTO(arena_free) struct arena a = ARENA(MARKS_BYTES_MAX);
    size_t n = strlen(piece), marks_n;
    struct mark *marks;

    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = piece[i % n];
    struct str text = {bytes, BYTES};
    CHECK_INT(marks_find(&a, text, &marks, &marks_n, NULL), FOOTNOTE_OK);
    CHECK(marks_settled(text) + MARK_HELD_BYTES_MAX > BYTES);
}

TEST_LIMIT(large_texts_take_time_in_proportion, 20)
{
    check_large("[");
    check_large("[1");
    check_large("[1]");
    check_large("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,");
    check_large("`");
    check_large("` `` ``` ```` ````` `````` ``````` ```````` ");
    check_large("`\n");
    check_large("```\n");
    check_large("\n```a");
    check_large("~~~\n");
    check_large("\\");
    check_large("   ");
}
