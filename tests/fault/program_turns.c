/* program_turns.c - turns of the real program under fault, and the proof. */
#include "program_turns.h"

#include <stdlib.h>

#include "base/json.h"
#include "store/document/document.h"
#include "store/session/course.h"
#include "test.h"

enum { BYTES_MAX = 256 * 1024 * 1024, DELAY_MS = 3 };

/* ---- A course, and a model ---------------------------------------------- */

static const char *const passages[] = {
    "Cats sleep thirteen hours a day, and old cats sleep even longer.",
    "Kittens sleep more than grown cats: up to twenty hours a day.",
    "Cats see well in the dark because of a layer behind the retina."};
enum { PASSAGES = sizeof(passages) / sizeof(passages[0]) };

static void fill(const char *database)
{
    struct who local = {STR("default"), STR("local")};
    struct course_put course = {.id = STR("cats"), .title = STR("On cats")};
    struct document_put put = {.document = {.id = STR("book"),
                                            .course = STR("cats"),
                                            .title = STR("The book of cats"),
                                            .kind = DOCUMENT_SLIDES}};
    struct passage p[PASSAGES] = {{.position = 0}};
    struct passages_add add = {.document = STR("book"),
                               .version = 1,
                               .passages = p,
                               .passages_n = PASSAGES};
    struct document_status_set ready = {.document = STR("book"),
                                        .status = DOCUMENT_READY};
    struct store *st = NULL;
    struct footnote_err err;

    for (int i = 0; i < PASSAGES; i++)
        p[i] = (struct passage){
            .position = i + 1, .page = i + 1, .text = str_c(passages[i])};
    CHECK_OK(store_open(database, &st, &err), &err);
    CHECK_OK(store_write(st, local, OP(course_put), &course, &err), &err);
    CHECK_OK(store_write(st, local, OP(document_put), &put, &err), &err);
    CHECK_OK(store_write(st, local, OP(passages_add), &add, &err), &err);
    CHECK_OK(store_write(st, local, OP(document_status_set), &ready, &err),
             &err);
    store_close(st);
}

static const struct {
    const char *name;
    int pieces;
} kinds[] = {{"short", 6}, {"middle", 25}, {"long", TURNS_PIECES_MAX}};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* The text is p0 [1] p1 [2] p2 [3] p3 [1] ... */
static void add_piece(struct buf *b, int i)
{
    buf_printf(b, "p%d [%d] ", i, 1 + i % PASSAGES);
}

static void add_script(struct upstream *up, const char *name, int pieces)
{
    AUTO(buf_free) struct buf b = BUF(BYTES_MAX);

    for (int i = 0; i < pieces; i++) {
        buf_add(&b, STR("text "));
        add_piece(&b, i);
        buf_printf(&b, "\\e\ndelay %d\n", DELAY_MS);
    }
    buf_add(&b, STR("finish stop\ndone\n"));
    buf_add_c(&b, '\0');
    upstream_add(up, name, b.p);
}

void turns_prepare(struct turns *t, const char *database)
{
    t->up = upstream_open();
    t->program.database = database;
    t->program.model_url = upstream_url(t->up);
    for (int i = 0; i < KINDS; i++)
        add_script(t->up, kinds[i].name, kinds[i].pieces);
    fill(database);
}

void turns_close(struct turns *t)
{
    turns_forget(t);
    upstream_close(t->up);
}

/* ---- Asking and reading ------------------------------------------------- */

void turns_ask(struct turns *t, size_t n)
{
    t->n = n;
    for (size_t i = 0; i < n; i++) {
        char body[400];

        snprintf(body, sizeof(body),
                 "{\"id\":\"r%u-s%zu\",\"courseId\":\"cats\",\"messages\":[{"
                 "\"id\":\"r%u-q%zu\",\"role\":\"user\",\"parts\":[{\"type\":"
                 "\"text\",\"text\":\"How long do cats sleep? script:%s\"}]}]}",
                 t->round, i, t->round, i, kinds[i % KINDS].name);
        watcher_open(&t->watchers[i], &t->program, "POST", "/api/chat",
                     str_c(body));
    }
}

static size_t come(const struct turns *t, bool *all_ended)
{
    size_t bytes = 0;

    *all_ended = true;
    for (size_t i = 0; i < t->n; i++) {
        bytes += t->watchers[i].in.n;
        *all_ended = *all_ended && t->watchers[i].ended;
    }
    return bytes;
}

void turns_read(struct turns *t, size_t bytes)
{
    bool ended;

    while (come(t, &ended) < bytes && !ended)
        CHECK(watchers_read(t->watchers, t->n, test_wait_ms()));
}

void turns_read_all(struct turns *t)
{
    turns_read(t, SIZE_MAX);
}

void turns_forget(struct turns *t)
{
    for (size_t i = 0; i < t->n; i++)
        watcher_close(&t->watchers[i]);
    t->n = 0;
    t->round++;
}

/* ---- What was seen, and what is there ----------------------------------- */

struct seen {
    struct str answer; /* absent: not a byte of it */
    struct buf text;
    struct str sources[PASSAGES];
    size_t sources_n;
    bool finished;
};

static struct json *parse(struct arena *a, struct str text)
{
    struct json *v = NULL;
    struct footnote_err err;

