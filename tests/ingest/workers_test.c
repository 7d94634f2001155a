/* workers_test.c - documents read in by workers, on both engines: what becomes
 * ready, what fails with which sentence, and what stops and goes on. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "ingest/format/extract.h"
#include "ingest_setup.h"

#include "store/document/document.h"
#include "store/document/job.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 }; /* their memory is not ours to count */
#else
enum { SANITIZED = 0 };
#endif

static const char vtt[] =
    "WEBVTT\n\n00:01.000 --> 00:04.500\nHeat is not a thing.\n\n"
    "00:05.000 --> 00:09.000\nIt is a way in which energy moves.\n";

static size_t count(const char *id)
{
    size_t n;

    setup_passages_digest(id, &n);
    return n;
}

INGEST_CASE(documents_of_many_formats_become_ready)
{
    struct document d;

    setup_start_workers(1);
    setup_put_document("md", STR("# Heat\n\nHeat flows from warm to cold."),
                       "heat.md");
    setup_put_document("txt", STR("Steam is water that left."), "steam.txt");
    setup_put_document("vtt", str_c(vtt), "talk.vtt");
    setup_put_document("html",
                       STR("<!doctype html><title>Ice</title><p>Ice is water."),
                       "ice.html");
    setup_put_document("pdf", setup_load_file("slides.pdf"), "slides.pdf");
    d = setup_await_document("md");
    CHECK_INT(d.status, DOCUMENT_READY);
    CHECK_INT(d.searchable_version, 1);
    CHECK_TEXT(d.title, STR("Heat"));
    CHECK_INT(d.progress.unit, UNIT_BYTES);
    CHECK_INT(d.progress.done, d.progress.total);
    CHECK_INT(count("md"), 1);
    CHECK_TEXT(setup_await_document("txt").title,
               STR("steam")); /* nothing better */
    d = setup_await_document("vtt");
    CHECK_INT(d.status, DOCUMENT_READY);
    CHECK(d.has_seconds);
    CHECK_F64(d.seconds, 9.0);
    CHECK_TEXT(setup_await_document("html").title, STR("Ice"));
    d = setup_await_document("pdf");
    CHECK_INT(d.status, DOCUMENT_READY);
    CHECK_INT(d.pages, 7);
    CHECK_INT(d.progress.unit, UNIT_PAGES);
    CHECK_INT(d.progress.done, 7);
    CHECK(!d.warning.p);
    CHECK(count("pdf") > 1);
    CHECK_INT(ingest_count(ingest).ready, 5);
    CHECK_INT(ingest_count(ingest).pages, 7);
}

static void fails(const char *id, const char *words)
{
    struct document d = setup_await_document(id);

    CHECK_INT(d.status, DOCUMENT_FAILED);
    CHECK_INT(d.searchable_version, 0);
    if (!strstr(d.error.p, words))
        FAIL("%s: \"%s\" has no \"%s\"", id, d.error.p, words);
}

static void spoil(struct str key)
{
    int fd = open(setup_object_path(key), O_WRONLY);

    CHECK(fd >= 0);
    CHECK_INT(pwrite(fd, "?", 1, 3), 1);
    close(fd);
}

INGEST_CASE(what_cannot_be_read_fails_with_a_sentence_and_others_go_on)
{
    struct document_put spoiled, gone;

    setup_put_document("empty", STR(""), "empty.txt");
    setup_put_document("program",
                       STR("\x7F"
                           "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0"),
                       "notes.txt");
    setup_put_document("movie",
                       STR("\0\0\0\x18"
                           "ftypmp42\0\0\0\0mp42isom"),
                       "a.mp4");
    setup_put_document("silent", STR("WEBVTT\n\nNOTE nothing is said\n"),
                       "s.vtt");
    setup_put_document("broken", setup_load_file("broken.pdf"), "broken.pdf");
    setup_put_document("locked", setup_load_file("encrypted.pdf"),
                       "locked.pdf");
    spoiled = setup_put_document("spoiled", STR("Heat flows."), "a.txt");
    spoil(spoiled.document.object_key);
    gone = setup_put_document("gone", STR("Heat flows."), "b.txt");
    CHECK(unlink(setup_object_path(gone.document.object_key)) == 0);
    setup_put_document("fine", STR("Heat flows."), "c.txt");
    setup_start_workers(2);
    fails("empty", "empty");
    fails("program", "");
    fails("movie", "transcript");
    fails("silent", "");
    fails("broken", "damaged");
    fails("locked", "The PDF is protected with a password");
    fails("spoiled", "upload it again");
    fails("gone", "upload it again");
    CHECK_INT(setup_await_document("fine").status, DOCUMENT_READY);
    CHECK_INT(ingest_count(ingest).failed, 8);
}

