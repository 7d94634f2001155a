/* message_test.c - messages: repeats, conflicts, numbers, placeholders. */
#include "store/answer/answer.h"
#include "store/read/history.h"
#include "store/session/message.h"
#include "store/session/session.h"
#include "store_help.h"

static int64_t count_of(const char *table)
{
    char sql[200];

    snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", table);
    return sql_i64(sql);
}

static struct message_cite cite(const char *session, const char *message,
                                const struct reference *refs, size_t n,
                                uint32_t *numbers)
{
    return (struct message_cite){.session = str_c(session),
                                 .message = str_c(message),
                                 .sources = refs,
                                 .sources_n = n,
                                 .numbers = numbers};
}

STORED(the_same_message_again_writes_nothing)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "two")};
    struct message_save op = answered("s", "m", "so [2]", r, 2);
    uint32_t numbers[2] = {0, 0};
    int64_t before;

    op.numbers = numbers;
    WRITE(ANN, message_save, &op);
    CHECK(op.made);
    before = rows_all();
    numbers[0] = numbers[1] = 0;
    WRITE(ANN, message_save, &op);
    CHECK(!op.made);
    CHECK_INT(numbers[0], 1);
    CHECK_INT(numbers[1], 2);
    CHECK_INT(rows_all(), before);
    help_reopen();
    WRITE(ANN, message_save, &op);
    CHECK(!op.made);
    CHECK_INT(rows_all(), before);
}

/* Each differs from what is there in one field only. */
STORED(the_same_id_with_other_content_is_a_conflict)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 1, "other")};
    struct str refs[] = {STR("a"), STR("b")};
    struct message_save first = answered("s", "m", "so", r, 1), op[10];
    int64_t before;

    first.message.doc_refs = refs;
    first.message.doc_refs_n = 1;
    WRITE(ANN, message_save, &first);
    for (size_t i = 0; i < 10; i++)
        op[i] = first;
    op[0].message.content = STR("so.");
    op[1].message.sources = &r[1];
    op[2].message.sources_n = 0;
    op[3].message.sources_n = 2;
    op[4].message.doc_refs_n = 2;
    op[5].message.has_low_confidence = true;
    op[6].message.session = STR("t");
    op[7].message.rag_source_ids = refs;
    op[7].message.rag_source_ids_n = 1;
    op[8].message.has_image = true;
    op[8].message.image_s3key = STR("k");
    op[9].message.status = FOOTNOTE_STOPPED;
    before = rows_all();
    for (size_t i = 0; i < 10; i++)
        REFUSE(ANN, message_save, &op[i], FOOTNOTE_CONFLICT, "m");
    first = saved("s", "m", FOOTNOTE_USER, "so");
    REFUSE(ANN, message_save, &first, FOOTNOTE_CONFLICT, "m");
    CHECK_INT(rows_all(), before);
}

STORED(a_message_without_an_id_gets_one)
{
    struct message_save op = saved("s", NULL, FOOTNOTE_USER, "why?");
    struct message m;

    WRITE(ANN, message_save, &op);
    CHECK_INT(strlen(op.id_text), 36);
    m = message_of(ANN, op.id_text);
    CHECK_TEXT(m.content, STR("why?"));
    CHECK_TEXT(m.session, STR("s"));
}

STORED(a_repeated_source_keeps_its_first_number)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "two"),
                            slide("d", 1, "one"), slide("d", 3, "three")};
    struct message_save op = answered("s", "m", "so", r, 4);
    uint32_t numbers[4];
    struct message m;

    op.numbers = numbers;
    WRITE(ANN, message_save, &op);
    CHECK_INT(numbers[0], 1);
    CHECK_INT(numbers[1], 2);
    CHECK_INT(numbers[2], 1);
    CHECK_INT(numbers[3], 3);
    m = message_of(ANN, "m");
    CHECK_INT(m.sources_n, 3);
    check_source(&m.sources[2].source, &r[3].source);
}

