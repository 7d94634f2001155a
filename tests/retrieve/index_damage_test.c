/* index_damage_test.c - somebody is at the index files: a disk that flips bits,
 * a hand that cuts, swaps, brings back and writes over them while they are in
 * use.  Two courses of real pages are asked the same questions before and
 * after: the answers are the same, the damage is counted, and the files are
 * made again by themselves. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "retrieve/index/format.h"
#include "retrieve/search/search.h"
#include "retrieve_help.h"

enum { FILES_MAX = 32, PASSAGES_MAX = 200, PATH_BYTES = 512 };

static const struct {
    const char *course, *path;
} pages[] = {{"running", "docs/operations.md"}, {"running", "docs/security.md"},
             {"running", "docs/api.md"},        {"inside", "docs/design.md"},
             {"inside", "docs/schema.md"},      {"inside", "docs/library.md"}};

static const char *const questions[] = {
    "how is a backup restored",        "what happens when the disk is full",
    "who may read a course",           "how do I turn the api key off",
    "which source does a number mean", "writer thread commit",
    "what is an epoch of a lease",     "memory limits of the index",
};

/* ---- Two courses --------------------------------------------------------- */

static const char *folder(void)
{
    static char path[PATH_BYTES];

    snprintf(path, sizeof(path), "%s/index", test_dir());
    return path;
}

/* Its paragraphs, cut apart in place. */
static void add_page(size_t i)
{
    static char text[256 * 1024];
    const char *passages[PASSAGES_MAX + 1] = {NULL};
    struct doc d = {.course = pages[i].course, .id = pages[i].path};
    FILE *f = fopen(pages[i].path, "rb");
    size_t n = 0;
    char *at = text;

    CHECK(f);
    text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
    fclose(f);
    while (at && n < PASSAGES_MAX) {
        char *end = strstr(at, "\n\n");

        if (end)
            *end = '\0';
        if (*at)
            passages[n++] = at;
        at = end ? end + 2 : NULL;
    }
    document(ANN, &d, passages);
}

static void open_index(size_t bytes_max)
{
    struct retriever_options o = {.folder = folder(), .bytes_max = bytes_max};

    CHECK_OK(retriever_open(st, &o, &re, &err), &err);
}

/* Every hit of every question: what is named, and what is shown for it. */
static char *answers(void)
{
    AUTO(buf_free) struct buf b = BUF(1 << 20);

    for (size_t q = 0; q < sizeof(questions) / sizeof(questions[0]); q++)
        for (int c = 0; c < 2; c++) {
            struct search s =
                search(ANN, c ? "running" : "inside", questions[q]);

            for (size_t i = 0; i < s.hits_n; i++)
                buf_printf(&b, "%s/%lld %llx\n", hit_id(&s, i),
                           (long long)s.hits[i].source.part,
                           (unsigned long long)str_hash(s.hits[i].text));
            arena_reset(&out);
        }
    buf_add_c(&b, '\0');
    CHECK_OK(buf_rc(&b, &err), &err);
    return strdup(b.p);
}

static char *wanted; /* the answers before anybody was at the files */

static void close_index(void)
{
    indexes_wait_idle(re->indexes);
    retriever_close(re);
}

static void fill(void)
{
    open_all(NULL);
    retriever_close(re);
    open_index(0);
    course(ANN, "running");
    course(ANN, "inside");
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
        add_page(i);
    wanted = answers();
    CHECK(strlen(wanted) > 1000); /* there is something to compare */
    close_index();
}

static void end(void)
{
    store_close(st);
    arena_free(&out);
    free(wanted);
}

static void check_answers(void)
{
    char *got = answers();

    CHECK_STR(got, wanted);
    free(got);
}

/* Opened anew, the answers are the same; so many files were damaged, and none
 * of those that are there now. */
static void check_mended(uint64_t damaged)
{
    open_index(0);
    check_answers();
    CHECK_INT(indexes_damaged(re->indexes), damaged);
    close_index();
    open_index(0);
    check_answers();
    CHECK_INT(indexes_damaged(re->indexes), 0);
    close_index();
}

/* ---- Its files ----------------------------------------------------------- */

static struct {
    char path[FILES_MAX][PATH_BYTES];
    size_t n;
} files;

static void list_in(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *e;

    while (dir && (e = readdir(dir))) {
        char name[PATH_BYTES];

        if (e->d_name[0] == '.')
            continue;
        CHECK(files.n < FILES_MAX);
        snprintf(name, sizeof(name), "%s/%s", path, e->d_name);
        if (e->d_type == DT_DIR)
            list_in(name);
        else
            memcpy(files.path[files.n++], name, sizeof(name));
    }
    if (dir)
        closedir(dir);
}

