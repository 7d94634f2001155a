/* seal_test.c - seals: every column counts, and no change of a damaged row
 * makes the damage true. */
#include "seal_help.h"
#include "store/document/document.h"
#include "store/document/job.h"
#include "store/document/search.h"
#include "store/scrub.h"
#include "store/session/access.h"
#include "store_help.h"

void seal_fill(void)
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
    seal_fill();
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
    seal_fill();
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

    seal_fill();
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
    seal_fill();
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

/* ---- Reading ------------------------------------------------------------- */

/* What a read of everything makes of a damaged row: every operation is damage,
 * or shows what it showed before, or leaves the row out. */
static enum footnote_rc read_history(void)
{
    struct history op = {.session = STR("s")};
    enum footnote_rc rc = store_read(st, ANN, &out, OP(history), &op, &err);

    if (rc != FOOTNOTE_OK)
        return rc;
    CHECK_TEXT(op.head.id, STR("s"));
    CHECK_TEXT(op.head.title, STR("How much?"));
    CHECK_INT(op.messages_n, 2);
    CHECK_TEXT(op.messages[0].id, STR("q"));
    CHECK_TEXT(op.messages[0].content, STR("How much?"));
    CHECK_TEXT(op.messages[1].id, STR("a"));
    CHECK_TEXT(op.messages[1].content, STR("It is 15 [1]."));
    CHECK_INT(op.messages[1].status, FOOTNOTE_COMPLETE);
    CHECK(!op.messages[1].failure.p);
    CHECK_INT(op.messages[1].sources_n, 1);
    CHECK_TEXT(op.messages[1].sources[0].source.preview,
               STR("It is 15 milligrams."));
    CHECK_INT(op.messages[1].sources[0].state, FOOTNOTE_LIVE);
    return rc;
}

static enum footnote_rc read_course(struct who who)
{
    struct course_get op = {.id = STR("physics")};
    struct course_list list = {.limit = 0};
    enum footnote_rc rc = store_read(st, who, &out, OP(course_get), &op, &err);

    if (rc == FOOTNOTE_OK)
        CHECK_INT(op.course.role,
                  str_eq(who.user, STR("ann")) ? MEMBER_OWNER : MEMBER_READER);
    if (rc == FOOTNOTE_OK)
        CHECK_TEXT(op.course.title, STR("A course"));
    if (store_read(st, who, &out, OP(course_list), &list, &err) == FOOTNOTE_OK)
        for (size_t i = 0; i < list.courses_n; i++)
            CHECK_TEXT(list.courses[i].title, STR("A course"));
    return rc;
}

static enum footnote_rc read_document(void)
{
    struct document_get op = {.id = STR("d")};
    struct passages_read passages = {.document = STR("d"), .version = 1};
    enum footnote_rc rc =
        store_read(st, ANN, &out, OP(document_get), &op, &err);

    if (rc == FOOTNOTE_OK) {
        CHECK_TEXT(op.document.title, STR("Doses"));
        CHECK_INT(op.document.status, DOCUMENT_QUEUED);
        CHECK(!op.document.has_pages && !op.document.has_seconds);
        CHECK(!op.document.object_key.p);
    }
    if (store_read(st, ANN, &out, OP(passages_read), &passages, &err) !=
        FOOTNOTE_OK)
        return FOOTNOTE_DAMAGED;
    for (size_t i = 0; i < passages.passages_n; i++) {
        CHECK_TEXT(passages.passages[i].text, STR("15 milligrams"));
        CHECK_INT(passages.passages[i].page, 1);
    }
    return passages.passages_n == 1 ? rc : FOOTNOTE_DAMAGED;
}

static enum footnote_rc read_keys(void)
{
    struct access_key_list op = {.limit = 0};
    enum footnote_rc rc =
        store_read(st, ANN, &out, OP(access_key_list), &op, &err);

    for (size_t i = 0; rc == FOOTNOTE_OK && i < op.keys_n; i++) {
        CHECK_TEXT(op.keys[i].user, STR("ann"));
        CHECK(!op.keys[i].admin && !op.keys[i].revoked_ms);
    }
    return rc == FOOTNOTE_OK && op.keys_n != 1 ? FOOTNOTE_DAMAGED : rc;
}

int damaged_reads(void)
{
    int n = 0;

    n += read_history() != FOOTNOTE_OK;
    n += read_course(ANN) != FOOTNOTE_OK;
    n += read_course(BEN) != FOOTNOTE_OK;
    n += read_document() != FOOTNOTE_OK;
    n += read_keys() != FOOTNOTE_OK;
    arena_reset(&out);
    return n;
}