INGEST_CASE(what_people_cannot_see_is_left_out_and_told)
{
    struct passages_read op = {.document = STR("sly")};
    struct document d;

    setup_start_workers(1);
    setup_put_document("sly", STR("He\u200bat flows.\u202e Sky\u2066 is blue."),
                       "a.txt");
    setup_put_document("plain", STR("Heat flows."), "b.txt");
    d = setup_await_document("sly");
    CHECK(d.warning.p && strstr(d.warning.p, "cannot see"));
    CHECK_OK(store_read(st, ANN, &out, OP(passages_read), &op, &err), &err);
    CHECK_INT(op.passages_n, 1);
    CHECK_TEXT(op.passages[0].text, STR("Heat flows. Sky is blue."));
    CHECK(!setup_await_document("plain").warning.p);
}

/* A text that is one byte over the limit; its pages are never touched. */
static struct str huge(void)
{
    size_t n = (size_t)EXTRACT_BYTES_MAX + 1;
    char *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    CHECK(p != MAP_FAILED);
    memset(p, 'a', EXTRACT_HEAD_BYTES);
    return (struct str){p, n};
}

/* A PDF of a few kilobytes whose tree of pages has a hundred times a hundred
 * times a hundred leaves, all of them the same one. */
static struct str million_pages(void)
{
    static const int counts[] = {1000000, 10000, 100};
    AUTO(buf_free) struct buf b = BUF(64 * 1024);
    size_t at[6], n = 1, table;

    buf_add(&b, STR("%PDF-1.4\n"));
    at[n++] = b.n;
    buf_add(&b, STR("1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"));
    for (size_t i = 0; i < 3; i++) {
        at[n] = b.n;
        buf_printf(&b, "%zu 0 obj\n<</Type/Pages/Count %d/Kids[", n, counts[i]);
        for (int k = 0; k < 100; k++)
            buf_printf(&b, "%zu 0 R ", n + 1);
        buf_add(&b, STR("]>>\nendobj\n"));
        n++;
    }
    at[n] = b.n;
    buf_add(&b, STR("5 0 obj\n<</Type/Page/Parent 4 0 R/MediaBox[0 0 9 9]>>\n"
                    "endobj\n"));
    table = b.n;
    buf_add(&b, STR("xref\n0 6\n0000000000 65535 f \n"));
    for (size_t i = 1; i <= n; i++)
        buf_printf(&b, "%010zu 00000 n \n", at[i]);
    buf_printf(&b, "trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n%zu\n%%%%EOF",
               table);
    return arena_str(&out, buf_str(&b));
}

static long memory_kb(void)
{
    struct rusage now;

    CHECK_INT(getrusage(RUSAGE_SELF, &now), 0);
    return now.ru_maxrss;
}

/* Each is told in words to who brought it, and none costs the others. */
INGEST_CASE(bombs_and_traps_fail_alone)
{
    static const struct {
        const char *id, *file, *words;
    } bad[] = {{"zip", "bomb.docx", "100 times its size"},
               {"xml", "laughs.docx", "document type"},
               {"pdf", "bomb.pdf", "more memory"},
               {"many", "many-pages.pdf", "6000 pages"},
               {"outside", "outside.docx", "outside"},
               {"half", "broken.docx", ""},
               {"sheet", "sheet.xlsx", ""},
               {"bare", "no-slides.pptx", ""}};
    enum { BAD = sizeof(bad) / sizeof(bad[0]), GROWTH_KB = 48 * 1024 };
    long before;

    setup_put_document("huge", huge(), "huge.txt");
    setup_put_document("million", million_pages(), "million.pdf");
    for (size_t i = 0; i < BAD; i++)
        setup_put_document(bad[i].id, setup_load_file(bad[i].file),
                           bad[i].file);
    setup_put_document("fine", STR("Heat flows."), "fine.txt");
    before = memory_kb();
    setup_start_workers(2);
    for (size_t i = 0; i < BAD; i++)
        fails(bad[i].id, bad[i].words);
    fails("huge", "64 MB");
    fails("million", "pages that it says it has");
    CHECK_INT(setup_await_document("fine").status, DOCUMENT_READY);
    CHECK_INT(ingest_count(ingest).failed, BAD + 2);
    if (!SANITIZED && memory_kb() - before > GROWTH_KB)
        FAIL("%ld KB more", memory_kb() - before);
}

/* ---- Stopping ----------------------------------------------------------- */

/* Stops the workers as soon as some of it is stored. */
static void *stop_soon(void *arg)
{
    size_t had = *(size_t *)arg;

    for (;;) {
        AUTO(arena_free) struct arena a = ARENA((size_t)64 * 1024 * 1024);
        struct passages_read op = {.document = STR("d"), .version = 1};
        struct footnote_err e;

        CHECK_OK(store_read(st, ANN, &a, OP(passages_read), &op, &e), &e);
        if (op.passages_n > had)
            break;
    }
    setup_stop_workers();
    return NULL;
}

