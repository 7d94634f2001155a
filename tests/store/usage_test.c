/* usage_test.c - what an account keeps is counted, and limited.
 *
 * help_close() compares the counters with the rows after every test of the
 * store; these here are about the limits, and about all ways to change them. */
#include <pthread.h>
#include <stdlib.h>

#include "base/disk.h"
#include "base/uuid.h"
#include "store/answer/event.h"
#include "store/document/document.h"
#include "store/document/job.h"
#include "store/document/snapshot.h"
#include "store/session/session.h"
#include "store/usage.h"
#include "store_help.h"

static void limit(struct usage_limits user)
{
    store_limit(st, &(struct store_limits){.user = user});
}

static struct usage used_by(struct who who)
{
    struct usage_get op = {.may_add = 0};

    READ(who, usage_get, &op);
    return op.user;
}

static struct session_put session_of_name(const char *id)
{
    return (struct session_put){.id = str_c(id)};
}

/* A file of `bytes` bytes that differs from all others. */
static struct document_put file(const char *id, int64_t bytes)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int64_t n; /* under the lock, as is `out` */
    struct document_put op = {.document = {.id = str_c(id),
                                           .course = STR("c"),
                                           .title = STR("A file"),
                                           .kind = DOCUMENT_SLIDES,
                                           .has_bytes = true,
                                           .bytes = bytes}};
    struct footnote_err why;

    pthread_mutex_lock(&lock);
    op.document.object_key = arena_printf(&out, "%032llx", (long long)++n);
    pthread_mutex_unlock(&lock);
    CHECK_OK(sha256(op.document.object_key, &op.document.digest, &why), &why);
    return op;
}

static struct snapshot_put picture(int64_t page, int64_t bytes)
{
    struct document_put f = file("unused", bytes);

    return (struct snapshot_put){.course = STR("c"),
                                 .slide = STR("slide"),
                                 .page = page,
                                 .media_type = STR("image/png"),
                                 .extension = STR("png"),
                                 .object_key = f.document.object_key,
                                 .digest = f.document.digest,
                                 .bytes = bytes};
}

/* ---- Limits -------------------------------------------------------------- */

STORED(usage_sessions_are_limited_for_each_user)
{
    struct session_put a = session_of_name("a"), b = session_of_name("b"),
                       c = session_of_name("c");
    struct session_delete gone = {.id = STR("a")};
    struct message_save late = saved("d", "m", FOOTNOTE_USER, "Hello");

    limit((struct usage_limits){.sessions = 2});
    WRITE(ANN, session_put, &a);
    WRITE(ANN, session_put, &b);
    REFUSE(ANN, session_put, &c, FOOTNOTE_QUOTA, "limit is 2 sessions");
    CHECK_STR(err.field, "sessions");
    REFUSE(ANN, message_save, &late, FOOTNOTE_QUOTA, "2 sessions");
    WRITE(ANN, session_put, &a); /* it is there already */
    say(ANN, "a", "m1", FOOTNOTE_USER, "Go on");
    WRITE(BEN, session_put, &c); /* another user is not limited by it */
    CHECK_INT(used_by(ANN).sessions, 2);
    WRITE(ANN, session_delete, &gone);
    WRITE(ANN, session_delete, &gone);
    CHECK_INT(used_by(ANN).sessions, 1);
    WRITE(ANN, session_put, &c);
}

STORED(usage_documents_are_limited_and_given_back)
{
    struct document_put a = file("a", 10), b = file("b", 10);
    struct document_put again = file("a", 20);
    struct document_delete gone = {.id = STR("a")};

    course_make(ANN, "c");
    member(ANN, "c", "ben", MEMBER_EDITOR);
    limit((struct usage_limits){.documents = 1});
    WRITE(ANN, document_put, &a);
    REFUSE(ANN, document_put, &b, FOOTNOTE_QUOTA, "limit is 1 documents");
    CHECK(!b.keeps);
    again.document.course = STR_NONE;
    again.must_exist = true;
    WRITE(ANN, document_put, &again); /* a version is no document */
    WRITE(BEN, document_put, &b);
    CHECK_INT(used_by(ANN).documents, 1);
    CHECK_INT(used_by(BEN).documents, 1);
    WRITE(BEN, document_delete, &gone); /* it was Ann's */
    CHECK_INT(used_by(ANN).documents, 0);
    CHECK_INT(used_by(BEN).documents, 1);
    gone.redact = true;
    WRITE(ANN, document_delete, &gone); /* once more, for its text */
    CHECK_INT(used_by(ANN).documents, 0);
    WRITE(ANN, course_delete, &(struct course_delete){.id = STR("c")});
    CHECK_INT(used_by(BEN).documents, 0);
}

