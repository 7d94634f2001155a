/* golden_test.c - plays the transcripts of tests/golden.
 *
 * Every file has a user of its own, so that all can have a session s1 and a
 * question q1.  UPDATE=1 writes what came instead of comparing it. */
#include "golden.h"

#include <glob.h>
#include <stdlib.h>

#include "cite/marks.h"
#include "contract.h"
#include "help/chat_site.h"
#include "store/document/document.h"
#include "store/session/access.h"
#include "store/session/course.h"

struct play {
    struct chat_site *site;
    const char *user;   /* the file's name */
    const char *bearer; /* a header line */
    struct golden_names names;
    struct buf out; /* the file as it should be */
    struct viewer viewer;
    struct str answer_head, answer_body; /* of the last request */
    int status;
};

/* ---- A diary beside the cats -------------------------------------------- */

static void add_entry(struct store *st, const char *id, const char *date,
                      const char *title, const char *text)
{
    struct who local = {STR("default"), STR("local")};
    struct document_put put = {.document = {.id = str_c(id),
                                            .course = STR("diary"),
                                            .title = str_c(title),
                                            .date = str_c(date),
                                            .kind = DOCUMENT_JOURNAL}};
    struct passage p = {.position = 1, .text = str_c(text)};
    struct passages_add add = {
        .document = str_c(id), .version = 1, .passages = &p, .passages_n = 1};
    struct document_status_set ready = {.document = str_c(id),
                                        .status = DOCUMENT_READY};
    struct footnote_err err;

    CHECK_OK(store_write(st, local, OP(document_put), &put, &err), &err);
    CHECK_OK(store_write(st, local, OP(passages_add), &add, &err), &err);
    CHECK_OK(store_write(st, local, OP(document_status_set), &ready, &err),
             &err);
}

static void share(struct store *st, struct str course)
{
    struct who local = {STR("default"), STR("local")};
    struct member_put put = {
        .course = course, .user = STR("*"), .role = MEMBER_READER};
    struct footnote_err err;

    CHECK_OK(store_write(st, local, OP(member_put), &put, &err), &err);
}

static void furnish(struct chat_site *r)
{
    struct store *st = r->site.served.store;
    struct who local = {STR("default"), STR("local")};
    struct course_put diary = {.id = STR("diary"), .title = STR("A diary")};
    struct footnote_err err;

    CHECK_OK(store_write(st, local, OP(course_put), &diary, &err), &err);
    add_entry(st, "e1", "2024-01-15", "On entropy",
              "Entropy grows while the tea gets cold.");
    add_entry(st, "e2", "2024-01-16", "On tea",
              "Tea should be drunk before it is cold.");
    add_entry(st, "e3", "2024-01-17", "On rain",
              "It rained, so I stayed in and had tea.");
    share(st, STR("cats"));
    share(st, STR("diary"));
}

/* ---- Requests ----------------------------------------------------------- */

static struct str trimmed(struct str s)
{
    while (s.n && (s.p[s.n - 1] == '\n' || s.p[s.n - 1] == ' '))
        s.n--;
    return s;
}

/* Takes a line "> Name: value" off the body, if it begins with one. */
static struct str take_header(struct str *body)
{
    size_t n = str_find(*body, '\n');
    struct str line = {body->p, n};

    if (!str_starts(line, STR("> ")))
        return STR_NONE;
    *body = str_skip(*body, n < body->n ? n + 1 : n);
    return str_skip(line, 2);
}

static void send_request(struct play *p, struct str head, struct str body)
{
    struct client *c = &p->viewer.client;
    struct str extra = take_header(&body);
    struct buf b = BUF(GOLDEN_BYTES_MAX);

    body = trimmed(body);
    buf_printf(&b, "%.*s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", STR_ARG(head),
               p->bearer);
    if (extra.p)
        buf_printf(&b, "%.*s\r\n", STR_ARG(extra));
    if (body.n)
        buf_printf(&b,
                   "Content-Type: application/json\r\nContent-Length: %zu\r\n",
                   body.n);
    buf_add(&b, STR("\r\n"));
    buf_add(&b, body);
    client_open(c, p->site->site.served.port);
    client_send(c, buf_str(&b));
    buf_free(&b);
}

static void take_answer(struct play *p)
{
    struct arena *a = &p->site->site.arena;
    struct response r;

    CHECK(client_answer(&p->viewer.client, &r));
    p->status = r.status;
    p->answer_head = arena_str(a, r.head);
    p->answer_body = arena_str(a, r.body.n ? r.body : STR(""));
    client_close(&p->viewer.client);
}

/* ---- Answers ------------------------------------------------------------ */

static struct str header_of(const struct play *p, const char *name)
{
    return response_header(&(struct response){.head = p->answer_head}, name);
}

/* No viewer ever sees half a marker at the end of a piece. */
static void check_pieces(struct play *p)
{
    AUTO(arena_free) struct arena a = ARENA(GOLDEN_BYTES_MAX);
    struct str text = str_c(stream_text(p->site, p->answer_body));
    struct str rest = p->answer_body;
    struct mark *marks;
    size_t n, at = 0;

    CHECK_OK(marks_find(&a, text, &marks, &n, NULL), NULL);
    for (struct str piece; (piece = stream_delta(p->site, &rest)).p;) {
        at += piece.n;
        for (size_t i = 0; i < n; i++)
            if (marks[i].start < at && at < marks[i].end)
                FAIL("%s: a piece ends in a marker, at byte %zu", p->user, at);
    }
}