STORED(given_numbers_are_kept_and_the_others_take_the_free_ones)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "two"),
                            slide("d", 3, "three"), slide("d", 4, "four")};
    struct message_save op = answered("s", "m", "so", r, 4);
    uint32_t numbers[4];
    struct message m;

    r[1].number = 1;
    r[3].number = 999999999;
    op.numbers = numbers;
    WRITE(ANN, message_save, &op);
    CHECK_INT(numbers[0], 2);
    CHECK_INT(numbers[1], 1);
    CHECK_INT(numbers[2], 3);
    CHECK_INT(numbers[3], 999999999);
    m = message_of(ANN, "m");
    CHECK_INT(m.sources[0].source.page, 2); /* by number */
    CHECK_INT(m.sources[3].number, 999999999);
}

STORED(a_number_used_twice_is_refused)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "two")};
    struct message_save op = answered("s", "m", "so", r, 2);
    struct message_cite c;
    int64_t before;

    r[0].number = r[1].number = 7;
    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    before = rows_all();
    REFUSE(ANN, message_save, &op, FOOTNOTE_NUMBER, "sources/1");
    CHECK_INT(rows_all(), before);
    answer(ANN, "s", "m", "so", r, 1);
    c = cite("s", "m", &r[1], 1, NULL);
    before = rows_all();
    REFUSE(ANN, message_cite, &c, FOOTNOTE_NUMBER, "7");
    CHECK_INT(rows_all(), before);
}

STORED(a_source_has_every_number_that_was_given_for_it)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 1, "one"),
                            slide("d", 1, "one"), slide("d", 2, "two")};
    struct message_cite c;
    uint32_t numbers[1];
    struct message m;

    r[0].number = 2;
    r[1].number = 5;
    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    answer(ANN, "s", "m", "so [2], and [5]", r, 4);
    m = message_of(ANN, "m");
    CHECK_INT(m.sources_n, 3); /* the one without a number is the first */
    CHECK_INT(m.sources[0].number, 1);
    CHECK_INT(m.sources[1].number, 2);
    CHECK_INT(m.sources[2].number, 5);
    CHECK_TEXT(m.sources[0].source.preview, STR("two"));
    CHECK_TEXT(m.sources[2].source.preview, STR("one"));
    CHECK(m.sources[1].cited && m.sources[2].cited);
    r[0].number = 9;
    c = cite("s", "m", r, 1, numbers);
    WRITE(ANN, message_cite, &c);
    WRITE(ANN, message_cite, &c); /* again: nothing is added */
    CHECK_INT(numbers[0], 9);
    m = message_of(ANN, "m");
    CHECK_INT(m.sources_n, 4);
    CHECK_INT(m.sources[3].number, 9);
}

STORED(sources_that_are_added_later_count_on)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "heat flows"),
                            slide("d", 3, "three")};
    uint32_t numbers[3];
    struct message_cite c = cite(NULL, "m", r, 3, numbers);
    struct message m;
    struct session_get before = {.id = STR("s")}, after = before;

    r[0].number = 4;
    answer(ANN, "s", "m", "Heat flows [5].", r, 1);
    READ(ANN, session_get, &before);
    WRITE(ANN, message_cite, &c);
    CHECK_INT(numbers[0], 4);
    CHECK_INT(numbers[1], 5);
    CHECK_INT(numbers[2], 6);
    m = message_of(ANN, "m");
    CHECK_INT(m.sources_n, 3);
    CHECK(!m.sources[0].cited);
    CHECK(m.sources[1].cited); /* the text names it by now */
    CHECK(m.sources[1].support > 500);
    CHECK_INT(m.sources[1].spans[0], 11);
    CHECK_INT(m.sources[1].spans[1], 14);
    check_digest(&m);
    READ(ANN, session_get, &after);
    CHECK(after.session.version > before.session.version);
    WRITE(ANN, message_cite, &c); /* the same again is ignored */
    CHECK_INT(message_of(ANN, "m").sources_n, 3);
    CHECK_INT(numbers[2], 6);
    help_reopen();
    m = message_of(ANN, "m");
    check_digest(&m);
}

