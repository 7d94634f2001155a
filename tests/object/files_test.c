/* files_test.c - objects in a folder: what is stored, what is refused, and
 * what is left when storing breaks off. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "object/object.h"
#include "test.h"

static struct footnote_err err;
static char folder[512];

static struct objects *open_in(const char *path)
{
    struct objects *o = NULL;
    char url[600];

    if (path != folder)
        snprintf(folder, sizeof(folder), "%s", path);
    snprintf(url, sizeof(url), "files:%s", path);
    CHECK_OK(objects_open(str_c(url), &o, &err), &err);
    return o;
}

static struct objects *open_fresh(void)
{
    char path[512];

    snprintf(path, sizeof(path), "%s/objects", test_dir());
    return open_in(path);
}

static struct object stored(struct objects *o, struct str bytes)
{
    struct object out;

    CHECK_OK(object_store(o, bytes, &out, &err), &err);
    return out;
}

/* The path of an object's file; static. */
static const char *file_of(const struct object *o)
{
    static char path[700];

    snprintf(path, sizeof(path), "%s/%.2s/%s", folder, o->key, o->key);
    return path;
}

static enum footnote_rc count_key(void *arg, struct str key, int64_t changed_ms,
                                  struct footnote_err *e)
{
    (void)e;
    CHECK_INT(key.n, OBJECT_KEY_BYTES);
    CHECK(changed_ms > 0);
    ++*(int *)arg;
    return FOOTNOTE_OK;
}

static int count(struct objects *o)
{
    int n = 0;

    CHECK_OK(object_each(o, count_key, &n, &err), &err);
    return n;
}

/* Files in new/: writing that did not end. */
static int unfinished(void)
{
    char path[600];
    const struct dirent *e;
    int n = 0;
    DIR *d;

    snprintf(path, sizeof(path), "%s/new", folder);
    d = opendir(path);
    if (!d)
        FAIL("%s: %s", path, strerror(errno));
    while ((e = readdir(d)))
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void put_file(const char *path, struct str bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    CHECK(fd >= 0);
    CHECK_INT(write(fd, bytes.p, bytes.n), bytes.n);
    close(fd);
}

static enum footnote_rc read_back(struct objects *o, const struct object *want)
{
    AUTO(buf_free) struct buf b = BUF((size_t)1024 * 1024);

    return object_read(o, want, &b, &err);
}

TEST(an_object_comes_back_with_its_length_and_digest)
{
    AUTO(buf_free) struct buf back = BUF(1024);
    struct objects *o = open_fresh();
    struct object a = stored(o, STR("steam")), b = stored(o, STR("steam"));
    struct object again;
    struct sha256 digest;
    int64_t bytes;
    int fd;

    CHECK_OK(sha256(STR("steam"), &digest, &err), &err);
    CHECK(sha256_eq(&a.digest, &digest));
    CHECK_INT(a.bytes, 5);
    CHECK(strcmp(a.key, b.key) != 0); /* keys say nothing of the bytes */
    CHECK_OK(object_read(o, &a, &back, &err), &err);
    CHECK_TEXT(buf_str(&back), STR("steam"));
    CHECK_OK(object_get(o, &a, &fd, &err), &err);
    CHECK_OK(object_check(fd, &a, &err), &err);
    CHECK_INT(lseek(fd, 0, SEEK_CUR), 0);
    close(fd);
    CHECK_OK(object_head(o, str_c(a.key), &bytes, &err), &err);
    CHECK_INT(bytes, 5);
    CHECK_OK(object_of(str_c(a.key), 5, &digest, &again, &err), &err);
    CHECK_OK(read_back(o, &again), &err);
    CHECK_INT(count(o), 2);
    CHECK_INT(unfinished(), 0);
    objects_close(o);
    o = open_in(folder);
    CHECK_OK(read_back(o, &b), &err);
    objects_close(o);
}

TEST(an_object_may_be_empty_or_written_in_parts)
{
    struct objects *o = open_fresh();
    struct object none = stored(o, STR("")), parts;
    struct object_put *p;
    struct sha256 digest;

    CHECK_INT(none.bytes, 0);
    CHECK_OK(read_back(o, &none), &err);
    CHECK_OK(object_begin(o, &p, &err), &err);
    CHECK_OK(object_write(p, STR("ste"), &err), &err);
    CHECK_OK(object_write(p, STR(""), &err), &err);
    CHECK_OK(object_write(p, STR("am"), &err), &err);
    CHECK_INT(count(o), 1); /* not there before it is finished */
    CHECK_INT(unfinished(), 1);
    CHECK_OK(object_finish(p, &parts, &err), &err);
    CHECK_OK(sha256(STR("steam"), &digest, &err), &err);
    CHECK(sha256_eq(&parts.digest, &digest));
    CHECK_INT(count(o), 2);
    objects_close(o);
}

TEST(an_object_that_is_aborted_or_deleted_leaves_nothing)
{
    struct objects *o = open_fresh();
    struct object a = stored(o, STR("steam"));
    struct object_put *p;
    int64_t bytes;

    CHECK_OK(object_begin(o, &p, &err), &err);
    CHECK_OK(object_write(p, STR("half"), &err), &err);
    object_abort(p);
    object_abort(NULL);
    CHECK_INT(unfinished(), 0);
    CHECK_OK(object_delete(o, str_c(a.key), &err), &err);
    CHECK_OK(object_delete(o, str_c(a.key), &err), &err);
    CHECK_INT(count(o), 0);
    CHECK_INT(read_back(o, &a), FOOTNOTE_NOTFOUND);
    CHECK_INT(object_head(o, str_c(a.key), &bytes, &err), FOOTNOTE_NOTFOUND);
    objects_close(o);
}

TEST(keys_that_are_not_ours_are_refused)
{
    static const struct str bad[] = {
        {"", 0},
        {"../../../../etc/passwd", 22},
        {"/etc/passwd", 11},
        {"..\0.............................", 32},
        {"../0123456789abcdef0123456789abc", 32},
        {"ABCDEF0123456789abcdef0123456789", 32},
        {"0123456789abcdef0123456789abcdef0", 33},
        {"0123456789abcdef0123456789abcde", 31},
    };
    struct objects *o = open_fresh();
    struct object out;
    int64_t bytes;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_INT(object_head(o, bad[i], &bytes, &err), FOOTNOTE_INVALID);
        CHECK_INT(object_delete(o, bad[i], &err), FOOTNOTE_INVALID);
        CHECK_INT(object_of(bad[i], 0, &(struct sha256){{0}}, &out, &err),
                  FOOTNOTE_INVALID);
    }
    objects_close(o);
}

