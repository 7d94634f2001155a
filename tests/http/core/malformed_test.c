/* malformed_test.c - malformed.txt, each case against a running server. */
#include <stdlib.h>

#include "routes.h"

enum { CASES_MIN = 200, CASE_BYTES_MAX = 64 * 1024 };

struct wrong {
    int status;
    char end[8], name[64];
    struct buf bytes;
};

/* ---- Reading the file --------------------------------------------------- */

static void unescape(const char *s, size_t n, struct buf *out);

/* \{N*TEXT}; returns what follows it. */
static const char *repeat(const char *s, struct buf *out)
{
    char *text;
    long times = strtol(s, &text, 10);
    const char *end = strchr(text, '}');

    CHECK(*text == '*' && end);
    while (times-- > 0)
        unescape(text + 1, (size_t)(end - text) - 1, out);
    return end + 1;
}

static const char *escape(const char *s, struct buf *out)
{
    char hex[3] = "";

    switch (*s) {
    case 'r': buf_add_c(out, '\r'); break;
    case 'n': buf_add_c(out, '\n'); break;
    case 't': buf_add_c(out, '\t'); break;
    case '0': buf_add_c(out, '\0'); break;
    case '\\': buf_add_c(out, '\\'); break;
    case 'H': buf_add(out, STR("Host: localhost\r\n")); break;
    case 'x':
        memcpy(hex, s + 1, 2);
        buf_add_c(out, (char)strtol(hex, NULL, 16));
        return s + 3;
    case '{': return repeat(s + 1, out);
    default: FAIL("an unknown escape: \\%c", *s);
    }
    return s + 1;
}

static void unescape(const char *s, size_t n, struct buf *out)
{
    const char *end = s + n;

    while (s < end) {
        if (*s == '\\')
            s = escape(s + 1, out);
        else
            buf_add_c(out, *s++);
    }
}

/* False at the end of the file. */
static bool next_case(FILE *f, struct wrong *w)
{
    static char line[CASE_BYTES_MAX];

    while (fgets(line, sizeof(line), f)) {
        int at = 0;
        char *rest;

        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        w->status = (int)strtol(line, &rest, 10);
        if (sscanf(rest, " %7s %63[^:]:%n", w->end, w->name, &at) != 2 ||
            at == 0 || rest[at] != ' ')
            FAIL("not a case: %s", line);
        w->bytes = BUF(CASE_BYTES_MAX);
        unescape(rest + at + 1, strlen(rest + at + 1), &w->bytes);
        return true;
    }
    return false;
}

/* ---- Asking ------------------------------------------------------------- */

static void check_kept(struct client *c, const struct wrong *w)
{
    if (client_get(c, "/test/echo?next").status != 200)
        FAIL("%s: the next request is not served", w->name);
}

static void check_end(struct client *c, const struct response *a,
                      const struct wrong *w)
{
    size_t answer = a->bytes;

    if (!client_sees_end(c, test_wait_ms()))
        FAIL("%s: the connection stays open", w->name);
    if (c->in.n != answer)
        FAIL("%s: more than one answer", w->name);
}

static void check_case(int port, const struct wrong *w)
{
    struct client c;
    struct response a = {.status = 0};

    client_open(&c, port);
    client_send(&c, buf_str(&w->bytes));
    if (strcmp(w->end, "cut") == 0)
        client_half_close(&c);
    if (!client_answer(&c, &a))
        FAIL("%s: no answer", w->name);
    if (a.status != w->status)
        FAIL("%s: %d instead of %d", w->name, a.status, w->status);
    if (!response_header(&a, "x-request-id").p)
        FAIL("%s: no request id", w->name);
    if (strcmp(w->end, "keep") == 0)
        check_kept(&c, w);
    else
        check_end(&c, &a, w);
    client_close(&c);
}

TEST(malformed_thread_each_gets_its_status)
{
    struct served s = test_served();
    FILE *f = fopen("tests/http/core/malformed.txt", "r");
    struct wrong w;
    int n = 0;

    CHECK(f != NULL);
    served_start(&s);
    for (; next_case(f, &w); n++) {
        check_case(s.port, &w);
        CHECK_INT(client_once(s.port, "/test/echo"), 200);
        buf_free(&w.bytes);
    }
    CHECK(n >= CASES_MIN);
    fclose(f);
    served_stop(&s);
}

/* Where the bytes are cut into packets must not matter. */
TEST(malformed_thread_in_small_pieces_too)
{
    struct served s = test_served();
    FILE *f = fopen("tests/http/core/malformed.txt", "r");
    struct wrong w;

    CHECK(f != NULL);
    served_start(&s);
    while (next_case(f, &w)) {
        struct client c;
        struct response a = {.status = 0};

        client_open(&c, s.port);
        for (size_t i = 0; i < w.bytes.n && w.bytes.n < 1000; i++)
            client_send(&c, (struct str){w.bytes.p + i, 1});
        if (strcmp(w.end, "cut") == 0)
            client_half_close(&c);
        if (w.bytes.n < 1000 &&
            (!client_answer(&c, &a) || a.status != w.status))
            FAIL("%s: %d instead of %d", w.name, a.status, w.status);
        client_close(&c);
        buf_free(&w.bytes);
    }
    fclose(f);
    served_stop(&s);
}
