/* library_test.c - the public library, as a program that embeds it would use
 * it: only footnote.h. */
#include "contract.h"

#include <stdlib.h>

static struct footnote *fn;
static struct footnote_err err;

static void open_library(void)
{
    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
}

#define LIBRARY(id)                                                            \
    static void library_##id(void);                                            \
    CONTRACT(id)                                                               \
    {                                                                          \
        open_library();                                                        \
        library_##id();                                                        \
        footnote_close(fn);                                                    \
    }                                                                          \
    static void library_##id(void)

static struct footnote_source slide(const char *document, uint32_t page,
                                    const char *preview)
{
    return (struct footnote_source){.type = FOOTNOTE_SLIDE,
                                    .document = document,
                                    .has_page = true,
                                    .page = page,
                                    .preview = preview};
}

static void save(const char *session, const char *id, enum footnote_role role,
                 const char *text)
{
    struct footnote_message m = {
        .session = session, .id = id, .role = role, .text = text};

    CHECK_OK(footnote_save(fn, &m, &err), &err);
}

static struct footnote_result *ask(struct footnote_query q)
{
    struct footnote_result *r = NULL;

    CHECK_OK(footnote_read(fn, &q, &r, &err), &err);
    return r;
}

static void refused(enum footnote_rc got, enum footnote_rc want,
                    const char *words)
{
    CHECK_INT(got, want);
    CHECK_INT(err.rc, want);
    if (!strstr(err.text, words))
        FAIL("\"%s\" is not in \"%s\"", words, err.text);
}

static void check_same(const struct footnote_source *got,
                       const struct footnote_source *want)
{
    CHECK_INT(got->type, want->type);
    CHECK_INT(got->number, want->number);
    CHECK_STR(got->id, want->id);
    CHECK_STR(got->preview, want->preview);
    CHECK_STR(got->title, want->title);
    CHECK_STR(got->url, want->url);
    CHECK_STR(got->course, want->course);
    CHECK_STR(got->owner, want->owner);
    CHECK_STR(got->document, want->document);
    CHECK_STR(got->lecture, want->lecture);
    CHECK_STR(got->date, want->date);
    CHECK_STR(got->s3key, want->s3key);
    CHECK_STR(got->meta, want->meta);
    CHECK_INT(got->has_page, want->has_page);
    CHECK_INT(got->page, want->page);
    CHECK_INT(got->part, want->part);
    CHECK_INT(got->has_start, want->has_start);
    CHECK_INT(got->has_end, want->has_end);
    CHECK_F64(got->start_seconds, want->start_seconds);
    CHECK_F64(got->end_seconds, want->end_seconds);
    CHECK_INT(got->has_score, want->has_score);
    CHECK_F64(got->score, want->score);
}

static void check_every_field(const struct footnote_message *g,
                              const struct footnote_message *m)
{
    CHECK_STR(g->id, "m");
    CHECK_STR(g->session, "s");
    CHECK_STR(g->text, m->text);
    CHECK_INT(g->role, m->role);
    CHECK_INT(g->status, FOOTNOTE_STOPPED);
    CHECK_INT(g->created_ms, m->created_ms);
    CHECK(g->has_low_confidence && !g->low_confidence);
    CHECK_INT(g->doc_refs.n, 2);
    CHECK_STR(g->doc_refs.items[1], "");
    CHECK_STR(g->rag_source_ids.items[0], "r");
    CHECK_STR(g->web_source_ids.items[0], "w");
    CHECK_STR(g->image.s3key, "pictures/1");
    CHECK_STR(g->image.slide, "slide");
    CHECK(g->image.has_page && g->image.page == 0);
    CHECK_INT(g->sources_n, 1);
    check_same(&g->sources[0], &m->sources[0]);
    CHECK(g->sources[0].cited);
    CHECK_INT(g->sources[0].spans_n, 1);
    CHECK_INT(g->sources[0].spans[0], 3);
    CHECK_INT(g->sources[0].spans[1], 6);
    CHECK_INT(g->sources[0].state, FOOTNOTE_EXTERNAL);
    CHECK_INT(strncmp(g->digest, "sha256:", 7), 0);
    CHECK_INT(strlen(g->digest), 7 + 64);
    CHECK_STR(g->failure, NULL);
    CHECK_STR(g->replaced_by, NULL);
}

