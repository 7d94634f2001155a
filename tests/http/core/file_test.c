/* file_test.c - files that go out piece by piece, and their names. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "one_server.h"

enum { LARGE_BYTES = 200 * 1024 * 1024, GROWTH_KB_MAX = 8 * 1024 };

static char path[256];
static uint64_t bytes; /* of the file, as the row tells it */
static struct sha256 digest;

/* What was asked for, as "from+n from+n". */
static char windows[256];
static size_t window_bytes; /* 0: all of the file */
static int windows_n, broken_at;

/* A file of its own with that part, as a bucket gives it. */
static int part_of(int64_t from, size_t n)
{
    char part[16];
    int whole = open(path, O_RDONLY | O_CLOEXEC);
    int fd = memfd_create("part", MFD_CLOEXEC);

    CHECK(n <= sizeof(part) && pread(whole, part, n, from) == (ssize_t)n);
    CHECK(write(fd, part, n) == (ssize_t)n);
    close(whole);
    return fd;
}

static enum footnote_rc open_window(void *arg, int64_t from, int64_t n,
                                    struct file_window *out,
                                    struct footnote_err *err)
{
    size_t at = strlen(windows);

    (void)arg;
    if (!window_bytes) {
        *out = (struct file_window){open(path, O_RDONLY | O_CLOEXEC), 0,
                                    (int64_t)bytes};
        return FOOTNOTE_OK;
    }
    snprintf(windows + at, sizeof(windows) - at, "%lld+%lld ", (long long)from,
             (long long)n);
    if (++windows_n == broken_at)
        return err_set(err, FOOTNOTE_BUSY, "the bucket is away");
    if (n > (int64_t)window_bytes)
        n = (int64_t)window_bytes;
    *out = (struct file_window){part_of(from, (size_t)n), from, n};
    return FOOTNOTE_OK;
}

static void open_file(struct request *r)
{
    bool checked = str_eq(r->query, STR("checked"));

    reply_file(r, &(struct file_out){.window = open_window,
                                     .bytes = bytes,
                                     .type = STR("text/plain"),
                                     .etag = STR("\"v1\""),
                                     .digest = checked ? &digest : NULL});
}

static void send_file(struct request *r)
{
    request_work(r, open_file);
}

/* ?NAME as it is, percent-encoded by nobody. */
static void name_file(struct request *r)
{
    reply_attachment(r, true, request_query(r, STR("name")));
    reply_empty(r, 200);
}

#define ROW(path, fn)                                                          \
    {                                                                          \
        METHOD_GET, path, ACCESS_PUBLIC, 0, fn, "", ""                         \
    }
static const struct route rows[] = {ROW("/file", send_file),
                                    ROW("/name", name_file)};

static void begin(size_t n)
{
    int fd;

    served = SERVED;
    served.routes = rows;
    served.routes_n = sizeof(rows) / sizeof(rows[0]);
    snprintf(path, sizeof(path), "%s/file", test_dir());
    fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
    CHECK(fd >= 0);
    CHECK_INT(ftruncate(fd, (off_t)n), 0); /* sparse: all zeroes */
    close(fd);
    bytes = n;
    start_served();
}

static void fill(const char *text)
{
    int fd = open(path, O_WRONLY | O_TRUNC);
    struct footnote_err err;

    CHECK_INT(write(fd, text, strlen(text)), (long)strlen(text));
    close(fd);
    bytes = strlen(text);
    CHECK_OK(sha256(str_c(text), &digest, &err), &err);
}

static void get(const char *target, const char *lines)
{
    char text[512];

    snprintf(text, sizeof(text), "GET %s HTTP/1.1\r\n" HOST "%s\r\n", target,
             lines);
    ask(text);
}

TEST(file_thread_parts_and_the_whole)
{
    static const struct {
        const char *lines;
        int status;
        const char *body, *range;
    } asks[] = {
        {"", 200, "0123456789", NULL},
        {"Range: bytes=2-4\r\n", 206, "234", "bytes 2-4/10"},
        {"Range: bytes=-3\r\n", 206, "789", "bytes 7-9/10"},
        {"Range: bytes=8-\r\n", 206, "89", "bytes 8-9/10"},
        {"Range: bytes=8-99\r\n", 206, "89", "bytes 8-9/10"},
        {"Range: bytes=0-1,4-5\r\n", 200, "0123456789", NULL},
        {"Range: lines=0-1\r\n", 200, "0123456789", NULL},
        {"Range: bytes=10-\r\n", 416, NULL, "bytes */10"},
        {"Range: bytes=2-4\r\nIf-Range: \"v1\"\r\n", 206, "234",
         "bytes 2-4/10"},
        {"Range: bytes=2-4\r\nIf-Range: \"v0\"\r\n", 200, "0123456789", NULL},
        {"If-None-Match: \"v0\", W/\"v1\"\r\n", 304, "", NULL},
        {"If-None-Match: *\r\n", 304, "", NULL},
        {"If-None-Match: \"v11\", v1\r\n", 200, "0123456789", NULL},
    };

    begin(0);
    fill("0123456789");
    for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
        get("/file?checked", asks[i].lines);
        if (answer.status != asks[i].status)
            FAIL("%s: %d", asks[i].lines, answer.status);
        if (asks[i].body)
            CHECK_TEXT(answer.body, str_c(asks[i].body));
        if (asks[i].range)
            CHECK_TEXT(header("content-range"), str_c(asks[i].range));
        CHECK_TEXT(header("accept-ranges"), STR("bytes"));
        CHECK_TEXT(header("etag"), STR("\"v1\""));
        CHECK(!header("transfer-encoding").p);
    }
    stop();
}

