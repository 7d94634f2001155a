/* search_test.c - what is found, through the store, on both engines. */
#include <stdio.h>

#include "retrieve_help.h"
#include "store/document/document.h"
#include "store/document/search.h"
#include "store/session/course.h"
#include "store/session/message.h"

RETRIEVED(a_question_finds_its_passage)
{
    struct search s;

    course(ANN, "c");
    text(ANN, "c", "heat", "Heat flows from warm bodies to cold ones.");
    text(ANN, "c", "light", "Light is bent by glass and by water.");
    s = search(ANN, "c", "What does glass do to light?");
    CHECK_STR(hit_id(&s, 0), "light");
    CHECK_F64(s.hits[0].score, 1.0);
    CHECK_F64(s.hits[0].coverage, 1.0);
    CHECK(!s.low_confidence);
    CHECK_TEXT(s.hits[0].text, STR("Light is bent by glass and by water."));
    CHECK_TEXT(s.hits[0].doc_ref, STR("light"));
}

RETRIEVED(nothing_found_is_a_result)
{
    struct search s;

    course(ANN, "c");
    s = search(ANN, "c", "entropy");
    CHECK_INT(s.hits_n, 0);
    CHECK(s.low_confidence);
    text(ANN, "c", "d", "Light is bent by glass.");
    s = search(ANN, "c", "bicycle maintenance");
    CHECK_INT(s.hits_n, 0);
    CHECK(s.low_confidence);
    CHECK_F64(s.confidence, 0.0);
}

RETRIEVED(a_question_of_function_words_alone_is_asked_as_it_is)
{
    struct search s;

    course(ANN, "c");
    text(ANN, "c", "band", "The Who were a band.");
    text(ANN, "c", "light", "Light meets glass.");
    s = search(ANN, "c", "who were they?");
    CHECK_STR(hit_id(&s, 0), "band");
}

RETRIEVED(kinds_of_documents_become_kinds_of_sources)
{
    const char *two[] = {"zebras are striped", "zebras have manes", NULL};
    struct doc slides = {"c", "sl", "Slides", NULL, NULL, DOCUMENT_SLIDES, 0};
    struct doc lecture = {"c", "le", "Talk", NULL, NULL, DOCUMENT_LECTURE, 0};
    struct doc journal = {
        "c", "jo", "Zoo", "2026-03-01", NULL, DOCUMENT_JOURNAL, 0};
    struct doc page = {"c",           "pa", "Page", NULL, "http://example.org/",
                       DOCUMENT_PAGE, 0};
    struct search s = {.who = ANN, .course = STR("c"), .query = STR("manes")};
    struct str key;

    course(ANN, "c");
    document(ANN, &slides, two);
    document(ANN, &lecture, two);
    document(ANN, &journal, two);
    document(ANN, &page, two);
    look(&s);
    CHECK_INT(s.hits_n, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct source *h = &s.hits[i].source;

        CHECK_OK(source_check(h, &err), &err);
        CHECK_OK(source_key(&out, h, &key, &err), &err);
        if (h->type == FOOTNOTE_SLIDE)
            CHECK_TEXT(key, STR("doc_sl_slide_2"));
        if (h->type == FOOTNOTE_LECTURE)
            CHECK_TEXT(key, STR("lec_le_20_29"));
        if (h->type == FOOTNOTE_JOURNAL)
            CHECK_TEXT(key, STR("journal_2026-03-01:Zoo#2"));
        if (h->type == FOOTNOTE_JOURNAL)
            CHECK_TEXT(s.hits[i].doc_ref, STR("2026-03-01:Zoo"));
        CHECK(h->type != FOOTNOTE_TEXT);
        CHECK_TEXT(h->course, STR("c"));
    }
}