static void list_files(void)
{
    files.n = 0;
    list_in(folder());
    CHECK(files.n >= 2);
}

static long bytes_of(const char *path)
{
    struct stat s;

    CHECK_INT(stat(path, &s), 0);
    return (long)s.st_size;
}

static void flip(const char *path, long at, unsigned bit)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    unsigned char c;

    CHECK(fd >= 0);
    CHECK_INT(pread(fd, &c, 1, at), 1);
    c ^= (unsigned char)(1U << bit);
    CHECK_INT(pwrite(fd, &c, 1, at), 1);
    close(fd);
}

/* Other bytes in place of all, in the very same file. */
static void write_over(const char *path)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    char junk[4096];
    struct stat s;

    if (fd < 0)
        return; /* it has just been made again, under another name */
    CHECK_INT(fstat(fd, &s), 0);
    memset(junk, 0x5A, sizeof(junk));
    for (long at = 0, n = (long)s.st_size; at < n; at += (long)sizeof(junk))
        (void)!pwrite(fd, junk, sizeof(junk), at);
    close(fd);
}

/* ---- Damage -------------------------------------------------------------- */

TEST_LIMIT(an_index_with_a_flipped_bit_is_made_again, 600)
{
    unsigned seed = 4711;

    fill();
    for (unsigned i = 0; i < test_count(150, 3000); i++) {
        const char *path;

        list_files();
        path = files.path[(size_t)rand_r(&seed) % files.n];
        flip(path, rand_r(&seed) % bytes_of(path), (unsigned)i % 8);
        open_index(0);
        check_answers();
        CHECK_INT(indexes_damaged(re->indexes), 1);
        close_index();
    }
    check_mended(0);
    end();
}

/* What the course is called in its files. */
static struct sha256 name_of(const char *path)
{
    struct sha256 d = {{0}};
    char hex[SHA256_HEX + 1];

    for (int i = 0; i < 2; i++) {
        CHECK_OK(sha256(i ? STR("default\0running") : STR("default\0inside"),
                        &d, &err),
                 &err);
        sha256_hex(&d, hex);
        if (memmem(path, strlen(path), hex, 32))
            return d;
    }
    FAIL("%s is of no course", path);
}

/* Of a file that has several blocks: each of them, and what is behind them. */
TEST_LIMIT(no_flipped_bit_of_an_index_file_is_let_in, 600)
{
    struct segment *s = NULL;
    struct sha256 course_name;
    long step, bytes;

    fill();
    list_files();
    course_name = name_of(files.path[0]);
    CHECK_OK(segment_load(files.path[0], &course_name, &s, &err), &err);
    segment_drop(s);
    bytes = bytes_of(files.path[0]);
    CHECK(bytes > 2 * (long)FORMAT_BLOCK);
    step = bytes / (long)test_count(900, 20000) + 1;
    for (long at = 0; at < bytes; at += step) {
        flip(files.path[0], at, (unsigned)(at / step % 8));
        CHECK_INT(segment_load(files.path[0], &course_name, &s, &err),
                  FOOTNOTE_DAMAGED);
        flip(files.path[0], at, (unsigned)(at / step % 8));
    }
    end();
}

TEST(index_files_that_were_cut_or_grew_are_made_again)
{
    static const long cuts[] = {0, 1, 100, 4096, -1, -33, -4096};

    fill();
    for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
        long n = cuts[i];

        list_files();
        CHECK_INT(
            truncate(files.path[0], n < 0 ? bytes_of(files.path[0]) + n : n),
            0);
        check_mended(1);
    }
    list_files();
    CHECK_INT(truncate(files.path[0], bytes_of(files.path[0]) + 4096), 0);
    check_mended(1);
    end();
}

TEST(index_files_of_another_course_are_not_taken)
{
    size_t other = 0;
    char aside[PATH_BYTES + 8];

    fill();
    list_files();
    while (strncmp(files.path[0], files.path[other], strlen(folder()) + 33) ==
           0)
        CHECK(++other < files.n);
    snprintf(aside, sizeof(aside), "%s.aside", files.path[0]);
    CHECK_INT(rename(files.path[0], aside), 0);
    CHECK_INT(rename(files.path[other], files.path[0]), 0);
    CHECK_INT(rename(aside, files.path[other]), 0);
    check_mended(2);
    end();
}

