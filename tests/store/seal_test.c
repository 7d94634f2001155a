/* seal_test.c - seals: every column counts, and no change of a damaged row
 * makes the damage true. */
#include "seal_help.h"
#include "store/answer/event.h"
#include "store/document/document.h"
#include "store/document/job.h"
#include "store/document/snapshot.h"
#include "store/document/vector.h"
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
    struct event_add search = {.session = STR("s"),
                               .user_message = STR("q"),
                               .query = STR("dose"),
                               .has_low_confidence = true};
    struct snapshot_put picture = {.course = STR("physics"),
                                   .slide = STR("d"),
                                   .page = 1,
                                   .media_type = STR("image/png"),
                                   .extension = STR("png"),
                                   .object_key = STR("default/p"),
                                   .bytes = 100};
    struct vector vector = {
        .version = 1, .position = 1, .floats = STR("abcdefgh")};
    struct vectors_put vectors = {
        .model = STR("m"), .vectors = &vector, .vectors_n = 1};

    course_make(ANN, "physics");
    member(ANN, "physics", "ben", MEMBER_READER);
    WRITE(ANN, document_put, &put);
    WRITE(ANN, passages_add, &add);
    WRITE(ANN, access_key_add, &key);
    say(ANN, "s", "q", FOOTNOTE_USER, "How much?");
    answer(ANN, "s", "a", "It is 15 [1].", &r, 1);
    WRITE(ANN, event_add, &search);
    WRITE(ANN, snapshot_put, &picture);
    vector.document = sql_i64("SELECT document FROM document");
    vectors.tenant = sql_i64("SELECT tenant FROM document");
    CHECK_OK(store_own(st, OP(vectors_put), &vectors, &err), &err);
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
    {"document_version", "document", "layout", "2"},
    {"document_version", "document", "page_labels", "'[]'"},
    {"document_version", "document", "encoding", "'x'"},
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
    {"message", "seq", "parent", "parent + 1"},
    {"message", "seq", "seal", "0"},
    {"snapshot", "label", "slide", "'x'"},
    {"snapshot", "label", "owner",
     "(SELECT account FROM account WHERE name = 'ben')"},
    {"snapshot", "label", "object_key", "'default/d'"},
    {"snapshot", "label", "page", "7"},
    {"retrieval_event", "event", "query", "'x'"},
    {"retrieval_event", "event", "low_confidence", "1"},
    {"retrieval_event", "event", "answer", "1"},
    {"retrieval_event", "event", "coverage", "'[1]'"},
    {"retrieval_event", "event", "created_ms", "1"},
    {"verdict", "seq", "sentences", "'[]'"},
    {"verdict", "seq", "judge", "'x'"},
    {"verdict", "session", "seq", "seq - 1"},
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
    struct course_delete gone = {.id = STR("physics")};

    help_damaged = true;
    seal_fill();
    sql_do("UPDATE course SET created_ms = created_ms + 1");
    (void)store_write(st, ANN, OP(course_put), &put, &err);
    CHECK_INT(help_scrub(), 1);
    sql_do("UPDATE course SET created_ms = created_ms - 1");
    CHECK_INT(help_scrub(), 0);
    sql_do("UPDATE document SET title = 'x'");
    WRITE(ANN, course_delete, &gone); /* its rows stay, and are buried */
    CHECK_INT(sql_i64("SELECT count(*) FROM document WHERE deleted_ms > 0"), 1);
    CHECK_INT(help_scrub(), 1);
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

static enum footnote_rc read_events(void)
{
    struct event_list op = {.session = STR("s")};
    enum footnote_rc rc = store_read(st, ANN, &out, OP(event_list), &op, &err);

    if (rc != FOOTNOTE_OK || op.events_n == 0)
        return FOOTNOTE_DAMAGED;
    CHECK_TEXT(op.events[0].query, STR("dose"));
    CHECK_TEXT(op.events[0].user_message, STR("q"));
    CHECK(!op.events[0].low_confidence && !op.events[0].answer.p);
    return FOOTNOTE_OK;
}

static enum footnote_rc read_picture(struct who who)
{
    struct str label = STR("snapshots/d/page-1.png");
    struct snapshot_find op = {.labels = &label, .n = 1};
    enum footnote_rc rc =
        store_read(st, who, &out, OP(snapshot_find), &op, &err);