RETRIEVED(a_new_document_is_found_at_once_and_a_deleted_one_is_not)
{
    struct search s;

    course(ANN, "c");
    text(ANN, "c", "a", "apples are red");
    s = search(ANN, "c", "apples");
    CHECK_INT(s.hits_n, 1);
    for (int i = 0; i < 12; i++) { /* enough to be merged behind our back */
        char id[16], words[64];

        snprintf(id, sizeof(id), "b%d", i);
        snprintf(words, sizeof(words), "apples are green %s", id);
        text(ANN, "c", id, words);
        s = search(ANN, "c", "green apples");
        CHECK(has_hit(&s, id) || i >= RETRIEVE_HITS);
    }
    delete (ANN, "a");
    s = search(ANN, "c", "red apples");
    CHECK(!has_hit(&s, "a"));
    CHECK(s.hits_n == RETRIEVE_HITS);
}

RETRIEVED(a_new_version_takes_the_place_of_the_old_one)
{
    struct search s;

    course(ANN, "c");
    text(ANN, "c", "a", "the capital is Bonn");
    s = search(ANN, "c", "Bonn");
    CHECK_INT(s.hits_n, 1);
    text(ANN, "c", "a", "the capital is Berlin");
    s = search(ANN, "c", "capital");
    CHECK_INT(s.hits_n, 1);
    CHECK_TEXT(s.hits[0].text, STR("the capital is Berlin"));
    s = search(ANN, "c", "Bonn");
    CHECK_INT(s.hits_n, 0);
}

RETRIEVED(what_another_node_writes_is_found)
{
    struct store *other = NULL, *own = st;
    struct search s;

    course(ANN, "c");
    text(ANN, "c", "a", "apples are red");
    s = search(ANN, "c", "apples");
    CHECK_INT(s.hits_n, 1);
    CHECK_OK(store_open(test_url(), &other, &err), &err);
    st = other;
    text(ANN, "c", "b", "apples are green");
    st = own;
    s = search(ANN, "c", "apples");
    CHECK_INT(s.hits_n, 2);
    store_close(other);
}

RETRIEVED(nobody_finds_what_is_not_theirs)
{
    struct search s = {.who = BEN, .course = STR("c"), .query = STR("apples")};
    struct member_put share = {STR("c"), STR("ben"), MEMBER_READER};
    struct who tenant = {STR("other"), STR("ann")};

    course(ANN, "c");
    text(ANN, "c", "a", "apples are red");
    (void)search(ANN, "c", "apples"); /* the index is there */
    CHECK_INT(retriever_search(re, &out, &s, &err), FOOTNOTE_NOTFOUND);
    s.course = STR_NONE;
    look(&s);
    CHECK_INT(s.hits_n, 0);
    s.filter = only("a");
    CHECK_INT(retriever_search(re, &out, &s, &err), FOOTNOTE_NOTFOUND);
    s.filter = NULL;
    s.who = tenant;
    look(&s);
    CHECK_INT(s.hits_n, 0);
    s.who = BEN;
    WRITE(ANN, member_put, &share);
    look(&s);
    CHECK_INT(s.hits_n, 1);
    share.role = MEMBER_NONE;
    WRITE(ANN, member_put, &share);
    look(&s);
    CHECK_INT(s.hits_n, 0);
}

/* Even with its keys in hand: rights may go between search and reading. */
RETRIEVED(a_passage_is_read_by_those_who_may)
{
    struct index_documents list = {.course = STR("c")};
    struct hit_read hit = {.version = 1, .position = 1};
    struct hits_read op = {&hit, 1};

    course(ANN, "c");
    text(ANN, "c", "a", "apples are red");
    CHECK_OK(store_read(st, ANN, &out, OP(index_documents), &list, &err), &err);
    CHECK_INT(list.documents_n, 1);
    hit.document = list.documents[0].key;
    CHECK_OK(store_read(st, BEN, &out, OP(hits_read), &op, &err), &err);
    CHECK(!hit.found);
    CHECK_OK(store_read(st, ANN, &out, OP(hits_read), &op, &err), &err);
    CHECK(hit.found);
    CHECK_TEXT(hit.passage.text, STR("apples are red"));
    hit.version = 2;
    CHECK_OK(store_read(st, ANN, &out, OP(hits_read), &op, &err), &err);
    CHECK(!hit.found);
}

