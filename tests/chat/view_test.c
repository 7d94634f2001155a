/* view_test.c - those who watch a turn: many, late, slow, and back again. */
#include <stdlib.h>

#include "base/clock.h"
#include "contract.h"
#include "help/chat_site.h"

enum { VIEWERS = 12, MEGABYTE = 1024 * 1024 };

static void watch(struct viewer *v, struct chat_site *r, const char *query,
                  const char *header)
{
    client_open(&v->client, r->site.served.port);
    v->seen = BUF((size_t)64 * MEGABYTE);
    client_send(&v->client,
                arena_printf(&r->site.arena,
                             "GET /api/chat/s1/stream%s HTTP/1.1\r\nHost: "
                             "localhost\r\n%s\r\n",
                             query, header));
}

/* ---- Together ----------------------------------------------------------- */

/* Connections are spread over two loops; with so many, both have some. */
CONTRACT(view_thread_all_see_the_same_whenever_they_come)
{
    CHAT_SITE(r);
    struct viewer v[VIEWERS];
    struct buf script = BUF(MEGABYTE);

    for (int i = 1; i < VIEWERS; i++)
        buf_printf(&script, "text p%d [1]. \\e\ngate g\n", i);
    buf_add(&script, STR("text The end.\nfinish stop\ndone\n"));
    buf_add_c(&script, '\0');
    chat_site_script(&r, "many", script.p);
    viewer_ask(&v[0], &r,
               chat_site_body(&r, "s1", "q1", "cats script:many", NULL));
    for (int i = 1; i < VIEWERS; i++) {
        viewer_await(&v[0], arena_printf(&r.site.arena, "p%d [1]", i).p);
        viewer_watch(&v[i], &r, "s1");
        viewer_await(&v[i], "\"start\""); /* it is there before the next */
        upstream_pass(r.up, "g");
    }
    for (int i = 0; i < VIEWERS; i++)
        CHECK(viewer_end(&v[i]));
    for (int i = 1; i < VIEWERS; i++)
        CHECK_TEXT(buf_str(&v[i].seen), buf_str(&v[0].seen));
    for (int i = 0; i < VIEWERS; i++)
        viewer_close(&v[i]);
    buf_free(&script);
}

TEST(view_hears_a_heartbeat_while_nothing_is_said)
{
    CHAT_SITE(r);
    struct viewer v;
    int64_t from = clock_mono_ms();

    chat_site_script(&r, "gated", "text One.\ngate g\ntext  Two.\ndone\n");
    viewer_ask(&v, &r,
               chat_site_body(&r, "s1", "q1", "cats script:gated", NULL));
    viewer_await(&v, ": keep-alive\n\n");
    CHECK(clock_mono_ms() - from < 15000 + 2000 * test_slow());
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&v));
    CHECK_STR(stream_text(&r, buf_str(&v.seen)), "One. Two.");
    viewer_close(&v);
}

/* ---- Back again --------------------------------------------------------- */

static const char *event_from(struct chat_site *r, int id)
{
    return arena_printf(&r->site.arena, "Last-Event-ID: %d\r\n", id).p;
}

/* What follows event `id` in a whole stream. */
static struct str rest_after(struct str whole, int id)
{
    char next[32];

    snprintf(next, sizeof(next), "id: %d\n", id + 1);
    while (whole.n && !str_starts(whole, str_c(next)))
        whole = str_skip(whole, 1);
    CHECK(whole.n > 0);
    return whole;
}

CONTRACT(view_resumes_at_every_event_with_exactly_the_rest)
{
    enum { EVENTS = 7 }; /* three sources, four pieces */
    CHAT_SITE(r);
    struct viewer all, v[EVENTS + 1];

    chat_site_script(
        &r, "steps",
        "text a [1]. \\e\ngate g\ntext b. \\e\ngate g\ntext c [2]. "
        "\\e\ngate g\ntext d.\ngate h\ntext  e.\nfinish stop\ndone\n");
    viewer_ask(&all, &r,
               chat_site_body(&r, "s1", "q1", "cats script:steps", NULL));
    for (int i = 0; i < 3; i++) {
        viewer_await(&all, (const char *[]){"a [1]", "b.", "c [2]"}[i]);
        upstream_pass(r.up, "g");
    }
    viewer_await(&all, "d.");
    viewer_close(&all);
    watch(&all, &r, "?as=events", "");
    for (int i = 0; i <= EVENTS; i++)
        watch(&v[i], &r, "?as=events", event_from(&r, i));
    for (int i = 0; i <= EVENTS; i++)
        viewer_await(&v[i], "200 OK");
    upstream_pass(r.up, "h");
    CHECK(viewer_end(&all));
    for (int i = 0; i <= EVENTS; i++) {
        CHECK(viewer_end(&v[i]));
        CHECK_TEXT(buf_str(&v[i].seen), rest_after(buf_str(&all.seen), i));
        viewer_close(&v[i]);
    }
    viewer_close(&all);
}

