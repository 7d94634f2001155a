/* object_test.c - objects and power cuts, and pictures and kill -9.
 *
 * A power cut keeps of a file what was synced and of a folder the names that
 * were there when it was synced.  The calls of a process that stores objects
 * are noted; then, for a cut after every one of them, what had been told to
 * the caller by then must be among what the disk keeps. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contract.h"
#include "help/raw_sql.h"
#include "object/object.h"
#include "own_store.h"
#include "store/document/snapshot.h"
#include "store/session/course.h"

enum { CALLS_MAX = 8192, RUNS = 100, RUN_OBJECTS = 6, NAME = 64 };

static struct footnote_err err;

/* ---- What the process does ---------------------------------------------- */

enum what { WRITE, SYNC, MOVE, MKDIR, TOLD };
static struct {
    bool on;
    int n;
    struct call {
        enum what what;
        ino_t file; /* WRITE, SYNC: which; MOVE, MKDIR: the folder it is in */
        char name[NAME]; /* MOVE, MKDIR, TOLD */
        ino_t moved;     /* MOVE: the file; MKDIR: the new folder */
    } calls[CALLS_MAX];
} journal;

static ino_t inode(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 ? st.st_ino : 0;
}

static struct call *note(enum what what, ino_t file, const char *name)
{
    struct call *c = &journal.calls[journal.n++];

    CHECK(journal.n < CALLS_MAX);
    *c = (struct call){.what = what, .file = file};
    snprintf(c->name, sizeof(c->name), "%s", name);
    return c;
}

ssize_t __real_write(int fd, const void *p, size_t n);
ssize_t __wrap_write(int fd, const void *p, size_t n);
ssize_t __wrap_write(int fd, const void *p, size_t n)
{
    if (journal.on)
        note(WRITE, inode(fd), "");
    return __real_write(fd, p, n);
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
    if (!journal.on)
        return __real_fsync(fd);
    note(SYNC, inode(fd), "");
    return 0; /* the disk is not what is tested */
}

int __real_renameat(int a, const char *from, int b, const char *to);
int __wrap_renameat(int a, const char *from, int b, const char *to);
int __wrap_renameat(int a, const char *from, int b, const char *to)
{
    int rc = __real_renameat(a, from, b, to);
    struct stat st;

    if (journal.on && rc == 0 && fstatat(b, to, &st, 0) == 0)
        note(MOVE, inode(b), to)->moved = st.st_ino;
    return rc;
}

int __real_mkdirat(int fd, const char *name, mode_t mode);
int __wrap_mkdirat(int fd, const char *name, mode_t mode);
int __wrap_mkdirat(int fd, const char *name, mode_t mode)
{
    int rc = __real_mkdirat(fd, name, mode);
    struct stat st;

    if (journal.on && rc == 0 && fstatat(fd, name, &st, 0) == 0)
        note(MKDIR, inode(fd), name)->moved = st.st_ino;
    return rc;
}

/* ---- What the disk keeps ------------------------------------------------ */

/* Is there a sync of that file or folder in [from, to)? */
static bool synced(int from, int to, ino_t file)
{
    for (int i = from; i < to; i++)
        if (journal.calls[i].what == SYNC && journal.calls[i].file == file)
            return true;
    return false;
}

static int last(int to, enum what what, ino_t ino, bool by_moved)
{
    for (int i = to - 1; i >= 0; i--)
        if (journal.calls[i].what == what &&
            (by_moved ? journal.calls[i].moved : journal.calls[i].file) == ino)
            return i;
    return -1;
}

/* Its bytes, its name, and the name of its folder. */
static bool survives(int cut, const char *key)
{
    for (int i = 0; i < cut; i++) {
        const struct call *c = &journal.calls[i];
        int wrote, made;

        if (c->what != MOVE || strcmp(c->name, key) != 0)
            continue;
        wrote = last(i, WRITE, c->moved, false);
        made = last(i, MKDIR, c->file, true);
        return synced(wrote + 1, i, c->moved) && synced(i + 1, cut, c->file) &&
               (made < 0 || synced(made + 1, cut, journal.calls[made].file));
    }
    return false;
}

