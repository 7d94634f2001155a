/* audit_test.c - what is kept of who did what, and who is told. */
#include <signal.h>
#include <sys/resource.h>

#include "contract.h"
#include "help/talk.h"
#include "http/call/aside.h"
#include "store/audit.h"

static const char *sign_in(struct site *s, struct str key)
{
    struct str line;

    talk(s, 200, "POST", "/api/login",
         arena_printf(&s->arena, "{'key':'%.*s'}", STR_ARG(key)).p);
    line = talk_header("Set-Cookie");
    line.n = str_find(line, ';');
    return arena_printf(&s->arena, "Cookie: %.*s", STR_ARG(line)).p;
}

static const char *actions(struct site *s, const char *query)
{
    return json_each(s,
                     talk(s, 200, "GET",
                          arena_printf(&s->arena, "/api/audit%s", query).p,
                          NULL),
                     "entries", "action");
}

CONTRACT(thread_audit_has_the_deed_in_the_commit_that_does_it)
{
    SITE(s);
    const char *cookie = sign_in(&s, site_key(&s));
    struct json *v;

    talk_with(&s, cookie, 201, "POST", "/api/sessions", "{'id':'gone'}");
    talk_with(&s, cookie, 204, "DELETE", "/api/sessions/gone", NULL);
    talk_with(&s, cookie, 204, "DELETE", "/api/sessions/gone", NULL);
    talk_with(&s, cookie, 204, "DELETE", "/api/sessions/never", NULL);
    talk_with(&s, cookie, 201, "POST", "/api/courses",
              "{'id':'c','title':'x'}");
    talk_with(&s, cookie, 204, "DELETE", "/api/courses/c?citations=redact",
              NULL);
    talk_with(&s, cookie, 204, "POST", "/api/logout", NULL);
    v = talk(&s, 200, "GET", "/api/audit?userId=ada&action=delete", NULL);
    CHECK_AT(&s, v, "entries.0.about", "'gone'");
    CHECK_AT(&s, v, "entries.0.userId", "'ada'");
    CHECK_AT(&s, v, "entries.0.address", "'127.0.0.1'");
    CHECK_AT(&s, v, "entries.1", "absent"); /* nothing was there to delete */
    CHECK_STR(actions(&s, "?userId=ada&action=erase"), "'erase'");
    CHECK_STR(actions(&s, "?userId=ada&action=sign-in"), "'sign-in'");
    CHECK_STR(actions(&s, "?userId=ada&action=sign-out"), "'sign-out'");
    CHECK_STR(actions(&s, "?userId=nobody"), "");
    CHECK_STR(actions(&s, "?from=2999-01-01T00:00:00Z"), "");
    CHECK_STR(actions(&s, "?to=2001-01-01T00:00:00Z"), "");
    talk_refused(&s, 400, "invalid_field", NULL, "GET", "/api/audit?from=x",
                 NULL);
    talk_refused(&s, 400, "bad_cursor", NULL, "GET", "/api/audit?cursor=x",
                 NULL);
}

static bool has_download(struct site *s)
{
    return strcmp(actions(s, "?action=download"), "'download'") == 0;
}

static bool has_admin_view(struct site *s)
{
    return strstr(actions(s, "?action=admin.view"), "admin.view") != NULL;
}

CONTRACT(thread_audit_has_downloads_and_what_admins_look_at)
{
    SITE(s);
    const char *ada = talk_as_ada(&s);
    struct ask download = {.method = "GET",
                           .path = "/api/documents/d/download"};
    struct json *v;

    talk_with(&s, ada, 201, "POST", "/api/courses", "{'id':'c','title':'x'}");
    talk_with(&s, ada, 202, "POST", "/api/courses/c/documents",
              "{'id':'d','kind':'text','title':'t','text':'Heat.'}");
    talk_with(&s, ada, 404, "GET", "/api/documents/none/download", NULL);
    download.header = arena_printf(&s.arena, "%s\r\nRange: bytes=2-3", ada).p;
    CHECK_INT(site_ask(&s, &download).status, 206);
    download.header = ada;
    CHECK_INT(site_ask(&s, &download).status, 200);
    talk_with(&s, ada, 201, "POST", "/api/sessions", "{'id':'mine'}");
    download.path = "/api/sessions/mine/export?format=json";
    CHECK_INT(site_ask(&s, &download).status, 200);
    WAIT_UNTIL(strcmp(actions(&s, "?action=export"), "'export'") == 0);
    WAIT_UNTIL(has_download(&s));
    v = talk(&s, 200, "GET", "/api/audit?action=download", NULL);
    CHECK_AT(&s, v, "entries.0.about", "'d'");
    CHECK_AT(&s, v, "entries.0.userId", "'ada'");
    WAIT_UNTIL(has_admin_view(&s));
    CHECK_INT(aside_lost(), 0);
}

