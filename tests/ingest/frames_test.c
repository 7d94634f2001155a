/* frames_test.c - what the server takes of what a reader in the jail says. */
#include "base/utf8.h"
#include "ingest/jailed/frames.h"
#include "read_passages.h"

#define PASSAGE                                                                \
    "{\"passage\":{\"page\":2,\"locator\":null,\"heading\":\"A > "             \
    "B\",\"text\":\"Heat.\","                                                  \
    "\"extra\":{\"notes\":true}}}\n"
#define FACTS                                                                  \
    "{\"facts\":{\"title\":\"T\",\"language\":\"en\",\"date\":\"2026-02-26\"," \
    "\"encoding\":null,\"warning\":\"One.\",\"pages\":3,\"hidden\":true}}\n"

struct seen {
    size_t passages;
    int64_t done, total;
    struct extract_facts facts;
    struct footnote_err err;
};

static enum footnote_rc on_passage(void *arg, const struct passage *p,
                                   struct footnote_err *err)
{
    struct seen *s = arg;

    (void)err;
    CHECK_INT(p->position, ++s->passages);
    CHECK(p->text.n > 0 && p->text.n <= SOURCE_TEXT_BYTES_MAX);
    CHECK(utf8_valid(p->text) && !memchr(p->text.p, 0, p->text.n));
    return p->page == 13 ? err_set(err, FOOTNOTE_ENDED, "enough") : FOOTNOTE_OK;
}

static enum footnote_rc on_progress(void *arg, int64_t done, int64_t total,
                                    struct footnote_err *err)
{
    struct seen *s = arg;

    (void)err;
    s->done = done;
    s->total = total;
    return FOOTNOTE_OK;
}

/* Reads what came in pieces of `step` bytes. */
static enum footnote_rc read_in_steps(struct str said, size_t step,
                                      struct seen *s)
{
    static struct arena a;
    const struct passage_sink sink = {s, on_passage, on_progress};
    AUTO(frames_free) struct frames f;

    *s = (struct seen){.passages = 0};
    arena_free(&a);
    a = ARENA(SCRATCH); /* for facts, until the next time */
    frames_init(&f, &sink, &a, &s->facts);
    while (said.n) {
        size_t n = said.n < step ? said.n : step;

        TRY(frames_add(&f, (struct str){said.p, n}, &s->err));
        said = str_skip(said, n);
    }
    return frames_end(&f, &s->err);
}

TEST(frames_come_out_as_they_went_in_however_they_are_cut)
{
    const struct str said = STR("{\"progress\":[1,3]}\n" PASSAGE PASSAGE FACTS);
    struct seen s;

    for (size_t step = 1; step <= said.n; step++) {
        CHECK_OK(read_in_steps(said, step, &s), &s.err);
        CHECK_INT(s.passages, 2);
        CHECK_INT(s.done, 1);
        CHECK_INT(s.total, 3);
        CHECK_TEXT(s.facts.title, STR("T"));
        CHECK_TEXT(s.facts.language, STR("en"));
        CHECK_TEXT(s.facts.date, STR("2026-02-26"));
        CHECK_STR(s.facts.warning, "One.");
        CHECK_INT(s.facts.pages, 3);
        CHECK(s.facts.hidden_text);
    }
    CHECK_INT(read_in_steps(
                  STR(PASSAGE "{\"refused\":[\"too_large\",\"too large\"]}\n"),
                  7, &s),
              FOOTNOTE_TOOBIG);
    CHECK_STR(s.err.text, "too large");
    CHECK_INT(
        read_in_steps(STR("{\"refused\":[\"damaged\",\"damaged\"]}\n"), 7, &s),
        FOOTNOTE_INVALID);
    CHECK_STR(s.err.text, "damaged");
}

TEST(frames_that_are_cut_off_are_no_document)
{
    const struct str said = STR(PASSAGE FACTS);
    struct seen s;

    for (size_t n = 0; n < said.n; n++) {
        CHECK_INT(read_in_steps((struct str){said.p, n}, 64, &s),
                  FOOTNOTE_INVALID);
        CHECK(strstr(s.err.text, "makes no sense"));
    }
}