STORED(usage_bytes_of_files_are_limited)
{
    struct document_put a = file("a", 100 * 1000), b = file("b", 100 * 1000);
    struct snapshot_put p = picture(1, 60 * 1000), q = picture(2, 60 * 1000);

    course_make(ANN, "c");
    limit((struct usage_limits){.bytes = 180 * 1000});
    WRITE(ANN, document_put, &a);
    REFUSE(ANN, document_put, &b, FOOTNOTE_QUOTA, "Your limit is 175 KB");
    CHECK_STR(err.field, "bytes");
    CHECK(!b.keeps);
    WRITE(ANN, snapshot_put, &p);
    REFUSE(ANN, snapshot_put, &q, FOOTNOTE_QUOTA, "Delete sessions");
    CHECK(!q.keeps);
    WRITE(ANN, snapshot_put, &p); /* the same again */
    CHECK_INT(used_by(ANN).bytes,
              160 * 1000 + SQL_USAGE_COURSE + SQL_USAGE_VERSION);
    WRITE(ANN, document_delete, &(struct document_delete){.id = STR("a")});
    WRITE(ANN, snapshot_put, &q);
}

/* A tenant's sum is read once, and then kept up to date. */
STORED(usage_of_a_tenant_is_summed)
{
    struct session_put op = session_of_name("a");

    store_limit(st, &(struct store_limits){.tenant = {.sessions = 3}});
    WRITE(ANN, session_put, &op);
    WRITE(BEN, session_put, &op);
    op = session_of_name("b");
    WRITE(ANN, session_put, &op);
    op = session_of_name("c");
    REFUSE(BEN, session_put, &op, FOOTNOTE_QUOTA, "Your organisation's limit");
    WRITE(((struct who){STR("elsewhere"), STR("ben")}), session_put, &op);
    WRITE(ANN, session_delete, &(struct session_delete){.id = STR("a")});
    WRITE(BEN, session_put, &op);
}

/* Every way in is closed to who is over, but for an answer that runs. */
STORED(usage_over_the_limit_only_running_answers_go_on)
{
    struct reference ref = slide("d", 1, "All is calm.");
    struct answer_begin running = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct message_save open = saved("t", "own", FOOTNOTE_ASSISTANT, "So ");
    struct message_save more = saved("s", "m", FOOTNOTE_USER, "x");
    struct answer_begin turn = {
        .question = {.session = STR("t"), .content = STR("Why?")},
        .mode = ANSWER_NEW};
    struct event_add event = {.session = STR("t"),
                              .user_message = STR("m0"),
                              .query = STR("why"),
                              .sources = &ref,
                              .sources_n = 1};
    struct message_cite cite = {.message = STR("done"),
                                .session = STR("t"),
                                .sources = &ref,
                                .sources_n = 1};
    struct answer_cite found = {
        .answer = &running.answer, .sources = &ref, .sources_n = 1};
    struct answer_patch patch = {
        .id = STR("own"), .append = STR("it is."), .status = FOOTNOTE_COMPLETE};
    struct course_put course = {.id = STR("new")};
    struct session_put session = session_of_name("u");

    answer(ANN, "t", "done", "Over", NULL, 0);
    say(ANN, "t", "m0", FOOTNOTE_USER, "Why?");
    open.message.status = FOOTNOTE_STREAMING;
    WRITE(ANN, message_save, &open);
    limit((struct usage_limits){.bytes = 1000});
    REFUSE(ANN, message_save, &more, FOOTNOTE_QUOTA,
           "Your limit is 1000 bytes");
    REFUSE(ANN, answer_begin, &turn, FOOTNOTE_QUOTA, "Your limit");
    REFUSE(ANN, event_add, &event, FOOTNOTE_QUOTA, "Your limit");
    REFUSE(ANN, message_cite, &cite, FOOTNOTE_QUOTA, "Your limit");
    REFUSE(ANN, course_put, &course, FOOTNOTE_QUOTA, "Your limit");
    REFUSE(ANN, session_put, &session, FOOTNOTE_QUOTA, "Your limit");
    WRITE(ANN, message_save, &open); /* a repeat writes nothing */
    cite.message = STR("own");
    WRITE(ANN, message_cite, &cite);
    WRITE(ANN, answer_patch, &patch);
    WRITE(ANN, answer_cite, &found);
    append(ANN, &running.answer, "It is calm [1].");
    finish(ANN, &running.answer, FOOTNOTE_COMPLETE);
    CHECK_TEXT(message_of(ANN, "a").content, STR("It is calm [1]."));
    CHECK_TEXT(message_of(ANN, "own").content, STR("So it is."));
    say(BEN, "s", "m", FOOTNOTE_USER, "Ben goes on");
}

