/* sse_test.c - server-sent events, whole and in pieces. */
#include "model/sse_in.h"
#include "test.h"

static void note(struct buf *out, const struct sse_event *e)
{
    buf_add(out, e->is_error ? STR("!") : STR("="));
    buf_add(out, e->data);
    buf_add_c(out, '|');
}

static void read_in(struct str text, size_t piece, struct buf *out)
{
    AUTO(sse_free) struct sse s = SSE_INIT;
    struct sse_event e;
    struct footnote_err err;
    bool got;

    while (text.n) {
        struct str in = {text.p, piece < text.n ? piece : text.n};

        text = str_skip(text, in.n);
        while (in.n) {
            CHECK_OK(sse_next(&s, &in, &got, &e, &err), &err);
            if (got)
                note(out, &e);
        }
    }
    CHECK_OK(sse_end(&s, &got, &e, &err), &err);
    if (got)
        note(out, &e);
}

TEST(events_are_the_same_however_they_are_cut)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", ""},
        {"\n\n\r\r\n", ""},
        {"data: a\n\n", "=a|"},
        {"data:a\n\ndata:  b\n\n", "=a|= b|"},
        {"data: a\r\n\r\ndata: b\r\rdata: c\n\n", "=a|=b|=c|"},
        {"data: a\ndata: b\ndata\n\n", "=a\nb\n|"},
        {"data: a\r\ndata: b\r\n\r\n", "=a\nb|"},
        {": c\n\n:\ndata: a\n: d\n\n", "=a|"},
        {"id: 1\nevent: x\nretry: 5\nfoo\ndata: a\n\n", "=a|"},
        {"event: error\ndata: a\n\ndata: b\n\n", "!a|=b|"},
        {"event: error\n\ndata: b\n\n", "=b|"},
        {"error: a\n\ndata: b\n\n", "!a|=b|"},
        {"errors: a\n\n", ""},
        {"data: a", "=a|"},
        {"data: a\n", "=a|"},
        {"data: a\n\ndata: [DONE]", "=a|=[DONE]|"},
        {"\xEF\xBB\xBF"
         "data: a\n\n",
         "=a|"},
        {"data: \xC3\xA9\xF0\x9F\x98\x80\n\n", "=\xC3\xA9\xF0\x9F\x98\x80|"},
        {"data: a\xFF\xC3\n\n", "=a\xEF\xBF\xBD\xEF\xBF\xBD|"},
        {"data:\n\n", "=|"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (size_t piece = 1; piece < 12; piece++) {
            AUTO(buf_free) struct buf out = BUF(4096);

            read_in(str_c(cases[i].text), piece, &out);
            CHECK_TEXT(out.n ? buf_str(&out) : STR(""), str_c(cases[i].want));
        }
}

/* Feeds the same bytes until it fails; gives how many were taken. */
static size_t feed_until_refused(struct str again)
{
    AUTO(sse_free) struct sse s = SSE_INIT;
    struct sse_event e;
    size_t taken = 0;
    bool got;

    for (;;) {
        struct str in = again;
        enum footnote_rc rc = sse_next(&s, &in, &got, &e, NULL);

        CHECK(s.line.cap <= SSE_LINE_BYTES_MAX + 1 &&
              s.data.cap <= SSE_EVENT_BYTES_MAX + 1);
        if (rc != FOOTNOTE_OK) {
            CHECK_INT(rc, FOOTNOTE_TOOBIG);
            return taken;
        }
        CHECK(!got);
        taken += again.n;
    }
}

TEST(a_line_or_event_without_an_end_is_an_error_not_memory)
{
    CHECK(feed_until_refused(STR("datadatadata")) <= SSE_LINE_BYTES_MAX);
    CHECK(feed_until_refused(STR(":comment")) <= SSE_LINE_BYTES_MAX);
    CHECK(feed_until_refused(STR("data: xxxxxxxxxxxx\n")) <=
          2UL * SSE_EVENT_BYTES_MAX);
}