TEST(frames_that_no_reader_says_are_refused)
{
#define TEXT_OF(p, h, t, e)                                                    \
    "{\"passage\":{\"page\":" p ",\"locator\":null,\"heading\":" h             \
    ",\"text\":" t ",\"extra\":" e "}}\n"
#define FACTS_OF(t, d, w, n, h)                                                \
    PASSAGE "{\"facts\":{\"title\":" t ",\"language\":null,\"date\":" d        \
            ",\"encoding\":null,\"warning\":" w ",\"pages\":" n                \
            ",\"hidden\":" h "}}\n"
    static const char *const lies[] = {
        "\n",
        "null\n",
        "[]\n",
        "{}\n",
        "{\"passage\":1}\n",
        "{\"passage\":{}}\n",
        "{\"other\":{}}\n",
        "{\"passage\":{},\"facts\":{}}\n",
        "{\"progress\":[1,2],\"progress\":[1,2]}\n",
        TEXT_OF("-1", "null", "\"x\"", "null"),
        TEXT_OF("1.5", "null", "\"x\"", "null"),
        TEXT_OF("9223372036854775807", "null", "\"x\"", "null"),
        TEXT_OF("0", "7", "\"x\"", "null"),
        TEXT_OF("0", "\"a\\u0000b\"", "\"x\"", "null"),
        TEXT_OF("0", "null", "\"\"", "null"),
        TEXT_OF("0", "null", "null", "null"),
        TEXT_OF("0", "null", "\"a\\u0000b\"", "null"),
        TEXT_OF("0", "null", "\"\\ud800\"", "null"),
        TEXT_OF("0", "null", "\"\xc3(\"", "null"),
        TEXT_OF("0", "null", "\"\xed\xa0\x80\"", "null"),
        TEXT_OF("0", "null", "\"x\"", "[]"),
        TEXT_OF("0", "null", "\"x\"", "\"{}\""),
        "{\"progress\":[]}\n",
        "{\"progress\":[1]}\n",
        "{\"progress\":[2,1]}\n",
        "{\"progress\":[-2,1]}\n",
        "{\"progress\":[1,2,3]}\n",
        "{\"progress\":{\"a\":1,\"b\":2}}\n",
        "{\"progress\":[5,9]}\n{\"progress\":[4,9]}\n",
        FACTS, /* without a passage */
        PASSAGE FACTS FACTS,
        PASSAGE FACTS PASSAGE,
        PASSAGE FACTS "x",
        FACTS_OF("1", "null", "\"\"", "0", "true"),
        FACTS_OF("null", "\"2026-02-30\"", "\"\"", "0", "true"),
        FACTS_OF("null", "\"20260226\"", "\"\"", "0", "true"),
        FACTS_OF("null", "\"\"", "\"\"", "0", "true"),
        FACTS_OF("null", "null", "\"a\\nb\"", "0", "true"),
        FACTS_OF("null", "null", "\"\"", "-1", "true"),
        FACTS_OF("null", "null", "\"\"", "1000000000000", "true"),
        FACTS_OF("null", "null", "\"\"", "0", "1"),
        "{\"refused\":[\"damaged\",\"\"]}\n",
        "{\"refused\":[\"damaged\"]}\n",
        "{\"refused\":[\"damaged\",null]}\n",
        "{\"refused\":\"damaged\"}\n",
        "{\"refused\":[\"damaged\",\"a\\u001b[31m\"]}\n",
        "{\"refused\":[\"no_such_reason\",\"why\"]}\n",
        "{\"refused\":[\"no_answer\",\"not for a reader to say\"]}\n",
        "{\"busy\":\"try again\"}\n",
    };
    struct seen s;

    for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
        if (read_in_steps(str_c(lies[i]), 4096, &s) != FOOTNOTE_INVALID ||
            !strstr(s.err.text, "makes no sense"))
            FAIL("taken: %s%s", lies[i], s.err.text);
    }
}

/* One byte more than may be stored, and far more than a line has. */
TEST(frames_that_are_too_long_are_refused)
{
    static const struct {
        const char *before;
        size_t most;
        const char *after;
    } lines[] = {
        {"{\"passage\":{\"page\":0,\"locator\":null,\"heading\":null,\"extra\":"
         "null,\"text\":\"",
         SOURCE_TEXT_BYTES_MAX, "\"}}\n" FACTS},
        {"{\"passage\":{\"page\":0,\"text\":\"x\",\"extra\":null,\"locator\":"
         "null,\"heading\":"
         "\"",
         SOURCE_LABEL_BYTES_MAX, "\"}}\n" FACTS},
        {"{\"passage\":{\"page\":0,\"text\":\"x\",\"locator\":null,\"heading\":"
         "null,\"extra\":"
         "{\"a\":\"",
         FRAME_EXTRA_BYTES_MAX - 8, "\"}}}\n" FACTS},
        {PASSAGE "{\"facts\":{\"language\":null,\"date\":null,\"encoding\":"
                 "null,\"warning\":\"\","
                 "\"pages\":0,\"hidden\":false,\"title\":\"",
         STORE_TITLE_BYTES_MAX, "\"}}\n"},
        {PASSAGE "{\"facts\":{\"title\":null,\"date\":null,\"encoding\":null,"
                 "\"warning\":\"\","
                 "\"pages\":0,\"hidden\":false,\"language\":\"",
         STORE_ID_BYTES_MAX, "\"}}\n"},
        {PASSAGE
         "{\"facts\":{\"title\":null,\"date\":null,\"language\":null,"
         "\"pages\":0,\"hidden\":false,\"encoding\":null,\"warning\":\"",
         199, "\"}}\n"},
    };
    AUTO(buf_free) struct buf b = BUF(SCRATCH);
    struct seen s;

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        for (size_t over = 0; over <= 1; over++) {
            buf_reset(&b);
            buf_printf(&b, "%s", lines[i].before);
            for (size_t n = 0; n < lines[i].most + over; n++)
                buf_add_c(&b, 'x');
            buf_printf(&b, "%s", lines[i].after);
            if (read_in_steps(buf_str(&b), 4096, &s) !=
                (over ? FOOTNOTE_INVALID : FOOTNOTE_OK))
                FAIL("line %zu with %zu more: %s", i, over, s.err.text);
        }
    buf_reset(&b);
    for (size_t i = 0; i < SCRATCH / 2; i++)
        buf_add_c(&b, ' ');
    CHECK_INT(read_in_steps(buf_str(&b), 65536, &s), FOOTNOTE_INVALID);
}

TEST(frames_end_with_the_failure_of_the_sink)
{
    struct seen s;

    CHECK_INT(read_in_steps(STR(TEXT_OF("13", "null", "\"x\"", "null")), 9, &s),
              FOOTNOTE_ENDED);
    CHECK_STR(s.err.text, "enough");
}
