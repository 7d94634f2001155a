/* test.h - the harness: one binary per folder, one process per test.
 *
 *     TEST(the_sentence_that_must_hold) { CHECK_INT(got, want); }
 *     CONTRACT(a_sentence) { ... }   once per engine, see contract.h
 *
 * Run all: the binary alone.  Some: words, each of which must be in the name
 * ("queue,writer" is a word that means either, "-queue" one that must not be
 * there).  V=1 lists each test.  TEST_NOFORK=1 stays in the process (gdb).  The
 * last line is "N passed, N failed". */
#ifndef TEST_H
#define TEST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct test {
    const char *name, *file;
    void (*run)(void);
    struct test *next;
    int timeout_s; /* 0: 60 */
};
void test_register(struct test *t);

#define TEST_LIMIT(id, seconds)                                                \
    static void test_run_##id(void);                                           \
    __attribute__((constructor)) static void test_add_##id(void)               \
    {                                                                          \
        static struct test t = {#id, __FILE__, test_run_##id, NULL, seconds};  \
        test_register(&t);                                                     \
    }                                                                          \
    static void test_run_##id(void)
#define TEST(id) TEST_LIMIT(id, 0)

/* Each prints file, line and both operands, and ends the test. */
#define CHECK(cond) test_check((cond), #cond, __FILE__, __LINE__)
#define CHECK_INT(got, want)                                                   \
    test_check_int((long long)(got), (long long)(want), #got, __FILE__,        \
                   __LINE__)
#define CHECK_F64(got, want)                                                   \
    test_check_f64((got), (want), #got, __FILE__, __LINE__)
/* NUL-terminated; NULL is allowed and equals only NULL. */
#define CHECK_STR(got, want)                                                   \
    test_check_str((got), (want), #got, __FILE__, __LINE__)
/* struct str, byte for byte. */
#define CHECK_TEXT(got, want)                                                  \
    test_check_text((got), (want), #got, __FILE__, __LINE__)
/* A call that must succeed; prints the error's sentence. */
#define CHECK_OK(call, err)                                                    \
    test_check_ok((call), (err), #call, __FILE__, __LINE__)
#define FAIL(...) test_fail(__FILE__, __LINE__, __VA_ARGS__)

#include "base/err.h"
void test_check(bool ok, const char *what, const char *file, int line);
void test_check_int(long long got, long long want, const char *what,
                    const char *file, int line);
void test_check_f64(double got, double want, const char *what, const char *file,
                    int line);
void test_check_str(const char *got, const char *want, const char *what,
                    const char *file, int line);
void test_check_text(struct str got, struct str want, const char *what,
                     const char *file, int line);
void test_check_ok(enum footnote_rc rc, const struct footnote_err *err,
                   const char *what, const char *file, int line);
_Noreturn void test_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Waits until it holds, and fails when that takes longer than test_wait_ms().
 * A count of tries or a time of your own fails when the machine is busy. */
#define WAIT_UNTIL(cond)                                                       \
    for (int64_t wait_from_ms = test_now_ms(); !(cond);)                       \
    test_wait_more(wait_from_ms, #cond, __FILE__, __LINE__)
void test_wait_more(int64_t from_ms, const char *what, const char *file,
                    int line);
int64_t test_now_ms(void); /* a clock that no test replaces */
/* For calls that take a time-out: half of the test's limit, times TEST_SLOW. */
int test_wait_ms(void);
/* TEST_SLOW, for times that a test gives a server: 1 when it is not set. */
int test_slow(void);
/* How often: `quick` in `make test`, a third of it with sanitizers, which look
 * for other faults, `soak` with SOAK=1. */
unsigned test_count(unsigned quick, unsigned soak);

/* What a test prints first that cannot run here, before it returns: it is
 * shown by name with its reason, and counts neither as passed nor as failed. */
#define TEST_SKIPPED "skipped: "

/* A fresh folder, removed after the test.  NUL-terminated, static. */
const char *test_dir(void);

/* For helpers such as contract.c.  fn runs in the harness after every test,
 * also after one that crashed, when all its processes are gone. */
void test_after(void (*fn)(void));
/* 256 bytes that a test shares with test_after(); zeros at its start. */
char *test_note(void);
_Noreturn void test_end_failed(void); /* what a failed check ends with */

#endif