LIBRARY(the_library_gives_back_every_field)
{
    struct footnote_source s = {.type = FOOTNOTE_LECTURE,
                                .number = 4,
                                .id = "x",
                                .preview = "",
                                .title = "T",
                                .url = "u",
                                .course = "c",
                                .owner = "o",
                                .document = "d",
                                .lecture = "l",
                                .date = "2024-02-29",
                                .s3key = "k",
                                .meta = "{ }",
                                .has_page = true,
                                .has_start = true,
                                .has_end = true,
                                .has_score = true,
                                .part = 2,
                                .start_seconds = 1e-7,
                                .end_seconds = 12.345,
                                .score = 0.5};
    const char *refs[] = {"a", ""}, *rag[] = {"r"}, *web[] = {"w"};
    struct footnote_message m = {.id = "m",
                                 .session = "s",
                                 .text = "so [4] \xF0\x9F\x94\xA5",
                                 .role = FOOTNOTE_ASSISTANT,
                                 .status = FOOTNOTE_STOPPED,
                                 .created_ms = 1700000000000,
                                 .has_low_confidence = true,
                                 .doc_refs = {refs, 2},
                                 .rag_source_ids = {rag, 1},
                                 .web_source_ids = {web, 1},
                                 .image = {"pictures/1", "slide", true, 0},
                                 .sources = &s,
                                 .sources_n = 1};
    struct footnote_result *r;

    CHECK_OK(footnote_save(fn, &m, &err), &err);
    CHECK_OK(footnote_save(fn, &m, &err), &err);
    footnote_close(fn);
    open_library();
    r = ask((struct footnote_query){.session = "s"});
    CHECK_INT(r->messages_n, 1);
    check_every_field(&r->messages[0], &m);
    footnote_result_free(r);
}

static struct footnote_answer *open_answer(const char *session, const char *q,
                                           const char *text, const char *id)
{
    struct footnote_message m = {
        .session = session, .id = q, .role = FOOTNOTE_USER, .text = text};
    struct footnote_answer *a = NULL;

    CHECK_OK(footnote_answer_open(fn, &m, id, &a, &err), &err);
    CHECK(a != NULL);
    return a;
}

static void write_text(struct footnote_answer *a, const char *text, size_t n)
{
    CHECK_OK(footnote_answer_write(a, text, n, &err), &err);
}

static void end_answer(struct footnote_answer *a, bool low)
{
    CHECK_OK(footnote_answer_finish(a, FOOTNOTE_COMPLETE, low, &err), &err);
    footnote_answer_close(a);
}

static void grow_an_answer(void)
{
    struct footnote_source s[] = {slide("d", 1, "Heat flows."),
                                  slide("d", 2, "Cats.")};
    struct footnote_answer *a = open_answer("s", "q", "why?", "a");
    struct footnote_result *r;
    uint32_t numbers[2];

    CHECK_STR(footnote_answer_id(a), "a");
    CHECK_OK(footnote_answer_cite(a, s, 1, numbers, &err), &err);
    CHECK_INT(numbers[0], 1);
    write_text(a, "Heat flows [1]. \xF0\x9F", 18);
    CHECK_OK(footnote_answer_cite(a, s, 2, numbers, &err), &err);
    CHECK_INT(numbers[0], 1);
    CHECK_INT(numbers[1], 2);
    r = ask((struct footnote_query){.session = "s"});
    CHECK_INT(r->messages[1].status, FOOTNOTE_STREAMING);
    CHECK_STR(r->messages[1].text, "Heat flows [1]. ");
    CHECK_STR(r->messages[1].digest, NULL);
    footnote_result_free(r);
    write_text(a, "\x94\xA5 [2]", 6);
    write_text(a, "", 0);
    CHECK_OK(footnote_answer_finish(a, FOOTNOTE_COMPLETE, true, &err), &err);
    refused(footnote_answer_write(a, "x", 1, &err), FOOTNOTE_ENDED, "finished");
    refused(footnote_answer_finish(a, FOOTNOTE_STOPPED, true, &err),
            FOOTNOTE_ENDED, "finished");
    footnote_answer_close(a);
    r = ask((struct footnote_query){.session = "s"});
    CHECK_INT(r->messages_n, 2);
    CHECK_STR(r->messages[1].text, "Heat flows [1]. \xF0\x9F\x94\xA5 [2]");
    CHECK_INT(r->messages[1].status, FOOTNOTE_COMPLETE);
    CHECK(r->messages[1].low_confidence);
    CHECK(r->messages[1].sources[0].support > 0.9);
    CHECK_INT(r->messages[1].sources[1].spans[0], 19);
    footnote_result_free(r);
}