    if (rc != FOOTNOTE_OK || !op.snapshots[0].found)
        return FOOTNOTE_DAMAGED;
    CHECK(str_eq(who.user, STR("ann")));
    CHECK_TEXT(op.snapshots[0].slide, STR("d"));
    CHECK_INT(op.snapshots[0].page, 1);
    CHECK_TEXT(op.snapshots[0].object_key, STR("default/p"));
    return FOOTNOTE_OK;
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
    n += read_events() != FOOTNOTE_OK;
    n += read_picture(ANN) != FOOTNOTE_OK;
    n += read_picture(BEN) == FOOTNOTE_OK;
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

/* A page has as many rows as were asked for, or there are no more. */
STORED(a_damaged_row_hides_no_other_of_a_list)
{
    struct session_list sessions = {.limit = 2};
    struct course_list courses = {.limit = 2};
    struct document_list documents = {.course = STR("physics"), .limit = 2};
    struct document_put put = {
        .document = {.course = STR("physics"), .kind = DOCUMENT_TEXT}};
    static const char *const ids[] = {"e", "f", "g"};

    help_damaged = true;
    seal_fill();
    for (size_t i = 0; i < 3; i++) {
        put.document.id = str_c(ids[i]);
        course_make(ANN, ids[i]);
        say(ANN, ids[i], NULL, FOOTNOTE_USER, ids[i]);
        WRITE(ANN, document_put, &put);
    }
    sql_do("UPDATE session SET title = 'x' WHERE id IN ('f', 'g')");
    sql_do("UPDATE course SET title = 'x' WHERE id IN ('physics', 'e')");
    READ(ANN, session_list, &sessions);
    CHECK_INT(sessions.sessions_n, 2);
    CHECK_TEXT(sessions.sessions[0].id, STR("e"));
    CHECK_TEXT(sessions.sessions[1].id, STR("s"));
    READ(ANN, course_list, &courses);
    CHECK_INT(courses.courses_n, 2);
    CHECK_TEXT(courses.courses[0].id, STR("f"));
    CHECK_TEXT(courses.courses[1].id, STR("g"));
    sql_do("UPDATE course SET title = 'A course' WHERE id = 'physics'");
    sql_do("UPDATE document SET title = 'x' WHERE id IN ('d', 'e')");
    READ(ANN, document_list, &documents);
    CHECK_INT(documents.documents_n, 2);
    CHECK_TEXT(documents.documents[0].id, STR("f"));
    CHECK_TEXT(documents.documents[1].id, STR("g"));
}

/* Words of a damaged message are not shown, nor whose it is. */
STORED(a_damaged_message_is_not_found_by_its_words)
{
    struct session_search op = {.query = STR("milligrams"), .limit = 10};

    help_damaged = true;
    seal_fill();
    say(ANN, "t", NULL, FOOTNOTE_USER, "Something else");
    say(ANN, "t", "m", FOOTNOTE_USER, "15 milligrams, and more");
    READ(ANN, session_search, &op);
    CHECK_INT(op.matches_n, 2); /* as a question, and as a quote */
    sql_do("UPDATE message SET content = '55 milligrams' WHERE id = 'm'");
    READ(ANN, session_search, &op);
    CHECK_INT(op.matches_n, 1);
    CHECK_TEXT(op.matches[0].session.id, STR("s"));
    sql_do("UPDATE message SET id = 'b' WHERE id = 'a'");
    READ(ANN, session_search, &op);
    CHECK_INT(op.matches_n, 0);
    sql_do("UPDATE message SET content = '15 milligrams, and more' "
           "WHERE id = 'm'");
}

/* The way back leads from a document to answers of the asker, and no further
 * than their rows are sound. */
STORED(a_damaged_row_is_no_citation_of_a_document)
{
    static const char *const bad[][2] = {
        {"UPDATE session SET owner = (SELECT account FROM account WHERE name = "
         "'ben')",
         "UPDATE session SET owner = (SELECT account FROM account WHERE name = "
         "'ann')"},
        {"UPDATE session SET id = 'x'", "UPDATE session SET id = 's'"},
        {"UPDATE message SET id = 'x' WHERE id = 'a'",
         "UPDATE message SET id = 'a' WHERE id = 'x'"},
        {"UPDATE message SET created_ms = created_ms + 1",
         "UPDATE message SET created_ms = created_ms - 1"},
        {"UPDATE source_reference SET cited = 1 - cited",
         "UPDATE source_reference SET cited = 1 - cited"},
        {"UPDATE source_reference SET number = 7",
         "UPDATE source_reference SET number = 1"}};

    help_damaged = true;
    seal_fill();
    for (size_t i = sizeof(bad) / sizeof(bad[0]); i-- > 0;) {
        struct document_citations op = {.document = STR("d")};

        READ(ANN, document_citations, &op);
        CHECK_INT(op.citations_n, 1);
        CHECK_TEXT(op.citations[0].session, STR("s"));
        CHECK_TEXT(op.citations[0].message, STR("a"));
        sql_do(bad[i][0]);
        READ(i ? ANN : BEN, document_citations, &op);
        if (op.citations_n)
            FAIL("%s is shown", bad[i][0]);
        sql_do(bad[i][1]);
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

STORED(a_damaged_vector_ranks_nothing)
{
    struct document_vectors some = {.version = 1};
    struct vectors_read op = {
        .model = STR("m"), .documents = &some, .documents_n = 1, .limit = 10};

    help_damaged = true;
    make_ready();
    some.document = sql_i64("SELECT document FROM document");
    READ(ANN, vectors_read, &op);
    CHECK_INT(some.vectors_n, 1);
    sql_do("UPDATE passage_vector SET seal = seal + 1");
    READ(ANN, vectors_read, &op);
    CHECK_INT(some.vectors_n, 0);
    CHECK_INT(some.rows_n, 1);
    CHECK_INT(damage_count(st, SEALED_VECTOR), 1);
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
