/* source_test.c - one pooled row per source, many references to it. */
#include "store/answer/answer.h"
#include "store/read/history.h"
#include "store/session/course.h"
#include "store/session/message.h"
#include "store/session/session.h"
#include "store_help.h"

static int64_t sources(void)
{
    return sql_i64("SELECT count(*) FROM source");
}

static int64_t references(void)
{
    return sql_i64("SELECT count(*) FROM source_reference");
}

enum { MESSAGES = 1000, THREADS = 32 };

static void save_some(size_t t)
{
    struct reference r = slide("lecture-4", 14, "Entropy measures disorder.");
    struct footnote_err own;

    for (size_t i = t; i < MESSAGES; i += THREADS) {
        char id[32], session[32];
        struct message_save op;

        snprintf(id, sizeof(id), "m%zu", i);
        snprintf(session, sizeof(session), "s%zu", i % 10);
        op = answered(session, id, "It is disorder [1].", &r, 1);
        CHECK_OK(store_write(st, ANN, OP(message_save), &op, &own), &own);
    }
}

STORED(a_slide_that_1000_messages_cite_is_one_row)
{
    in_threads(THREADS, save_some);
    CHECK_INT(sources(), 1);
    CHECK_INT(references(), MESSAGES);
    CHECK_INT(history_of(ANN, "s7").messages_n, MESSAGES / 10);
    CHECK_TEXT(message_of(ANN, "m999").sources[0].source.preview,
               STR("Entropy measures disorder."));
}

static struct store *nodes[2];

/* Half of the threads on each of two stores, as two servers would. */
static void save_one(size_t t)
{
    struct reference r = slide("lecture-4", 14, "Entropy measures disorder.");
    struct footnote_err own;
    struct message_save op;
    char id[32];

    snprintf(id, sizeof(id), "m%zu", t);
    op = answered(id, id, "so [1]", &r, 1);
    op.course = STR("physics");
    CHECK_OK(store_write(nodes[t % 2], ANN, OP(message_save), &op, &own), &own);
}

STORED(32_threads_that_save_the_same_new_source_make_one_row)
{
    nodes[0] = nodes[1] = st;
    in_threads(THREADS, save_one);
    CHECK_INT(sources(), 1);
    CHECK_INT(references(), THREADS);
}

STORED(threads_of_two_stores_that_save_the_same_new_source_make_one_row)
{
    nodes[0] = st;
    CHECK_OK(store_open(test_url(), &nodes[1], &err), &err);
    in_threads(THREADS, save_one);
    store_close(nodes[1]);
    CHECK_INT(sources(), 1);
    CHECK_INT(references(), THREADS);
    CHECK_INT(sql_i64("SELECT count(*) FROM course"), 1);
    CHECK_INT(sql_i64("SELECT count(*) FROM account"), 1);
    CHECK_INT(sql_i64("SELECT count(*) FROM message"), THREADS);
}

STORED(the_same_key_with_other_text_is_a_second_row)
{
    struct reference r[] = {slide("d", 14, "as it was"),
                            slide("d", 14, "as it is now")};

    answer(ANN, "s", "old", "so [1]", &r[0], 1);
    answer(ANN, "s", "new", "so [1]", &r[1], 1);
    answer(ANN, "s", "both", "so [1][2]", r, 2);
    CHECK_INT(sources(), 2);
    CHECK_INT(sql_i64("SELECT count(DISTINCT source_key) FROM source"), 1);
    CHECK_TEXT(message_of(ANN, "old").sources[0].source.preview,
               STR("as it was"));
    CHECK_TEXT(message_of(ANN, "new").sources[0].source.preview,
               STR("as it is now"));
    CHECK_INT(message_of(ANN, "both").sources_n, 2);
}

/* Whatever is shown is part of what a source is. */
STORED(a_source_that_differs_in_any_field_is_another_row)
{
    struct reference r[16];
    struct source *s;

    for (size_t i = 0; i < 16; i++)
        r[i] = everything("x");
    s = &r[1].source;
    s->type = FOOTNOTE_TEXT;
    r[2].source.id = STR("y");
    r[3].source.preview = STR("");
    r[4].source.title = STR_NONE;
    r[5].source.url = STR("");
    r[6].source.course = STR("c2");
    r[7].source.owner = STR_NONE;
    r[8].source.document = STR("d2");
    r[9].source.date = STR("2024-03-01");
    r[10].source.s3key = STR("k2");
    r[11].source.meta = STR("{}");
    r[12].source.has_page = false;
    r[13].source.page = 1;
    r[14].source.start = 2e-7;
    r[15].source.part = 0;
    answer(ANN, "s", "m", "so", r, 16);
    CHECK_INT(sources(), 16);
    CHECK_INT(message_of(ANN, "m").sources_n, 16);
    r[0].has_score = false; /* a score is the reference's */
    r[0].number = 9;
    answer(ANN, "s", "m2", "so", r, 1);
    CHECK_INT(sources(), 16);
}

