/* scope_test.c - what a question is limited to: documents, kinds, dates. */
#include "retrieve_help.h"
#include "store/document/search.h"

/* A course of ann's: two texts, two journal entries, slides. */
static void make_course(void)
{
    static const char *const words[] = {"apples in the orchard", NULL};
    const struct doc docs[] = {
        {.course = "c", .id = "a", .title = "A"},
        {.course = "c", .id = "b", .title = "B"},
        {.course = "c", .id = "s", .title = "S", .kind = DOCUMENT_SLIDES},
        {.course = "c",
         .id = "feb",
         .title = "Feb",
         .date = "2026-02-26",
         .kind = DOCUMENT_JOURNAL},
        {.course = "c",
         .id = "mar",
         .title = "Mar",
         .date = "2026-03-01",
         .kind = DOCUMENT_JOURNAL}};

    course(ANN, "c");
    for (size_t i = 0; i < sizeof(docs) / sizeof(docs[0]); i++) {
        char text[64];
        const char *passages[] = {text, words[0], NULL};

        snprintf(text, sizeof(text), "apples of %s", docs[i].id);
        document(ANN, &docs[i], passages);
    }
}

/* Documents that are found, by the first letter of their ids, sorted. */
static const char *found(const struct search_filter *f,
                         const struct search_filter *within)
{
    static char letters[32];
    struct search s = {.who = ANN,
                       .course = STR("c"),
                       .filter = f,
                       .within = within,
                       .limit = 50,
                       .thread_hits = true,
                       .query = STR("apples")};
    size_t n = 0;

    look(&s);
    for (char c = 'a'; c <= 'z'; c++)
        for (size_t i = 0; i < s.hits_n; i++) {
            const char *id = s.hits[i].doc_ref.p;

            id = strchr(id, ':') ? strchr(id, ':') + 1 : id;
            if ((id[0] | 0x20) == c && (n == 0 || letters[n - 1] != c))
                letters[n++] = c;
        }
    letters[n] = 0;
    CHECK_INT(s.scope_empty, n == 0);
    return letters;
}

RETRIEVED(a_question_is_limited_to_documents_kinds_and_dates)
{
    struct str two[] = {STR("b"), STR("feb"), STR("b")};
    struct search_filter ids = {.documents = two, .documents_n = 3};
    struct search_filter kinds = {.kinds = KIND_BIT(DOCUMENT_SLIDES) |
                                           KIND_BIT(DOCUMENT_JOURNAL)};
    struct search_filter from = {.from = STR("2026-02-27")};
    struct search_filter to = {.to = STR("2026-02-26")};
    struct search_filter day = {.from = STR("2026-02-26"),
                                .to = STR("2026-03-01")};
    struct search_filter never = {.has_changed = true, .changed_ms = INT64_MAX};
    struct search_filter ever = {.has_changed = true, .changed_ms = 1};

    make_course();
    CHECK_STR(found(NULL, NULL), "abfms");
    CHECK_STR(found(&ids, NULL), "bf");
    CHECK_STR(found(&kinds, NULL), "fms");
    CHECK_STR(found(&from, NULL), "m");
    CHECK_STR(found(&to, NULL), "f");
    CHECK_STR(found(&day, NULL), "fm");
    CHECK_STR(found(&never, NULL), "");
    CHECK_STR(found(&ever, NULL), "abfms");
    /* The second narrows, and never widens. */
    CHECK_STR(found(&ids, &kinds), "f");
    CHECK_STR(found(&kinds, &ids), "f");
    CHECK_STR(found(&from, only("a")), "");
    CHECK_STR(found(NULL, only("a")), "a");
    CHECK_STR(found(&ids, only("nowhere")), "");
    CHECK_STR(found(only("a"), &ever), "a");
}

RETRIEVED(a_document_that_one_may_not_read_is_not_there)
{
    struct str mixed[] = {STR("a"), STR("secret")};
    struct str gone[] = {STR("a"), STR("nowhere")};
    struct search_filter theirs = {.documents = mixed, .documents_n = 2};
    struct search_filter none = {.documents = gone, .documents_n = 2};
    struct search s = {.who = ANN, .query = STR("apples")};
    char told[sizeof(err.text)];

    make_course();
    course(BEN, "his");
    text(BEN, "his", "secret", "apples in secret");
    for (int with_course = 0; with_course < 2; with_course++) {
        s.course = with_course ? STR("c") : STR_NONE;
        s.filter = &theirs;
        CHECK_INT(retriever_search(re, &out, &s, &err), FOOTNOTE_NOTFOUND);
        snprintf(told, sizeof(told), "%s", err.text);
        s.filter = &none;
        CHECK_INT(retriever_search(re, &out, &s, &err), FOOTNOTE_NOTFOUND);
        CHECK_STR(err.text, told);
        s.filter = only("secret");
        CHECK_INT(retriever_search(re, &out, &s, &err), FOOTNOTE_NOTFOUND);
        CHECK_STR(err.text, told);
    }
    /* Kept with an older question: what is gone is passed over. */
    s.kept = true;
    s.filter = &theirs;
    look(&s);
    CHECK(s.hits_n > 0 && has_hit(&s, "a") && !has_hit(&s, "secret"));
    s.filter = only("secret");
    look(&s);
    CHECK(s.hits_n == 0 && s.scope_empty && !s.scope_waits);
    /* Asked for by a model. */
    s.filter = NULL;
    s.within = only("secret");
    look(&s);
    CHECK(s.hits_n == 0 && s.scope_empty);
}