/* Sources are shared, so deleting a session does not give them back: else one
 * could fill the disk by saving and deleting. */
STORED(usage_of_sources_stays_when_their_session_goes)
{
    struct reference ref = slide("d", 1, "A long preview.");
    struct usage before, after;

    answer(ANN, "s", "a", "So [1].", &ref, 1);
    before = used_by(ANN);
    CHECK(before.source_bytes > SQL_USAGE_SOURCE);
    answer(ANN, "s", "b", "And [1].", &ref, 1); /* it is there */
    CHECK_INT(used_by(ANN).source_bytes, before.source_bytes);
    WRITE(ANN, session_delete, &(struct session_delete){.id = STR("s")});
    after = used_by(ANN);
    CHECK_INT(after.source_bytes, before.source_bytes);
    CHECK_INT(after.bytes, SQL_USAGE_SESSION); /* its row stays */
    CHECK_INT(after.sessions, 0);
}

/* ---- The disk ------------------------------------------------------------ */

STORED(usage_nothing_new_is_taken_when_the_disk_is_nearly_full)
{
    struct answer_begin running = begin(ANN, "s", "q", "a", ANSWER_NEW);
    struct session_put session = session_of_name("t");
    struct message_save more = saved("s", "m", FOOTNOTE_USER, "x");
    struct str folders[DISK_FOLDERS_MAX] = {str_c(test_dir()), STR_NONE};
    struct disk *disk;

    CHECK_OK(disk_open(folders, INT64_MAX, &disk, &err), &err);
    store_limit(st, &(struct store_limits){.disk = disk});
    CHECK(!store_has_room(st));
    REFUSE(ANN, session_put, &session, FOOTNOTE_FULL, "disk is nearly full");
    REFUSE(BEN, message_save, &more, FOOTNOTE_FULL, "disk is nearly full");
    append(ANN, &running.answer, "It ends.");
    finish(ANN, &running.answer, FOOTNOTE_COMPLETE);
    WRITE(ANN, session_delete, &(struct session_delete){.id = STR("s")});
    store_limit(st, &(struct store_limits){.disk = NULL});
    WRITE(ANN, session_put, &session);
    disk_close(disk);
}

/* ---- Counters and rows --------------------------------------------------- */

/* Borrowed until eight more were asked for; threads have their own. */
static const char *name_of(const char *kind, unsigned n)
{
    static _Thread_local char names[8][16];
    static _Thread_local unsigned last;
    char *name = names[last++ % 8];

    snprintf(name, sizeof(names[0]), "%s%u", kind, n % 6);
    return name;
}

/* Anything may be refused: what counts is that both sides agree. */
#define TRY_WRITE(name, ...)                                                   \
    (void)store_write(st, who, OP(name), &(struct name){__VA_ARGS__}, NULL)

static void do_document(struct who who, unsigned what, unsigned n)
{
    struct document_put f = file(name_of("d", n), n % 5000);
    struct snapshot_put p = picture(n % 3 + 1, n % 4000);
    struct str document = str_c(name_of("d", n));

    switch (what % 6) {
    case 0:
    case 1: (void)store_write(st, who, OP(document_put), &f, NULL); break;
    case 2: (void)store_write(st, who, OP(snapshot_put), &p, NULL); break;
    case 3: TRY_WRITE(document_delete, .id = document, .redact = n % 2); break;
    case 4: TRY_WRITE(document_prune, .id = document); break;
    case 5:
        TRY_WRITE(document_status_set, .document = document,
                  .status = DOCUMENT_READY);
        break;
    }
}

