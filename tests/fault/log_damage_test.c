/* log_damage_test.c - bits and sectors of SQLite's log change while no store is
 * open.  History never gets shorter in silence: the store refuses to open, and
 * what it says mends it.  The torn end that a power cut leaves is no damage. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contract.h"
#include "db/sqlite_impl.h"
#include "disk_image.h"
#include "help/raw_sql.h"
#include "workload.h"

enum {
    ITEMS = 14,
    FILE_MAX = 4 << 20,
    HEADER = 32, /* of the log */
    HEAD = 24,   /* of a frame */
    FRAME = HEAD + 4096,
    COMMIT_AT = 4,
    SECTOR = 512,
    RESTART_EVERY = 3
};

struct content {
    size_t n;
    char *bytes;
};

/* What a process left that worked and was killed. */
static struct left {
    struct content file, log;
    struct progress done;
    size_t ends[ITEMS + 1]; /* of the log, after so many items */
} left;

/* --- a store that was killed ---------------------------------------------- */

static void nothing(struct workload *l)
{
    (void)l;
}

static bool never_again(struct workload *l, const struct footnote_err *err)
{
    FAIL("item %u: %s", l->done.items, err->text);
    return false;
}

static const char *path_of(const char *suffix)
{
    static char path[400];

    snprintf(path, sizeof(path), "%s%s", test_url() + sizeof("sqlite:") - 1,
             suffix);
    return path;
}

static size_t size_of_log(void)
{
    struct stat st;

    CHECK(stat(path_of("-wal"), &st) == 0);
    return (size_t)st.st_size;
}

static _Noreturn void work(size_t *ends)
{
    struct workload l = {.acked = nothing, .again = never_again};
    struct footnote_err err = {0};

    CHECK_OK(footnote_open(test_url(), &l.fn, &err), &err);
    while (l.done.items < ITEMS) {
        ends[l.done.items] = size_of_log();
        CHECK(workload_item(&l));
    }
    ends[ITEMS] = size_of_log();
    _exit(0);
}

static struct content get_file(const char *path)
{
    struct content c = {0, workload_need(malloc(FILE_MAX))};
    FILE *f = workload_need(fopen(path, "re"));

    c.n = fread(c.bytes, 1, FILE_MAX, f);
    CHECK(c.n < FILE_MAX);
    fclose(f);
    return c;
}

static void put_file(const char *path, const struct content *c)
{
    unlink(path); /* some file systems flush what was cut and written anew */
    FILE *f = workload_need(fopen(path, "we"));
    CHECK_INT(fwrite(c->bytes, 1, c->n, f), c->n);
    CHECK(fclose(f) == 0);
}

static void put_bytes(size_t at, const char *bytes, size_t n)
{
    FILE *f = workload_need(fopen(path_of("-wal"), "r+e"));

    CHECK(fseek(f, (long)at, SEEK_SET) == 0);
    CHECK_INT(fwrite(bytes, 1, n, f), n);
    CHECK(fclose(f) == 0);
}

static void put_left(void)
{
    unlink(path_of("-shm"));
    put_file(path_of(""), &left.file);
    put_file(path_of("-wal"), &left.log);
}

