/* sessions.c - see sessions.h. */
#include "help/sessions.h"

#include <stdlib.h>
#include <string.h>

#include "cite/source.h"
#include "export/export.h"
#include "http/shape/intake.h"
#include "store/answer/answer.h"
#include "store/document/document.h"
#include "store/scrub.h"
#include "store/session/course.h"
#include "store/session/session.h"
#include "store/session/whole.h"
#include "store/usage.h"

enum {
    LONG_BYTES = 200 * 1024,
    STEPS_MAX = 24,
    LABEL_BYTES_MAX = 4096,
    SOURCES_MAX = 6
};

/* What a question is limited to, as it is kept. */
#define SCOPE                                                                  \
    STR("{\"course\":\"c\",\"documents\":[\"a\",\"b\"],\"kinds\":10,\"from\":" \
        "\"2026-02-26\",\"changed\":1772136000000}")

const struct who sessions_ann = {{"default", 7}, {"ann", 3}};
static const struct who ben = {{"default", 7}, {"ben", 3}};

static struct footnote_err err;

size_t random_below(struct random *r, size_t n)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return (size_t)(r->state % n);
}

static bool one_in(struct random *r, size_t n)
{
    return random_below(r, n) == 0;
}

/* ---- Words --------------------------------------------------------------- */

static const char *const words[] = {
    "Entropy grows [1].",
    " See [2, 3] and [1-3].",
    "\n\n# Heading\n* a\n* b [^Page]\n",
    " \"quotes\" and \\back\\slashes\\ {braces} % percent & <b>",
    " Entropie wächst – \xE2\x80\xA8\xE2\x80\xA9 日本語 [１] ",
    " \xF0\x9F\x94\xA5\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC[4]",
    "\x01\x1f\x7f\t\r\n",
    " ```c\nint a[1];\n``` ",
    " \xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D [5][6]",
    " </script><img src=x onerror=alert(1)>",
    "",
};
enum { WORDS_N = sizeof(words) / sizeof(words[0]) };

static struct str text(struct random *r, struct arena *a)
{
    size_t n = random_below(r, 6);
    char buffer[1024];
    size_t at = 0;

    if (one_in(r, 150)) {
        char *p = arena_alloc(a, LONG_BYTES);

        CHECK(p);
        for (size_t i = 0; i < LONG_BYTES; i++)
            p[i] = "abc [1]. "[i % 9];
        return (struct str){p, LONG_BYTES};
    }
    for (size_t i = 0; i < n; i++) {
        const char *word = words[random_below(r, WORDS_N)];

        memcpy(buffer + at, word, strlen(word));
        at += strlen(word);
    }
    return arena_str(a, (struct str){buffer, at});
}

static struct str maybe(struct random *r, struct arena *a)
{
    struct str s = one_in(r, 2) ? text(r, a) : STR_NONE;

    return s.n && s.n <= LABEL_BYTES_MAX ? s : STR_NONE;
}

/* ---- Sources ------------------------------------------------------------- */

static struct source random_source(struct random *r, struct arena *a)
{
    size_t i = random_below(r, 5);
    struct source s = {.title = maybe(r, a), .preview = maybe(r, a)};

    switch (random_below(r, 6)) {
    case 0:
        s.type = FOOTNOTE_SLIDE;
        s.document = arena_printf(a, "doc%zu", i);
        s.course = arena_printf(a, "c%zu", i % 3);
        s.has_page = true;
        s.page = (int64_t)random_below(r, 50);
        break;
    case 1:
        s.type = FOOTNOTE_LECTURE;
        s.lecture = arena_printf(a, "lec%zu", i);
        s.has_start = s.has_end = true;
        s.start = (double)random_below(r, 10000) / 7;
        s.end = s.start + 0.1;
        break;
    case 2:
        s.type = FOOTNOTE_JOURNAL;
        s.date = STR("2024-02-29");
        s.title = arena_printf(a, "Day: %zu", i);
        break;
    case 3:
        s.type = FOOTNOTE_WEB;
        s.url = arena_printf(a, "https://example.org/?a=%zu&b=\"<>#t", i);
        break;
    case 4:
        s.type = FOOTNOTE_IMAGE;
        s.s3key = arena_printf(a, "snapshots/a b/%zu.png", i);
        break;
    default:
        s.type = FOOTNOTE_TEXT;
        s.id = arena_printf(a, "id %zu \xC3\xA9/\\", i);
        s.owner = STR("someone");
        s.part = (int64_t)i + 1;
        s.meta = one_in(r, 2)
                     ? STR("{ \"b\":1.0,\n \"a\":[null,\"\\u00e9\"] }")
                     : STR("{\"pageNumber\":3,\"deep\":[[[[[[{}]]]]]]}");
        break;
    }
    return s;
}