static void do_session(struct who who, unsigned what, unsigned n)
{
    struct reference ref = slide(name_of("d", n / 7), n % 9 + 1, "Calm.");
    struct message_save m = saved(name_of("s", n), NULL, FOOTNOTE_ASSISTANT,
                                  n % 2 ? "So [1]." : "Och \xc3\xa4h [1].");
    struct str session = str_c(name_of("s", n));

    m.message.id = n % 3 ? str_c(name_of("m", n / 5)) : STR_NONE;
    m.message.sources = &ref;
    m.message.sources_n = n % 2;
    switch (what % 6) {
    case 0: (void)store_write(st, who, OP(message_save), &m, NULL); break;
    case 1: TRY_WRITE(session_delete, .id = session); break;
    case 2: TRY_WRITE(session_clear, .id = session); break;
    case 3:
        TRY_WRITE(message_cite, .message = str_c(name_of("m", n / 5)),
                  .session = session, .sources = &ref, .sources_n = 1);
        break;
    case 4:
        TRY_WRITE(event_add, .session = session,
                  .user_message = str_c(name_of("u", n / 3)),
                  .query = STR("calm?"), .sources = &ref, .sources_n = 1);
        break;
    case 5:
        TRY_WRITE(answer_begin,
                  .question = {.session = session,
                               .id = str_c(name_of("u", n / 3)),
                               .content = STR("Is it?")},
                  .mode = ANSWER_NEW_OR_EDIT);
        TRY_WRITE(answer_stop, .session = session);
        break;
    }
}

static void do_anything(unsigned n)
{
    struct who who = n % 2 ? ANN : BEN;

    if (n % 37 == 0)
        TRY_WRITE(course_delete, .id = STR("c"));
    else if (n % 3 == 0)
        do_document(who, n / 3, n / 18);
    else
        do_session(who, n / 3, n / 18);
}

static void do_many(size_t seed)
{
    uint64_t x = seed * 2654435761U + 1;

    for (int i = 0; i < 300; i++) {
        x = x * 6364136223846793005U + 1442695040888963407U;
        do_anything((unsigned)(x >> 33));
    }
}

/* help_close() compares. */
STORED_LIMIT(usage_counters_are_the_rows_after_anything, 60)
{
    course_make(ANN, "c");
    member(ANN, "c", "ben", MEMBER_EDITOR);
    limit((struct usage_limits){30 * 1000, 4, 5});
    do_many(1);
    limit((struct usage_limits){.bytes = 0});
    do_many(2);
    CHECK(used_by(ANN).bytes > 0 && used_by(BEN).bytes > 0);
}

STORED_LIMIT(usage_counters_are_the_rows_after_threads_at_once, 60)
{
    course_make(ANN, "c");
    member(ANN, "c", "ben", MEMBER_EDITOR);
    limit((struct usage_limits){60 * 1000, 4, 5});
    in_threads(4, do_many);
}

static void leave_things(void)
{
    struct answer_begin b;

    course_make(ANN, "c");
    member(ANN, "c", "ben", MEMBER_EDITOR);
    do_many(3);
    b = begin(ANN, "left", "q", "a", ANSWER_NEW);
    append(ANN, &b.answer, "Half of it");
}

/* The sweep of the next process ends its answer, and counts that as well. */
CONTRACT(usage_counters_are_the_rows_after_a_death)
{
    help_die(leave_things);
    help_open();
    CHECK_TEXT(message_of(ANN, "a").content, STR("Half of it"));
    help_close();
}

/* Housekeeping has a transaction of its own. */
STORED(usage_of_an_answer_that_the_sweep_ends_is_counted)
{
    struct message_save open = saved("s", "own", FOOTNOTE_ASSISTANT, "So far");
    int64_t before;

    open.message.status = FOOTNOTE_STREAMING;
    WRITE(ANN, message_save, &open);
    before = used_by(ANN).bytes;
    time_passes((int64_t)2 * STORE_LEASE_MS);
    help_sweep();
    CHECK_INT(message_of(ANN, "own").status, FOOTNOTE_INTERRUPTED);
    CHECK_INT(used_by(ANN).bytes - before, strlen("So far"));
}

STORED(usage_is_counted_again_when_it_is_wrong)
{
    struct usage_list list;

    say(ANN, "s", "m", FOOTNOTE_USER, "Hello");
    sql_do("UPDATE account_usage SET bytes = bytes + 77, sessions = 9");
    CHECK_OK(store_own_read(st, &out, OP(usage_list), &list, &err), &err);
    CHECK_INT(list.accounts_n, 1);
    CHECK_INT(list.accounts[0].counted.sessions, 9);
    CHECK_INT(list.accounts[0].kept.sessions, 1);
    say(ANN, "s", "m2", FOOTNOTE_USER, "And this meanwhile");
    CHECK_OK(store_own(st, OP(usage_mend),
                       &(struct usage_mend){.account = &list.accounts[0]},
                       &err),
             &err);
    CHECK_INT(used_by(ANN).sessions, 1);
}

/* ---- Two nodes ----------------------------------------------------------- */

enum { NODES = 3, FILES = 12, FITS = 5 };
static struct store *nodes[NODES];
static int taken[NODES], refused[NODES];