STORED(sources_that_come_first_make_a_bare_message_that_a_save_fills)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "two")};
    uint32_t numbers[2];
    struct message_cite c = cite("s", "m", &r[1], 1, numbers);
    struct message_save op = answered("s", "m", "so [1] and [2]", r, 2);
    struct message m;

    WRITE(ANN, message_cite, &c);
    m = message_of(ANN, "m");
    CHECK_TEXT(m.content, STR_NONE);
    CHECK(!m.has_digest);
    CHECK_INT(m.role, FOOTNOTE_ASSISTANT);
    CHECK_INT(m.sources_n, 1);
    say(ANN, "s", "later", FOOTNOTE_USER, "and?");
    op.numbers = numbers;
    op.message.created_ms = 1700000000000;
    WRITE(ANN, message_save, &op);
    CHECK_INT(numbers[0], 2);
    CHECK_INT(numbers[1], 1);
    m = history_of(ANN, "s").messages[0]; /* its place is kept */
    CHECK_TEXT(m.content, STR("so [1] and [2]"));
    CHECK_INT(m.created_ms, 1700000000000);
    CHECK_INT(m.sources[0].source.page, 2);
    CHECK(m.sources[0].cited && m.sources[1].cited);
    check_digest(&m);
    WRITE(ANN, message_save, &op);
    CHECK(!op.made);
    op.message.content = STR("other");
    REFUSE(ANN, message_save, &op, FOOTNOTE_CONFLICT, "m");
}

STORED(a_bare_message_is_filled_in_its_own_session_and_role_only)
{
    struct reference r = slide("d", 1, "one");
    struct message_cite c = cite("s", "m", &r, 1, NULL), other;
    struct message_save op = saved("t", "m", FOOTNOTE_ASSISTANT, "so");
    int64_t before;

    WRITE(ANN, message_cite, &c);
    before = rows_all();
    REFUSE(ANN, message_save, &op, FOOTNOTE_CONFLICT, "m");
    op = saved("s", "m", FOOTNOTE_USER, "so");
    REFUSE(ANN, message_save, &op, FOOTNOTE_CONFLICT, "m");
    other = cite("t", "m", &r, 1, NULL);
    REFUSE(ANN, message_cite, &other, FOOTNOTE_CONFLICT, "session");
    other = cite(NULL, "nowhere", &r, 1, NULL);
    REFUSE(ANN, message_cite, &other, FOOTNOTE_NOTFOUND, "message");
    CHECK_INT(rows_all(), before);
    say(ANN, "s", "q", FOOTNOTE_USER, "why?");
    other = cite("s", "q", &r, 1, NULL);
    REFUSE(ANN, message_cite, &other, FOOTNOTE_INVALID, "role");
}

STORED(another_users_message_is_not_there)
{
    struct reference r = slide("d", 1, "one");
    struct message_cite c = cite(NULL, "m", &r, 1, NULL);
    struct str ids[] = {STR("m")};
    struct messages_by_id op = {.ids = ids, .ids_n = 1};
    struct answer_patch patch = {.id = STR("m"), .status = FOOTNOTE_STREAMING};

    answer(ANN, "s", "m", "so", &r, 1);
    say(BEN, "b", "mb", FOOTNOTE_USER, "hello");
    REFUSE(BEN, message_cite, &c, FOOTNOTE_NOTFOUND, "message");
    REFUSE(BEN, answer_patch, &patch, FOOTNOTE_NOTFOUND, "message");
    READ(BEN, messages_by_id, &op);
    CHECK_TEXT(op.messages[0].id, STR_NONE);
    CHECK_INT(op.messages[0].sources_n, 0);
}

