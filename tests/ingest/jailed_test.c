/* jailed_test.c - files that are read by a child in the jail: the same comes
 * out, and a child that hangs, dies or lies costs its file only. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sha256.h"
#include "help/jailed_child.h"
#include "read_passages.h"

static struct footnote_err err;

static int file_with(struct str bytes)
{
    int fd = memfd_create("file", MFD_CLOEXEC);

    CHECK(fd >= 0);
    while (bytes.n) {
        ssize_t n = write(fd, bytes.p, bytes.n);
        CHECK(n > 0);
        bytes = str_skip(bytes, (size_t)n);
    }
    return fd;
}

/* ---- The same as in this process ----------------------------------------- */

struct digest {
    struct sha256_ctx *h;
    size_t n;
};

static void add(struct digest *d, const char *name, struct str s)
{
    AUTO(buf_free) struct buf b = BUF((size_t)1024 * 1024);

    buf_printf(&b, "%s %d %zu ", name, s.p != NULL, s.n);
    buf_add(&b, s);
    CHECK_OK(buf_rc(&b, &err), &err);
    sha256_add(d->h, buf_str(&b));
}

static enum footnote_rc digest_passage(void *arg, const struct passage *p,
                                       struct footnote_err *e)
{
    struct digest *d = arg;
    char numbers[64];

    (void)e;
    CHECK_INT(p->position, ++d->n);
    snprintf(numbers, sizeof(numbers), "%lld", (long long)p->page);
    add(d, "page", str_c(numbers));
    add(d, "heading", p->heading);
    add(d, "text", p->text);
    add(d, "extra", p->extra);
    return FOOTNOTE_OK;
}

/* Every passage and every fact of a file, or its refusal. */
static struct sha256 digest_of(enum extract_format f, struct str bytes,
                               bool jailed, size_t *n)
{
    AUTO(sha256_closep) struct sha256_ctx *h = NULL;
    AUTO(arena_free) struct arena a = ARENA(EXTRACT_ARENA_MAX);
    struct digest d = {.n = 0};
    const struct passage_sink sink = {&d, digest_passage, NULL};
    struct extract_facts facts;
    struct sha256 digest;
    enum footnote_rc rc;

    CHECK_OK(sha256_open(&h, &err), &err);
    sha256_begin(h);
    d.h = h;
    err.text[0] = '\0';
    if (jailed) {
        int fd = file_with(bytes);
        rc = jailed_run(jailed_usual(), f, fd, &a, &sink, &facts, &err);
        close(fd);
    } else {
        rc = extract_run(f, &(struct extract_file){.bytes = bytes}, &a, &sink,
                         &facts, &err);
    }
    if (rc == FOOTNOTE_OK) {
        char numbers[64];

        add(&d, "title", facts.title);
        add(&d, "language", facts.language);
        add(&d, "date", facts.date);
        add(&d, "warning", str_c(facts.warning));
        snprintf(numbers, sizeof(numbers), "%lld %d", (long long)facts.pages,
                 facts.hidden_text);
        add(&d, "numbers", str_c(numbers));
    }
    add(&d, rc_name(rc), str_c(err.text));
    sha256_end(h, &digest);
    *n = d.n;
    return digest;
}

static void check_same(const char *name, enum extract_format f,
                       struct str bytes)
{
    size_t here_n, there_n;
    struct sha256 here = digest_of(f, bytes, false, &here_n);
    struct sha256 there = digest_of(f, bytes, true, &there_n);

    if (here_n != there_n || !sha256_eq(&here, &there))
        FAIL("%s: %zu passages here, %zu in the jail: %s", name, here_n,
             there_n, err.text);
}

TEST(jailed_reader_gives_what_this_process_gives)
{
    static const char *const names[] = {
        "page.html",   "report.docx", "slides.pptx",  "bomb.docx",
        "laughs.docx", "broken.docx", "outside.docx", "no-slides.pptx"};
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct str bytes = read_bytes(&a, names[i]);

        check_same(names[i], format_detect(bytes, str_c(names[i])), bytes);
    }
    check_same("nothing", FORMAT_HTML, STR(""));
    check_same("no text", FORMAT_HTML, STR("<title>x</title>"));
}

/* Pages of a Debian package that `tools/setup test` installs. */
TEST(jailed_reader_gives_the_same_for_real_pages)
{
    FILE *found = popen("find /usr/share/doc -name '*.html' -size -4096k "
                        "2>/dev/null | sort | head -n 40",
                        "r");
    char path[1024];
    size_t n = 0;

    CHECK(found != NULL);
    while (fgets(path, sizeof(path), found)) {
        AUTO(arena_free) struct arena a = ARENA(SCRATCH);
        char *bytes = read_need(arena_alloc(&a, (size_t)4096 * 1024));
        FILE *f;

        path[strcspn(path, "\n")] = '\0';
        f = fopen(path, "rb");
        if (!f)
            continue;
        size_t bytes_n = fread(bytes, 1, (size_t)4096 * 1024, f);
        fclose(f);
        check_same(path, FORMAT_HTML, (struct str){bytes, bytes_n});
        n++;
    }
    pclose(found);
    if (n == 0)
        printf(TEST_SKIPPED "no package here has pages\n");
}

/* ---- Children that are in the way ---------------------------------------- */

/* What the sink does when it is asked the first time: the child has just been
 * started then. */
struct hand {
    int signal;  /* to the child */
    bool cancel; /* the next time, reading is over */
    pid_t child;
    size_t passages;
};

