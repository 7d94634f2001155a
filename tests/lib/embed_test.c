/* embed_test.c - the finished library, by its public header alone.
 *
 * Linked twice: with libfootnote.a and with libfootnote.so.  names.c has
 * functions with the names of ours. */
#include <footnote.h>

#include "clashing_names.h"
#include "contract.h"

static struct footnote *open_store(void)
{
    struct footnote *fn;
    struct footnote_err err;

    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    return fn;
}

static struct footnote_result *read_session(struct footnote *fn,
                                            const char *session)
{
    struct footnote_query q = {.session = session};
    struct footnote_result *r;
    struct footnote_err err;

    CHECK_OK(footnote_read(fn, &q, &r, &err), &err);
    return r;
}

/* An answer to "Why?" in session s, with one source, not yet finished. */
static struct footnote_answer *begin(struct footnote *fn)
{
    const struct footnote_message question = {
        .id = "q", .session = "s", .role = FOOTNOTE_USER, .text = "Why?"};
    const struct footnote_source slide = {.type = FOOTNOTE_SLIDE,
                                          .document = "d",
                                          .has_page = true,
                                          .page = 14,
                                          .preview = "Because."};
    struct footnote_answer *a;
    struct footnote_err err;
    uint32_t number = 0;

    CHECK_OK(footnote_answer_open(fn, &question, "a", &a, &err), &err);
    CHECK_STR(footnote_answer_id(a), "a");
    CHECK_OK(footnote_answer_cite(a, &slide, 1, &number, &err), &err);
    CHECK_INT(number, 1);
    return a;
}

static void add(struct footnote_answer *a, const char *text)
{
    struct footnote_err err;

    CHECK_OK(footnote_answer_write(a, text, strlen(text), &err), &err);
}

TEST(the_program_keeps_its_own_functions)
{
    struct footnote *fn;
    struct footnote_err err;

    CHECK_INT(arena_alloc() + buf_add() + db_open() + json_read() +
                  store_write() + utf8_valid(),
              1 + 2 + 3 + 4 + 5 + 6);
    names_called = 0;
    CHECK_OK(footnote_open("sqlite::memory:names", &fn, &err), &err);
    footnote_answer_close(begin(fn));
    footnote_result_free(read_session(fn, "s"));
    footnote_close(fn);
    CHECK_INT(names_called, 0);
}

CONTRACT(a_saved_message_comes_back_after_a_reopen)
{
    const struct footnote_source source = {.type = FOOTNOTE_LECTURE,
                                           .number = 7,
                                           .id = "mine",
                                           .title = "",
                                           .lecture = "l",
                                           .meta = "{\"k\" : 1}",
                                           .has_start = true,
                                           .start_seconds = 1e-7};
    const struct footnote_message saved = {.id = "m",
                                           .session = "s",
                                           .role = FOOTNOTE_ASSISTANT,
                                           .text = "So [7].",
                                           .sources = &source,
                                           .sources_n = 1};
    struct footnote *fn = open_store();
    struct footnote_result *r;
    struct footnote_err err;

    CHECK_OK(footnote_save(fn, &saved, &err), &err);
    CHECK_OK(footnote_save(fn, &saved, &err), &err); /* writes nothing */
    footnote_close(fn);
    fn = open_store();
    r = read_session(fn, "s");
    CHECK_INT(r->messages_n, 1);
    CHECK_STR(r->messages[0].text, saved.text);
    CHECK_INT(r->messages[0].sources_n, 1);
    const struct footnote_source *got = &r->messages[0].sources[0];
    CHECK_INT(got->number, 7);
    CHECK_STR(got->id, "mine");
    CHECK_STR(got->title, "");
    CHECK_STR(got->url, NULL);
    CHECK_STR(got->meta, source.meta);
    CHECK_F64(got->start_seconds, 1e-7);
    CHECK(!got->has_end && !got->has_page && got->cited);
    footnote_result_free(r);
    footnote_close(fn);
}

CONTRACT(an_answer_grows_and_ends)
{
    struct footnote *fn = open_store();
    struct footnote_answer *a = begin(fn);
    struct footnote_result *r = read_session(fn, "s");
    struct footnote_err err;

    CHECK_INT(r->messages_n, 2);
    CHECK_INT(r->messages[1].status, FOOTNOTE_STREAMING);
    footnote_result_free(r);
    /* The umlaut is cut in two. */
    add(a, "Dar\xc3");
    add(a, "\xbcm [1].");
    CHECK_OK(footnote_answer_finish(a, FOOTNOTE_COMPLETE, true, &err), &err);
    CHECK_INT(footnote_answer_write(a, "x", 1, &err), FOOTNOTE_ENDED);
    footnote_answer_close(a);
    r = read_session(fn, "s");
    const struct footnote_message *m = &r->messages[1];
    CHECK_STR(m->text, "Darüm [1].");
    CHECK_INT(m->status, FOOTNOTE_COMPLETE);
    CHECK(m->has_low_confidence && m->low_confidence);
    CHECK_INT(m->sources_n, 1);
    CHECK_STR(m->sources[0].id, "doc_d_slide_14");
    CHECK_INT(m->sources[0].spans_n, 1);
    CHECK_INT(m->sources[0].spans[0], 6); /* in UTF-16 units */
    CHECK_INT(m->sources[0].spans[1], 9);
    footnote_result_free(r);
    footnote_close(fn);
}

CONTRACT(an_answer_that_is_only_closed_is_interrupted)
{
    struct footnote *fn = open_store();
    struct footnote_answer *a = begin(fn);
    struct footnote_result *r;

    add(a, "Half");
    footnote_answer_close(a);
    r = read_session(fn, "s");
    CHECK_STR(r->messages[1].text, "Half");
    CHECK_INT(r->messages[1].status, FOOTNOTE_INTERRUPTED);
    CHECK_INT(r->messages[1].sources_n, 1);
    footnote_result_free(r);
    footnote_close(fn);
}

CONTRACT(another_user_sees_nothing_of_it)
{
    struct footnote *fn = open_store(), *other;
    struct footnote_query q = {.session = "s"};
    struct footnote_result *r;
    struct footnote_err err;

    footnote_answer_close(begin(fn));
    CHECK_OK(footnote_as(fn, NULL, "eve", &other, &err), &err);
    CHECK_INT(footnote_read(other, &q, &r, &err), FOOTNOTE_NOTFOUND);
    CHECK(r == NULL);
    CHECK_OK(footnote_session_delete(other, "s", &err), &err);
    footnote_result_free(read_session(fn, "s")); /* still there */
    footnote_close(other);
    footnote_close(fn);
}