RETRIEVED(a_search_without_a_course_looks_in_all_of_them)
{
    struct search s;

    course(ANN, "c");
    course(ANN, "d");
    course(BEN, "e");
    text(ANN, "c", "a", "apples are red");
    text(ANN, "d", "b", "apples are green");
    text(BEN, "e", "x", "apples are blue");
    s = search(ANN, NULL, "apples");
    CHECK_INT(s.hits_n, 2);
    CHECK(has_hit(&s, "a") && has_hit(&s, "b"));
}

RETRIEVED(a_document_is_a_scope)
{
    struct search s = {.who = ANN,
                       .course = STR("c"),
                       .filter = only("b"),
                       .query = STR("green apples")};

    course(ANN, "c");
    course(ANN, "other");
    text(ANN, "c", "a", "green apples, only green apples");
    text(ANN, "c", "b", "apples of some kind");
    look(&s);
    CHECK_INT(s.hits_n, 1);
    CHECK_STR(hit_id(&s, 0), "b");
    s.course = STR_NONE;
    look(&s);
    CHECK_INT(s.hits_n, 1);
    s.course = STR("other");
    CHECK_INT(retriever_search(re, &out, &s, &err), FOOTNOTE_NOTFOUND);
}

RETRIEVED(a_mistyped_word_is_repaired)
{
    static const struct {
        const char *typed, *id;
    } cases[] = {{"thermodynmics", "a"},  {"themodynamics", "a"},
                 {"thermodynamcis", "a"}, {"thermmodynamics", "a"},
                 {"termodinamics", "a"},  {"optisc", "b"},
                 {"lens", "b"},           {"lenzes", "b"},
                 {"connectoin", "d"}};
    struct search s;

    course(ANN, "c");
    text(ANN, "c", "a", "thermodynamics of gases");
    text(ANN, "c", "b", "optics of lenses");
    text(ANN, "c", "d", "how wires are connected");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        s = search(ANN, "c", cases[i].typed);
        CHECK_INT(s.hits_n, 1);
        CHECK_STR(hit_id(&s, 0), cases[i].id);
    }
}

/* What was searched for instead is told as the documents write it. */
RETRIEVED(a_repair_is_told_and_no_word_that_exists_is_changed)
{
    struct search s;

    course(ANN, "c");
    text(ANN, "c", "a", "The Thermodynamics of gases is due to Clausius.");
    text(ANN, "c", "b", "Claudius was an emperor.");
    s = search(ANN, "c", "Who made thermodynmics?");
    CHECK_INT(s.repaired_n, 1);
    CHECK_TEXT(s.repaired[0].typed, STR("thermodynmics"));
    CHECK_TEXT(s.repaired[0].used, STR("Thermodynamics"));
    /* One letter apart, and both exist. */
    s = search(ANN, "c", "Who was Claudius?");
    CHECK_INT(s.repaired_n, 0);
    CHECK_STR(hit_id(&s, 0), "b");
    s = search(ANN, "c", "What did Clausius do?");
    CHECK_INT(s.repaired_n, 0);
    CHECK_STR(hit_id(&s, 0), "a");
    /* Near nothing. */
    s = search(ANN, "c", "gases of Xylophonia");
    CHECK_INT(s.repaired_n, 0);
}