    if (json_read(a, text, &v, &err) != FOOTNOTE_OK)
        FAIL("%s: %.*s", err.text, STR_ARG(text));
    return v;
}

static void fold(struct arena *a, struct seen *s, struct str event)
{
    struct json *v;
    struct str type;

    if (!str_starts(event, STR("data: {")))
        return;
    event = str_skip(event, 6);
    v = parse(a, event);
    type = json_text(v, STR("type"));
    if (str_eq(type, STR("start")))
        s->answer = json_text(v, STR("messageId"));
    if (str_eq(type, STR("data-rag-source"))) {
        CHECK(s->sources_n < PASSAGES);
        s->sources[s->sources_n++] = event;
    }
    if (str_eq(type, STR("text-delta")))
        buf_add(&s->text, json_text(v, STR("delta")));
    if (str_eq(type, STR("finish")))
        s->finished = true;
}

/* Events that came whole; nobody can show half of one. */
static void see(const struct watcher *w, struct arena *a, struct seen *s)
{
    struct str body = watcher_body(w, a);

    *s = (struct seen){.text = BUF(BYTES_MAX)};
    while (body.n) {
        const char *end = memmem(body.p, body.n, "\n\n", 2);

        if (!end)
            return;
        fold(a, s, (struct str){body.p, (size_t)(end - body.p)});
        body = str_skip(body, (size_t)(end - body.p) + 2);
    }
}

static struct str text_of(const struct json *message)
{
    const struct json *parts = json_get(message, STR("parts"));

    for (const struct json *p = parts ? parts->first : NULL; p; p = p->next)
        if (str_eq(json_text(p, STR("type")), STR("text")))
            return json_text(p, STR("text"));
    return STR("");
}

static void check_text(const struct seen *s, struct str text, bool whole, int n)
{
    AUTO(buf_free) struct buf full = BUF(BYTES_MAX);

    for (int i = 0; i < n; i++)
        add_piece(&full, i);
    if (whole)
        CHECK_TEXT(text, buf_str(&full));
    CHECK(str_starts(buf_str(&full), text));
    if (s->text.n && !str_starts(text, buf_str(&s->text)))
        FAIL("seen %zu bytes of text, stored %zu: %.*s", s->text.n, text.n,
             STR_ARG(text));
}

static void check_status(struct str status, bool finished, enum turns_end how)
{
    bool whole = str_eq(status, STR("complete"));

    if (finished || how == TURNS_WHOLE)
        CHECK_TEXT(status, STR("complete"));
    else if (how == TURNS_INTERRUPTED && !whole)
        CHECK_TEXT(status, STR("interrupted"));
    else if (!whole && !str_eq(status, STR("interrupted")))
        CHECK_TEXT(status, STR("failed"));
}

static struct str history(struct turns *t, struct arena *a, size_t i,
                          int *status)
{
    char path[100];
    struct str body;

    snprintf(path, sizeof(path), "/api/chat/r%u-s%zu/stream", t->round, i);
    CHECK_INT(program_ask(&t->program, a, "GET", path, STR(""), &body), 204);
    snprintf(path, sizeof(path), "/api/sessions/r%u-s%zu/messages?as=ui",
             t->round, i);
    *status = program_ask(&t->program, a, "GET", path, STR(""), &body);
    return body;
}

static void check_one(struct turns *t, size_t i, enum turns_end how)
{
    AUTO(arena_free) struct arena a = ARENA(BYTES_MAX);
    struct seen s;
    int status;
    struct str body = history(t, &a, i, &status), word;
    const struct json *m;

    see(&t->watchers[i], &a, &s);
    if (status == 404 && !s.answer.p && how != TURNS_WHOLE) {
        buf_free(&s.text);
        return; /* it was killed before it knew of the question */
    }
    CHECK_INT(status, 200);
    m = json_get(parse(&a, body), STR("messages"))->first->next;
    if (!m)
        FAIL("the answer of r%u-s%zu is gone", t->round, i);
    word = json_text(json_get(m, STR("metadata")), STR("status"));
    if (s.answer.p)
        CHECK_TEXT(json_text(m, STR("id")), s.answer);
    check_status(word, s.finished, how);
    check_text(&s, text_of(m), str_eq(word, STR("complete")),
               kinds[i % KINDS].pieces);
    for (size_t k = 0; k < s.sources_n; k++)
        if (!memmem(body.p, body.n, s.sources[k].p, s.sources[k].n))
            FAIL("shown, but gone: %.*s", STR_ARG(s.sources[k]));
    buf_free(&s.text);
}

void turns_check(struct turns *t, enum turns_end how)
{
    for (size_t i = 0; i < t->n; i++)
        check_one(t, i, how);
}

/* What never began is settled too: turns_check() knows whether it may. */
static bool is_settled(struct turns *t, struct arena *a, size_t i)
{
    char path[100];
    struct str body;
    int status;

    snprintf(path, sizeof(path), "/api/sessions/r%u-s%zu", t->round, i);
    status = program_ask(&t->program, a, "GET", path, STR(""), &body);
    return status == 404 ||
           (status == 200 &&
            !memmem(body.p, body.n, "\"status\":\"running\"", 18));
}

void turns_settle(struct turns *t)
{
    AUTO(arena_free) struct arena a = ARENA(BYTES_MAX);

    for (size_t i = 0; i < t->n; i++)
        WAIT_UNTIL(is_settled(t, &a, i));
}
