/* share_test.c - one account fills the threads that read and paint; the others
 * are served meanwhile. */
#include <time.h>

#include "attack_site.h"
#include "base/clock.h"
#include "contract.h"
#include "help/upload.h"
#include "http/shape/cursor.h"
#include "ingest/pdf/page.h"

enum { REQUESTS = 12, MINUTE_MS = 60 * 1000 };

/* ---- Reading ------------------------------------------------------------ */

bool __real_page_read(struct request *r, struct page *out);
bool __wrap_page_read(struct request *r, struct page *out);
static _Atomic int reading;

/* Lists of references are read by the pages; the other user reads none. */
bool __wrap_page_read(struct request *r, struct page *out)
{
    reading++;
    hold_here();
    return __real_page_read(r, out);
}

static void send_reads(struct attack_site *a, struct client c[REQUESTS])
{
    hold_next();
    for (int i = 0; i < REQUESTS; i++)
        attack_send(a, &c[i], "GET", "/api/sessions/s/references", "", STR(""));
    hold_await();
}

static void close_all(struct client c[REQUESTS], int status)
{
    struct response answer;

    hold_release();
    for (int i = 0; i < REQUESTS; i++) {
        CHECK(client_answer(&c[i], &answer));
        CHECK_INT(answer.status, status);
        client_close(&c[i]);
    }
}

CONTRACT(attack_reads_of_one_account_leave_threads)
{
    ATTACK_SITE(a);
    struct client c[REQUESTS];

    send_reads(&a, c);
    other_user_goes_on(&a);
    talk_with(&a.site, a.bo, 200, "GET", "/api/sessions", NULL);
    CHECK(reading < REQUESTS);
    close_all(c, 404);
    CHECK_INT(reading, REQUESTS);
}

/* Two accounts have all threads that read.  Who asks is found out in others. */
CONTRACT(attack_reads_leave_sign_ins_alone)
{
    ATTACK_SITE(a);
    struct client c[REQUESTS], d[REQUESTS];
    const char *first = a.mallory;
    struct who carl = {STR("default"), STR("carl")};
    struct str key = site_key_of(&a.site, carl);

    send_reads(&a, c);
    a.mallory =
        arena_printf(&a.site.arena, "Authorization: Bearer %.*s", STR_ARG(key))
            .p;
    send_reads(&a, d);
    WAIT_UNTIL(reading >= 2);
    talk_with(&a.site, a.bo, 200, "GET", "/api/me", NULL);
    talk(&a.site, 401, "GET", "/api/me", NULL);
    talk(&a.site, 200, "POST", "/api/login",
         arena_printf(&a.site.arena, "{'key':'%.*s'}", STR_ARG(key)).p);
    a.mallory = first;
    close_all(c, 404);
    close_all(d, 404);
}

/* Loops take requests in their own order, so any of them may be refused. */
static bool is_one_refused(struct client *c, int n)
{
    struct response answer;

    for (int i = 0; i < n; i++)
        if (client_read(&c[i], 0) > 0 && client_answer(&c[i], &answer))
            return answer.status == 429 &&
                   memmem(answer.body.p, answer.body.n, "requests wait", 13);
    return false;
}

/* What one account may have waiting has an end, which it is told. */
CONTRACT(attack_waiting_requests_are_bounded)
{
    ATTACK_SITE(a);
    enum { SENT = 1100 };
    struct client *c = arena_many(&a.site.arena, SENT, struct client);
    struct client first[REQUESTS];

    send_reads(&a, first);
    for (int i = 0; i < SENT; i++)
        attack_send(&a, &c[i], "GET", "/api/sessions/s/references", "",
                    STR(""));
    WAIT_UNTIL(is_one_refused(c, SENT));
    other_user_goes_on(&a);
    hold_release();
    for (int i = 0; i < SENT; i++)
        client_close(&c[i]);
    close_all(first, 404);
}

/* ---- Painting ----------------------------------------------------------- */