/* Stems differ by language, so the query is full before its last word. */
RETRIEVED(a_mistyped_word_behind_too_many_terms_is_left_out)
{
    struct buf question = BUF(4096);

    course(ANN, "c");
    text(ANN, "c", "en", "the entropy of the gas is not what it was to us");
    text(ANN, "c", "de", "die Entropie ist nicht das was wir von ihr haben");
    text(ANN, "c", "fr", "la chaleur est ce que nous avons dans les corps");
    text(ANN, "c", "es", "el calor es lo que no se ve pero que se siente");
    for (int i = 0; i < 50; i++) {
        struct str word = STR("xxamientos ");

        buf_add(&question, (struct str){word.p, word.n});
        question.p[question.n - word.n] = (char)('b' + i % 5);
        question.p[question.n - word.n + 1] = (char)('b' + i / 5);
    }
    buf_add(&question, STR("entrropy"));
    buf_add_c(&question, '\0');
    search(ANN, "c", question.p);
    buf_free(&question);
}

RETRIEVED(contents_and_indexes_are_found_last)
{
    const char *lines[] = {"Glass and light 12\nLight and glass 14", NULL};
    struct doc contents = {"c", "co", "Light and glass", NULL, NULL, 0, true};
    struct search s;

    course(ANN, "c");
    document(ANN, &contents, lines);
    text(ANN, "c", "light", "Light is bent by many things; glass is one.");
    text(ANN, "c", "far", "A window is a thing of wood, paint and some glass.");
    s = search(ANN, "c", "light and glass");
    CHECK_INT(s.hits_n, 3);
    CHECK_STR(hit_id(&s, 0), "light");
    CHECK_STR(hit_id(&s, 1), "far");
    CHECK_STR(hit_id(&s, 2), "co");
}

RETRIEVED(a_title_counts)
{
    struct doc d = {.course = "c", .id = "a", .title = "Magnetism"};
    const char *one[] = {"poles attract and repel each other", NULL};
    struct search s;

    course(ANN, "c");
    document(ANN, &d, one);
    text(ANN, "c", "b", "a compass is drawn to poles");
    s = search(ANN, "c", "magnetism");
    CHECK_INT(s.hits_n, 1);
    CHECK_STR(hit_id(&s, 0), "a");
    CHECK_F64(s.hits[0].coverage, 1.0);
}

RETRIEVED(words_that_stand_together_are_worth_more)
{
    struct search s;

    course(ANN, "c");
    text(ANN, "c", "a", "the energy that is free to all of us to use gladly");
    text(ANN, "c", "b", "the free energy that all of us are glad to have used");
    s = search(ANN, "c", "free energy");
    CHECK_INT(s.hits_n, 2);
    CHECK_STR(hit_id(&s, 0), "b");
}

RETRIEVED(the_turn_before_helps_a_follow_up)
{
    struct search s = {.who = ANN, .course = STR("c")};

    course(ANN, "c");
    text(ANN, "c", "a", "The Carnot engine has the best efficiency.");
    text(ANN, "c", "b", "The efficiency of a lamp is low.");
    text(ANN, "c", "x", "A lamp is a source of light.");
    s.query = STR("what about its efficiency?");
    s.earlier = &STR("explain the Carnot engine");
    s.earlier_n = 1;
    look(&s);
    CHECK_STR(hit_id(&s, 0), "a");
    s.earlier = &STR("tell me about lamps");
    look(&s);
    CHECK_STR(hit_id(&s, 0), "b");
}

/* A fourth question of the thread, whose first one names the subject. */
static void check_follow_up(const char *subject, const char *question,
                            const char *want)
{
    const struct str earlier[] = {STR("How does a lamp shine?"), str_c(subject),
                                  STR("Why?")};
    struct search s = {.who = ANN,
                       .course = STR("c"),
                       .query = str_c(question),
                       .earlier = earlier,
                       .earlier_n = 3};

    look(&s);
    if (s.hits_n == 0 || strcmp(hit_id(&s, 0), want) != 0)
        FAIL("\"%s\" finds %s", question, s.hits_n ? hit_id(&s, 0) : "nothing");
}