static size_t random_sources(struct random *r, struct arena *a,
                             struct reference *out)
{
    size_t n = random_below(r, SOURCES_MAX);

    for (size_t i = 0; i < n; i++) {
        out[i] = (struct reference){.source = random_source(r, a)};
        if (one_in(r, 2))
            out[i].number = (uint32_t)(i * 3 + 1);
        out[i].has_score = one_in(r, 2);
        out[i].score = (double)random_below(r, 1000) / 3;
    }
    return n;
}

/* ---- Sessions ------------------------------------------------------------ */

struct making {
    struct store *st;
    struct random *r;
    struct arena *a;
    struct str id;
    size_t n; /* of ids so far */
};

/* A step may be refused, as another answer runs; what was not is kept. */
static bool step(struct making *m, const struct store_op *kind, void *op)
{
    enum footnote_rc rc = store_write(m->st, sessions_ann, kind, op, &err);

    if (rc == FOOTNOTE_NOMEM || rc == FOOTNOTE_INTERNAL ||
        rc == FOOTNOTE_DAMAGED || rc == FOOTNOTE_FULL)
        FAIL("%s", err.text);
    return rc == FOOTNOTE_OK;
}

static struct str message_id(struct making *m, size_t i)
{
    return arena_printf(m->a, i % 5 ? "%.*s-%zu" : "%.*s é/\"%zu",
                        STR_ARG(m->id), i);
}
static struct str new_id(struct making *m)
{
    return message_id(m, ++m->n);
}
static struct str some_id(struct making *m)
{
    return m->n ? message_id(m, 1 + random_below(m->r, m->n)) : STR("none");
}

static void save(struct making *m, enum footnote_role role)
{
    static const enum footnote_status ends[] = {
        FOOTNOTE_COMPLETE, FOOTNOTE_COMPLETE, FOOTNOTE_STOPPED, FOOTNOTE_FAILED,
        FOOTNOTE_INTERRUPTED};
    static const struct str refs[] = {{"2024-02-29:Day: 1", 17}, {"doc1", 4}};
    struct reference sources[SOURCES_MAX];
    struct message_save op = {
        .message = {.session = m->id,
                    .id = one_in(m->r, 8) ? some_id(m) : new_id(m),
                    .role = role,
                    .content = text(m->r, m->a)}};
    struct message *to = &op.message;

    if (role == FOOTNOTE_ASSISTANT) {
        to->sources_n = random_sources(m->r, m->a, sources);
        to->sources = sources;
        to->status = ends[random_below(m->r, 5)];
        to->has_low_confidence = one_in(m->r, 3);
        to->low_confidence = one_in(m->r, 2);
        to->doc_refs = refs;
        to->doc_refs_n = random_below(m->r, 3);
        to->rag_source_ids = refs;
        to->rag_source_ids_n = random_below(m->r, 3);
    } else {
        to->content.n = to->content.n > 60000 ? 60000 : to->content.n;
    }
    if (one_in(m->r, 4))
        to->parent = one_in(m->r, 5) ? STR("") : some_id(m);
    if (one_in(m->r, 3))
        to->created_ms = (int64_t)random_below(m->r, 1772136900000);
    if (one_in(m->r, 6)) {
        to->has_image = true;
        to->image_s3key = STR("snapshots/slides 4/page-1.png");
        to->image_slide = one_in(m->r, 2) ? STR("slides 4") : STR_NONE;
        to->has_image_page = one_in(m->r, 2);
        to->image_page = 7;
    }
    (void)step(m, OP(message_save), &op);
}

/* Sources of a message that is there, or comes later, or never. */
static void cite(struct making *m)
{
    struct reference sources[SOURCES_MAX];
    struct message_cite op = {.message =
                                  one_in(m->r, 2) ? some_id(m) : new_id(m),
                              .session = m->id,
                              .sources = sources};

    op.sources_n = random_sources(m->r, m->a, sources);
    (void)step(m, OP(message_cite), &op);
}