enum { PAGE_HELD = 1, PAGE_FINE = 2 };

enum footnote_rc __real_page_picture(int file, int64_t n, int scale,
                                     struct buf *png, struct footnote_err *err);
enum footnote_rc __wrap_page_picture(int file, int64_t n, int scale,
                                     struct buf *png, struct footnote_err *err);
static _Atomic int painted;

/* One page takes as long as it likes, one is there at once; all others are
 * what the program in the jail says. */
enum footnote_rc __wrap_page_picture(int file, int64_t n, int scale,
                                     struct buf *png, struct footnote_err *err)
{
    painted++;
    if (n == PAGE_HELD)
        hold_here();
    if (n > PAGE_FINE)
        return __real_page_picture(file, n, scale, png, err);
    buf_add(png, STR("a picture"));
    return FOOTNOTE_OK;
}

/* The course c of this user's, or another, with a PDF. */
static void add_pdf(struct attack_site *a, const char *header,
                    const char *course, const char *document)
{
    struct arena *arena = &a->site.arena;
    const struct upload_part parts[] = {{"file", "d.pdf", UPLOAD_PDF},
                                        {"id", NULL, document},
                                        {NULL, NULL, NULL}};

    talk_with(&a->site, header, 201, "POST", "/api/courses",
              arena_printf(arena, "{'id':'%s','title':'C'}", course).p);
    upload_to(&a->site, header, 202, "POST",
              arena_printf(arena, "/api/courses/%s/documents", course).p,
              parts);
}

CONTRACT(attack_paintings_of_one_account_leave_a_thread)
{
    ATTACK_SITE(a);
    struct client c[REQUESTS];

    add_pdf(&a, a.mallory, "m", "dm");
    add_pdf(&a, a.bo, "b", "db");
    hold_next();
    for (int i = 0; i < REQUESTS; i++)
        attack_send(&a, &c[i], "GET", "/api/documents/dm/pages/1.png", "",
                    STR(""));
    hold_await();
    other_user_goes_on(&a);
    talk_ask(&a.site, 200,
             &(struct ask){.method = "GET",
                           .path = "/api/documents/db/pages/2.png",
                           .header = a.bo});
    CHECK_INT(painted, 2);
    close_all(c, 200);
}

static _Atomic int64_t ahead_ms;

static int64_t mono_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000 + ahead_ms;
}

static int64_t wall_ms(void)
{
    return (int64_t)time(NULL) * 1000;
}

/* The file is damaged, and the program in the jail says so once. */
CONTRACT(attack_page_that_failed_is_not_painted_again)
{
    static const struct clock_source source = {wall_ms, mono_ms};
    const char *page = "/api/documents/dm/pages/3.png";
    ATTACK_SITE(a);

    clock_replace(&source);
    add_pdf(&a, a.mallory, "m", "dm");
    for (int i = 0; i < 3; i++)
        talk_with(&a.site, a.mallory, 404, "GET", page, NULL);
    CHECK_INT(painted, 1);
    talk_with(&a.site, a.mallory, 404, "POST", "/api/courses/m/snapshots",
              "{'slideId':'dm','pageNumber':3}");
    CHECK_INT(painted, 1);
    talk_with(&a.site, a.mallory, 404, "GET", "/api/documents/dm/pages/4.png",
              NULL);
    CHECK_INT(painted, 2); /* another page */
    ahead_ms = 11 * MINUTE_MS;
    talk_with(&a.site, a.mallory, 404, "GET", page, NULL);
    CHECK_INT(painted, 3); /* after a while */
    upload_to(&a.site, a.mallory, 202, "PUT", "/api/documents/dm",
              (const struct upload_part[]){
                  {"file", "d.pdf", "%PDF-1.4 another"}, {NULL, NULL, NULL}});
    talk_with(&a.site, a.mallory, 404, "GET", page, NULL);
    CHECK_INT(painted, 4); /* a new version */
}
