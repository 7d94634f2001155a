/* refuse_test.c - files that are not ours, too new, cut off or not to be
 * written: a named error, and not one byte of them is changed. */
#include "contract.h"
#include "help/raw_sql.h"
#include "sql.h"
#include "workload.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOBODY = 65534, FILE_MAX = 4 << 20 };

static const char *path(void)
{
    static char text[300];

    snprintf(text, sizeof(text), "%s/test.db", test_dir());
    return text;
}

static void put_file(const void *bytes, size_t n)
{
    FILE *f = fopen(path(), "we");

    CHECK(f != NULL);
    CHECK_INT(fwrite(bytes, 1, n, f), n);
    CHECK(fclose(f) == 0);
}

struct content {
    size_t n;
    char bytes[FILE_MAX];
};

static void get_file(struct content *to)
{
    FILE *f = fopen(path(), "re");

    CHECK(f != NULL);
    to->n = fread(to->bytes, 1, sizeof(to->bytes), f);
    CHECK(to->n < sizeof(to->bytes));
    fclose(f);
}

static bool is_there(const char *suffix)
{
    char name[320];

    snprintf(name, sizeof(name), "%s%s", path(), suffix);
    return access(name, F_OK) == 0;
}

/* Opening it fails with that code and leaves it as it was. */
static void check_refused(enum footnote_rc want, struct footnote_err *err)
{
    static struct content before, after;
    struct footnote *fn = NULL;

    get_file(&before);
    CHECK_INT(footnote_open(test_url(), &fn, err), want);
    CHECK(fn == NULL);
    get_file(&after);
    CHECK_TEXT(((struct str){after.bytes, after.n}),
               ((struct str){before.bytes, before.n}));
    CHECK(!is_there("-wal") && !is_there("-shm") && !is_there("-journal"));
}

static void make_ours(void)
{
    struct footnote *fn = NULL;
    struct footnote_err err = {0};
    struct sample s;

    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    sample_make(&s, SAMPLE_MESSAGE, 0, 0, 0);
    CHECK_OK(footnote_save(fn, &s.message, &err), &err);
    footnote_close(fn);
}

TEST(sqlite_a_file_of_random_bytes_is_refused_untouched)
{
    struct footnote_err err;
    unsigned char bytes[20000];
    unsigned seed = 99;

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)workload_random(&seed, 256);
    put_file(bytes, sizeof(bytes));
    check_refused(FOOTNOTE_FOREIGN, &err);
}

TEST(sqlite_a_text_file_is_refused_untouched)
{
    static const char text[] = "Dear diary,\nnothing happened today.\n";
    struct footnote_err err;

    put_file(text, sizeof(text) - 1);
    check_refused(FOOTNOTE_FOREIGN, &err);
}

TEST(sqlite_another_programs_database_is_refused_untouched)
{
    struct footnote_err err;

    raw_sql("CREATE TABLE diary (day TEXT, text TEXT);"
            "INSERT INTO diary VALUES ('monday', 'nothing happened');");
    check_refused(FOOTNOTE_FOREIGN, &err);
}

TEST(sqlite_another_programs_application_id_is_refused_untouched)
{
    struct footnote_err err;

    raw_sql("PRAGMA application_id = 1234; PRAGMA user_version = 1;");
    check_refused(FOOTNOTE_FOREIGN, &err);
}

/* Both numbers are in the sentence. */
static void check_names_both(const char *text)
{
    char number[16];

    CHECK(strstr(text, "4711") != NULL);
    snprintf(number, sizeof(number), " %d", sql_set.migrations_n);
    CHECK(strstr(text, number) != NULL);
}

TEST(sqlite_a_newer_schema_is_refused_untouched)
{
    struct footnote_err err;

    make_ours();
    raw_sql("PRAGMA user_version = 4711;");
    check_refused(FOOTNOTE_FOREIGN, &err);
    check_names_both(err.text);
}

TEST(postgres_a_newer_schema_is_refused_untouched)
{
    struct footnote *fn = NULL;
    struct footnote_err err;

    contract_engine("postgres");
    make_ours();
    raw_sql("INSERT INTO footnote.schema_version VALUES (4711, 'future', 0);");
    CHECK_INT(footnote_open(test_url(), &fn, &err), FOOTNOTE_FOREIGN);
    check_names_both(err.text);
    CHECK_INT(raw_number("SELECT count(*) FROM footnote.message;"), 1);
}

TEST(postgres_another_programs_schema_is_refused_untouched)
{
    struct footnote *fn = NULL;
    struct footnote_err err;

    contract_engine("postgres");
    raw_sql("CREATE SCHEMA footnote; CREATE TABLE footnote.diary (day text);");
    CHECK_INT(footnote_open(test_url(), &fn, &err), FOOTNOTE_FOREIGN);
    CHECK_INT(raw_number("SELECT count(*) FROM pg_class WHERE relnamespace = "
                         "to_regnamespace('footnote');"),
              1);
}

/* Wherever it was cut: an error at once or when reading, never a crash, never
 * a message that is not what was saved. */
static void open_cut(off_t size)
{
    struct footnote *fn = NULL;
    struct footnote_err err = {0};
    struct footnote_result *r = NULL;
    struct footnote_query q = {.session = "s0-0"};

    CHECK(truncate(path(), size) == 0);
    if (footnote_open(test_url(), &fn, &err) != FOOTNOTE_OK)
        return;
    if (footnote_read(fn, &q, &r, &err) == FOOTNOTE_OK)
        for (size_t i = 0; i < r->messages_n; i++)
            CHECK_STR(sample_wrong(&r->messages[i]), NULL);
    footnote_result_free(r);
    footnote_close(fn);
}

TEST(sqlite_a_truncated_database_is_an_error_and_never_a_crash)
{
    static struct content whole;
    unsigned seed = 7;

    make_ours();
    get_file(&whole);
    unsigned n = (unsigned)whole.n;
    for (unsigned i = 0; i < test_count(60, 2000); i++) {
        put_file(whole.bytes, n);
        open_cut(i % 2 ? workload_random(&seed, n)
                       : workload_random(&seed, n / 4096) * 4096);
    }
}

/* --- permissions ---------------------------------------------------------- */

/* Root may write whatever the bits say. */
static void become_nobody(void)
{
    if (geteuid() == 0)
        CHECK(setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
              setresuid(NOBODY, NOBODY, NOBODY) == 0);
}

TEST(sqlite_a_read_only_file_is_refused_untouched)
{
    struct footnote_err err;

    make_ours();
    CHECK(chmod(path(), 0444) == 0);
    become_nobody();
    check_refused(FOOTNOTE_READONLY, &err);
}

TEST(sqlite_a_file_in_a_read_only_folder_is_refused_untouched)
{
    struct footnote_err err;
    struct footnote *fn = NULL;

    make_ours();
    CHECK(chmod(path(), 0666) == 0 && chmod(test_dir(), 0555) == 0);
    become_nobody();
    enum footnote_rc rc = footnote_open(test_url(), &fn, &err);
    CHECK(rc == FOOTNOTE_READONLY || rc == FOOTNOTE_BUSY);
    CHECK(fn == NULL);
}

TEST(sqlite_a_missing_file_in_a_read_only_folder_is_an_error)
{
    struct footnote_err err;
    struct footnote *fn = NULL;

    CHECK(chmod(test_dir(), 0555) == 0);
    become_nobody();
    enum footnote_rc rc = footnote_open(test_url(), &fn, &err);
    CHECK(rc == FOOTNOTE_READONLY || rc == FOOTNOTE_BUSY);
    CHECK(fn == NULL && !is_there(""));
}