TEST(a_short_long_or_changed_object_is_damaged)
{
    struct objects *o = open_fresh();
    struct object a = stored(o, STR("steam"));
    int fd;

    put_file(file_of(&a), STR("stea"));
    CHECK_INT(object_get(o, &a, &fd, &err), FOOTNOTE_DAMAGED);
    CHECK_INT(fd, -1);
    CHECK_INT(read_back(o, &a), FOOTNOTE_DAMAGED);
    put_file(file_of(&a), STR("steam!"));
    CHECK_INT(object_get(o, &a, &fd, &err), FOOTNOTE_DAMAGED);
    put_file(file_of(&a), STR("stean"));
    CHECK_INT(read_back(o, &a), FOOTNOTE_DAMAGED);
    CHECK_OK(object_get(o, &a, &fd, &err), &err);
    CHECK_INT(object_check(fd, &a, &err), FOOTNOTE_DAMAGED);
    put_file(file_of(&a), STR("steam"));
    CHECK_OK(object_check(fd, &a, &err), &err);
    put_file(file_of(&a), STR("stea")); /* behind our back, while it is open */
    CHECK_INT(object_check(fd, &a, &err), FOOTNOTE_DAMAGED);
    close(fd);
    objects_close(o);
}

TEST(links_are_not_followed)
{
    struct objects *o = open_fresh();
    struct object a = stored(o, STR("steam"));
    char shard[600], moved[600];
    int fd;

    CHECK(rename(file_of(&a), "/dev/null/x") != 0); /* the path is as said */
    CHECK(unlink(file_of(&a)) == 0);
    CHECK(symlink("/etc/passwd", file_of(&a)) == 0);
    CHECK_INT(object_get(o, &a, &fd, &err), FOOTNOTE_DAMAGED);
    CHECK(unlink(file_of(&a)) == 0);
    CHECK(mkfifo(file_of(&a), 0600) == 0); /* would hold us for ever */
    CHECK_INT(object_get(o, &a, &fd, &err), FOOTNOTE_DAMAGED);
    CHECK(unlink(file_of(&a)) == 0);
    put_file(file_of(&a), STR("steam"));
    snprintf(shard, sizeof(shard), "%s/%.2s", folder, a.key);
    snprintf(moved, sizeof(moved), "%s/elsewhere", test_dir());
    CHECK(rename(shard, moved) == 0);
    CHECK(symlink(moved, shard) == 0);
    CHECK_INT(object_get(o, &a, &fd, &err), FOOTNOTE_DAMAGED);
    CHECK_INT(object_delete(o, str_c(a.key), &err), FOOTNOTE_DAMAGED);
    objects_close(o);
}

