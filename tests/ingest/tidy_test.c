/* tidy_test.c - what becomes of objects that no row names, and who may decide
 * that: a copy of a store does not remove the files of its original. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "help/raw_sql.h"
#include "ingest_setup.h"
#include "store/identity.h"

static int64_t ahead_ms;

static int64_t later_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + ahead_ms;
}

static int64_t mono_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static const struct clock_source later = {later_ms, mono_ms};

static void clock_is_ahead(int64_t ms)
{
    ahead_ms = ms;
    clock_replace(&later);
}

/* Rows count by the database's clock, which a test cannot set. */
static void rows_are_older(int64_t ms)
{
    char sql[100];

    snprintf(sql, sizeof(sql), "UPDATE %s SET deleted_ms = deleted_ms - %lld",
             test_is_postgres() ? "footnote.object" : "object", (long long)ms);
    raw_sql(sql);
}

static struct object stored(const char *bytes)
{
    struct object o;

    CHECK_OK(object_store(objects, str_c(bytes), &o, &err), &err);
    return o;
}

static struct tidied tidy_all(void)
{
    struct tidied done = {.removed = 0};

    CHECK_OK(tidy_deleted(st, objects, &done, &err), &err);
    CHECK_OK(tidy_unknown(st, objects, &done, &err), &err);
    return done;
}

static enum footnote_rc head(struct str key)
{
    int64_t bytes;

    return object_head(objects, key, &bytes, &err);
}

static bool is_in_place(const struct object *o)
{
    return access(setup_object_path(str_c(o->key)), F_OK) == 0;
}

/* A path in the folder of the objects; static. */
static const char *path_of(const char *name)
{
    static char path[700];

    snprintf(path, sizeof(path), "%s/objects/%s", test_dir(), name);
    return path;
}

/* ---- Garbage ------------------------------------------------------------ */

INGEST_CASE(tidy_removes_objects_of_deleted_documents)
{
    struct document_put put =
        setup_put_document("d", STR("Heat flows."), "a.txt");
    struct document_put kept =
        setup_put_document("k", STR("Cold does not."), "b.txt");
    struct document_delete del = {.id = STR("d")};

    CHECK_OK(store_write(st, ANN, OP(document_delete), &del, &err), &err);
    CHECK_INT(tidy_all().removed, 0); /* someone may have it open */
    rows_are_older(OBJECT_KEPT_MS + 60000);
    CHECK_INT(tidy_all().removed, 1);
    CHECK_INT(head(put.document.object_key), FOOTNOTE_NOTFOUND);
    CHECK_OK(head(kept.document.object_key), &err);
}

INGEST_CASE(tidy_sets_aside_first_and_removes_a_week_later)
{
    struct document_put kept =
        setup_put_document("k", STR("Cold does not."), "b.txt");
    AUTO(buf_free) struct buf read = BUF(100);
    struct object orphan = stored("orphan");
    struct tidied done = tidy_all();

    CHECK_INT(done.aside + done.removed, 0); /* a row may be on its way */
    clock_is_ahead(TIDY_AGE_MS + 60000);
    done = tidy_all();
    CHECK_INT(done.aside, 1);
    CHECK_INT(done.removed, 0);
    CHECK(!is_in_place(&orphan));
    CHECK_OK(object_read(objects, &orphan, &read, &err), &err);
    CHECK_TEXT(buf_str(&read), STR("orphan"));

    done = tidy_all();
    CHECK_INT(done.aside + done.removed, 0);
    /* It was set aside now, by the clock of the files. */
    clock_is_ahead(TIDY_ASIDE_MS - 60000);
    CHECK_INT(tidy_all().removed, 0);
    clock_is_ahead(TIDY_ASIDE_MS + 60000);
    CHECK_INT(tidy_all().removed, 1);
    CHECK_INT(head(str_c(orphan.key)), FOOTNOTE_NOTFOUND);
    CHECK_OK(head(kept.document.object_key), &err);
}

INGEST_CASE(tidy_puts_back_what_got_a_row)
{
    struct object late = stored("Heat flows.");
    struct document_put put = {.document = {.id = STR("late"),
                                            .course = STR("c"),
                                            .kind = DOCUMENT_TEXT,
                                            .filename = STR("a.txt"),
                                            .has_bytes = true}};
    struct tidied done;

    clock_is_ahead(TIDY_AGE_MS + 60000);
    CHECK_INT(tidy_all().aside, 1);
    CHECK(!is_in_place(&late));
    put.document.object_key = str_c(late.key);
    put.document.digest = late.digest;
    put.document.bytes = late.bytes;
    CHECK_OK(store_write(st, ANN, OP(document_put), &put, &err), &err);
    clock_is_ahead((int64_t)2 * TIDY_ASIDE_MS);
    done = tidy_all();
    CHECK_INT(done.put_back, 1);
    CHECK_INT(done.removed + done.aside, 0);
    CHECK(is_in_place(&late));
}