STORED(tenants_courses_and_users_never_share_a_row)
{
    struct reference r = slide("d", 1, "text");
    struct message_save op = answered("s1", "m1", "so [1]", &r, 1);
    struct who other = {STR("tenant2"), STR("ann")};

    WRITE(ANN, message_save, &op);
    op = answered("s", "m", "so [1]", &r, 1);
    WRITE(other, message_save, &op);
    CHECK_INT(sources(), 2);
    WRITE(BEN, message_save, &op);
    CHECK_INT(sources(), 3);
    op = answered("s2", "m2", "so [1]", &r, 1);
    op.course = STR("physics");
    WRITE(ANN, message_save, &op);
    CHECK_INT(sources(), 4);
    op = answered("s3", "m3", "so [1]", &r, 1);
    op.course = STR("biology");
    WRITE(ANN, message_save, &op);
    CHECK_INT(sources(), 5);
    op = answered("s4", "m4", "so [1]", &r, 1); /* the same course */
    op.course = STR("physics");
    WRITE(ANN, message_save, &op);
    CHECK_INT(sources(), 5);
    /* Two members of one course share. */
    member(ANN, "physics", "ben", MEMBER_READER);
    op = answered("s5", "m5", "so [1]", &r, 1);
    op.course = STR("physics");
    WRITE(BEN, message_save, &op);
    CHECK_INT(sources(), 5);
    /* Sessions that are there already pool where they did. */
    r.source.preview = STR("other text");
    answer(ANN, "s2", "m6", "so [1]", &r, 1);
    answer(ANN, "s4", "m7", "so [1]", &r, 1);
    CHECK_INT(sources(), 6);
    answer(ANN, "s1", "m8", "so [1]", &r, 1);
    CHECK_INT(sources(), 7);
}

STORED(a_source_without_an_id_shows_its_key)
{
    struct reference r[] = {
        slide("d", 14, "x"),
        {.source = {.type = FOOTNOTE_LECTURE,
                    .lecture = STR("l"),
                    .has_start = true,
                    .start = 61.9,
                    .has_end = true,
                    .end = 75}},
        {.source = {.type = FOOTNOTE_JOURNAL,
                    .date = STR("2024-01-15"),
                    .title = STR("On: entropy")}},
        {.source = {.type = FOOTNOTE_IMAGE, .s3key = STR("a/b.png")}},
        {.source = {.type = FOOTNOTE_SLIDE, .id = STR("as I say")}}};
    struct message m;

    answer(ANN, "s", "m", "so", r, 5);
    m = message_of(ANN, "m");
    CHECK_TEXT(m.sources[0].source.id, STR("doc_d_slide_14"));
    CHECK_TEXT(m.sources[1].source.id, STR("lec_l_61_75"));
    CHECK_TEXT(m.sources[2].source.id, STR("journal_2024-01-15:On: entropy"));
    CHECK_TEXT(m.sources[3].source.id, STR("img_a/b.png"));
    CHECK_TEXT(m.sources[4].source.id, STR("as I say"));
    check_digest(&m);
}

/* ---- For people with SQL ------------------------------------------------ */

static void check_view(const char *column, const char *want)
{
    char sql[200], got[200];

    snprintf(sql, sizeof(sql),
             "SELECT %s FROM message_sources WHERE message_id = 'a'", column);
    sql_text(sql, got, sizeof(got));
    CHECK_STR(got, want);
}