static void add_answer(struct play *p)
{
    static const char *const shown[] = {"X-Vercel-AI-UI-Message-Stream",
                                        "Idempotent-Replayed", "x-should-retry",
                                        "X-Session-Id", "X-Message-Id"};
    struct str type = header_of(p, "content-type");

    buf_printf(&p->out, "=== %d%s%.*s\n", p->status, type.p ? " " : "",
               STR_ARG(type));
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
        struct str v = header_of(p, shown[i]);

        if (!v.p)
            continue;
        buf_printf(&p->out, "< %s: ", shown[i]);
        golden_add_text(&p->out, &p->names, v);
        buf_add_c(&p->out, '\n');
    }
    if (str_starts(type, STR("text/event-stream"))) {
        if (header_of(p, shown[0]).p)
            check_pieces(p);
        golden_add_stream(&p->out, &p->names, p->answer_body);
    } else if (p->answer_body.n) {
        golden_add_json(&p->out, &p->names,
                        site_json(&p->site->site, p->answer_body));
    }
}

/* ---- A file ------------------------------------------------------------- */

static bool is_request(struct str head)
{
    static const char *const methods[] = {"GET ", "POST ", "DELETE ", "PATCH "};

    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        if (str_starts(head, str_c(methods[i])))
            return true;
    return false;
}

static const char *text_of(struct play *p, struct str s)
{
    return arena_str(&p->site->site.arena, s).p;
}

/* Whether it is a step; the last answer to a request is asked for by it. */
static void run_part(struct play *p, const struct golden_part *part)
{
    struct str head = part->head;

    if (str_eq(head, STR("model"))) {
        upstream_add(p->site->up, "scripted", text_of(p, part->body));
    } else if (is_request(head)) {
        send_request(p, head, part->body);
        take_answer(p);
        add_answer(p);
    } else if (str_starts(head, STR("start "))) {
        send_request(p, str_skip(head, 6), part->body);
    } else if (str_starts(head, STR("await "))) {
        viewer_await(&p->viewer, text_of(p, str_skip(head, 6)));
    } else if (str_starts(head, STR("pass "))) {
        upstream_pass(p->site->up, text_of(p, str_skip(head, 5)));
    } else if (head.n) {
        FAIL("%s: %.*s is no step", p->user, STR_ARG(head));
    }
}

static bool is_answer(struct str head)
{
    return head.n >= 3 && head.p[0] >= '1' && head.p[0] <= '5';
}

/* A request that runs beside others: its answer comes with "=== rest". */
static void play_parts(struct play *p, struct str text)
{
    struct viewer beside = {.seen = BUF(1)};
    struct golden_part part;

    while (golden_next(&text, &part)) {
        if (is_answer(part.head))
            continue;
        if (part.head.n)
            buf_printf(&p->out, "=== %.*s\n", STR_ARG(part.head));
        buf_add(&p->out, part.body);
        if (str_eq(part.head, STR("rest"))) {
            p->viewer = beside;
            take_answer(p);
            add_answer(p);
            continue;
        }
        if (str_starts(part.head, STR("await ")))
            p->viewer = beside;
        run_part(p, &part);
        if (str_starts(part.head, STR("start ")) ||
            str_starts(part.head, STR("await ")))
            beside = p->viewer;
    }
}

static void play(struct chat_site *r, const char *path)
{
    struct play p = {.site = r, .out = BUF(GOLDEN_BYTES_MAX)};
    struct arena *a = &r->site.arena;
    struct str text = golden_read(a, path);
    struct access_key_add key = {.admin = false};
    struct footnote_err err;
    const char *slash = strrchr(path, '/');

    p.user = arena_str(a, (struct str){slash + 1, strlen(slash) - 5}).p;
    CHECK_OK(store_write(r->site.served.store,
                         (struct who){STR("default"), str_c(p.user)},
                         OP(access_key_add), &key, &err),
             &err);
    p.bearer = arena_printf(a, "Authorization: Bearer %s", key.key_text).p;
    play_parts(&p, text);
    if (getenv("UPDATE"))
        golden_write(path, buf_str(&p.out));
    else
        golden_compare(path, buf_str(&p.out), text);
    buf_free(&p.out);
}

static void play_all(const char *pattern, size_t at_least)
{
    CHAT_SITE(r);
    glob_t files;

    furnish(&r);
    CHECK_INT(glob(pattern, 0, NULL, &files), 0);
    CHECK(files.gl_pathc >= at_least);
    for (size_t i = 0; i < files.gl_pathc; i++)
        play(&r, files.gl_pathv[i]);
    globfree(&files);
}

CONTRACT(golden_markers_of_every_form)
{
    play_all("tests/golden/marks_*.txt", 10);
}

CONTRACT(golden_habits_of_upstream_servers)
{
    play_all("tests/golden/model_*.txt", 32);
}

CONTRACT(golden_turns_and_their_ends)
{
    play_all("tests/golden/turn_*.txt", 10);
}

CONTRACT(golden_threads_count_what_was_given)
{
    play_all("tests/golden/thread_*.txt", 4);
}