RETRIEVED(a_follow_up_is_about_the_subject_of_its_thread)
{
    course(ANN, "c");
    text(ANN, "c", "pump",
         "A heat pump moves warmth. The efficiency of the heat pump was "
         "measured; Kelvin invented the heat pump.");
    text(ANN, "c", "lamp",
         "A lamp shines. The efficiency of a lamp is low. Swan invented the "
         "lamp, and Edison invented another.");
    text(ANN, "c", "de",
         "Die Wärmepumpe bewegt Wärme. Der Wirkungsgrad der Wärmepumpe ist "
         "hoch.");
    text(ANN, "c", "fr",
         "Le thermostat règle la chaleur. Le rendement du thermostat est "
         "élevé.");
    text(ANN, "c", "es",
         "La caldera calienta el agua. La eficiencia de la caldera es alta.");
    check_follow_up("What is a heat pump?", "And what about its efficiency?",
                    "pump");
    check_follow_up("What is a heat pump?", "Why?", "pump");
    check_follow_up("What is a heat pump?", "Who invented it?", "pump");
    check_follow_up("What is a heat pump?", "The efficiency?", "pump");
    check_follow_up("Was ist eine Wärmepumpe?", "Und ihr Wirkungsgrad?", "de");
    check_follow_up("Qu'est-ce que le thermostat ?", "Et son rendement ?",
                    "fr");
    check_follow_up("¿Qué es una caldera?", "¿Y su eficiencia?", "es");
}

RETRIEVED(a_long_thread_and_a_long_question_keep_the_subject)
{
    struct str thread[101];
    struct search s = {.who = ANN,
                       .course = STR("c"),
                       .query = STR("And its efficiency?"),
                       .earlier = thread,
                       .earlier_n = 101};
    static char words[20000];

    course(ANN, "c");
    text(ANN, "c", "pump", "The efficiency of the heat pump was measured.");
    text(ANN, "c", "lamp", "The efficiency of a lamp was measured.");
    text(ANN, "c", "word", "Glass, copper, and a lamp of brass and tin.");
    thread[0] = STR("What is a heat pump?");
    for (size_t i = 1; i < 101; i++)
        thread[i] = i % 2 ? STR("Why?") : STR("And then?");
    look(&s);
    CHECK_STR(hit_id(&s, 0), "pump");
    for (size_t i = 0; i + 24 < sizeof(words); i += 24)
        memcpy(words + i, "glass copper brass tin  ", 24);
    memcpy(words, "lamp ", 5);
    thread[100] = str_c(words);
    look(&s);
    CHECK_STR(hit_id(&s, 0), "lamp");
    thread[100] = STR("\xff\xfe"); /* not UTF-8: passed over */
    look(&s);
    CHECK_STR(hit_id(&s, 0), "pump");
}

RETRIEVED(what_is_asked_weighs_more_than_what_was_asked_before)
{
    static const char *const whole[] = {"How is a lamp built?",
                                        "Was ist eine Lampe?",
                                        "Qu'est-ce que la lampe ?"};
    struct str earlier = STR("What is a heat pump?");

    course(ANN, "c");
    text(ANN, "c", "pump", "A heat pump moves warmth out of a house.");
    text(ANN, "c", "lamp", "A lamp is built of glass: eine Lampe, la lampe.");
    for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
        struct search s = {.who = ANN,
                           .course = STR("c"),
                           .query = str_c(whole[i]),
                           .earlier = &earlier,
                           .earlier_n = 1};

        look(&s);
        CHECK_STR(hit_id(&s, 0), "lamp");
    }
}

RETRIEVED(what_a_thread_cited_comes_first_among_equals)
{
    struct search s = {.who = ANN,
                       .course = STR("c"),
                       .session = STR("s"),
                       .query = STR("apples")};

    course(ANN, "c");
    text(ANN, "c", "a", "apples are red");
    text(ANN, "c", "b", "apples are green");
    text(ANN, "c", "d", "apples apples apples, nothing but apples here");
    look(&s); /* a session that is not there yet has no past */
    CHECK_STR(hit_id(&s, 0), "d");
    CHECK_STR(hit_id(&s, 1), "a");
    cite(ANN, "s", "m1", "b");
    cite(ANN, "s", "m2", "b");
    look(&s);
    CHECK_STR(hit_id(&s, 0), "d"); /* it never overrides what fits better */
    CHECK_STR(hit_id(&s, 1), "b");
    CHECK(s.hits[1].score < 1 && s.hits[1].score > s.hits[2].score);
    s.ignore_citations = true;
    look(&s);
    CHECK_STR(hit_id(&s, 1), "a");
    s.ignore_citations = false;
    s.query = STR("red apples");
    look(&s);
    CHECK_STR(hit_id(&s, 0), "a");
}