STORED(all_fields_of_a_message_come_back)
{
    struct reference r[] = {everything("x"), slide("d", 1, "")};
    struct str refs[] = {STR("2024-01-15:On entropy"), STR(""), STR("\"[,]")};
    struct str rag[] = {STR("rag-1"), STR("rag-1")}, web_ids[] = {STR("web 1")};
    struct message_save op = answered("s", "m", "", r, 2);
    struct message *m = &op.message;

    m->created_ms = 1;
    m->status = FOOTNOTE_STOPPED;
    m->has_low_confidence = m->low_confidence = true;
    m->doc_refs = refs;
    m->doc_refs_n = 3;
    m->rag_source_ids = rag;
    m->rag_source_ids_n = 2;
    m->web_source_ids = web_ids;
    m->web_source_ids_n = 1;
    m->has_image = m->has_image_page = true;
    m->image_s3key = STR("snapshots/slide-123/page-42.png");
    m->image_slide = STR("slide-123");
    m->image_page = 42;
    WRITE(ANN, message_save, &op);
    help_reopen();
    check_message_is(&history_of(ANN, "s").messages[0], m);
    op = saved("s", "m2", FOOTNOTE_ASSISTANT, "so");
    m->has_low_confidence = true; /* false is not absent */
    m->has_image = true;
    m->image_s3key = STR("k");
    WRITE(ANN, message_save, &op);
    check_message_is(&history_of(ANN, "s").messages[1], m);
    op = saved("s", "m3", FOOTNOTE_SYSTEM, "You are kind.");
    WRITE(ANN, message_save, &op);
    check_message_is(&history_of(ANN, "s").messages[2], m);
}

STORED(light_is_without_previews_and_with_all_else)
{
    struct reference r = everything("x");
    struct history h = {.session = STR("s"), .light = true};
    struct source want = r.source;

    answer(ANN, "s", "m", "so [1]", &r, 1);
    for (int i = 0; i < 2; i++) { /* from the table, from the cache */
        READ(ANN, history, &h);
        want.preview = STR_NONE;
        check_source(&h.messages[0].sources[0].source, &want);
        CHECK(h.messages[0].sources[0].cited);
        want.preview = r.source.preview;
        check_source(&history_of(ANN, "s").messages[0].sources[0].source,
                     &want);
    }
}

STORED(history_is_paged_back)
{
    static const char *const ids[] = {"1", "2", "3", "4", "5"};
    struct history h = {.session = STR("s"), .limit = 2};

    for (int i = 0; i < 5; i++)
        say(ANN, "s", ids[i], i % 2 ? FOOTNOTE_ASSISTANT : FOOTNOTE_USER, "x");
    READ(ANN, history, &h);
    CHECK_INT(h.messages_n, 2);
    CHECK_TEXT(h.messages[0].id, STR("4"));
    CHECK_TEXT(h.messages[1].id, STR("5"));
    CHECK(h.more);
    h.before = STR("4");
    READ(ANN, history, &h);
    CHECK_INT(h.messages_n, 2);
    CHECK_TEXT(h.messages[0].id, STR("2"));
    CHECK(h.more);
    h.before = STR("2");
    READ(ANN, history, &h);
    CHECK_INT(h.messages_n, 1);
    CHECK_TEXT(h.messages[0].id, STR("1"));
    CHECK(!h.more);
    h.before = STR("1");
    READ(ANN, history, &h);
    CHECK_INT(h.messages_n, 0);
    CHECK(!h.more);
    h.before = STR("nobody");
    REFUSE_READ(ANN, history, &h, FOOTNOTE_NOTFOUND, "message");
    h = (struct history){.session = STR("s"), .limit = SIZE_MAX};
    READ(ANN, history, &h);
    CHECK_INT(h.messages_n, 5);
    h = (struct history){.session = STR("s"), .limit = 5};
    READ(ANN, history, &h);
    CHECK_INT(h.messages_n, 5);
    CHECK(!h.more);
    CHECK_TEXT(h.head.id, STR("s"));
}

/* Times are what people say; the order is that of saving. */
STORED(order_is_by_saving_never_by_time)
{
    struct message_save op = saved("s", "z", FOOTNOTE_USER, "first");
    struct history h;

    op.message.created_ms = 2000;
    WRITE(ANN, message_save, &op);
    op = saved("s", "a", FOOTNOTE_USER, "second");
    op.message.created_ms = 1000;
    WRITE(ANN, message_save, &op);
    h = history_of(ANN, "s");
    CHECK_TEXT(h.messages[0].id, STR("z"));
    CHECK_TEXT(h.messages[1].id, STR("a"));
}