INGEST_CASE(what_was_stopped_goes_on_and_ends_with_the_same_passages)
{
    struct str text = setup_long_text(1500);
    struct sha256 whole, stopped;
    size_t n, had = 0, stops = 0;

    setup_start_workers(1);
    setup_put_document("whole", text, "a.md");
    CHECK_INT(setup_await_document("whole").status, DOCUMENT_READY);
    whole = setup_passages_digest("whole", &n);
    CHECK(n > 1000);
    setup_stop_workers();
    setup_put_document("d", text, "a.md");
    while (setup_read_document("d").status != DOCUMENT_READY) {
        pthread_t t;
        struct passages_read op = {.document = STR("d"), .version = 1};

        CHECK_OK(store_read(st, ANN, &out, OP(passages_read), &op, &err), &err);
        had = op.passages_n;
        CHECK(had < n);
        if (++stops == 4) { /* now to its end */
            setup_start_workers(1);
            CHECK_INT(setup_await_document("d").status, DOCUMENT_READY);
            break;
        }
        setup_start_workers(1);
        CHECK(pthread_create(&t, NULL, stop_soon, &had) == 0);
        pthread_join(t, NULL);
    }
    CHECK(stops > 1);
    stopped = setup_passages_digest("d", &had);
    CHECK_INT(had, n);
    CHECK(sha256_eq(&whole, &stopped));
}

INGEST_CASE(a_new_version_while_the_old_one_is_read_wins)
{
    setup_start_workers(1);
    setup_put_document("d", setup_long_text(3000), "a.md");
    while (setup_read_document("d").status == DOCUMENT_QUEUED) {
    }
    setup_put_document("d", STR("Heat flows."), "a.md");
    CHECK_INT(setup_await_document("d").version, 2);
    CHECK_INT(setup_read_document("d").searchable_version, 2);
    CHECK_INT(count("d"), 1);
}

INGEST_CASE(many_worker_threads_read_many_documents)
{
    enum { DOCUMENTS = 40 };
    char id[16];

    setup_start_workers(4);
    for (int i = 0; i < DOCUMENTS; i++) {
        snprintf(id, sizeof(id), "d%d", i);
        setup_put_document(id, setup_long_text(1 + i % 7), "a.md");
    }
    for (int i = 0; i < DOCUMENTS; i++) {
        snprintf(id, sizeof(id), "d%d", i);
        CHECK_INT(setup_await_document(id).status, DOCUMENT_READY);
        CHECK(count(id) > 0);
    }
    CHECK_INT(ingest_count(ingest).ready, DOCUMENTS);
}

/* ---- Pages by their address --------------------------------------------- */

static void *serve_once(void *arg)
{
    static const char answer[] =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 66\r\n"
        "Connection: close\r\n\r\n"
        "<!doctype html><title>Frost</title><p>Frost is ice from the air.\r\n";
    char request[4096];
    int fd = accept(*(int *)arg, NULL, NULL);

    CHECK(fd >= 0);
    CHECK(read(fd, request, sizeof(request)) > 0);
    CHECK_INT(write(fd, answer, sizeof(answer) - 1), sizeof(answer) - 1);
    close(fd);
    return NULL;
}

static int listen_somewhere(char *url, size_t bytes)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof(at);
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    CHECK(bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0);
    CHECK(listen(fd, 4) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)&at, &n) == 0);
    snprintf(url, bytes, "http://127.0.0.1:%d/frost", ntohs(at.sin_port));
    return fd;
}

INGEST_CASE(a_page_is_fetched_kept_and_read)
{
    char url[64];
    int fd = listen_somewhere(url, sizeof(url));
    struct document_put put = {.document = {.id = STR("page"),
                                            .course = STR("c"),
                                            .kind = DOCUMENT_PAGE,
                                            .url = str_c(url)},
                               .queue = true};
    struct document d;
    int64_t bytes;
    pthread_t t;

    CHECK(pthread_create(&t, NULL, serve_once, &fd) == 0);
    CHECK_OK(store_write(st, ANN, OP(document_put), &put, &err), &err);
    setup_start_workers(1);
    d = setup_await_document("page");
    pthread_join(t, NULL);
    close(fd);
    if (d.status == DOCUMENT_FAILED)
        FAIL("%s", d.error.p);
    CHECK_TEXT(d.title, STR("Frost"));
    CHECK_TEXT(d.media_type, STR("text/html"));
    CHECK_OK(object_head(objects, d.object_key, &bytes, &err), &err);
    CHECK_INT(bytes, d.bytes);
    CHECK_INT(count("page"), 1);
    put.document.id = STR("nobody"); /* nothing listens there any more */
    CHECK_OK(store_write(st, ANN, OP(document_put), &put, &err), &err);
    fails("nobody", "");
}