STORED(the_view_has_one_flat_row_per_citation)
{
    struct reference r[] = {everything("x"), slide("d", 1, "two")};
    struct message_save op = answered("s", "a", "so [1]", r, 1);

    op.message.created_ms = 1772136900123;
    WRITE(ANN, message_save, &op);
    answer(ANN, "s", "b", "so", &r[1], 1);
    CHECK_INT(sql_i64("SELECT count(*) FROM message_sources"), 2);
    CHECK_INT(sql_i64("SELECT count(DISTINCT id) FROM message_sources"), 2);
    check_view("session_id", "s");
    check_view("source_id", "x");
    check_view("source_type", "lecture");
    check_view("chunk_number", "1");
    check_view("content_preview", "so disorder \xF0\x9F\x94\xA5 grows");
    check_view("document_id", "document-1");
    check_view("slide_number", "0");
    check_view("lecture_id", "lecture-1");
    check_view("end_seconds", "12.345");
    check_view("course_id", "course-1");
    check_view("owner_id", "owner-1");
    check_view("title", "Recording: 4");
    CHECK_INT(sql_i64("SELECT count(*) FROM message_sources"
                      " WHERE start_seconds = 1e-7"),
              1);
    CHECK_INT(sql_i64("SELECT count(*) FROM message_sources"
                      " WHERE start_seconds IS NULL AND slide_number = 1"
                      " AND source_id = 'doc_d_slide_1'"),
              1);
    if (test_is_postgres())
        check_view("to_char(created_at AT TIME ZONE 'UTC',"
                   " 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')",
                   "2026-02-26T20:15:00.123Z");
    else
        check_view("created_at", "2026-02-26T20:15:00.123Z");
}

/* ---- Damage ------------------------------------------------------------- */

static void refs_damage(const char *message)
{
    char sql[200];

    snprintf(sql, sizeof(sql), "UPDATE message SET refs = %s WHERE id = '%s'",
             test_is_postgres() ? "'\\x01'" : "x'01'", message);
    sql_do(sql);
}

/* The way back cannot be compared with what is damaged. */
static void refs_forget(void)
{
    sql_do("UPDATE message SET refs = NULL");
    sql_do("DELETE FROM source_reference");
}

STORED(a_changed_byte_is_reported_and_never_shown)
{
    struct reference r = slide("d", 1, "text");
    struct history h = {.session = STR("s")}, t = {.session = STR("t")};

    help_damaged = true;
    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    answer(ANN, "t", "a", "so [1]", &r, 1);
    sql_do("UPDATE message SET content = 'why!' WHERE id = 'q'");
    REFUSE_READ(ANN, history, &h, FOOTNOTE_DAMAGED, "message");
    sql_do("UPDATE source SET preview = 'tex7'");
    REFUSE_READ(ANN, history, &t, FOOTNOTE_DAMAGED, "source");
    sql_do("UPDATE source SET preview = 'text'");
    READ(ANN, history, &t);
    READ(ANN, history, &t); /* what was proven is known by its bytes: */
    sql_do("UPDATE message SET content = 'so [2]' WHERE id = 'a'");
    REFUSE_READ(ANN, history, &t, FOOTNOTE_DAMAGED, "message");
    sql_do("UPDATE message SET content = 'so [1]', role = 1 WHERE id = 'a'");
    REFUSE_READ(ANN, history, &t, FOOTNOTE_DAMAGED, "message");
    sql_do("UPDATE message SET role = 2 WHERE id = 'a'");
    READ(ANN, history, &t);
    sql_do("UPDATE message SET refs = NULL WHERE id = 'a'");
    REFUSE_READ(ANN, history, &t, FOOTNOTE_DAMAGED, "message");
    refs_damage("a");
    REFUSE_READ(ANN, history, &t, FOOTNOTE_DAMAGED, "message");
    refs_forget();
}

/* Whoever wants to be rid of it can be, and an answer ends in any case: its
 * lease would be tried again for ever. */
STORED(what_is_damaged_can_be_ended_and_deleted)
{
    struct reference r = slide("d", 1, "text");
    struct history h = {.session = STR("s")};
    struct answer_begin b = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct answer_cite cite = {
        .answer = &b.answer, .sources = &r, .sources_n = 1};
    struct session_delete delete = {.id = STR("s")};

    WRITE(ANN, answer_cite, &cite);
    append(ANN, &b.answer, "so [1]");
    refs_damage("a");
    REFUSE(ANN, answer_cite, &cite, FOOTNOTE_DAMAGED, "references");
    finish(ANN, &b.answer, FOOTNOTE_COMPLETE);
    REFUSE_READ(ANN, history, &h, FOOTNOTE_DAMAGED, "message");
    WRITE(ANN, session_delete, &delete);
    CHECK_INT(sql_i64("SELECT count(*) FROM message"), 0);
    refs_forget();
}