STORED(sources_of_many_messages_come_at_once)
{
    struct reference r[] = {slide("d", 1, "one"), slide("d", 2, "two")};
    struct str ids[1000];
    char names[1000][16];
    struct messages_by_id op = {.ids = ids, .ids_n = 1000};
    struct messages_by_id over = {.ids = ids, .ids_n = 1001};

    answer(ANN, "s", "m1", "so", r, 2);
    answer(ANN, "t", "m2", "so", &r[1], 1);
    for (int i = 0; i < 1000; i++) {
        snprintf(names[i], sizeof(names[i]), "m%d", i);
        ids[i] = str_c(names[i]);
    }
    ids[999] = STR("m1"); /* asked for twice */
    READ(ANN, messages_by_id, &op);
    CHECK_TEXT(op.messages[0].id, STR_NONE);
    CHECK_INT(op.messages[1].sources_n, 2);
    CHECK_INT(op.messages[2].sources_n, 1);
    CHECK_TEXT(op.messages[2].session, STR("t"));
    CHECK_INT(op.messages[999].sources_n, 2);
    CHECK_INT(count_of("message"), 2);
    REFUSE_READ(ANN, messages_by_id, &over, FOOTNOTE_TOOBIG, "ids");
}

static void check_brief(const char *session, size_t n, const char *last)
{
    struct history h = {.session = str_c(session), .brief = true};

    READ(ANN, history, &h);
    CHECK_INT(h.messages_n, n);
    CHECK_TEXT(h.messages[n - 1].id, str_c(last));
}

/* SQLite places rows by their numbers, as long as these fit. */
STORED(messages_of_sessions_with_large_keys_are_kept)
{
    struct reference r = slide("d", 1, "one");

    answer(ANN, "near", "m1", "first [1]", &r, 1);
    help_close(); /* with it goes its block of keys */
    sql_do("UPDATE tenant SET last_key = 268435456 - 1 + "
           "(SELECT max(session) FROM session)"); /* the same lowest bits */
    help_open();
    answer(ANN, "far", "m2", "second [1]", &r, 1);
    answer(ANN, "near", "m3", "third [1]", &r, 1);
    answer(ANN, "far", "m4", "fourth [1]", &r, 1);
    CHECK(sql_i64("SELECT max(session) FROM session") > 268435456);
    CHECK_INT(history_of(ANN, "near").messages_n, 2);
    CHECK_INT(history_of(ANN, "far").messages_n, 2);
    check_brief("near", 2, "m3");
    check_brief("far", 2, "m4");
    CHECK_TEXT(message_of(ANN, "m3").content, STR("third [1]"));
    CHECK_TEXT(message_of(ANN, "m4").content, STR("fourth [1]"));
    CHECK_INT(message_of(ANN, "m4").sources_n, 1);
}

/* A tool that copies a database may number its rows anew. */
STORED(messages_are_found_wherever_their_rows_lie)
{
    struct reference r = slide("d", 1, "one");

    answer(ANN, "s", "m1", "first [1]", &r, 1);
    answer(ANN, "s", "m2", "second [1]", &r, 1);
    answer(ANN, "t", "m3", "third [1]", &r, 1);
    check_brief("s", 2, "m2");
    if (!test_is_postgres()) /* one of two, far behind */
        sql_do("UPDATE message SET rowid = rowid << 1 WHERE id = 'm2'");
    check_brief("s", 2, "m2");
    if (!test_is_postgres())
        sql_do("UPDATE message SET rowid = 10 - seq WHERE id <> 'm3'");
    check_brief("s", 2, "m2");
    answer(ANN, "s", "m4", "fourth [1]", &r, 1);
    check_brief("s", 3, "m4");
    check_brief("t", 1, "m3");
}