/* A piece's length is one byte, and more of them from 255 on. */
CONTRACT(view_late_sees_pieces_of_any_length)
{
    static const int lengths[] = {1, 254, 255, 256, 509, 510, 511, 6000};
    enum { PIECES = sizeof(lengths) / sizeof(lengths[0]) };
    CHAT_SITE(r);
    struct viewer live, late;
    struct buf script = BUF(MEGABYTE);
    struct str stream;

    for (int i = 0; i < PIECES; i++)
        buf_printf(&script, "text %0*d\ngate g\n", lengths[i], i);
    buf_add(&script, STR("done\n"));
    buf_add_c(&script, '\0');
    chat_site_script(&r, "long", script.p);
    viewer_ask(&live, &r,
               chat_site_body(&r, "s1", "q1", "cats script:long", NULL));
    for (int i = 0; i < PIECES; i++) {
        viewer_await(&live,
                     arena_printf(&r.site.arena, "\"%0*d\"", lengths[i], i).p);
        if (i == PIECES - 1) {
            viewer_watch(&late, &r, "s1");
            viewer_await(&late, "\"start\"");
        }
        upstream_pass(r.up, "g");
    }
    CHECK(viewer_end(&live) && viewer_end(&late));
    CHECK_TEXT(buf_str(&late.seen), buf_str(&live.seen));
    stream = buf_str(&late.seen);
    for (int i = 0; i < PIECES; i++)
        CHECK_INT(stream_delta(&r, &stream).n, (size_t)lengths[i]);
    viewer_close(&live);
    viewer_close(&late);
    buf_free(&script);
}

/* So long that its beginning is packed. */
CONTRACT(view_resumes_anywhere_in_a_long_answer)
{
    enum { PIECES = 60, BYTES = 97, EVERY = 7, LATE = PIECES / EVERY };
    CHAT_SITE(r);
    struct viewer live, all, late[LATE];
    struct buf script = BUF(MEGABYTE);

    for (int i = 0; i < PIECES; i++)
        buf_printf(&script, "text %0*d, \\e\ngate g\n", BYTES, i);
    buf_add(&script, STR("text The end.\nfinish stop\ndone\n"));
    buf_add_c(&script, '\0');
    chat_site_script(&r, "long", script.p);
    viewer_ask(&live, &r,
               chat_site_body(&r, "s1", "q1", "cats script:long", NULL));
    for (int i = 0; i < PIECES; i++) {
        viewer_await(&live, arena_printf(&r.site.arena, "%0*d,", BYTES, i).p);
        if (i == PIECES - 1)
            break;
        upstream_pass(r.up, "g");
    }
    watch(&all, &r, "?as=events", "");
    for (int i = 0; i < LATE; i++) {
        watch(&late[i], &r, "?as=events", event_from(&r, i * EVERY));
        viewer_await(&late[i], "200 OK");
    }
    viewer_await(&all, "200 OK");
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&live) && viewer_end(&all));
    for (int i = 0; i < PIECES; i++)
        CHECK(memmem(all.seen.p, all.seen.n,
                     arena_printf(&r.site.arena, "%0*d,", BYTES, i).p,
                     BYTES + 1));
    for (int i = 0; i < LATE; i++) {
        CHECK(viewer_end(&late[i]));
        CHECK_TEXT(buf_str(&late[i].seen),
                   rest_after(buf_str(&all.seen), i * EVERY));
        viewer_close(&late[i]);
    }
    viewer_close(&live);
    viewer_close(&all);
    buf_free(&script);
}

CONTRACT(view_refuses_events_that_never_were)
{
    static const char *const bad[] = {
        "-1", "x", "1.5", "0x1", "99999999999999999999", "1 2", "5", "400"};
    CHAT_SITE(r);
    struct viewer v;

    chat_site_script(&r, "gated", "text One.\ngate g\ntext  Two.\ndone\n");
    viewer_ask(&v, &r,
               chat_site_body(&r, "s1", "q1", "cats script:gated", NULL));
    viewer_await(&v, "One");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct str header =
            arena_printf(&r.site.arena, "Last-Event-ID: %s", bad[i]);
        struct json *e = talk_with(&r.site, header.p, 400, "GET",
                                   "/api/chat/s1/stream?as=events", NULL);

        CHECK_AT(&r.site, e, "code", "'invalid_field'");
    }
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&v));
    viewer_close(&v);
}

