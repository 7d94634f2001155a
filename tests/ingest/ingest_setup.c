/* ingest_setup.c - a store, a place for objects and workers. */
#include "ingest_setup.h"
#include "help/jailed_child.h"
#include "store/document/document.h"
#include "store/identity.h"
#include "store/session/course.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct store *st;
struct objects *objects;
struct ingest *ingest;
struct arena out;
struct footnote_err err;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void on_change(void *arg, const struct document_change *c)
{
    (void)arg;
    (void)c;
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void setup_open_objects(void)
{
    struct store_identity identity;
    struct objects_place place = {.url = STR_NONE};
    char url[600];

    snprintf(url, sizeof(url), "files:%s/objects", test_dir());
    CHECK_OK(store_own_read(st, NULL, OP(store_identity), &identity, &err),
             &err);
    place.url = str_c(url);
    place.store = str_c(identity.id);
    objects_close(objects);
    CHECK_OK(objects_open_place(&place, &objects, &err), &err);
}

void setup_open(void)
{
    struct course_put course = {.id = STR("c")};

    out = ARENA((size_t)512 * 1024 * 1024);
    CHECK_OK(store_open(test_url(), &st, &err), &err);
    setup_open_objects();
    CHECK_OK(store_write(st, ANN, OP(course_put), &course, &err), &err);
    store_watch(st, on_change, NULL);
}

void setup_start_workers(int workers)
{
    static const struct fetch_test fetch = {.allow_loopback = true};
    struct ingest_options o = {
        .store = st, .objects = objects, .workers = workers, .fetch = &fetch};

    o.jailed = jailed_usual();
    CHECK_OK(ingest_open(&o, &ingest, &err), &err);
}

void setup_stop_workers(void)
{
    ingest_close(ingest);
    ingest = NULL;
}

void setup_close(void)
{
    setup_stop_workers();
    store_close(st);
    objects_close(objects);
    arena_free(&out);
}

struct document_put setup_put_document(const char *id, struct str bytes,
                                       const char *filename)
{
    struct object o;
    struct document_put put = {.document = {.id = str_c(id),
                                            .course = STR("c"),
                                            .kind = DOCUMENT_TEXT,
                                            .filename = str_c(filename),
                                            .has_bytes = true},
                               .queue = true};

    CHECK_OK(object_store(objects, bytes, &o, &err), &err);
    put.document.object_key = arena_str(&out, str_c(o.key));
    put.document.digest = o.digest;
    put.document.bytes = o.bytes;
    CHECK_OK(store_write(st, ANN, OP(document_put), &put, &err), &err);
    return put;
}

struct document setup_read_document(const char *id)
{
    struct document_get get = {.id = str_c(id)};

    CHECK_OK(store_read(st, ANN, &out, OP(document_get), &get, &err), &err);
    return get.document;
}

struct document setup_await_document(const char *id)
{
    for (;;) {
        struct document d;

        pthread_mutex_lock(&lock); /* nothing is told while we look */
        d = setup_read_document(id);
        if (d.status != DOCUMENT_READY && d.status != DOCUMENT_FAILED)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        if (d.status == DOCUMENT_READY || d.status == DOCUMENT_FAILED)
            return d;
    }
}

static void add(struct sha256_ctx *h, const struct passage *p)
{
    AUTO(buf_free) struct buf b = BUF((size_t)16 * 1024 * 1024);

    buf_printf(&b, "%lld %lld %d %a %a [%.*s] [%.*s] [%.*s]\n",
               (long long)p->position, (long long)p->page, p->has_seconds,
               p->start, p->end, STR_ARG(p->heading), STR_ARG(p->text),
               STR_ARG(p->extra));
    CHECK_OK(buf_rc(&b, &err), &err);
    sha256_add(h, buf_str(&b));
}

struct sha256 setup_passages_digest(const char *id, size_t *n)
{
    AUTO(sha256_closep) struct sha256_ctx *h = NULL;
    struct passages_read op = {.document = str_c(id)};
    struct sha256 digest;

    CHECK_OK(store_read(st, ANN, &out, OP(passages_read), &op, &err), &err);
    CHECK_OK(sha256_open(&h, &err), &err);
    sha256_begin(h);
    for (size_t i = 0; i < op.passages_n; i++) {
        CHECK_INT(op.passages[i].position, (int64_t)i + 1);
        add(h, &op.passages[i]);
    }
    sha256_end(h, &digest);
    *n = op.passages_n;
    return digest;
}

const char *setup_object_path(struct str key)
{
    static char path[700];

    snprintf(path, sizeof(path), "%s/objects/%.2s/%.*s", test_dir(), key.p,
             STR_ARG(key));
    return path;
}

struct str setup_long_text(int paragraphs)
{
    AUTO(buf_free) struct buf b = BUF((size_t)64 * 1024 * 1024);

    for (int i = 0; i < paragraphs; i++) {
        if (i % 20 == 0)
            buf_printf(&b, "# Chapter %d\n\n", i / 20);
        for (int j = 0; j < 8; j++)
            buf_printf(&b,
                       "In paragraph %d the sentence %d says that heat goes "
                       "from what is warm to what is cold. ",
                       i, j);
        buf_add(&b, STR("\n\n"));
    }
    CHECK_OK(buf_rc(&b, &err), &err);
    return arena_str(&out, buf_str(&b));
}

struct str setup_load_file(const char *name)
{
    AUTO(buf_free) struct buf b = BUF((size_t)64 * 1024 * 1024);
    char path[256], part[65536];
    ssize_t n;
    int fd;

    snprintf(path, sizeof(path), "tests/ingest/files/%s", name);
    fd = open(path, O_RDONLY);
    CHECK(fd >= 0);
    while ((n = read(fd, part, sizeof(part))) > 0)
        buf_add(&b, (struct str){part, (size_t)n});
    close(fd);
    CHECK_OK(buf_rc(&b, &err), &err);
    return arena_str(&out, buf_str(&b));
}
