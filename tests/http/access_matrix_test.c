/* access_matrix_test.c - every call of the API by everybody: what each is told.
 *
 * Requests are made from the rows of api_routes and from access_lines.c, which
 * says what each person gets.  Besides the status this holds for every answer:
 *
 *   - it has no canary that the person may not see, in its body or its head;
 *   - who may not see the thing is told, byte for byte, what is said of a thing
 *     that never was, and changes nothing of it.
 *
 * The owner asks last, so that those who may do nothing come before those who
 * change things. */
#include "access_lines.h"
#include "contract.h"
#include "mask_ids.h"

#define NOWHERE "no-such-thing"
enum { FILLED_BYTES_MAX = 64 * 1024 };

/* ---- The table is whole ------------------------------------------------- */

static const struct route *route_of(const char *name)
{
    for (size_t i = 0; i < api_routes_n; i++)
        if (strcmp(api_routes[i].name, name) == 0)
            return &api_routes[i];
    FAIL("there is no route %s", name);
}

static bool is_about_a_thing(const struct route *r)
{
    return r->access == ACCESS_USER && strchr(r->pattern, '{');
}

TEST(matrix_has_a_line_for_every_route_that_lets_the_owner_in)
{
    for (size_t i = 0; i < api_routes_n; i++) {
        const struct route *r = &api_routes[i];
        bool any = false, works = false, owned = false;

        for (size_t k = 0; k < access_lines_n; k++) {
            const struct line *l = &access_lines[k];

            if (strcmp(l->name, r->name) != 0)
                continue;
            any = true;
            works |= l->elsewhere ||
                     (r->access == ACCESS_ADMIN ? l->admin : l->status[OWNER]) /
                             100 ==
                         2;
            owned |= l->whose != ALL;
        }
        if (!any)
            FAIL("who may call %s?  Say so in access_lines.c.", r->name);
        if (!works)
            FAIL("no line of %s has a request that works", r->name);
        if (is_about_a_thing(r) && !owned)
            FAIL("no line of %s is about a thing of somebody's", r->name);
    }
}

TEST(matrix_has_no_line_without_its_route)
{
    for (size_t k = 0; k < access_lines_n; k++)
        if (route_of(access_lines[k].name)->access != ACCESS_PUBLIC &&
            access_lines[k].status[NOBODY] != 401)
            FAIL("%s needs a name, and its line does not",
                 access_lines[k].name);
}

/* ---- Asking ------------------------------------------------------------- */

/* The text with `id` for every $, and " for every '. */
static void fill(struct buf *b, const char *text, const char *id)
{
    for (const char *p = text; p && *p; p++)
        if (*p == '$')
            buf_add(b, str_c(id));
        else
            buf_add_c(b, (char)(*p == '\'' ? '"' : *p));
}

/* What stands for {name} in a pattern, after the first one. */
static const char *other_thing(struct str name)
{
    static const char *const things[][2] = {
        {"message", ANSWER}, {"userId", "zoe"}, {"n", "1"}, {"version", "1"}};

    for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++)
        if (str_eq(name, str_c(things[i][0])))
            return things[i][1];
    FAIL("what is {%.*s}?  Say so in other_thing().", STR_ARG(name));
}

static void fill_pattern(struct buf *b, const char *pattern, const char *id)
{
    bool first = true;

    for (const char *p = pattern; *p; p++) {
        struct str name = {p + 1, strcspn(p + 1, "}")};

        if (*p != '{') {
            buf_add_c(b, *p);
            continue;
        }
        if (str_eq(name, STR("model")))
            buf_add(b, STR("footnote:"));
        buf_add(b, str_c(first ? id : other_thing(name)));
        first = false;
        p += name.n + 1;
    }
}

static const char *thing_of(const struct canary_site *e, const struct line *l)
{
    if (!l->thing)
        return NOWHERE;
    if (strcmp(l->thing, LINK) == 0)
        return e->link;
    if (strcmp(l->thing, ASSET) == 0)
        return e->asset;
    if (strcmp(l->thing, OWNER_KEY) == 0)
        return e->owner_key;
    if (strcmp(l->thing, OWNER_LOGIN) == 0)
        return e->owner_login;
    if (strcmp(l->thing, OWNER_SHARE) == 0)
        return e->owner_share;
    if (strcmp(l->thing, REVOKED_KEY) == 0)
        return e->headers[REVOKED] + strlen("Authorization: Bearer ");
    return l->thing;
}