/* What lies elsewhere is asked for as it goes out, and no more of it. */
TEST(file_thread_what_is_elsewhere_comes_in_parts)
{
    begin(0);
    fill("0123456789");
    window_bytes = 4;
    get("/file?checked", "");
    CHECK_TEXT(answer.body, STR("0123456789"));
    CHECK_STR(windows, "0+10 4+6 8+2 ");
    windows[0] = '\0';
    get("/file?checked", "Range: bytes=3-8\r\n");
    CHECK_TEXT(answer.body, STR("345678"));
    CHECK_STR(windows, "3+6 7+2 ");
    windows[0] = '\0';
    get("/file", "If-None-Match: \"v1\"\r\n");
    CHECK_INT(answer.status, 304);
    client_send(&client, STR("HEAD /file HTTP/1.1\r\n" HOST "\r\n"));
    CHECK(client_head(&client, &answer));
    CHECK_STR(windows, "");
    stop();
}

TEST(file_thread_what_is_elsewhere_may_be_away)
{
    begin(0);
    fill("0123456789");
    window_bytes = 4;
    broken_at = 1;
    get("/file", "Range: bytes=3-8\r\n");
    CHECK_INT(answer.status, 503);
    CHECK(!header("content-range").p && !header("etag").p);
    windows_n = 0;
    broken_at = 2; /* when some of it has gone out */
    client_send(&client, STR("GET /file HTTP/1.1\r\n" HOST "\r\n"));
    CHECK(!client_answer(&client, &answer));
    stop();
}

TEST(file_thread_a_head_tells_the_length)
{
    begin(0);
    fill("0123456789");
    client_send(&client, STR("HEAD /file HTTP/1.1\r\n" HOST "\r\n"));
    CHECK(client_head(&client, &answer));
    CHECK_INT(answer.status, 200);
    CHECK_TEXT(header("content-length"), STR("10"));
    client_send(&client,
                STR("HEAD /file HTTP/1.1\r\n" HOST "Range: bytes=1-3\r\n\r\n"));
    CHECK(client_head(&client, &answer));
    CHECK_INT(answer.status, 206);
    CHECK_TEXT(header("content-length"), STR("3"));
    fill("");
    get("/file", "");
    CHECK_INT(answer.status, 200);
    CHECK_TEXT(header("content-length"), STR("0"));
    stop();
}

static size_t read_all(void)
{
    size_t got = 0;
    long n;

    while ((n = client_read(&client, test_wait_ms())) > 0) {
        got += (size_t)n;
        buf_reset(&client.in);
    }
    return got;
}

TEST(file_thread_memory_does_not_grow_with_the_file)
{
    size_t got;
    long before;

    begin(LARGE_BYTES);
    before = client_memory();
    client_send(&client,
                STR("GET /file HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n"));
    got = read_all();
    CHECK(got > LARGE_BYTES && got < LARGE_BYTES + 1024);
    client_check_memory(before, GROWTH_KB_MAX);
    stop();
}

/* What is not as it was is never whole, and the length says so. */
TEST(file_thread_a_damaged_file_does_not_reach_its_end)
{
    begin(0);
    fill("0123456789");
    digest.b[0] ^= 1;
    client_send(&client, STR("GET /file?checked HTTP/1.1\r\n" HOST "\r\n"));
    CHECK(!client_answer(&client, &answer));
    client_close(&client);
    client_open(&client, served.port);
    bytes = 20; /* it was longer once */
    client_send(&client, STR("GET /file HTTP/1.1\r\n" HOST "\r\n"));
    CHECK(!client_answer(&client, &answer));
    client_close(&client);
    client_open(&client, served.port);
    get("/name?name=x", "");
    CHECK_INT(answer.status, 200);
    stop();
}

TEST(file_thread_readers_that_go_or_stand_still_leave_nothing)
{
    int before, after;

    begin(LARGE_BYTES);
    before = dup(client.fd);
    close(before);
    for (int i = 0; i < 20; i++) {
        client_send(&client, STR("GET /file HTTP/1.1\r\n" HOST "\r\n"));
        CHECK(client_read(&client, test_wait_ms()) > 0);
        client_reset(&client);
        client_open(&client, served.port);
    }
    get("/name?name=x", "");
    while (open_connections() > 1)
        ;
    after = dup(client.fd);
    close(after);
    CHECK(after <= before + 12); /* no descriptor is left open */
    stop();
}

TEST(file_thread_names_of_any_kind_stay_one_header)
{
    static const struct {
        const char *name, *want;
    } names[] = {
        {"a.pdf", "attachment; filename=\"a.pdf\""},
        {"two+words.pdf", "attachment; filename=\"two words.pdf\""},
        {"%C3%BCber.pdf", "attachment; filename=\"_ber.pdf\"; "
                          "filename*=UTF-8''%C3%BCber.pdf"},
        {"a%22b%5Cc%0D%0AX-Y:%20z",
         "attachment; filename=\"a_b_c__X-Y: z\"; "
         "filename*=UTF-8''a%22b%5Cc%0D%0AX-Y%3A%20z"},
        {"", "attachment"},
    };
    char target[256];

    begin(0);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(target, sizeof(target), "/name?name=%s", names[i].name);
        get(target, "");
        CHECK_TEXT(header("content-disposition"), str_c(names[i].want));
        CHECK(!header("x-y").p);
    }
    stop();
}