LIBRARY(an_answer_grows_through_the_library)
{
    grow_an_answer();
}

CONTRACT(an_answer_grows_in_the_writer_thread_of_a_relaxed_library)
{
    char url[600];

    snprintf(url, sizeof(url), "%s%sdurability=relaxed", test_url(),
             strchr(test_url(), '?') ? "&" : "?");
    CHECK_OK(footnote_open(url, &fn, &err), &err);
    grow_an_answer();
    footnote_close(fn);
}

LIBRARY(an_answer_that_is_closed_early_is_interrupted)
{
    struct footnote_answer *a = open_answer("s", NULL, "why?", NULL);
    struct footnote_message m = {.session = "s", .text = "and?"};
    struct footnote_answer *second;
    struct footnote_result *r;

    write_text(a, "half", 4);
    refused(footnote_answer_open(fn, &m, NULL, &second, &err), FOOTNOTE_RUNNING,
            "running");
    CHECK(second == NULL);
    footnote_answer_close(a);
    footnote_answer_close(NULL);
    r = ask((struct footnote_query){.session = "s"});
    CHECK_INT(r->messages[1].status, FOOTNOTE_INTERRUPTED);
    CHECK_STR(r->messages[1].text, "half");
    footnote_result_free(r);
}

LIBRARY(edit_and_again_keep_what_they_replace)
{
    struct footnote_answer *a = open_answer("s", "q", "why?", "a1");
    struct footnote_result *r;

    end_answer(a, false);
    CHECK_OK(footnote_answer_again(fn, "s", "q", "a2", &a, &err), &err);
    end_answer(a, false);
    end_answer(open_answer("s", "q", "why not?", "a3"), false);
    r = ask((struct footnote_query){.session = "s"});
    CHECK_INT(r->messages_n, 2);
    CHECK_STR(r->messages[0].text, "why not?");
    CHECK_STR(r->messages[1].id, "a3");
    footnote_result_free(r);
    r = ask((struct footnote_query){.session = "s", .replaced = true});
    CHECK_INT(r->messages_n, 5);
    CHECK_STR(r->messages[1].replaced_by, "a2");
    CHECK_STR(r->messages[2].replaced_by, "a3");
    footnote_result_free(r);
    refused(footnote_answer_again(fn, "s", "nobody", NULL, &a, &err),
            FOOTNOTE_NOTFOUND, "question");
    CHECK(a == NULL);
}

LIBRARY(what_followed_a_version_comes_back_with_it)
{
    struct footnote_message m = {.session = "s",
                                 .role = FOOTNOTE_USER,
                                 .text = "and?",
                                 .id = "m",
                                 .parent = "a1"};
    struct footnote_session step = {.id = "s", .shown = "a1"};
    struct footnote_answer *a = open_answer("s", "q", "why?", "a1");
    struct footnote_result *r;

    end_answer(a, false);
    end_answer(open_answer("s", "q2", "so?", "a2"), false);
    CHECK_OK(footnote_answer_again(fn, "s", "q", "b1", &a, &err), &err);
    end_answer(a, false);
    r = ask((struct footnote_query){.session = "s", .at = "q2"});
    CHECK_INT(r->messages_n, 4);
    CHECK(r->messages[0].shown && !r->messages[3].shown);
    CHECK_STR(r->messages[3].parent, "q2");
    footnote_result_free(r);
    r = ask((struct footnote_query){.session = "s"});
    CHECK_INT(r->messages_n, 2);
    CHECK_STR(r->messages[0].parent, NULL);
    footnote_result_free(r);
    CHECK_OK(footnote_session_put(fn, &step, &err), &err);
    r = ask((struct footnote_query){.session = "s"});
    CHECK_INT(r->messages_n, 4);
    CHECK_STR(r->messages[3].id, "a2");
    footnote_result_free(r);
    CHECK_OK(footnote_save(fn, &m, &err), &err);
    r = ask((struct footnote_query){.session = "s"});
    CHECK_INT(r->messages_n, 3);
    CHECK_STR(r->messages[2].id, "m");
    footnote_result_free(r);
    step.shown = "nobody";
    refused(footnote_session_put(fn, &step, &err), FOOTNOTE_NOTFOUND,
            "message");
}