static void search(struct making *m)
{
    struct reference sources[SOURCES_MAX];
    struct event_add op = {.id = one_in(m->r, 2) ? new_id(m) : STR_NONE,
                           .session = m->id,
                           .user_message =
                               one_in(m->r, 2) ? some_id(m) : new_id(m),
                           .query = STR("what is [1] \"it\"?\n"),
                           .web = one_in(m->r, 2),
                           .has_low_confidence = one_in(m->r, 2),
                           .low_confidence = one_in(m->r, 2),
                           .sources = sources};

    op.sources_n = random_sources(m->r, m->a, sources);
    (void)step(m, OP(event_add), &op);
}

static void found(struct making *m, struct answer *a)
{
    struct reference sources[SOURCES_MAX];
    double coverage[SOURCES_MAX];
    struct answer_cite op = {.answer = a,
                             .sources = sources,
                             .query = STR("entropy"),
                             .low_confidence = one_in(m->r, 2),
                             .coverage = one_in(m->r, 2) ? coverage : NULL};

    op.sources_n = random_sources(m->r, m->a, sources);
    for (size_t i = 0; i < SOURCES_MAX; i++)
        coverage[i] = (double)random_below(m->r, 1001) / 1000;
    (void)step(m, OP(answer_cite), &op);
}

static void say(struct making *m, struct answer *a)
{
    struct answer_append op = {.answer = a, .text = text(m->r, m->a)};

    if (op.text.n)
        (void)step(m, OP(answer_append), &op);
}

/* An answer of our own agent, as the chat writes it. */
static void turn(struct making *m, bool stays)
{
    static const enum answer_mode modes[] = {ANSWER_NEW, ANSWER_NEW,
                                             ANSWER_EDIT, ANSWER_REGENERATE,
                                             ANSWER_CONTINUE};
    enum answer_mode mode = modes[random_below(m->r, 5)];
    struct answer_begin op = {
        .question = {.session = m->id,
                     .id = mode == ANSWER_NEW ? new_id(m) : some_id(m),
                     .scope = one_in(m->r, 3) ? SCOPE : STR_NONE,
                     .content = STR("why? [1]")},
        .answer_id = new_id(m),
        .mode = mode};
    struct answer_finish end = {.answer = &op.answer,
                                .status = one_in(m->r, 3) ? FOOTNOTE_FAILED
                                                          : FOOTNOTE_COMPLETE,
                                .tokens_in = -1,
                                .tokens_out = -1};

    if (!step(m, OP(answer_begin), &op))
        return;
    found(m, &op.answer);
    say(m, &op.answer);
    if (one_in(m->r, 3))
        found(m, &op.answer); /* late */
    say(m, &op.answer);
    if (stays)
        return;
    if (end.status == FOOTNOTE_FAILED)
        end.failure = STR("model_timeout");
    if (one_in(m->r, 2)) {
        end.model = STR("scripted");
        end.tokens_in = 17;
        end.tokens_out = 0;
    }
    (void)step(m, OP(answer_finish), &end);
}

static void show(struct making *m)
{
    struct session_put op = {
        .id = m->id, .shown = some_id(m), .must_exist = true};

    (void)step(m, OP(session_put), &op);
}

void sessions_make(struct store *st, struct random *r, const char *id)
{
    AUTO(arena_free) struct arena a = ARENA((size_t)64 * 1024 * 1024);
    struct making m = {.st = st, .r = r, .a = &a, .id = str_c(id)};
    struct session_put head = {.id = m.id, .title = maybe(r, &a)};
    size_t steps = random_below(r, STEPS_MAX);

    if (one_in(r, 2))
        head.course = arena_printf(&a, "c%zu", random_below(r, 3));
    CHECK_OK(store_write(st, sessions_ann, OP(session_put), &head, &err), &err);
    for (size_t i = 0; i < steps; i++)
        switch (random_below(r, 10)) {
        case 0:
        case 1: save(&m, FOOTNOTE_USER); break;
        case 2: save(&m, FOOTNOTE_SYSTEM); break;
        case 3:
        case 4: save(&m, FOOTNOTE_ASSISTANT); break;
        case 5: cite(&m); break;
        case 6: search(&m); break;
        case 7: show(&m); break;
        default: turn(&m, false); break;
        }
    if (one_in(r, 8))
        turn(&m, true);
}

