/* history.c - GET .../messages and the session with its history.
 *
 * The hot path: ask for the versions, and send the bytes that were made before.
 * Else read, write JSON into one buffer, and keep it. */
#include <assert.h>

#include "http/api/history_cache.h"

#include "http/api/calls.h"
#include "http/api/pictures.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/core/text.h"
#include "http/shape/cursor.h"
#include "http/shape/shape.h"
#include "store/read/history.h"
#include "store/session/scope.h"

enum {
    FORM_DETAIL = 4, /* the first ones are enum shape_as */
    FORM_LIGHT = 8,
    FORM_REPLACED = 16,
    FORM_GZIP = 32,
    GZIP_BYTES_MIN = 1024,
    TAG_TEXT_BYTES = 1024
};

struct history_ask {
    struct history op;
    enum shape_as as;
    bool detail; /* the session's own page */
    bool whole;  /* neither limit nor cursor nor at: it may be kept */
    bool gzip;   /* the client accepts it */
};

/* check_versions() */
_Static_assert((int)TOGETHER_MAX <= (int)VERSIONS_MAX,
               "one round asks for them all");

static unsigned form_of(const struct history_ask *ask)
{
    return (unsigned)ask->as | (ask->detail ? FORM_DETAIL : 0) |
           (ask->op.light ? FORM_LIGHT : 0) |
           (ask->op.replaced ? FORM_REPLACED : 0) | (ask->gzip ? FORM_GZIP : 0);
}

/* ---- From the cache ----------------------------------------------------- */

static void reply_shared(struct request *r, struct shared_body *body,
                         const char *tag)
{
    reply_header(r, STR("ETag"), str_c(tag));
    if (request_has_etag(r, str_c(tag))) {
        shared_body_drop(body);
        reply_empty(r, 304);
        return;
    }
    if (body->n > 2 && body->bytes[0] == '\x1f' && body->bytes[1] == '\x8b')
        reply_header(r, STR("Content-Encoding"), STR("gzip"));
    r->reply.shared = body; /* is dropped when it is sent */
    reply_text(r, 200, STR("application/json"),
               (struct str){body->bytes, body->n});
}

/* The tag is made of what the cache goes by; of the digests of the messages, in
 * case a backup brought old versions back; and of the beginning of the text, to
 * notice that another program wrote it.  All of the text would take as long as
 * writing it. */
static enum footnote_rc make_tag(const struct history_ask *ask, struct str body,
                                 char tag[ETAG_BYTES])
{
    const struct versions *v = &ask->op.versions;
    const int64_t numbers[] = {ask->op.head.key,          v->session_version,
                               v->course_version,         v->docs_version,
                               form_of(ask) & ~FORM_GZIP, (int64_t)body.n};
    struct sha256_ctx *c;
    struct sha256 digest;

    TRY(sha256_open(&c, NULL));
    sha256_begin(c);
    sha256_add(c, (struct str){(const char *)numbers, sizeof(numbers)});
    for (size_t i = 0; i < ask->op.messages_n; i++)
        sha256_add(c, (struct str){(const char *)ask->op.messages[i].digest.b,
                                   SHA256_BYTES});
    if (body.n > TAG_TEXT_BYTES)
        body.n = TAG_TEXT_BYTES;
    sha256_add(c, body);
    sha256_end(c, &digest);
    sha256_close(c);
    etag_of_digest(&digest, tag);
    return FOOTNOTE_OK;
}

/* A body to share, and its tag; NULL when there is no memory. */
static struct shared_body *make_shared(struct request *r,
                                       const struct history_ask *ask,
                                       struct buf *b, char tag[ETAG_BYTES])
{
    AUTO(buf_free) struct buf small = BUF(b->max);
    struct str packed = STR_NONE;

    if (buf_rc(b, NULL) != FOOTNOTE_OK ||
        make_tag(ask, buf_str(b), tag) != FOOTNOTE_OK)
        return NULL;
    if (ask->gzip && b->n >= GZIP_BYTES_MIN)
        packed = text_gzip(&r->arena, buf_str(b));
    if (packed.p && packed.n < b->n)
        buf_add(&small, packed);
    return shared_body_new(small.n ? &small : b);
}

/* ---- From the store ----------------------------------------------------- */

/* Pages before the first one shown. */
static struct str next_cursor(struct request *r, const struct history *h)
{
    if (!h->more || h->messages_n == 0)
        return STR_NONE;
    return cursor_text(r, 'm', h->messages[0].id);
}

/* A cursor whose message is not in this session was not made by this list. */
static bool read_history(struct request *r, struct history_ask *ask)
{
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = store_read(services(r)->store, caller(r)->who,
                                     &r->arena, OP(history), &ask->op, &err);

    if (rc == FOOTNOTE_NOTFOUND && ask->op.before.p && !ask->op.at.p &&
        strcmp(err.field, "message") == 0)
        cursor_refuse(r);
    else if (rc != FOOTNOTE_OK)
        call_failed(r, rc, &err, "session");
    return rc == FOOTNOTE_OK;
}

/* An answer with links is made each time, and no cache keeps it. */
static void answer_state(struct request *r, struct history_ask *ask)
{
    struct buf b = BUF(REPLY_BYTES_MAX);
    const struct picture_link *links =
        picture_links(r, ask->op.messages, ask->op.messages_n);

    if (!links)
        return;
    shape_history(&b, &ask->op, ask->as, links, next_cursor(r, &ask->op));
    if (r->reply.no_store)
        reply_json(r, 200, &b);
    else
        reply_cached(r, &b);
}