static void bring_files(size_t i)
{
    for (int k = 0; k < FILES; k++) {
        struct document_put op = {.document = {.course = STR("c"),
                                               .kind = DOCUMENT_TEXT,
                                               .title = STR("A file")}};
        struct footnote_err why = {.text = ""};
        enum footnote_rc rc;

        random_bytes(&op.document.digest, sizeof(op.document.digest));
        rc = store_write(nodes[i], ANN, OP(document_put), &op, &why);
        taken[i] += rc == FOOTNOTE_OK;
        refused[i] += rc == FOOTNOTE_QUOTA;
        if (rc != FOOTNOTE_OK && rc != FOOTNOTE_QUOTA)
            FAIL("%s: %s", rc_name(rc), why.text);
    }
}

/* Whoever is first, the limit is met and never passed. */
STORED_LIMIT(usage_limit_holds_when_nodes_race_in_threads, 60)
{
    struct store_limits l = {.user = {.documents = FITS}};
    int all_taken = 0, all_refused = 0;

    course_make(ANN, "c");
    for (int i = 0; i < NODES; i++) {
        CHECK_OK(store_open(test_url(), &nodes[i], &err), &err);
        store_limit(nodes[i], &l);
    }
    in_threads(NODES, bring_files);
    for (int i = 0; i < NODES; i++) {
        store_close(nodes[i]);
        all_taken += taken[i];
        all_refused += refused[i];
    }
    CHECK_INT(all_taken, FITS);
    CHECK_INT(all_refused, NODES * FILES - FITS);
    CHECK_INT(used_by(ANN).documents, FITS);
}

/* ---- Old versions -------------------------------------------------------- */

static void version(const char *id, int64_t bytes)
{
    struct document_put op = file(id, bytes);
    struct document_status_set ready = {.document = str_c(id),
                                        .status = DOCUMENT_READY};

    WRITE(ANN, document_put, &op);
    WRITE(ANN, document_status_set, &ready);
}

STORED(usage_old_versions_that_nothing_cites_can_go)
{
    struct reference ref = slide("d", 1, "All is calm.");
    struct document_prune prune = {.id = STR("d")};
    struct document_versions list = {.document = STR("d"), .limit = 10};
    struct document_get old = {.id = STR("d"), .version = 2};
    struct message_save m = answered("s", "a", "Calm [1].", &ref, 1);
    int64_t before;

    course_make(ANN, "c");
    member(ANN, "c", "ben", MEMBER_READER);
    version("d", 1000);
    version("d", 2000);
    m.course = STR("c");
    WRITE(ANN, message_save, &m); /* cites the second */
    version("d", 3000);
    version("d", 4000);
    REFUSE(BEN, document_prune, &prune, FOOTNOTE_NOTFOUND, "not there");
    before = used_by(ANN).bytes;
    WRITE(ANN, document_prune, &prune);
    CHECK_INT(prune.removed, 2); /* the first and the third */
    CHECK_INT(prune.bytes, 4000);
    CHECK_INT(before - used_by(ANN).bytes, 4000 + 2 * SQL_USAGE_VERSION);
    READ(ANN, document_versions, &list);
    CHECK_INT(list.versions_n, 2);
    READ(ANN, document_get, &old);
    CHECK_INT(message_of(ANN, "a").sources[0].state, FOOTNOTE_CHANGED);
    CHECK_INT(sql_i64("SELECT count(*) FROM object WHERE deleted_ms IS NULL"),
              2);
    WRITE(ANN, document_prune, &prune);
    CHECK_INT(prune.removed, 0);
    WRITE(ANN, session_delete, &(struct session_delete){.id = STR("s")});
    WRITE(ANN, document_prune, &prune);
    CHECK_INT(prune.removed, 1);
    REFUSE_READ(ANN, document_get, &old, FOOTNOTE_NOTFOUND, "");
    version("d", 5000); /* and it goes on */
    CHECK_INT(sql_i64("SELECT version FROM document"), 5);
}

/* A version that is being read in, and the one that is searched until then. */
STORED(usage_the_searched_version_stays)
{
    struct document_put next = file("d", 10);
    struct document_prune prune = {.id = STR("d")};

    course_make(ANN, "c");
    version("d", 1000);
    version("d", 2000);
    next.queue = true;
    WRITE(ANN, document_put, &next);
    WRITE(ANN, document_prune, &prune);
    CHECK_INT(prune.removed, 1);
    CHECK_INT(sql_i64("SELECT min(version) FROM document_version"), 2);
}