/* Whole, and of this course, but it knows nothing of what came since. */
TEST(an_index_file_of_yesterday_brings_nothing_back)
{
    const char *changed[] = {"The backup is restored by hand.", NULL};
    char aside[PATH_BYTES + 8], *got;

    fill();
    list_files();
    CHECK_INT(files.n, 2);
    for (size_t i = 0; i < files.n; i++) {
        snprintf(aside, sizeof(aside), "%s/%zu.kept", test_dir(), i);
        CHECK_INT(link(files.path[i], aside), 0);
    }
    open_index(0);
    document(ANN, &(struct doc){.course = "running", .id = "docs/api.md"},
             changed);
    delete (ANN, "docs/design.md");
    free(answers());
    close_index();
    for (size_t i = 0; i < files.n; i++) {
        snprintf(aside, sizeof(aside), "%s/%zu.kept", test_dir(), i);
        (void)unlink(files.path[i]);
        CHECK_INT(rename(aside, files.path[i]), 0);
    }
    open_index(0);
    got = answers();
    CHECK(strstr(wanted, "docs/design.md/") && strstr(wanted, "docs/api.md/"));
    CHECK(!strstr(got, "docs/design.md/"));
    for (char *at = got; (at = strstr(at, "docs/api.md/")); at++)
        CHECK(strncmp(at, "docs/api.md/1 ", 14) == 0); /* the new one */
    CHECK(strstr(got, "docs/api.md/1 "));
    CHECK_INT(indexes_damaged(re->indexes), 0);
    free(got);
    close_index();
    end();
}

TEST(an_index_whose_folder_is_gone_or_shut_is_made_again)
{
    char command[PATH_BYTES + 16];

    fill();
    snprintf(command, sizeof(command), "rm -r '%s'", folder());
    CHECK_INT(system(command), 0);
    check_mended(0);
    list_files();
    for (size_t i = 0; i < files.n; i++)
        CHECK_INT(chmod(files.path[i], 0), 0);
    open_index(0);
    check_answers(); /* the files are read all the same by a superuser */
    CHECK_INT(indexes_damaged(re->indexes), getuid() ? files.n : 0);
    close_index();
    CHECK_INT(chmod(folder(), 0), 0);
    open_index(0);
    check_answers();
    close_index();
    CHECK_INT(chmod(folder(), 0700), 0);
    end();
}

/* Nobody's files: what is no file at all must not be waited for. */
TEST(what_is_no_file_is_no_index)
{
    fill();
    list_files();
    CHECK_INT(unlink(files.path[0]), 0);
    CHECK_INT(mkfifo(files.path[0], 0600), 0);
    check_mended(1);
    list_files();
    CHECK_INT(unlink(files.path[0]), 0);
    CHECK_INT(symlink("/dev/zero", files.path[0]), 0);
    check_mended(1);
    end();
}

/* ---- In use -------------------------------------------------------------- */

/* A program that maps its files is killed by the first of these (SIGBUS), and
 * finds something else by the second. */
TEST(files_that_change_while_they_are_in_use_change_no_answer)
{
    fill();
    open_index(0);
    check_answers(); /* they are read */
    list_files();
    for (size_t i = 0; i < files.n; i++)
        write_over(files.path[i]);
    check_answers();
    for (size_t i = 0; i < files.n; i++)
        CHECK_INT(truncate(files.path[i], 0), 0);
    check_answers();
    retriever_close(re);
    check_mended(files.n);
    end();
}

static atomic_bool searched;

/* Whatever is there, at any moment, again and again. */
static void *scribble(void *arg)
{
    unsigned *seed = arg;

    while (!searched) {
        files.n = 0;
        list_in(folder());
        for (size_t i = 0; i < files.n; i++)
            switch (rand_r(seed) % 4) {
            case 0: write_over(files.path[i]); break;
            case 1: (void)!truncate(files.path[i], rand_r(seed) % 20000); break;
            case 2: (void)unlink(files.path[i]); break;
            default: break;
            }
    }
    return NULL;
}

/* There is memory for one course only, so that every other search reads. */
TEST_LIMIT(thread_that_scribbles_in_index_files_changes_no_answer, 600)
{
    unsigned seed = 99;
    pthread_t thread;

    fill();
    open_index(1);
    CHECK_INT(pthread_create(&thread, NULL, scribble, &seed), 0);
    for (unsigned i = 0; i < test_count(10, 500); i++)
        check_answers();
    searched = true;
    CHECK_INT(pthread_join(thread, NULL), 0);
    retriever_close(re);
    end();
}