CONTRACT(thread_audit_pages_and_lines_are_the_same_rows)
{
    enum { ROWS = 7 };
    SITE(s);
    struct audit_add op;
    struct json *v;
    struct answer_to a;
    size_t lines = 0;

    for (int i = 0; i < ROWS; i++) {
        audit_note_make(&op.note, AUDIT_EXPORT,
                        arena_printf(&s.arena, "s%d", i), STR_NONE,
                        STR("192.0.2.1"));
        CHECK(store_write(s.served.store,
                          (struct who){STR("default"), STR("ann")},
                          OP(audit_add), &op, NULL) == FOOTNOTE_OK);
    }
    v = talk(&s, 200, "GET", "/api/audit?userId=ann&limit=4", NULL);
    CHECK_EACH(&s, v, "entries", "about", "'s6' 's5' 's4' 's3'");
    v = talk(&s, 200, "GET",
             arena_printf(&s.arena, "/api/audit?userId=ann&limit=4&cursor=%.*s",
                          STR_ARG(json_get(v, STR("nextCursor"))->s))
                 .p,
             NULL);
    CHECK_EACH(&s, v, "entries", "about", "'s2' 's1' 's0'");
    CHECK_AT(&s, v, "nextCursor", "null");
    a = site_ask(&s, &(struct ask){.method = "GET",
                                   .path = "/api/audit?userId=ann",
                                   .header = "Accept: application/x-ndjson"});
    CHECK_TEXT(a.type, STR("application/x-ndjson"));
    for (size_t i = 0; i < a.body.n; i++)
        lines += a.body.p[i] == '\n';
    CHECK_INT(lines, ROWS);
    a = site_get(&s, "/api/audit?userId=ann&format=jsonl&limit=3");
    CHECK(memmem(a.headers.p, a.headers.n, "Next-Cursor: ", 13) != NULL);
    /* Nothing of it is told to other tenants, nor to who is no admin. */
    talk_with(&s, talk_as_ada(&s), 403, "GET", "/api/audit", NULL);
}

static bool loses_rows(struct site *s, const struct ask *download)
{
    CHECK_INT(site_ask(s, download).status, 200);
    return aside_lost() > 0;
}

/* No file can grow any more: files are given out, and the loss is counted. */
TEST(thread_audit_that_cannot_be_kept_stops_no_download)
{
    SITE(s);
    struct ask download = {.method = "GET",
                           .path = "/api/documents/d/download",
                           .header = talk_as_ada(&s)};
    struct rlimit limit;
    struct answer_to a;

    talk_with(&s, download.header, 201, "POST", "/api/courses",
              "{'id':'c','title':'x'}");
    talk_with(&s, download.header, 202, "POST", "/api/courses/c/documents",
              "{'id':'d','kind':'text','title':'t','text':'Heat.'}");
    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = 1;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    WAIT_UNTIL(loses_rows(&s, &download));
    a = site_get(&s, "/metrics");
    CHECK(memmem(a.body.p, a.body.n, "footnote_audit_lost_total 0", 27) ==
          NULL);
    limit.rlim_cur = RLIM_INFINITY;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static struct arena arena = {.max_bytes = 1 << 20};

CONTRACT(audit_addresses_go_after_90_days_and_rows_stay)
{
    const struct who who = {STR("default"), STR("ann")};
    const int64_t day_ms = INT64_C(86400000);
    struct audit_list list = {.limit = 10};
    struct audit_add op;
    struct footnote_err err;
    struct store *st;

    CHECK_OK(store_open(test_url(), &st, &err), &err);
    for (int days = 89; days <= 91; days += 2) {
        audit_note_make(&op.note, AUDIT_DOWNLOAD, STR("d"), STR_NONE,
                        STR("192.0.2.1"));
        op.note.at_ms -= days * day_ms;
        CHECK_OK(store_write(st, who, OP(audit_add), &op, &err), &err);
    }
    store_close(st);
    CHECK_OK(store_open(test_url(), &st, &err), &err); /* it sweeps */
    CHECK_OK(store_read(st, who, &arena, OP(audit_list), &list, &err), &err);
    CHECK_INT(list.rows_n, 2);
    CHECK(!list.rows[0].address.p); /* the later written is the older */
    CHECK_TEXT(list.rows[1].address, STR("192.0.2.1"));
    store_close(st);
}