RETRIEVED(a_thread_brings_its_documents_and_the_newest_entries)
{
    struct doc old = {"c", "j1", "Monday", "2026-01-05", NULL, DOCUMENT_JOURNAL,
                      0};
    struct doc new = {
        "c", "j2", "Tuesday", "2026-01-06", NULL, DOCUMENT_JOURNAL, 0};
    const char *entry[] = {"I went for a walk.", NULL};
    const char *entry2[] = {"I stayed at home.", NULL};
    struct search s = {.who = ANN,
                       .course = STR("c"),
                       .session = STR("s"),
                       .query = STR("apples"),
                       .thread_hits = true};

    course(ANN, "c");
    text(ANN, "c", "a", "apples are red");
    text(ANN, "c", "b", "plums are blue");
    document(ANN, &old, entry);
    document(ANN, &new, entry2);
    cite(ANN, "s", "m1", "b");
    look(&s);
    CHECK_INT(s.hits_n, 4);
    CHECK_STR(hit_id(&s, 0), "a");
    CHECK_STR(hit_id(&s, 1), "b");
    CHECK_STR(hit_id(&s, 2), "j2");
    CHECK_STR(hit_id(&s, 3), "j1");
    CHECK_F64(s.hits[3].coverage, 0.0);
}

/* As clients of products without numbers save an answer. */
static void name_documents(struct who who, const char *answer,
                           const struct str *refs, size_t n)
{
    struct message_save op = {.message = {.id = str_c(answer),
                                          .session = STR("s"),
                                          .role = FOOTNOTE_ASSISTANT,
                                          .content = STR("So it was."),
                                          .doc_refs = refs,
                                          .doc_refs_n = n}};

    WRITE(who, message_save, &op);
}

static void make_entry(struct who who, const char *course_id, const char *id,
                       const char *day, const char *title)
{
    struct doc d = {course_id, id, title, day, NULL, DOCUMENT_JOURNAL, 0};
    const char *words[] = {"We ate plums and pears.", NULL};

    document(who, &d, words);
}

RETRIEVED(saved_doc_refs_count_as_citations)
{
    const struct str refs[] = {STR("b"), STR("2026-01-06:Tuesday: rain"),
                               STR("b"), STR("nothing"), STR("2026-01-06")};
    struct search s = {.who = ANN,
                       .course = STR("c"),
                       .session = STR("s"),
                       .query = STR("apples")};

    course(ANN, "c");
    text(ANN, "c", "a", "apples are red");
    text(ANN, "c", "b", "apples are green");
    make_entry(ANN, "c", "j0", "2026-01-06", "Tuesday: snow");
    make_entry(ANN, "c", "j1", "2026-01-06", "Tuesday: rain");
    look(&s);
    CHECK_STR(hit_id(&s, 0), "a");
    name_documents(ANN, "m1", refs, 5);
    look(&s);
    CHECK_STR(hit_id(&s, 0), "b");
    s.query = STR("plums");
    look(&s);
    CHECK_STR(hit_id(&s, 0), "j1");
    s.query = STR("bicycles"); /* and they are brought along */
    s.thread_hits = true;
    look(&s);
    CHECK(has_hit(&s, "b") && has_hit(&s, "j1"));
}