RETRIEVED(what_is_still_being_read_in_is_told_from_nothing)
{
    struct document_put put = {.document = {.id = STR("new"),
                                            .course = STR("c"),
                                            .kind = DOCUMENT_TEXT}};
    struct search s = {.who = ANN,
                       .course = STR("c"),
                       .filter = only("new"),
                       .query = STR("apples")};

    make_course();
    WRITE(ANN, document_put, &put);
    look(&s);
    CHECK(s.scope_empty && s.scope_waits && s.low_confidence);
    s.filter = &(struct search_filter){.kinds = KIND_BIT(DOCUMENT_LECTURE)};
    look(&s);
    CHECK(s.scope_empty && !s.scope_waits);
}

RETRIEVED(the_outline_is_of_the_documents_alone)
{
    struct str two[] = {STR("b"), STR("feb")};
    struct search_filter ids = {.documents = two, .documents_n = 2};
    struct search s = {.who = ANN,
                       .course = STR("c"),
                       .filter = &ids,
                       .outline_max = 10,
                       .query = STR("What is this course about?")};

    make_course();
    look(&s);
    CHECK(s.outline);
    for (size_t i = 0; i < s.hits_n; i++)
        CHECK(strcmp(hit_id(&s, i), "b") == 0 ||
              str_eq(s.hits[i].source.title, STR("Feb")));
}

/* ---- As it is kept ------------------------------------------------------- */

TEST(a_filter_comes_back_as_it_was_kept)
{
    AUTO(arena_free) struct arena a = ARENA(1 << 20);
    struct str ids[] = {STR("a\"b"), STR("\xc3\xa9")};
    struct search_filter f = {.course = STR("c"),
                              .documents = ids,
                              .documents_n = 2,
                              .kinds = KIND_BIT(DOCUMENT_PAGE),
                              .from = STR("2026-02-26"),
                              .to = STR("2026-02-27"),
                              .has_changed = true,
                              .changed_ms = 7};
    struct search_filter none = {.course = STR("c")}, back;
    struct str packed, again;

    CHECK_OK(filter_pack(&a, &f, &packed, &err), &err);
    CHECK_OK(filter_unpack(&a, packed, &back, &err), &err);
    CHECK_INT(back.documents_n, 2);
    CHECK_OK(filter_pack(&a, &back, &again, &err), &err);
    CHECK_TEXT(again, packed);
    CHECK_OK(filter_pack(&a, &none, &packed, &err), &err);
    CHECK(!packed.p);
    CHECK(filter_unpack(&a, STR("{\"documents\":[1]}"), &back, &err) ==
          FOOTNOTE_DAMAGED);
    CHECK(filter_unpack(&a, STR("{"), &back, &err) != FOOTNOTE_OK);
}

TEST(a_filter_that_cannot_be_is_refused)
{
    static const char *const days[] = {
        "2026-13-01",          "2026-00-10", "26-02-26",
        "2026-02-32",          "2026-02-2x", "",
        "2026-02-26T00:00:00Z"};
    struct search_filter f = {.from = STR("2026-02-27"),
                              .to = STR("2026-02-26")};

    CHECK_INT(filter_check(&f, &err), FOOTNOTE_INVALID);
    CHECK_STR(err.field, "dateTo");
    f.to = f.from;
    CHECK_OK(filter_check(&f, &err), &err);
    for (size_t i = 0; i < sizeof(days) / sizeof(days[0]); i++) {
        f = (struct search_filter){.from = str_c(days[i])};
        CHECK_INT(filter_check(&f, &err), FOOTNOTE_INVALID);
    }
    f = (struct search_filter){.kinds = 1};
    CHECK_INT(filter_check(&f, &err), FOOTNOTE_INVALID);
    f = (struct search_filter){.documents_n = FILTER_DOCUMENTS_MAX + 1};
    CHECK_INT(filter_check(&f, &err), FOOTNOTE_TOOBIG);
}