/* ---- What sources are bound to ------------------------------------------- */

void sessions_begin(struct store *st)
{
    for (size_t i = 0; i < 5; i++) {
        char id[20], course[20];
        struct who owner = i % 3 == 2 ? ben : sessions_ann;
        struct course_put make = {.title = STR("A \"course\"")};
        struct member_put member = {.user = STR("ann"), .role = MEMBER_READER};
        struct document_put put = {
            .document = {.title = STR("A document"), .kind = DOCUMENT_SLIDES}};
        struct document_status_set ready = {.status = DOCUMENT_READY};

        snprintf(id, sizeof(id), "doc%zu", i);
        snprintf(course, sizeof(course), "c%zu", i % 3);
        make.id = put.document.course = ready.course = member.course =
            str_c(course);
        put.document.id = ready.document = str_c(id);
        CHECK_OK(sha256(str_c(id), &put.document.digest, &err), &err);
        CHECK_OK(store_write(st, owner, OP(course_put), &make, &err), &err);
        if (i % 3 == 2)
            CHECK_OK(store_write(st, owner, OP(member_put), &member, &err),
                     &err);
        CHECK_OK(store_write(st, owner, OP(document_put), &put, &err), &err);
        CHECK_OK(store_write(st, owner, OP(document_status_set), &ready, &err),
                 &err);
    }
}

void sessions_spoil(struct store *st)
{
    struct document_delete gone = {.id = STR("doc0"), .course = STR("c0")};
    struct document_delete redact = {
        .id = STR("doc1"), .course = STR("c1"), .redact = true};
    struct member_put out = {.course = STR("c2"), .user = STR("ann")};

    CHECK_OK(store_write(st, sessions_ann, OP(document_delete), &gone, &err),
             &err);
    CHECK_OK(store_write(st, sessions_ann, OP(document_delete), &redact, &err),
             &err);
    CHECK_OK(store_write(st, ben, OP(member_put), &out, &err), &err);
}

/* ---- Out and in ---------------------------------------------------------- */

struct str session_out(struct store *st, struct who who, struct str id,
                       struct arena *a)
{
    AUTO(buf_free) struct buf b = BUF((size_t)128 * 1024 * 1024);
    struct whole_read op = {.session = id};
    struct str json;

    CHECK_OK(store_read(st, who, a, OP(whole_read), &op, &err), &err);
    export_kept(&b, &op.whole, STR_NONE);
    CHECK_OK(buf_rc(&b, &err), &err);
    json = arena_str(a, buf_str(&b));
    CHECK(json.p);
    return json;
}

enum footnote_rc session_in(struct store *st, struct who who, struct str json,
                            struct footnote_err *why)
{
    AUTO(arena_free) struct arena a = ARENA((size_t)256 * 1024 * 1024);
    struct intake in = {.a = &a};
    struct whole whole;
    struct whole_write op = {.whole = &whole, .trusted = true};
    struct json *o;
    struct str owner;

    TRY(json_read(&a, json, &o, why));
    if (!export_kept_read(&in, o, &whole, &owner))
        return err_field_str(why, FOOTNOTE_INVALID, in.problem.where, "%.*s",
                             STR_ARG(in.problem.text));
    return store_write(st, who, OP(whole_write), &op, why);
}

void sessions_sound(struct store *st)
{
    AUTO(arena_free) struct arena a = ARENA((size_t)256 * 1024 * 1024);
    struct usage_list list = {.accounts = NULL};
    struct scrub scrub = {.limit = 100};

    CHECK_OK(store_own_read(st, &a, OP(usage_list), &list, &err), &err);
    for (size_t i = 0; i < list.accounts_n; i++)
        if (usage_is_wrong(&list.accounts[i]))
            FAIL("%.*s: %lld bytes counted, %lld kept",
                 STR_ARG(list.accounts[i].user),
                 (long long)list.accounts[i].counted.bytes,
                 (long long)list.accounts[i].kept.bytes);
    do {
        CHECK_OK(store_own_read(st, &a, OP(scrub), &scrub, &err), &err);
        CHECK_INT(scrub.damages_n, 0);
    } while (!scrub.over);
}