RETRIEVED(a_document_counts_once_for_an_answer_that_cites_and_names_it)
{
    const struct str b = STR("b");
    struct search_scope scope = {.course = STR("c"), .session = STR("s")};

    course(ANN, "c");
    text(ANN, "c", "b", "apples are green");
    cite(ANN, "s", "m1", "b");
    name_documents(ANN, "m2", &b, 1);
    CHECK_OK(store_read(st, ANN, &out, OP(search_scope), &scope, &err), &err);
    CHECK_INT(scope.citations_n, 2); /* of its passage, and as a whole */
    CHECK_INT(scope.citations[0].cited_n + scope.citations[1].cited_n, 2);
}

RETRIEVED(doc_refs_name_nothing_that_is_not_theirs_to_read)
{
    const struct str refs[] = {STR("secret"), STR("2026-01-06:Diary")};
    struct search s = {.who = BEN,
                       .session = STR("s"),
                       .query = STR("plums"),
                       .thread_hits = true};
    struct search_scope scope = {.session = STR("s")};

    course(ANN, "c");
    course(BEN, "bens");
    text(ANN, "c", "secret", "plums are blue");
    make_entry(ANN, "c", "j1", "2026-01-06", "Diary");
    name_documents(BEN, "m1", refs, 2);
    look(&s);
    CHECK_INT(s.hits_n, 0);
    CHECK_OK(store_read(st, BEN, &out, OP(search_scope), &scope, &err), &err);
    CHECK_INT(scope.citations_n, 0);
}

RETRIEVED(the_newest_entries_are_those_of_all_courses)
{
    struct search s = {.who = ANN,
                       .session = STR("s"),
                       .query = STR("bicycles"),
                       .thread_hits = true};

    course(ANN, "c");
    course(ANN, "later");
    course(BEN, "bens");
    make_entry(ANN, "c", "j1", "2026-01-01", "First");
    make_entry(ANN, "c", "j3", "2026-01-03", "Third");
    make_entry(ANN, "later", "j2", "2026-01-02", "Second");
    make_entry(ANN, "later", "j4", "2026-01-04", "Fourth");
    make_entry(BEN, "bens", "j5", "2026-01-05", "Fifth");
    look(&s);
    CHECK_INT(s.hits_n, 2);
    CHECK_STR(hit_id(&s, 0), "j4");
    CHECK_STR(hit_id(&s, 1), "j3");
}

RETRIEVED(sentences_are_verbatim_and_name_their_hit)
{
    struct best_sentence picked[3];
    struct search s;
    size_t n = 0;

    course(ANN, "c");
    text(ANN, "c", "a",
         "Steam drove the first engines. Sadi Carnot described the ideal "
         "engine in 1824. It has no friction.");
    text(ANN, "c", "b", "Engines are loud. They need oil.");
    s = search(ANN, "c", "When was the ideal engine described?");
    CHECK_OK(retriever_sentences(re, &s, picked, 3, &n, &err), &err);
    CHECK(n >= 1);
    CHECK_TEXT(picked[0].sentence,
               STR("Sadi Carnot described the ideal engine in 1824."));
    CHECK_STR(hit_id(&s, picked[0].hit), "a");
    s = search(ANN, "c", "bicycles");
    CHECK_OK(retriever_sentences(re, &s, picked, 3, &n, &err), &err);
    CHECK_INT(n, 0);
}

RETRIEVED(sentences_are_no_headings_and_no_questions)
{
    struct best_sentence best[2];
    struct search s;
    size_t n;

    course(ANN, "c");
    text(
        ANN, "c", "gull",
        "The wingspan of a herring gull\n\nWhat is the wingspan of a herring "
        "gull? Its wings measure up to 150 cm from tip to tip, which is a wide "
        "wingspan for a gull.");
    s = search(ANN, "c", "What is the wingspan of a herring gull?");
    CHECK_OK(retriever_sentences(re, &s, best, 2, &n, &err), &err);
    CHECK_INT(n, 1);
    CHECK(str_starts(best[0].sentence, STR("Its wings measure")));
    /* A row of a table is an answer; a heading is one when there is no other.
     */
    text(ANN, "c", "rows", "tern | 80 cm\ngannet | 180 cm");
    s = search(ANN, "c", "gannet");
    CHECK_OK(retriever_sentences(re, &s, best, 2, &n, &err), &err);
    CHECK_INT(n, 1);
    text(ANN, "c", "puffin", "Puffins of the north");
    s = search(ANN, "c", "puffins");
    CHECK_OK(retriever_sentences(re, &s, best, 2, &n, &err), &err);
    CHECK_INT(n, 1);
    CHECK_TEXT(best[0].sentence, STR("Puffins of the north"));
}