static void check_every_cut(void)
{
    for (int i = 0; i < journal.n; i++)
        for (int cut = i + 1; journal.calls[i].what == TOLD && cut <= journal.n;
             cut++)
            if (!survives(cut, journal.calls[i].name))
                FAIL("%s was told, and is lost by a cut after call %d",
                     journal.calls[i].name, cut);
}

static void store_some(struct objects *o, int run)
{
    static char bytes[70000];

    for (int i = 0; i < RUN_OBJECTS; i++) {
        size_t n = (size_t)(run * 7919 + i * 104729) % sizeof(bytes);
        struct object out;

        CHECK_OK(object_store(o, (struct str){bytes, n}, &out, &err), &err);
        note(TOLD, 0, out.key);
    }
}

TEST_LIMIT(objects_that_were_told_survive_100_runs_of_power_cuts, 120)
{
    for (int run = 0; run < RUNS; run++) {
        struct objects *o = NULL;
        char url[600];

        snprintf(url, sizeof(url), "files:%s/%d", test_dir(), run);
        CHECK_OK(objects_open(str_c(url), &o, &err), &err);
        journal.n = 0;
        journal.on = true;
        store_some(o, run);
        journal.on = false;
        objects_close(o);
        check_every_cut();
    }
}

/* ---- kill -9 while pictures come ---------------------------------------- */

/* Says a byte for each picture that is there. */
static _Noreturn void bring_for_ever(int told)
{
    struct store *st = own_store();
    struct objects *o = own_objects();

    for (int i = 0;; i++) {
        char text[64];
        struct object made;
        struct snapshot_put put = {.course = STR("c"),
                                   .slide = STR("s"),
                                   .page = 1 + i % 3,
                                   .extension = STR("png"),
                                   .media_type = STR("image/png")};

        snprintf(text, sizeof(text), "%d %d", (int)getpid(), i);
        if (object_store(o, str_c(text), &made, &err) != FOOTNOTE_OK)
            _exit(1);
        put.object_key = str_c(made.key);
        put.bytes = made.bytes;
        put.digest = made.digest;
        if (store_write(st, ann(), OP(snapshot_put), &put, &err) !=
                FOOTNOTE_OK ||
            write(told, ".", 1) != 1)
            _exit(1);
    }
}

static long long rows(void)
{
    return raw_number(test_is_postgres()
                          ? "SELECT count(*) FROM footnote.snapshot"
                          : "SELECT count(*) FROM snapshot");
}

static void check_all(struct store *st, struct objects *o)
{
    AUTO(arena_free) struct arena a = ARENA((size_t)64 * 1024 * 1024);
    struct object_list list = {.after = STR(""), .limit = 100000};

    CHECK_OK(store_own_read(st, &a, OP(object_list), &list, &err), &err);
    CHECK_INT((long long)list.rows_n, rows());
    for (size_t i = 0; i < list.rows_n; i++) {
        const struct object_row *r = &list.rows[i];
        AUTO(buf_free) struct buf b = BUF(1024);
        struct object want;

        CHECK_OK(object_of(r->key, r->bytes, &r->digest, &want, &err), &err);
        CHECK_OK(object_read(o, &want, &b, &err), &err);
    }
}

CONTRACT_LIMIT(kill_9_while_pictures_come_leaves_no_row_without_object, 120)
{
    struct course_put course = {.id = STR("c")};
    struct store *st = own_store();
    struct objects *o = own_objects();

    CHECK_OK(store_write(st, ann(), OP(course_put), &course, &err), &err);
    store_close(st); /* a child must not have what is open here */
    objects_close(o);
    for (int i = 0; i < 5; i++) {
        int told[2];
        pid_t pid;
        char byte;

        CHECK_INT(pipe2(told, O_CLOEXEC), 0);
        pid = fork();
        if (pid == 0)
            bring_for_ever(told[1]);
        close(told[1]);
        for (int k = 0; k < 5; k++)
            CHECK_INT(read(told[0], &byte, 1), 1);
        kill(pid, SIGKILL);
        CHECK_INT(waitpid(pid, NULL, 0), pid);
        close(told[0]);
    }
    st = own_store();
    o = own_objects();
    check_all(st, o);
    store_close(st);
    objects_close(o);
}
