/* seal_test.c - seals: every column counts, and no change of a damaged row
 * makes the damage true. */
#include "store/document/document.h"
#include "store/scrub.h"
#include "store/session/access.h"
#include "store_help.h"

/* A row in every table that has seals. */
static void fill(void)
{
    struct reference r = slide("d", 1, "It is 15 milligrams.");
    struct passage p = {.position = 1, .page = 1, .text = STR("15 milligrams")};
    struct document_put put = {.document = {.id = STR("d"),
                                            .course = STR("physics"),
                                            .kind = DOCUMENT_TEXT,
                                            .title = STR("Doses")}};
    struct passages_add add = {
        .document = STR("d"), .version = 1, .passages = &p, .passages_n = 1};
    struct access_key_add key = {.admin = false};

    course_make(ANN, "physics");
    member(ANN, "physics", "ben", MEMBER_READER);
    WRITE(ANN, document_put, &put);
    WRITE(ANN, passages_add, &add);
    WRITE(ANN, access_key_add, &key);
    say(ANN, "s", "q", FOOTNOTE_USER, "How much?");
    answer(ANN, "s", "a", "It is 15 [1].", &r, 1);
}

/* A change of a column, as SQL has it for both engines, and what tells the rows
 * of the table apart here. */
static const struct change {
    const char *table, *key, *column, *value;
} changes[] = {
    {"tenant", "tenant", "name", "'other'"},
    {"account", "account", "name", "name || 'x'"},
    {"api_key", "prefix", "admin", "1"},
    {"api_key", "prefix", "user_name", "'ben'"},
    {"api_key", "prefix", "revoked_ms", "1"},
    {"course", "course", "owner", "(SELECT max(account) FROM account)"},
    {"course", "course", "title", "'x'"},
    {"course", "course", "deleted_ms", "1"},
    {"course_member", "course", "role", "2"},
    {"document", "document", "status", "2"},
    {"document", "document", "title", "'x'"},
    {"document", "document", "searchable_version", "7"},
    {"document_version", "document", "pages", "7"},
    {"document_version", "document", "seconds", "7.5"},
    {"document_version", "document", "object_key", "'x'"},
    {"passage", "document", "text", "'55 milligrams'"},
    {"passage", "document", "page", "2"},
    {"session", "session", "owner", "(SELECT max(account) FROM account)"},
    {"session", "session", "course", "1"},
    {"session", "session", "title", "'x'"},
    {"source", "source", "preview", "'It is 55 milligrams.'"},
    {"source", "source", "document", "document + 1"},
    {"source", "source", "redacted", "1"},
    {"message", "seq", "owner", "owner + 1"},
    {"message", "seq", "status", "3"},
    {"message", "seq", "created_ms", "created_ms + 1"},
    {"message", "seq", "content", "'55'"},
    {"message", "seq", "failure", "'x'"},
    {"message", "seq", "replaced_by", "9"},
    {"message", "seq", "seal", "0"},
};

static void damage(const struct change *c)
{
    char sql[300];

    snprintf(sql, sizeof(sql), "CREATE TABLE kept AS SELECT * FROM %s",
             c->table);
    sql_do(sql);
    snprintf(sql, sizeof(sql), "UPDATE %s SET %s = %s", c->table, c->column,
             c->value);
    sql_do(sql);
}

static void mend(const struct change *c)
{
    char sql[300];

    snprintf(sql, sizeof(sql),
             "UPDATE %s SET %s = (SELECT k.%s FROM kept k WHERE k.%s = %s.%s)",
             c->table, c->column, c->column, c->key, c->table, c->key);
    sql_do(sql);
    sql_do("DROP TABLE kept");
}

static uint64_t told_of(const char *table)
{
    uint64_t n = 0;

    for (int t = 0; t < SEALED_N; t++)
        if (strcmp(sealed_tables[t].name, table) == 0)
            n += damage_count(st, (enum sealed)t);
    return n;
}

STORED_LIMIT(a_scrub_finds_what_was_changed, 60)
{
    fill();
    CHECK_INT(help_scrub(), 0);
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        const struct change *c = &changes[i];
        uint64_t before = told_of(c->table);

        damage(c);
        if (help_scrub() == 0 || told_of(c->table) == before)
            FAIL("%s.%s = %s was not found", c->table, c->column, c->value);
        mend(c);
        CHECK_INT(help_scrub(), 0);
    }
}

/* What changes a damaged row leaves it damaged. */
STORED(no_change_makes_damage_true)
{
    struct course_put put = {
        .id = STR("physics"), .title = STR("New"), .must_exist = true};

    help_damaged = true;
    fill();
    sql_do("UPDATE course SET created_ms = created_ms + 1");
    (void)store_write(st, ANN, OP(course_put), &put, &err);
    CHECK_INT(help_scrub(), 1);
    sql_do("UPDATE course SET created_ms = created_ms - 1");
    CHECK_INT(help_scrub(), 0);
}

/* A scrub in small slices sees each row once. */
STORED(a_scrub_goes_on_where_it_was)
{
    struct scrub whole = {.limit = 1000}, slow = {.limit = 1};
    size_t all = 0, one = 0;

    fill();
    for (int i = 0; i < 40; i++)
        say(ANN, "many", NULL, FOOTNOTE_USER, "more");
    do {
        CHECK_OK(store_own_read(st, &out, OP(scrub), &whole, &err), &err);
        all += whole.rows_n;
    } while (!whole.over);
    do {
        CHECK_OK(store_own_read(st, &out, OP(scrub), &slow, &err), &err);
        CHECK(slow.rows_n <= 1);
        one += slow.rows_n;
    } while (!slow.over);
    CHECK(all > 50);
    CHECK_INT(one, all);
}

static struct damage last;
static unsigned told_n, first_n;

static void note(void *arg, const struct damage *d, bool first)
{
    (void)arg;
    last = *d;
    told_n++;
    first_n += first;
}

STORED(damage_is_told_with_its_row_and_what_mends_it)
{
    help_damaged = true;
    fill();
    damage_watch(st, note, NULL);
    sql_do("UPDATE passage SET text = '55 milligrams'");
    CHECK_INT(help_scrub(), 1);
    CHECK_INT(help_scrub(), 1);
    CHECK_INT(told_n, 2);
    CHECK_INT(first_n, 1);
    CHECK_INT(last.table, SEALED_PASSAGE);
    CHECK_INT(last.key[3], 1);
    CHECK(strncmp(last.row, "passage ", 8) == 0);
    CHECK_STR(last.mend, "footnote doctor --repair");
    CHECK_INT(damage_count(st, SEALED_PASSAGE), 2);
    CHECK_INT(damage_count(st, SEALED_MESSAGE), 0);
}
