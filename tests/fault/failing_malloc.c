/* failing_malloc.c - the Nth allocation fails.
 *
 * The linker puts the __wrap_ functions before malloc for all of our objects.
 * For the libraries the program defines malloc itself.  A sanitizer has one of
 * its own, though; then SQLite and OpenSSL are told to use ours. */
#include "failing_malloc.h"
#include "test.h"
#include <errno.h>
#include <malloc.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static atomic_ulong count, fail_at;
static atomic_bool fail_on, failed;
static atomic_uint counted;

void malloc_fail(unsigned long nth, bool sticky, enum malloc_whose whose)
{
    atomic_store(&fail_at, 0);
    atomic_store(&count, 0);
    atomic_store(&fail_on, sticky);
    atomic_store(&failed, false);
    atomic_store(&counted, whose);
    atomic_store(&fail_at, nth);
}

bool malloc_failed(void)
{
    return atomic_load(&failed);
}

static bool refuse(enum malloc_whose whose)
{
    unsigned long at = atomic_load(&fail_at);

    if (at == 0 || atomic_load(&counted) != whose)
        return false;
    unsigned long n = atomic_fetch_add(&count, 1) + 1;
    if (n != at && !(n > at && atomic_load(&fail_on)))
        return false;
    atomic_store(&failed, true);
    errno = ENOMEM;
    return true;
}

/* With a sanitizer, everybody's are counted here as well. */
static bool refuse_ours(void)
{
    return refuse(MALLOC_OURS) || (SANITIZED && refuse(MALLOC_ALL));
}

/* --- ours, by the linker -------------------------------------------------- */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);

void *__wrap_malloc(size_t bytes)
{
    return refuse_ours() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t n, size_t bytes)
{
    return refuse_ours() ? NULL : __real_calloc(n, bytes);
}

void *__wrap_realloc(void *p, size_t bytes)
{
    return refuse_ours() ? NULL : __real_realloc(p, bytes);
}

char *__wrap_strdup(const char *s)
{
    return refuse_ours() ? NULL : __real_strdup(s);
}

char *__wrap_strndup(const char *s, size_t n)
{
    return refuse_ours() ? NULL : __real_strndup(s, n);
}

/* --- everybody's, by definition ------------------------------------------- */

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);

__attribute__((visibility("default"))) void *malloc(size_t bytes)
{
    return refuse(MALLOC_ALL) ? NULL : __libc_malloc(bytes);
}

__attribute__((visibility("default"))) void *calloc(size_t n, size_t bytes)
{
    return refuse(MALLOC_ALL) ? NULL : __libc_calloc(n, bytes);
}

__attribute__((visibility("default"))) void *realloc(void *p, size_t bytes)
{
    return refuse(MALLOC_ALL) ? NULL : __libc_realloc(p, bytes);
}
#endif

/* --- libraries that can be told ------------------------------------------- */

static void *library_malloc(size_t bytes)
{
    return refuse(MALLOC_ALL) ? NULL : __real_malloc(bytes);
}

static void *library_realloc(void *p, size_t bytes)
{
    return refuse(MALLOC_ALL) ? NULL : __real_realloc(p, bytes);
}

static void *sqlite_malloc(int bytes)
{
    return library_malloc((size_t)bytes);
}

static void *sqlite_realloc(void *p, int bytes)
{
    return library_realloc(p, (size_t)bytes);
}

static int sqlite_size(void *p)
{
    return p ? (int)malloc_usable_size(p) : 0;
}

static int sqlite_round(int bytes)
{
    return (bytes + 7) & ~7;
}

static int sqlite_init(void *arg)
{
    (void)arg;
    return SQLITE_OK;
}

static void sqlite_end(void *arg)
{
    (void)arg;
}

static void *crypto_malloc(size_t bytes, const char *file, int line)
{
    (void)file;
    (void)line;
    return bytes ? library_malloc(bytes) : NULL;
}

static void *crypto_realloc(void *p, size_t bytes, const char *file, int line)
{
    (void)file;
    (void)line;
    return library_realloc(p, bytes);
}

static void crypto_free(void *p, const char *file, int line)
{
    (void)file;
    (void)line;
    free(p);
}

void malloc_watch(void)
{
    static const sqlite3_mem_methods methods = {
        sqlite_malloc, free,        sqlite_realloc, sqlite_size,
        sqlite_round,  sqlite_init, sqlite_end,     NULL};

    if (!SANITIZED)
        return;
    CHECK_INT(sqlite3_config(SQLITE_CONFIG_MALLOC, &methods), SQLITE_OK);
    CHECK_INT(
        CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free),
        1);
}