/* Of another user there is nothing to hear, whatever the id. */
CONTRACT(view_of_somebody_else_is_nothing)
{
    CHAT_SITE(r);
    struct viewer v;

    chat_site_script(&r, "gated", "text One.\ngate g\ntext  Two.\ndone\n");
    viewer_ask(&v, &r,
               chat_site_body(&r, "s1", "q1", "cats script:gated", NULL));
    viewer_await(&v, "One");
    talk_with(&r.site, talk_as_ada(&r.site), 204, "GET", "/api/chat/s1/stream",
              NULL);
    talk_with(&r.site, talk_as_ada(&r.site), 200, "POST", "/api/chat/s1/stop",
              NULL);
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&v));
    CHECK_STR(stream_text(&r, buf_str(&v.seen)), "One. Two.");
    viewer_close(&v);
}

/* ---- Written elsewhere -------------------------------------------------- */

static void write_on(struct chat_site *r, const char *change)
{
    talk(&r->site, 200, "PATCH", "/api/messages/a", change);
}

/* What another node or a caller's own agent writes is followed by its row. */
CONTRACT(view_follows_an_answer_that_is_written_elsewhere)
{
    CHAT_SITE(r);
    struct viewer v, late;

    talk(&r.site, 201, "POST", "/api/sessions/s1/messages",
         "{'id':'q','role':'user','content':'What is it?'}");
    talk(&r.site, 204, "GET", "/api/chat/s1/stream", NULL);
    talk(&r.site, 201, "POST", "/api/sessions/s1/messages",
         "{'id':'a','role':'assistant','status':'streaming','sources':[{"
         "'chunkNumber':1,'sourceId':'web:1','sourceType':'web',"
         "'contentPreview':'A cat.','title':'Cats','url':'https://cat.s/'}]}");
    viewer_watch(&v, &r, "s1");
    viewer_await(&v, "A cat.");
    write_on(&r, "{'append':'A cat [1], '}");
    viewer_await(&v, "A cat [1], ");
    viewer_watch(&late, &r, "s1");
    viewer_await(&late, "A cat [1], ");
    talk(&r.site, 201, "POST", "/api/sessions/s1/messages",
         "{'id':'q2','role':'user','content':'And dogs?'}");
    write_on(&r, "{'append':'and more.'}");
    viewer_await(&v, "and more.");
    write_on(&r, "{'status':'complete'}");
    CHECK(viewer_end(&v) && viewer_end(&late));
    CHECK_STR(stream_text(&r, buf_str(&v.seen)), "A cat [1], and more.");
    CHECK_STR(stream_text(&r, buf_str(&late.seen)), "A cat [1], and more.");
    CHECK(memmem(v.seen.p, v.seen.n, "data-citations", 14));
    talk(&r.site, 204, "GET", "/api/chat/s1/stream", NULL);
    viewer_close(&v);
    viewer_close(&late);
}

CONTRACT(view_follows_to_a_bad_end)
{
    CHAT_SITE(r);
    struct viewer v, w;

    talk(&r.site, 201, "POST", "/api/sessions/s1/messages",
         "{'id':'a','role':'assistant','status':'streaming'}");
    talk_with(&r.site, talk_as_ada(&r.site), 204, "GET", "/api/chat/s1/stream",
              NULL);
    talk_with(&r.site, "Last-Event-ID: 1", 204, "GET",
              "/api/chat/s1/stream?as=events", NULL);
    watch(&v, &r, "?as=events", "");
    watch(&w, &r, "", "");
    viewer_await(&w, "\"start\"");
    write_on(&r, "{'append':'Half'}");
    viewer_await(&v, "Half");
    viewer_await(&w, "Half");
    viewer_close(&w); /* the other one goes on */
    talk(&r.site, 204, "DELETE", "/api/sessions/s1", NULL);
    CHECK(viewer_end(&v));
    CHECK(memmem(v.seen.p, v.seen.n, "event: error", 12));
    viewer_close(&v);
}