TEST(places_that_cannot_be_are_refused)
{
    static const char *const bad[] = {"",
                                      "files:",
                                      "ftp://x",
                                      "s3://bucket",
                                      "files:/dev/null",
                                      "files:/nowhere/at/all"};
    struct objects *o;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_INT(objects_open(str_c(bad[i]), &o, &err), FOOTNOTE_INVALID);
        CHECK(strstr(err.text, "objects"));
        CHECK(o == NULL);
    }
    objects_close(NULL);
}

/* ---- Trouble ------------------------------------------------------------ */

/* Writes until it fails; what it failed with. */
static enum footnote_rc write_much(struct objects *o)
{
    static char block[64 * 1024];
    struct object_put *p;
    enum footnote_rc rc = FOOTNOTE_OK;

    CHECK_OK(object_begin(o, &p, &err), &err);
    for (int i = 0; i < 1024 && rc == FOOTNOTE_OK; i++)
        rc = object_write(p, (struct str){block, sizeof(block)}, &err);
    object_abort(p);
    return rc;
}

TEST(a_file_that_cannot_grow_fails_and_leaves_nothing)
{
    struct rlimit limit;
    struct objects *o = open_fresh();
    struct object a;

    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = 100000;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    CHECK_INT(write_much(o), FOOTNOTE_BUSY);
    CHECK_INT(unfinished(), 0);
    CHECK_INT(count(o), 0);
    a = stored(o, STR("steam")); /* what fits goes on */
    CHECK_OK(read_back(o, &a), &err);
    objects_close(o);
}

static bool small_disk(const char *path)
{
    if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0)
        return false;
    (void)mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
    return mkdir(path, 0700) == 0 &&
           mount("tmpfs", path, "tmpfs", 0, "size=1m") == 0;
}

TEST(a_full_disk_fails_and_leaves_nothing)
{
    char path[512];
    struct objects *o;
    struct object a;

    snprintf(path, sizeof(path), "%s/small", test_dir());
    if (!small_disk(path)) {
        printf(TEST_SKIPPED "only root can mount a small disk\n");
        return;
    }
    o = open_in(path);
    CHECK_INT(write_much(o), FOOTNOTE_BUSY);
    CHECK(strstr(err.text, "No space"));
    CHECK_INT(unfinished(), 0);
    a = stored(o, STR("steam"));
    CHECK_OK(read_back(o, &a), &err);
    objects_close(o);
    CHECK(umount2(path, MNT_DETACH) == 0);
}

/* A process that stores without end and tells of each that is finished. */
static _Noreturn void store_for_ever(int to)
{
    static char block[100000];
    struct objects *o = open_in(folder);

    for (;;) {
        struct object a;

        block[0]++;
        if (object_store(o, (struct str){block, sizeof(block)}, &a, NULL) !=
                FOOTNOTE_OK ||
            write(to, &a, sizeof(a)) != (ssize_t)sizeof(a))
            _exit(1);
    }
}

TEST(kill_9_while_storing_loses_nothing_that_was_told)
{
    struct objects *o = open_fresh();
    struct object told[64];
    int ends[2], n = 0;
    pid_t pid;

    CHECK(pipe(ends) == 0);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        store_for_ever(ends[1]);
    close(ends[1]);
    while (n < 40 &&
           read(ends[0], &told[n], sizeof(told[0])) == (ssize_t)sizeof(told[0]))
        n++;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    CHECK_INT(n, 40);
    for (int i = 0; i < n; i++)
        CHECK_OK(read_back(o, &told[i]), &err);
    CHECK(unfinished() <= 1);
    objects_close(o);
}

TEST(what_a_killed_process_left_is_removed_a_day_later)
{
    char path[600];
    struct timespec old[2] = {{1000000, 0}, {1000000, 0}};

    objects_close(open_fresh());
    snprintf(path, sizeof(path), "%s/new/%032d", folder, 1);
    put_file(path, STR("half"));
    objects_close(open_in(folder));
    CHECK_INT(unfinished(), 1);
    CHECK(utimensat(AT_FDCWD, path, old, 0) == 0);
    objects_close(open_in(folder));
    CHECK_INT(unfinished(), 0);
}

/* ---- Threads ------------------------------------------------------------ */

static void *store_some(void *arg)
{
    struct objects *o = arg;

    for (int i = 0; i < 50; i++) {
        struct footnote_err e;
        AUTO(buf_free) struct buf b = BUF(1024);
        struct object a;

        CHECK_OK(object_store(o, STR("steam"), &a, &e), &e);
        CHECK_OK(object_read(o, &a, &b, &e), &e);
    }
    return NULL;
}

TEST(many_threads_store_at_once)
{
    struct objects *o = open_fresh();
    pthread_t t[4];

    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&t[i], NULL, store_some, o) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    CHECK_INT(count(o), 200);
    objects_close(o);
}