static struct answer_to ask(struct canary_site *e, const struct line *l,
                            enum person p, const char *id)
{
    AUTO(buf_free) struct buf path = BUF(FILLED_BYTES_MAX);
    AUTO(buf_free) struct buf body = BUF(FILLED_BYTES_MAX);
    const struct route *r = route_of(l->name);
    struct ask ask = {.method = method_name(r->method),
                      .header = e->headers[p]};

    fill_pattern(&path, r->pattern, id);
    fill(&path, l->query, id);
    ask.path = arena_str(&e->site.arena, buf_str(&path)).p;
    fill(&body, l->body, id);
    if (l->body)
        ask.body = arena_str(&e->site.arena, buf_str(&body));
    return site_ask(&e->site, &ask);
}

static bool may_see(enum whose whose, enum person p)
{
    p = person_like(p);
    return whose == ALL || p == OWNER || p == READING ||
           (whose == OURS && (p == EDITOR || p == READER));
}

/* Calls that ask with a body. */
static bool is_reading(const struct route *r)
{
    return r->method == METHOD_GET || r->access == ACCESS_PUBLIC ||
           strcmp(r->name, "sourcesByMessage") == 0 ||
           strcmp(r->name, "findMarks") == 0;
}

/* What the person is told; 0: nobody asks. */
static int told(const struct line *l, enum person p)
{
    const struct route *r = route_of(l->name);
    int owner = l->status[OWNER];

    if (p == ADMIN && l->admin)
        return l->admin > 0 ? l->admin : 0;
    if (p == READING)
        return owner && !is_reading(r) ? 403 : owner;
    if (p != CONFINED)
        return l->status[person_like(p)];
    if (l->confined)
        return l->confined > 0 ? l->confined : 0;
    return l->whose == ALL ? owner : l->status[STRANGER];
}

/* ---- Checking ----------------------------------------------------------- */

/* All that is wrong is told, not only the first of it. */
static int wrong;
#define WRONG(...) (wrong++, printf(__VA_ARGS__), (void)putchar('\n'))

static void check_canaries(const struct line *l, enum person p, struct str text)
{
    if (text_has(text, MINE) && !may_see(HERS, p))
        WRONG("%s tells the %s of " MINE ": %.*s", l->name, person_names[p],
              STR_ARG(text));
    if (text_has(text, COURSE) && !may_see(OURS, p))
        WRONG("%s tells the %s of " COURSE ": %.*s", l->name, person_names[p],
              STR_ARG(text));
}

static void check_same(const struct line *l, enum person p, struct str got,
                       struct str missing)
{
    if (!str_eq(got, missing))
        WRONG("%s: the %s is told of a thing that is there\n%.*s\nand of one "
              "that is not\n%.*s",
              l->name, person_names[p], STR_ARG(got), STR_ARG(missing));
}

static void check_one(struct canary_site *e, const struct line *l,
                      enum person p)
{
    const char *id = thing_of(e, l);
    struct answer_to got = ask(e, l, p, id), none;
    int want = told(l, p);

    if (got.status != want)
        WRONG("%s of %s: the %s gets %d, not %d: %.*s", l->name, id,
              person_names[p], got.status, want, STR_ARG(got.body));
    check_canaries(l, p, mask_ids(&e->site, got.body, id));
    check_canaries(l, p, mask_ids(&e->site, got.headers, id));
    if (!l->thing || may_see(l->whose, p))
        return;
    none = ask(e, l, p, NOWHERE);
    if (none.status != got.status || !str_eq(none.type, got.type))
        WRONG("%s: the %s gets %d %.*s, and %d %.*s when it is not there",
              l->name, person_names[p], got.status, STR_ARG(got.type),
              none.status, STR_ARG(none.type));
    check_same(l, p, mask_ids(&e->site, got.body, id),
               mask_ids(&e->site, none.body, NOWHERE));
}