static void leave(void)
{
    size_t *ends = mmap(NULL, sizeof(left.ends), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status;

    CHECK(ends != MAP_FAILED);
    (void)test_url(); /* made here, not by the child */
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        work(ends);
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK_INT(status, 0);
    memcpy(left.ends, ends, sizeof(left.ends));
    left.done = (struct progress){.items = ITEMS};
    left.file = get_file(path_of(""));
    left.log = get_file(path_of("-wal"));
    vfs_install(vfs_no_sync, NULL);
}

/* --- opened --------------------------------------------------------------- */

static void check_equals(const char *path, const struct content *want)
{
    struct content c = get_file(path);

    CHECK_INT(c.n, want->n);
    CHECK(memcmp(c.bytes, want->bytes, c.n) == 0);
    free(c.bytes);
}

static void check_has(const struct progress *done)
{
    struct footnote *fn = NULL;
    struct footnote_err err = {0};

    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    workload_check(fn, 0, 0, done, true);
    footnote_close(fn);
}

/* Writes some bytes over those of the log that was left, and opens it.  True
 * when the store refuses, having changed nothing.  Otherwise it must have all
 * that was acknowledged. */
static bool is_refused_with(size_t at, const char *bytes, size_t n,
                            struct footnote_err *err)
{
    struct footnote *fn = NULL;

    put_bytes(at, bytes, n);
    enum footnote_rc rc = footnote_open(test_url(), &fn, err);
    if (rc != FOOTNOTE_OK) {
        CHECK_INT(rc, FOOTNOTE_DAMAGED);
        CHECK(strstr(err->text, "docs/operations.md, A damaged log"));
        check_equals(path_of(""), &left.file);
        put_bytes(at, left.log.bytes + at, n);
        check_equals(path_of("-wal"), &left.log);
        return true;
    }
    workload_check(fn, 0, 0, &left.done, true);
    footnote_close(fn);
    put_left();
    return false;
}

static bool is_refused_flipped(size_t bit)
{
    char flipped =
        (char)((unsigned char)left.log.bytes[bit / 8] ^ 1U << bit % 8);
    struct footnote_err err = {0};

    return is_refused_with(bit / 8, &flipped, 1, &err);
}

TEST_LIMIT(sqlite_no_flip_in_the_log_makes_history_shorter, 300)
{
    unsigned seed = 4711, flips = test_count(1000, 5000);

    leave();
    for (size_t bit = 0; bit < 8 * HEADER; bit++)
        CHECK(is_refused_flipped(bit));
    for (unsigned i = 8 * HEADER; i < flips; i++) {
        size_t bit = workload_random(&seed, (unsigned)(8 * left.log.n));

        if (!is_refused_flipped(bit))
            FAIL("bit %zu of %zu bytes is not missed", bit, left.log.n);
    }
}

/* One sector of zeros, or of something else, wherever two more commits are
 * behind it. */
TEST_LIMIT(sqlite_no_lost_sector_of_the_log_makes_history_shorter, 300)
{
    unsigned seed = 4712, times = test_count(300, 3000);
    char bytes[SECTOR] = {0};

    leave();
    for (unsigned i = 0; i < times; i++) {
        size_t at =
            (size_t)SECTOR *
            workload_random(&seed, (unsigned)left.ends[ITEMS - 2] / SECTOR);
        struct footnote_err err = {0};

        for (unsigned j = 0; j < SECTOR; j++)
            bytes[j] = i % 2 ? (char)workload_random(&seed, 256) : 0;
        if (memcmp(bytes, left.log.bytes + at, SECTOR) != 0)
            CHECK(is_refused_with(at, bytes, SECTOR, &err));
    }
}

/* The place of the frame behind `at` that ends a commit; 0: there is none. */
static size_t next_commit(size_t at)
{
    const char none[4] = {0};

    for (at = at ? at + FRAME : HEADER; at + FRAME <= left.log.n; at += FRAME)
        if (memcmp(left.log.bytes + at + COMMIT_AT, none, sizeof(none)) != 0)
            return at;
    return 0;
}

/* With one commit behind the damaged one.  A head that lies in two sectors is
 * not believed. */
TEST(sqlite_no_lost_page_of_the_last_commit_but_one_makes_history_shorter)
{
    const char bytes[SECTOR] = {1, 2, 3};
    struct footnote_err err = {0};
    unsigned times = 0;
    size_t next;

    leave();
    for (size_t at = next_commit(0); (next = next_commit(at)); at = next) {
        if (at / SECTOR != (at + HEAD - 1) / SECTOR)
            continue;
        struct content whole = left.log;
        left.log.n = next + FRAME;
        put_left();
        CHECK(is_refused_with(at + HEAD, bytes, sizeof(bytes), &err));
        left.log = whole;
        times++;
    }
    CHECK(times > ITEMS);
}

TEST(sqlite_no_flip_in_the_header_of_the_log_drops_its_only_commit)
{
    leave();
    left.log.n = next_commit(0) + FRAME;
    put_left();
    for (size_t bit = 0; bit < 8 * HEADER; bit++)
        CHECK(is_refused_flipped(bit));
}

/* The last commit has nothing behind it: each bit of the heads of its frames,
 * with sanitizers every third. */
TEST_LIMIT(sqlite_no_flip_in_a_head_of_the_last_commit_drops_it, 300)
{
    size_t at = 0, next, step = 3 / test_count(3, 3);

    leave();
    for (size_t end = next_commit(0); (next = next_commit(end)); end = next)
        at = end + FRAME;
    for (; at < left.log.n; at += FRAME)
        for (size_t bit = 0; bit < 8 * HEAD; bit += step)
            CHECK(is_refused_flipped(8 * at + bit));
}

TEST(sqlite_a_log_whose_first_sector_is_lost_is_refused)
{
    const char bytes[SECTOR] = {0};
    struct footnote_err err = {0};

    leave();
    CHECK(is_refused_with(0, bytes, sizeof(bytes), &err));
}

static long long number_after(const char *text, const char *words)
{
    const char *at = strstr(text, words);

    CHECK(at != NULL);
    return strtoll(at + strlen(words), NULL, 0);
}

TEST(sqlite_a_refused_log_says_which_byte_mends_it)
{
    struct footnote_err err = {0};
    size_t at;
    char byte;

    leave();
    at = left.ends[ITEMS / 2] + 100;
    byte = (char)(left.log.bytes[at] ^ 4);
    CHECK(is_refused_with(at, &byte, 1, &err));
    put_bytes(at, &byte, 1);
    CHECK_INT(number_after(err.text, "byte "), at);
    byte = (char)number_after(err.text, " was ");
    put_bytes(at, &byte, 1);
    check_has(&left.done);
}

TEST(sqlite_a_refused_log_says_where_it_can_be_cut)
{
    struct progress before = {.items = 5};
    struct footnote_err err = {0};
    char bytes[SECTOR];
    size_t at;

    leave();
    at = left.ends[before.items];
    memset(bytes, 'x', sizeof(bytes));
    CHECK(is_refused_with(at + 100, bytes, sizeof(bytes), &err));
    put_bytes(at + 100, bytes, sizeof(bytes));
    CHECK_INT(number_after(err.text, "byte "), at);
    CHECK(number_after(err.text, ": ") >= ITEMS - before.items);
    CHECK(truncate(path_of("-wal"), (off_t)at) == 0);
    check_has(&before);
}

/* --- power cuts ----------------------------------------------------------- */

/* Copying the log back makes the next commit begin it anew, in front of the
 * frames of before. */
static void record(struct image_log *log)
{
    struct workload l = {.acked = nothing, .again = never_again};
    struct footnote_err err = {0};

    vfs_install(image_record, log);
    CHECK_OK(footnote_open(test_url(), &l.fn, &err), &err);
    while (l.done.items < ITEMS) {
        CHECK(workload_item(&l));
        if (l.done.items % RESTART_EVERY == 0)
            raw_sql("PRAGMA wal_checkpoint;");
    }
    footnote_close(l.fn);
    vfs_install(vfs_no_sync, NULL);
}

TEST_LIMIT(sqlite_no_power_cut_looks_like_a_damaged_log, 300)
{
    struct image_log *log = image_log_new();
    unsigned states = test_count(20000, 400000);
    struct footnote_err err = {0};
    char folder[300], path[400];

    record(log);
    snprintf(folder, sizeof(folder), "%s/after", test_dir());
    snprintf(path, sizeof(path), "%s/test.db-wal", folder);
    CHECK(mkdir(folder, 0755) == 0);
    size_t n = image_mark(log), made = 0;
    for (unsigned seed = 0; made < states; seed++)
        for (size_t i = 0; i <= n && made < states; i++, made++) {
            image_survive(log, i, seed, folder);
            if (sqlite_log_check(path, &err) != FOOTNOTE_OK)
                FAIL("cut after %zu of %zu operations, seed %u: %s", i, n, seed,
                     err.text);
        }
    printf("%zu operations, %zu states\n", n, made);
    image_log_free(log);
}