static struct history_key key_of(const struct request *r,
                                 const struct history_ask *ask)
{
    return (struct history_key){.who = caller(r)->who,
                                .session = ask->op.session,
                                .form = form_of(ask)};
}

/* The rows lie in the arena; their JSON is seldom longer. */
static void write_body(const struct request *r, const struct history_ask *ask,
                       struct str next, struct buf *b)
{
    if (r->arena.used_bytes < b->max)
        (void)buf_room(b, r->arena.used_bytes);
    if (ask->detail)
        shape_detail(b, &ask->op);
    else
        shape_history(b, &ask->op, ask->as, NULL, next);
}

/* The history that was read tells its own versions. */
static void answer(struct request *r)
{
    struct history_ask *ask = r->state;
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct history_key key;
    char tag[ETAG_BYTES];
    struct shared_body *body = NULL;

    if (ask->as == SHAPE_STATE && !ask->detail) {
        answer_state(r, ask);
        return;
    }
    write_body(r, ask, next_cursor(r, &ask->op), &b);
    /* A running answer grows without a new version. */
    if (ask->whole && !ask->op.head.running)
        body = make_shared(r, ask, &b, tag);
    if (!body) {
        reply_cached(r, &b);
        return;
    }
    buf_free(&b);
    key = key_of(r, ask);
    key.versions = ask->op.versions;
    history_cache_put(services(r)->history_cache, &key, body, tag);
    reply_shared(r, body, tag);
}

static void read_work(struct request *r)
{
    if (read_history(r, r->state))
        answer(r);
}

/* Answers with the body that was made before, if its versions are those. */
static bool answer_kept(struct request *r, const struct versions *now)
{
    struct history_key key = key_of(r, r->state);
    char tag[ETAG_BYTES];
    struct shared_body *body;

    key.versions = *now;
    body = history_cache_get(services(r)->history_cache, &key, tag);
    if (body)
        reply_shared(r, body, tag);
    return body != NULL;
}

static struct version_ask version_ask(const struct request *r)
{
    const struct history_ask *ask = r->state;

    return (struct version_ask){.who = caller(r)->who,
                                .versions.session = ask->op.session};
}

/* No body is kept, or it is out of date. */
static void read_in_worker(struct request *r)
{
    request_work(r, read_work);
}

/* Asks for the versions of all requests that wait, in one round trip. */
static void check_versions(struct request **list, size_t n)
{
    struct version_ask asks[TOGETHER_MAX];

    assert(n > 0 && n <= TOGETHER_MAX);
    for (size_t i = 0; i < n; i++)
        asks[i] = version_ask(list[i]);
    store_versions(services(list[0])->store, asks, n, true);
    for (size_t i = 0; i < n; i++)
        if (asks[i].rc != FOOTNOTE_OK)
            call_failed(list[i], asks[i].rc, &asks[i].err, "session");
        else
            (void)answer_kept(list[i], &asks[i].versions);
}

/* On the loop, where nothing may wait: a point read of a file costs less than
 * the way to another thread and back. */
static void answer_history(struct request *r, struct history_ask *ask)
{
    struct history_key key = key_of(r, ask);
    struct version_ask now = version_ask(r);

    /* What a key that is confined may see is made for it alone. */
    ask->whole = ask->whole && !scope_confines(caller(r)->who.scope);
    if (!ask->whole || !history_cache_has(services(r)->history_cache, &key)) {
        read_in_worker(r);
        return;
    }
    store_versions(services(r)->store, &now, 1, false);
    if (now.rc != FOOTNOTE_OK)
        request_work_together(r, check_versions, read_in_worker);
    else if (!answer_kept(r, &now.versions))
        read_in_worker(r);
}

/* ---- The calls ---------------------------------------------------------- */

static bool read_at(struct request *r, struct str *at)
{
    *at = request_query(r, STR("at"));
    if (!at->p || (at->n >= 1 && at->n <= STORE_ID_BYTES_MAX))
        return true;
    reply_invalid(r, STR_NONE, "at: is the id of a message");
    return false;
}

static bool read_ask(struct request *r, struct history_ask *ask)
{
    static const char *const forms[] = {"ui", "rows", "state", NULL};
    static const char *const light[] = {"light", NULL};
    static const char *const all[] = {"all", NULL};
    int form, fields, versions;

    if (!call_word(r, STR("as"), forms, &form) ||
        !call_word(r, STR("fields"), light, &fields) ||
        !call_word(r, STR("versions"), all, &versions) ||
        !read_at(r, &ask->op.at) ||
        !request_limit(r, 0, PAGE_MAX, &ask->op.limit) ||
        !cursor_read_text(r, 'm', &ask->op.before))
        return false;
    ask->as = (enum shape_as)(form + 1);
    ask->op.brief = ask->op.settled = ask->as == SHAPE_UI;
    ask->op.light = fields == 0;
    ask->op.replaced = versions == 0;
    ask->whole = ask->op.limit == 0 && !ask->op.before.p && !ask->op.at.p &&
                 ask->as != SHAPE_STATE;
    return true;
}

static struct history_ask *new_ask(struct request *r)
{
    struct history_ask *ask = call_state(r, sizeof(*ask));

    if (!ask || !call_param(r, 0, "session", &ask->op.session))
        return NULL;
    ask->gzip =
        text_accepts(request_header(r, STR("accept-encoding")), STR("gzip"));
    return ask;
}

void api_messages_list(struct request *r)
{
    struct history_ask *ask = new_ask(r);

    if (ask && read_ask(r, ask))
        answer_history(r, ask);
}

void api_session_read(struct request *r)
{
    struct history_ask *ask = new_ask(r);

    if (!ask)
        return;
    ask->detail = ask->whole = true;
    answer_history(r, ask);
}
