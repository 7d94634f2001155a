/* library_query_test.c - the one read call of the public library. */
#include "contract.h"

static struct footnote *fn;
static struct footnote_err err;

static struct footnote_result *ask(struct footnote_query q)
{
    struct footnote_result *r = NULL;

    CHECK_OK(footnote_read(fn, &q, &r, &err), &err);
    return r;
}

static void refused(struct footnote_query q, enum footnote_rc want,
                    const char *words)
{
    struct footnote_result *r;

    CHECK_INT(footnote_read(fn, &q, &r, &err), want);
    CHECK(r == NULL);
    if (!strstr(err.text, words))
        FAIL("\"%s\" is not in \"%s\"", words, err.text);
}

/* `n` answers in ten sessions, each given two pages of "d". */
static void save_answers(size_t n)
{
    struct footnote_source s[] = {
        {.type = FOOTNOTE_SLIDE,
         .document = "d",
         .title = "Slides",
         .has_page = true,
         .page = 1},
        {.type = FOOTNOTE_SLIDE, .document = "d", .has_page = true, .page = 2}};

    for (size_t i = 0; i < n; i++) {
        char id[32], session[32];
        struct footnote_message m = {.id = id,
                                     .session = session,
                                     .role = FOOTNOTE_ASSISTANT,
                                     .text = "so [2]",
                                     .sources = s,
                                     .sources_n = 2};

        snprintf(id, sizeof(id), "m%zu", i);
        snprintf(session, sizeof(session), "s%zu", i % 10);
        CHECK_OK(footnote_save(fn, &m, &err), &err);
    }
}

CONTRACT(every_answer_of_a_document_is_read_whatever_their_number)
{
    struct footnote_result *r;

    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    save_answers(600);
    r = ask((struct footnote_query){.document = "d"});
    CHECK_INT(r->messages_n, 600);
    CHECK(!r->more);
    CHECK_INT(r->messages[0].sources_n, 2);
    footnote_result_free(r);
    r = ask((struct footnote_query){.document = "d", .limit = 3});
    CHECK_INT(r->messages_n, 3);
    CHECK(r->more);
    footnote_result_free(r);
    r = ask((struct footnote_query){.document = "d", .limit = 600});
    CHECK_INT(r->messages_n, 600);
    CHECK(!r->more);
    footnote_result_free(r);
    r = ask((struct footnote_query){.document = "nothing"});
    CHECK_INT(r->messages_n, 0);
    CHECK(!r->more);
    footnote_result_free(r);
    footnote_close(fn);
}

CONTRACT(a_session_is_read_in_pages_and_counted)
{
    struct footnote_result *r;

    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    save_answers(50);
    r = ask((struct footnote_query){.session = "s3", .limit = 2});
    CHECK_INT(r->messages_n, 2);
    CHECK_STR(r->messages[0].id, "m33");
    CHECK(r->more);
    footnote_result_free(r);
    r = ask((struct footnote_query){.session = "s3", .before = "m23"});
    CHECK_INT(r->messages_n, 2);
    CHECK_STR(r->messages[1].id, "m13");
    CHECK(!r->more);
    footnote_result_free(r);
    r = ask((struct footnote_query){.session = "s3", .counts = true});
    CHECK_INT(r->counts_n, 1);
    CHECK_STR(r->counts[0].document, "d");
    CHECK_STR(r->counts[0].doc_ref, "d");
    CHECK_STR(r->counts[0].title, "Slides");
    CHECK_INT(r->counts[0].given_n, 5);
    CHECK_INT(r->counts[0].cited_n, 5);
    footnote_result_free(r);
    footnote_result_free(NULL);
    footnote_close(fn);
}

CONTRACT(a_query_that_makes_no_sense_is_refused)
{
    const char *ids[] = {"m"}, *none[] = {NULL};

    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    save_answers(1);
    refused((struct footnote_query){.session = "s0", .document = "d"},
            FOOTNOTE_INVALID, "query");
    refused((struct footnote_query){.session = "s0", .ids = ids, .ids_n = 1},
            FOOTNOTE_INVALID, "query");
    refused((struct footnote_query){.counts = true}, FOOTNOTE_INVALID, "query");
    refused((struct footnote_query){.before = "m"}, FOOTNOTE_INVALID, "query");
    refused((struct footnote_query){.session = "s0", .before = "nobody"},
            FOOTNOTE_NOTFOUND, "message");
    refused((struct footnote_query){.session = "nothing"}, FOOTNOTE_NOTFOUND,
            "session");
    refused((struct footnote_query){.ids = ids, .ids_n = 1001}, FOOTNOTE_TOOBIG,
            "ids");
    footnote_result_free(ask((struct footnote_query){.ids = none, .ids_n = 1}));
    footnote_close(fn);
}

CONTRACT(arguments_that_make_no_sense_are_refused)
{
    struct footnote_source s = {.type = FOOTNOTE_WEB, .url = "u"};
    struct footnote_message m = {.session = "s",
                                 .id = "m",
                                 .role = FOOTNOTE_ASSISTANT,
                                 .text = "so",
                                 .sources = &s,
                                 .sources_n = 201};
    struct footnote_session none = {.title = "T"};
    struct footnote_result *r;
    struct footnote *other = NULL;

    CHECK_INT(footnote_open(NULL, &other, &err), FOOTNOTE_INVALID);
    CHECK_INT(footnote_open("mysql://x", &other, NULL), FOOTNOTE_INVALID);
    CHECK(other == NULL);
    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    CHECK_INT(footnote_save(fn, &m, NULL), FOOTNOTE_TOOBIG);
    m.sources_n = 1;
    m.session = NULL;
    CHECK_INT(footnote_save(fn, &m, &err), FOOTNOTE_INVALID);
    m.session = "s";
    m.text = "\xFF";
    CHECK_INT(footnote_save(fn, &m, &err), FOOTNOTE_INVALID);
    m.text = "so";
    m.image.slide = "slide"; /* a picture without its key */
    CHECK_INT(footnote_save(fn, &m, &err), FOOTNOTE_INVALID);
    CHECK_INT(footnote_session_put(fn, &none, &err), FOOTNOTE_INVALID);
    CHECK_INT(footnote_session_delete(fn, NULL, &err), FOOTNOTE_INVALID);
    CHECK_INT(footnote_cite(fn, "s", NULL, &s, 1, NULL, &err),
              FOOTNOTE_INVALID);
    r = ask((struct footnote_query){0});
    CHECK_INT(r->sessions_n, 0); /* nothing was written */
    footnote_result_free(r);
    footnote_close(fn);
    footnote_close(NULL);
}

TEST(codes_have_names_statuses_and_meanings)
{
    CHECK_STR(footnote_rc_code(FOOTNOTE_CONFLICT), "id_taken");
    CHECK_INT(footnote_rc_status(FOOTNOTE_NOTFOUND), 404);
    CHECK_STR(footnote_rc_text(FOOTNOTE_NOMEM), "out of memory");
}