/* ---- Whose they are ----------------------------------------------------- */

static void check_untouchable(struct document_put *put, const char *words)
{
    struct document_delete del = {.id = put->document.id};
    struct tidied done = {.removed = 0};
    struct object o;

    CHECK_OK(store_write(st, ANN, OP(document_delete), &del, &err), &err);
    rows_are_older(OBJECT_KEPT_MS + 60000);
    clock_is_ahead((int64_t)3 * TIDY_ASIDE_MS);
    CHECK_INT(tidy_deleted(st, objects, &done, &err), FOOTNOTE_FOREIGN);
    CHECK_INT(tidy_unknown(st, objects, &done, &err), FOOTNOTE_FOREIGN);
    CHECK(strstr(err.text, words) != NULL);
    CHECK(strstr(err.text, "footnote objects adopt") != NULL);
    CHECK_INT(done.removed + done.aside, 0);
    CHECK_INT(object_store(objects, STR("x"), &o, &err), FOOTNOTE_READONLY);
    CHECK_OK(head(put->document.object_key), &err); /* it reads */
}

/* Its rows are those of the day of the copy, and the files have gone on. */
INGEST_CASE(tidy_of_a_copy_leaves_the_files_of_its_original)
{
    struct document_put put =
        setup_put_document("d", STR("Heat flows."), "a.txt");
    struct object since = stored("stored since the copy was made");
    struct store_identity_renew renew;
    struct tidied done;

    CHECK_OK(store_own(st, OP(store_identity_renew), &renew, &err), &err);
    setup_open_objects();
    check_untouchable(&put, "belongs to another store");
    CHECK(is_in_place(&since));

    CHECK_OK(objects_adopt(objects, &err), &err);
    done = tidy_all();
    CHECK_INT(done.removed, 1);
    CHECK_INT(done.aside, 1);
    (void)stored("and it may write");
}

static void write_owner(const char *text)
{
    int fd = open(path_of("owner"), O_WRONLY | O_CREAT | O_TRUNC, 0600);

    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    setup_open_objects();
}

INGEST_CASE(tidy_does_nothing_when_the_owner_is_lost_or_damaged)
{
    struct document_put put =
        setup_put_document("d", STR("Heat flows."), "a.txt");
    char text[2000];

    CHECK(unlink(path_of("owner")) == 0);
    setup_open_objects();
    check_untouchable(&put, "does not say whose");
    write_owner("");
    check_untouchable(&put, "belongs to another store");
    memset(text, 'a', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    write_owner(text);
    check_untouchable(&put, "belongs to another store");
    text[STORE_IDENTITY_BYTES] = '\0';
    write_owner(text);
    check_untouchable(&put, "belongs to another store");
    CHECK_OK(objects_adopt(objects, &err), &err);
    CHECK_INT(tidy_all().removed, 1);
}

/* Two processes find an empty folder, each with a store of its own. */
INGEST_CASE(tidy_one_of_two_stores_claims_a_place)
{
    struct objects *both[2] = {NULL};
    struct objects_place place = {.url = STR_NONE};
    char url[600];
    struct object o;

    snprintf(url, sizeof(url), "files:%s/shared", test_dir());
    place.url = str_c(url);
    place.store = STR("0123456789abcdef0123456789abcdef");
    CHECK_OK(objects_open_place(&place, &both[0], &err), &err);
    place.store = STR("fedcba9876543210fedcba9876543210");
    CHECK_OK(objects_open_place(&place, &both[1], &err), &err);
    CHECK_OK(object_store(both[0], STR("first"), &o, &err), &err);
    CHECK_INT(object_store(both[1], STR("second"), &o, &err),
              FOOTNOTE_READONLY);
    CHECK_OK(object_store(both[0], STR("third"), &o, &err), &err);
    CHECK_OK(objects_check_owner(both[0], &err), &err);
    CHECK_INT(objects_check_owner(both[1], &err), FOOTNOTE_FOREIGN);
    objects_close(both[0]);
    objects_close(both[1]);
}