STORED_LIMIT(no_read_shows_what_was_changed, 60)
{
    seal_fill();
    CHECK_INT(damaged_reads(), 0);
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        damage(&changes[i]);
        help_reopen(); /* nothing is remembered */
        if (damaged_reads() == 0)
            FAIL("%s.%s = %s was shown", changes[i].table, changes[i].column,
                 changes[i].value);
        mend(&changes[i]);
        CHECK_INT(damaged_reads(), 0);
    }
}

/* ---- Passages ------------------------------------------------------------ */

static void make_ready(void)
{
    struct document_status_set set = {.document = STR("d"),
                                      .status = DOCUMENT_READY};

    seal_fill();
    WRITE(ANN, document_status_set, &set);
}

/* The milligrams: neither searched nor quoted. */
STORED(a_damaged_passage_is_neither_ranked_nor_quoted)
{
    struct document_passages some = {.version = 1};
    struct index_passages index = {&some, 1, 0, 10};
    struct hit_read hit = {.version = 1, .position = 1};
    struct hits_read hits = {&hit, 1};

    help_damaged = true;
    make_ready();
    some.document = hit.document = sql_i64("SELECT document FROM document");
    READ(ANN, hits_read, &hits);
    CHECK(hit.found);
    CHECK_TEXT(hit.passage.text, STR("15 milligrams"));
    sql_do("UPDATE passage SET text = '55 milligrams'");
    READ(ANN, hits_read, &hits);
    CHECK(!hit.found);
    READ(ANN, index_passages, &index);
    CHECK_INT(some.passages_n, 1);
    CHECK(some.passages[0].damaged);
    CHECK_INT(some.passages[0].text.n, 0);
    CHECK(damage_count(st, SEALED_PASSAGE) >= 2);
}

/* Its row goes and its document is read in again, if it has a file. */
STORED(a_damaged_passage_is_made_anew_from_its_file)
{
    struct passage_renew renew = {.version = 1, .position = 1};

    help_damaged = true;
    make_ready();
    renew.tenant = sql_i64("SELECT tenant FROM document");
    renew.document = sql_i64("SELECT document FROM document");
    CHECK_OK(store_own(st, OP(passage_renew), &renew, &err), &err);
    CHECK(!renew.queued); /* it is sound */
    sql_do("UPDATE passage SET text = '55 milligrams'");
    CHECK_OK(store_own(st, OP(passage_renew), &renew, &err), &err);
    CHECK(!renew.queued); /* there is no file */
    CHECK_INT(sql_i64("SELECT count(*) FROM passage"), 1);
}

/* Reads the waiting document in, as a worker does. */
static void read_in(enum document_status end)
{
    struct passage p = {.position = 1, .page = 1, .text = STR("15 milligrams")};
    struct job_claim claim = {.out = &out};
    struct job_step step = {.job = &claim.job, .passages = &p, .passages_n = 1};
    struct job_end done = {
        .job = &claim.job, .status = end, .error = STR("no file")};

    CHECK_OK(store_own(st, OP(job_claim), &claim, &err), &err);
    CHECK(claim.found);
    if (end == DOCUMENT_READY)
        CHECK_OK(store_own(st, OP(job_step), &step, &err), &err);
    CHECK_OK(store_own(st, OP(job_end), &done, &err), &err);
}

STORED(a_passage_that_was_renewed_is_read_again)
{
    struct document_put put = {.document = {.id = STR("f"),
                                            .course = STR("physics"),
                                            .kind = DOCUMENT_TEXT,
                                            .object_key = STR("default/f"),
                                            .has_bytes = true,
                                            .bytes = 14},
                               .queue = true};
    struct passages_read passages = {.document = STR("f")};
    struct passage_renew renew = {.version = 1, .position = 1};

    help_damaged = true;
    course_make(ANN, "physics");
    WRITE(ANN, document_put, &put);
    read_in(DOCUMENT_READY);
    renew.tenant = sql_i64("SELECT tenant FROM document");
    renew.document = sql_i64("SELECT document FROM document");
    sql_do("UPDATE passage SET text = '55 milligrams'");
    READ(ANN, passages_read, &passages);
    CHECK_INT(passages.passages_n, 0);
    CHECK_OK(store_own(st, OP(passage_renew), &renew, &err), &err);
    CHECK(renew.queued);
    read_in(DOCUMENT_READY);
    READ(ANN, passages_read, &passages);
    CHECK_INT(passages.passages_n, 1);
    CHECK_TEXT(passages.passages[0].text, STR("15 milligrams"));
    sql_do("UPDATE passage SET text = '55 milligrams'");
    CHECK_OK(store_own(st, OP(passage_renew), &renew, &err), &err);
    sql_do("INSERT INTO passage (tenant, document, version, position, text) "
           "SELECT tenant, document, 1, 2, 'kept' FROM document");
    read_in(DOCUMENT_FAILED); /* takes nothing away from what is searched */
    CHECK_INT(sql_i64("SELECT count(*) FROM passage"), 1);
}