/* Two servers on one database: a reload may come to the other one. */
CONTRACT(view_follows_a_turn_of_another_node)
{
    CHAT_SITE(r);
    struct chat_site other = {.up = r.up};
    struct viewer v, w, x;
    struct json *h;

    site_open(&other.site);
    chat_site_script(&r, "gated", "text One [1].\ngate g\ntext  Two.\ndone\n");
    viewer_ask(&v, &r,
               chat_site_body(&r, "s1", "q1", "cats script:gated", NULL));
    viewer_await(&v, "One [1].");
    viewer_watch(&w, &other, "s1");
    viewer_await(&w, "One [1].");
    viewer_ask(&x, &other, /* again, because the reply was lost */
               chat_site_body(&r, "s1", "q1", "cats script:gated", NULL));
    viewer_await(&x, "One [1].");
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&v) && viewer_end(&w) && viewer_end(&x));
    CHECK_TEXT(buf_str(&x.seen), buf_str(&w.seen));
    viewer_close(&x);
    CHECK_STR(stream_parts(&other, buf_str(&w.seen)),
              stream_parts(&r, buf_str(&v.seen)));
    viewer_close(&w);
    viewer_close(&v);
    viewer_ask(&v, &r,
               chat_site_body(&r, "s1", "q2", "cats script:gated", NULL));
    viewer_await(&v, "One [1].");
    talk(&other.site, 200, "POST", "/api/chat/s1/stop", NULL);
    upstream_pass(r.up, "g");
    CHECK(viewer_end(&v));
    h = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, h, "messages.3.status", "'stopped'");
    CHECK_AT(&r.site, h, "messages.3.content", "'One [1].'");
    viewer_close(&v);
    site_close(&other.site);
}

/* Its writer finds it ended, wherever that is. */
CONTRACT(view_sees_a_stop_of_what_is_written_elsewhere)
{
    CHAT_SITE(r);
    struct viewer v;
    struct json *h;

    talk(&r.site, 201, "POST", "/api/sessions/s1/messages",
         "{'id':'a','role':'assistant','status':'streaming','content':'Half'}");
    viewer_watch(&v, &r, "s1");
    viewer_await(&v, "Half");
    talk_with(&r.site, talk_as_ada(&r.site), 200, "POST", "/api/chat/s1/stop",
              NULL);
    write_on(&r, "{'append':' and'}");
    talk(&r.site, 200, "POST", "/api/chat/s1/stop", NULL);
    CHECK(viewer_end(&v));
    CHECK_STR(stream_text(&r, buf_str(&v.seen)), "Half and");
    h = talk(&r.site, 200, "GET", "/api/sessions/s1/messages", NULL);
    CHECK_AT(&r.site, h, "messages.0.status", "'stopped'");
    CHECK_AT(&r.site, h, "messages.0.content", "'Half and'");
    talk_refused(&r.site, 409, "ended", NULL, "PATCH", "/api/messages/a",
                 "{'append':'x'}");
    talk(&r.site, 200, "POST", "/api/chat/s1/stop", NULL);
    viewer_close(&v);
}

/* ---- Slow --------------------------------------------------------------- */

/* Text that is six times as long on the wire: in all more than the kernel
 * keeps.  One portion is less than a viewer may be behind. */
enum { PORTIONS = 12, LINES = 100, LINE_BYTES = 1000 };

static void script_much(struct chat_site *r)
{
    struct buf b = BUF((size_t)16 * MEGABYTE);

    buf_add(&b, STR("text One.\ngate g\n"));
    for (int p = 0; p < PORTIONS; p++) {
        buf_printf(&b, "repeat %d text ", LINES);
        for (int i = 0; i < LINE_BYTES; i++)
            buf_add(&b, STR("\\x01"));
        buf_printf(&b, "\ntext  Portion %d.\ngate g\n", p);
    }
    buf_add(&b, STR("text  All.\ngate h\nfinish stop\ndone\n"));
    buf_add_c(&b, '\0');
    chat_site_script(r, "much", b.p);
    buf_free(&b);
}

CONTRACT(view_slow_is_dropped_and_can_come_again)
{
    CHAT_SITE(r);
    struct viewer slow, fast, again;

    script_much(&r);
    viewer_ask(&slow, &r,
               chat_site_body(&r, "s1", "q1", "cats script:much", NULL));
    client_read_little(&slow.client);
    viewer_await(&slow, "One.");
    viewer_watch(&fast, &r, "s1");
    viewer_await(&fast, "One.");
    upstream_pass(r.up, "g");
    for (int p = 0; p < PORTIONS; p++) { /* the slow one is not waited for */
        viewer_await(&fast, arena_printf(&r.site.arena, " Portion %d.", p).p);
        upstream_pass(r.up, "g");
    }
    viewer_await(&fast, " All.");
    CHECK(!viewer_end(&slow));
    CHECK(!memmem(slow.client.in.p, slow.client.in.n, " All.", 5));
    viewer_watch(&again, &r, "s1");
    viewer_await(&again, " All.");
    upstream_pass(r.up, "h");
    CHECK(viewer_end(&fast) && viewer_end(&again));
    CHECK_STR(stream_text(&r, buf_str(&again.seen)),
              stream_text(&r, buf_str(&fast.seen)));
    viewer_close(&slow);
    viewer_close(&fast);
    viewer_close(&again);
}