/* What the owner reads of the thing; absent when nothing reads it.  If it is
 * gone, this is an error, and no two of them are alike. */
static struct str read_thing(struct canary_site *e, const struct line *l)
{
    AUTO(buf_free) struct buf path = BUF(FILLED_BYTES_MAX);
    const struct route *r = route_of(l->name);
    struct ask ask = {.method = "GET", .header = e->headers[OWNER]};

    if (l->whose == ALL || r->method == METHOD_GET)
        return STR_NONE;
    fill(&path, l->read, thing_of(e, l));
    for (size_t i = 0; i < api_routes_n && !path.n; i++)
        if (api_routes[i].method == METHOD_GET && strchr(r->pattern, '{') &&
            strcmp(api_routes[i].pattern, r->pattern) == 0)
            fill_pattern(&path, r->pattern, thing_of(e, l));
    if (!path.n)
        return STR_NONE;
    ask.path = arena_str(&e->site.arena, buf_str(&path)).p;
    return site_ask(&e->site, &ask).body;
}

static void check_line(struct canary_site *e, const struct line *l)
{
    struct str before = read_thing(e, l), after;

    for (int p = ALL_PEOPLE - 1; p >= 0; p--)
        if (!may_see(l->whose, (enum person)p) && told(l, (enum person)p))
            check_one(e, l, (enum person)p);
    after = read_thing(e, l);
    if (!str_eq(before, after))
        WRONG("%s changed what is not theirs\n%.*s\n%.*s", l->name,
              STR_ARG(before), STR_ARG(after));
    for (int p = ALL_PEOPLE - 1; p >= 0; p--)
        if (may_see(l->whose, (enum person)p) && told(l, (enum person)p))
            check_one(e, l, (enum person)p);
}

/* ---- The tests ---------------------------------------------------------- */

CONTRACT_LIMIT(matrix_nobody_is_told_what_is_not_theirs, 180)
{
    AUTO(canary_site_close) struct canary_site e = {.up = NULL};

    canary_site_open(&e);
    for (size_t i = 0; i < access_lines_n; i++) {
        if (strcmp(access_lines[i].name, "stopChat") == 0)
            CHECK(canary_site_turn_runs(&e)); /* whatever the others tried */
        check_line(&e, &access_lines[i]);
    }
    CHECK_INT(wrong, 0);
}

/* Pixels hold no words, and neither do counts. */
static bool is_readable(const struct line *l)
{
    return strcmp(l->name, "getPagePicture") != 0 &&
           strcmp(l->name, "deleteVersions") != 0;
}

/* The canaries are where the table believes them to be. */
CONTRACT_LIMIT(matrix_the_owner_sees_a_canary_in_all_she_reads, 120)
{
    AUTO(canary_site_close) struct canary_site e = {.up = NULL};

    canary_site_open(&e);
    for (size_t i = 0; i < access_lines_n; i++) {
        const struct line *l = &access_lines[i];
        struct answer_to a;

        if (l->whose == ALL || l->status[OWNER] != 200 || l->body ||
            !is_readable(l))
            continue;
        a = ask(&e, l, OWNER, l->thing);
        if (!text_has(a.body, MINE) && !text_has(a.body, COURSE))
            WRONG("%s of %s has no canary: %d %.*s", l->name, l->thing,
                  a.status, STR_ARG(a.body));
    }
    CHECK_INT(wrong, 0);
}

/* So is the turn that runs: who may watch it sees it. */
CONTRACT(matrix_the_owner_watches_her_turn)
{
    AUTO(canary_site_close) struct canary_site e = {.up = NULL};
    AUTO(client_close) struct client c;

    canary_site_open(&e);
    client_open(&c, e.site.served.port);
    client_send(&c, arena_printf(&e.site.arena,
                                 "GET /api/chat/" RUNNING
                                 "/stream HTTP/1.1\r\nHost: localhost\r\n%s"
                                 "\r\n\r\n",
                                 e.headers[OWNER]));
    while (!text_has(buf_str(&c.in), "It says " MINE))
        CHECK(client_read(&c, test_wait_ms()) > 0);
}