LIBRARY(sources_may_come_before_their_message)
{
    struct footnote_source s[] = {slide("d", 1, "x"), slide("d", 2, "y")};
    uint32_t numbers[2] = {0, 0};
    const char *ids[] = {"unknown", "m"};
    struct footnote_result *r;

    CHECK_OK(footnote_cite(fn, "s", "m", s, 2, numbers, &err), &err);
    CHECK_INT(numbers[1], 2);
    r = ask((struct footnote_query){.ids = ids, .ids_n = 2, .light = true});
    CHECK_INT(r->messages_n, 1); /* others are left out */
    CHECK_STR(r->messages[0].text, NULL);
    CHECK_STR(r->messages[0].digest, NULL);
    CHECK_STR(r->messages[0].sources[0].preview, NULL);
    footnote_result_free(r);
    save("s", "m", FOOTNOTE_ASSISTANT, "so [2]");
    r = ask((struct footnote_query){.ids = ids, .ids_n = 2});
    CHECK_STR(r->messages[0].text, "so [2]");
    CHECK(r->messages[0].sources[1].cited);
    CHECK_STR(r->messages[0].sources[0].preview, "x");
    footnote_result_free(r);
    refused(footnote_cite(fn, NULL, "nobody", s, 1, NULL, &err),
            FOOTNOTE_NOTFOUND, "message");
}

LIBRARY(sessions_are_made_listed_and_deleted)
{
    struct footnote_session s = {.id = "s", .course = "c", .title = "T"};
    struct footnote_message m = {
        .session = "s", .role = FOOTNOTE_USER, .text = "x"};
    struct footnote_result *r;

    CHECK_OK(footnote_session_put(fn, &s, &err), &err);
    save("t", "m", FOOTNOTE_USER, "why?");
    r = ask((struct footnote_query){.limit = 1});
    CHECK_INT(r->sessions_n, 1);
    CHECK(r->more);
    footnote_result_free(r);
    r = ask((struct footnote_query){.limit = 2});
    CHECK_INT(r->sessions_n, 2);
    CHECK(!r->more);
    footnote_result_free(r);
    CHECK_OK(footnote_session_delete(fn, "t", &err), &err);
    CHECK_OK(footnote_session_delete(fn, "t", &err), &err);
    r = ask((struct footnote_query){0});
    CHECK_INT(r->sessions_n, 1);
    CHECK_STR(r->sessions[0].id, "s");
    CHECK_STR(r->sessions[0].course, "c");
    CHECK_STR(r->sessions[0].title, "T");
    CHECK(!r->sessions[0].running);
    CHECK(r->sessions[0].created_ms > 1600000000000);
    footnote_result_free(r);
    m.session = "t";
    refused(footnote_save(fn, &m, &err), FOOTNOTE_NOTFOUND, "session");
}

LIBRARY(another_user_sees_nothing_of_it)
{
    struct footnote_query q = {.session = "s"};
    struct footnote *other = NULL, *bad;
    struct footnote_result *r;

    save("s", "m", FOOTNOTE_USER, "secret");
    CHECK_OK(footnote_as(fn, NULL, "eve", &other, &err), &err);
    refused(footnote_read(other, &q, &r, &err), FOOTNOTE_NOTFOUND, "session");
    CHECK(r == NULL);
    footnote_close(other);
    CHECK_OK(footnote_as(fn, "elsewhere", "local", &other, &err), &err);
    refused(footnote_read(other, &q, &r, &err), FOOTNOTE_NOTFOUND, "session");
    footnote_close(other);
    CHECK_OK(footnote_as(fn, "default", "local", &other, &err), &err);
    CHECK_OK(footnote_read(other, &q, &r, &err), &err);
    CHECK_STR(r->messages[0].text, "secret");
    footnote_result_free(r);
    footnote_close(other);
    refused(footnote_as(fn, NULL, "", &bad, &err), FOOTNOTE_INVALID, "user");
    refused(footnote_as(fn, NULL, NULL, &bad, &err), FOOTNOTE_INVALID, "user");
    refused(footnote_as(fn, "", "x", &bad, &err), FOOTNOTE_INVALID, "tenant");
    CHECK(bad == NULL);
}