static enum footnote_rc count_passage(void *arg, const struct passage *p,
                                      struct footnote_err *e)
{
    struct hand *h = arg;

    (void)p, (void)e;
    h->passages++;
    return FOOTNOTE_OK;
}

static enum footnote_rc use_hand(void *arg, int64_t done, int64_t total,
                                 struct footnote_err *e)
{
    struct hand *h = arg;

    CHECK(done <= total);
    if (h->child)
        return h->cancel ? err_set(e, FOOTNOTE_ENDED, "it was cancelled")
                         : FOOTNOTE_OK;
    h->child = jailed_child_find();
    CHECK(h->child > 0 && kill(h->child, h->signal) == 0);
    return FOOTNOTE_OK;
}

/* A child that is to get a signal waits for a file that never comes. */
static enum footnote_rc run(const struct jailed_options *o, struct str bytes,
                            struct hand *h)
{
    AUTO(arena_free) struct arena a = ARENA(EXTRACT_ARENA_MAX);
    const struct passage_sink sink = {h, count_passage,
                                      h->signal ? use_hand : NULL};
    struct extract_facts facts;
    int ends[2] = {-1, -1};

    if (h->signal)
        CHECK(pipe2(ends, O_CLOEXEC) == 0);
    else
        ends[0] = file_with(bytes);
    enum footnote_rc rc =
        jailed_run(o, FORMAT_HTML, ends[0], &a, &sink, &facts, &err);
    close(ends[0]);
    close(ends[1]);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
    return rc;
}

static void check_says(const char *words)
{
    if (!strstr(err.text, words))
        FAIL("\"%s\" has no \"%s\"", err.text, words);
}

TEST(jailed_reader_that_hangs_runs_out_of_time)
{
    struct jailed_options o = {.program = jailed_program(), .wall_ms_max = 300};
    struct hand h = {.signal = SIGSTOP};

    CHECK_INT(run(&o, STR(""), &h), FOOTNOTE_TOOBIG);
    check_says("could not be read within 1 second");
}

/* The kernel sends this signal when the processor's time is used up. */
TEST(jailed_reader_that_works_too_long_runs_out_of_time)
{
    struct hand h = {.signal = SIGXCPU};

    CHECK_INT(run(jailed_usual(), STR(""), &h), FOOTNOTE_TOOBIG);
    check_says("within 10 seconds of a processor's time");
}

TEST(jailed_reader_that_is_cancelled_is_killed)
{
    struct hand h = {.signal = SIGSTOP, .cancel = true};

    CHECK_INT(run(jailed_usual(), STR(""), &h), FOOTNOTE_ENDED);
    CHECK_STR(err.text, "it was cancelled");
    CHECK(jailed_child_is_dead(h.child));
}

TEST(jailed_reader_that_is_killed_fails_its_file)
{
    static const int signals[] = {SIGKILL, SIGSEGV, SIGABRT, SIGTERM};

    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct hand h = {.signal = signals[i]};

        CHECK_INT(run(jailed_usual(), STR(""), &h), FOOTNOTE_INVALID);
        check_says("has failed on this one (signal ");
        CHECK_INT(h.passages, 0);
    }
}

/* tee says what it is given, and ends with code 1, since it may not write the
 * files that it takes our words for. */
TEST(jailed_reader_that_lies_fails_its_file)
{
    static const char passage[] = "{\"passage\":{\"page\":0,\"locator\":null,"
                                  "\"heading\":null,\"text\":\"Heat.\","
                                  "\"extra\":null}}\n";
    struct jailed_options tee = {.program = "/usr/bin/tee"};
    struct jailed_options yes = {.program = "/usr/bin/yes"};
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);
    struct hand h = {.signal = 0};

    CHECK_INT(run(&yes, STR("x"), &h), FOOTNOTE_INVALID);
    check_says("makes no sense");
    CHECK_INT(run(&tee, STR("\xff\xfe\x00\n"), &h), FOOTNOTE_INVALID);
    check_says("makes no sense");
    CHECK_INT(run(&tee, read_repeated(&a, "{\"passage\":\"", "x", 1000000), &h),
              FOOTNOTE_INVALID);
    check_says("makes no sense");
    CHECK_INT(h.passages, 0);
    CHECK_INT(run(&tee, str_c(passage), &h), FOOTNOTE_INVALID);
    check_says("(code 1)");
    CHECK_INT(h.passages, 1);
}

/* However long that takes here.  Named for what it is: it has no threads. */
TEST(jailed_flood_is_ended)
{
    static const char passage[] =
        "{\"progress\":[0,0]}                                             \n";
    struct jailed_options o = {.program = "/usr/bin/tee",
                               .wall_ms_max = 3600 * 1000};
    AUTO(arena_free) struct arena a = ARENA((size_t)300 * 1024 * 1024);
    struct hand h = {.signal = 0};

    CHECK_INT(
        run(&o,
            read_repeated(&a, "", passage,
                          (size_t)257 * 1024 * 1024 / (sizeof(passage) - 1)),
            &h),
        FOOTNOTE_TOOBIG);
    check_says("more than 256 MB");
}

TEST(jailed_reader_that_is_missing_is_the_fault_of_the_server)
{
    struct jailed_options o = {.program = "/nowhere/footnote"};
    struct hand h = {.signal = 0};

    CHECK_INT(run(&o, STR("<p>Heat flows."), &h), FOOTNOTE_INTERNAL);
}