RETRIEVED(documents_of_several_languages_share_a_course)
{
    struct search s;

    course(ANN, "c");
    text(ANN, "c", "de",
         "Die Häuser in der Stadt sind alt, und sie werden nicht mehr "
         "geheizt.");
    text(ANN, "c", "es",
         "La energía de los cuerpos es lo que se conserva en la "
         "naturaleza.");
    text(ANN, "c", "en",
         "The houses of the town are old and they are not heated.");
    s = search(ANN, "c", "Wie alt ist das Haus?");
    CHECK_STR(hit_id(&s, 0), "de");
    s = search(ANN, "c", "energia del cuerpo");
    CHECK_STR(hit_id(&s, 0), "es");
    s = search(ANN, "c", "how old is the house?");
    CHECK_STR(hit_id(&s, 0), "en");
}

RETRIEVED(bad_questions_are_refused_or_harmless)
{
    static char longest[300000];
    struct search s = {.who = ANN, .course = STR("c")};

    course(ANN, "c");
    text(ANN, "c", "a", "apples are red");
    CHECK_INT(retriever_search(re, &out, &s, &err), FOOTNOTE_INVALID);
    s.query = STR("\xff\xfe");
    CHECK_INT(retriever_search(re, &out, &s, &err), FOOTNOTE_INVALID);
    s.query = STR("");
    look(&s);
    CHECK_INT(s.hits_n, 0);
    memset(longest, 'x', sizeof(longest) - 1);
    for (size_t i = 0; i + 8 < sizeof(longest); i += 7)
        longest[i] = ' ';
    longest[3] = ' ';
    snprintf(longest, 8, "%s", "apples ");
    longest[7] = ' ';
    s.query = str_c(longest);
    s.limit = 100000;
    look(&s);
    CHECK_INT(s.hits_n, 1);
    s.course = STR("no such course");
    CHECK_INT(retriever_search(re, &out, &s, &err), FOOTNOTE_NOTFOUND);
}

RETRIEVED(an_outline_has_what_the_asker_may_read)
{
    struct search s = {.who = ANN,
                       .course = STR("c"),
                       .query = STR("What is this course about?"),
                       .outline_max = 2};
    struct doc heat = {.course = "c", .id = "heat", .title = "Heat"};
    struct doc light = {.course = "c", .id = "light", .title = "Light"};
    struct doc sound = {.course = "c", .id = "sound", .title = "Sound"};
    const char *one[] = {"Of one thing and another.", NULL};

    course(ANN, "c");
    look(&s);
    CHECK(s.outline == NULL && s.hits_n == 0);
    document(ANN, &heat, one);
    document(ANN, &light, one);
    document(ANN, &sound, one);
    look(&s);
    CHECK_INT(s.hits_n, 2);
    CHECK(s.outline && str_eq(s.outline[1].text, STR("Light")));
    delete (ANN, "heat");
    look(&s);
    CHECK(s.outline && str_eq(s.outline[0].text, STR("Light")));
    s.filter = only("sound");
    look(&s);
    CHECK_INT(s.hits_n, 1);
    CHECK(str_eq(s.outline[0].text, STR("Sound")));
    s.filter = NULL;
    s.who = BEN;
    CHECK_INT(retriever_search(re, &out, &s, &err), FOOTNOTE_NOTFOUND);
    CHECK(s.outline == NULL);
}
