/* shared.c - what the link of a share shows, without an account: GET /s/...
 *
 * Each view reads the conversation anew, as the one who shared it: what that
 * one may not read any more is gone.  A link that is over, was ended or never
 * was is answered alike. */
#include "base/clock.h"
#include "export/frozen.h"
#include "http/api/calls.h"
#include "http/api/files.h"
#include "http/call/caller.h"
#include "http/call/services.h"
#include "http/core/net.h"
#include "http/core/text.h"
#include "ingest/pdf/page.h"
#include "store/document/document.h"
#include "store/read/history.h"

enum { SHARED_BYTES_MAX = 32 * 1024 * 1024, POLICY_BYTES_MAX = 512 };

/* ---- Answers ------------------------------------------------------------ */

/* The language that comes first; English for others. */
static bool is_spanish(const struct request *r)
{
    return str_starts(request_header(r, STR("accept-language")), STR("es"));
}

static void add_headers(struct request *r)
{
    AUTO(buf_free) struct buf policy = BUF(POLICY_BYTES_MAX);

    if (frozen_policy(&policy, NULL) == FOOTNOTE_OK)
        reply_header(r, STR("Content-Security-Policy"), buf_str(&policy));
    reply_header(r, STR("X-Robots-Tag"), STR("noindex, nofollow, noarchive"));
    reply_header(r, STR("Referrer-Policy"), STR("no-referrer"));
    reply_header(r, STR("Vary"), STR("Accept-Language"));
    r->reply.no_store = true;
}

static void send_page(struct request *r, int status, struct buf *b)
{
    struct str text = arena_str(&r->arena, buf_str(b));

    if (buf_rc(b, NULL) != FOOTNOTE_OK || !text.p) {
        call_no_memory(r);
        return;
    }
    add_headers(r);
    reply_text(r, status, STR("text/html; charset=utf-8"), text);
}

static void reply_ended(struct request *r)
{
    AUTO(buf_free) struct buf b = BUF(SHARED_BYTES_MAX);

    (void)frozen_ended(&b, is_spanish(r), NULL);
    send_page(r, 404, &b);
}

/* ---- What it shows ------------------------------------------------------ */

/* From its question on, when it is one answer; nothing after the last. */
static bool cut(const struct share *s, struct history *h)
{
    size_t end = 0, from = 0;

    for (size_t i = 0; i < h->messages_n; i++)
        if (str_eq(h->messages[i].id, s->message))
            end = i + 1;
    if (s->single && end)
        for (from = end - 1; from > 0; from--)
            if (h->messages[from].role == FOOTNOTE_USER)
                break;
    h->messages += from;
    h->messages_n = end - from;
    return end > 0;
}

static bool read_shared(struct request *r, struct share *s, struct history *h)
{
    struct share_find find = {.token = r->params[0], .now_ms = clock_wall_ms()};
    struct store *st = services(r)->store;
    struct footnote_err err;
    enum footnote_rc rc =
        store_own_read(st, &r->arena, OP(share_find), &find, &err);

    *s = find.share;
    *h = (struct history){
        .session = s->session, .at = s->message, .settled = true};
    if (rc == FOOTNOTE_OK)
        rc = store_read(st, (struct who){s->tenant, s->user}, &r->arena,
                        OP(history), h, &err);
    if (rc == FOOTNOTE_OK && cut(s, h))
        return true;
    if (rc == FOOTNOTE_OK || rc == FOOTNOTE_NOTFOUND)
        reply_ended(r);
    else
        call_failed(r, rc, &err, "share");
    return false;
}

static void page_work(struct request *r)
{
    AUTO(buf_free) struct buf b = BUF(SHARED_BYTES_MAX);
    struct footnote_err err;
    struct history h;
    struct share s;
    struct frozen f = {
        .share = &s, .token = r->params[0], .spanish = is_spanish(r)};
    enum footnote_rc rc;

    if (!read_shared(r, &s, &h))
        return;
    f.title = h.head.title;
    if (s.single && h.messages[0].role == FOOTNOTE_USER)
        f.title = h.messages[0].content;
    f.messages = h.messages;
    f.messages_n = h.messages_n;
    rc = frozen_page(&b, &r->arena, &f, &err);
    if (rc == FOOTNOTE_OK)
        send_page(r, 200, &b);
    else
        call_failed(r, rc, &err, "share");
}

void shared_page(struct request *r)
{
    r->share = net_client_hash(str_c(caller(r)->client));
    request_work(r, page_work);
}

/* ---- Pictures and files ------------------------------------------------- */

/* A reference by the number of its message in the page, and its own. */
static const struct reference *find_reference(struct request *r,
                                              const struct history *h)
{
    int64_t message, number;

    if (!str_i64(r->params[1], &message) || message < 1 ||
        (uint64_t)message > h->messages_n || !str_i64(r->params[2], &number))
        return NULL;
    for (size_t i = 0; i < h->messages[message - 1].sources_n; i++) {
        const struct reference *ref = &h->messages[message - 1].sources[i];

        if (ref->number == number)
            return ref;
    }
    return NULL;
}

/* In the version that was cited, as the one who shared it. */
static bool open_document(struct request *r, const struct share *s,
                          const struct reference *ref, struct document *out)
{
    struct document_get get = {
        .id =
            ref->source.document.n ? ref->source.document : ref->source.lecture,
        .course = ref->source.course.n ? ref->source.course : STR_NONE,
        .version = ref->version};
    struct footnote_err err;

    if (store_read(services(r)->store, (struct who){s->tenant, s->user},
                   &r->arena, OP(document_get), &get, &err) == FOOTNOTE_OK) {
        *out = get.document;
        return true;
    }
    reply_ended(r);
    return false;
}

static bool find_document(struct request *r, bool file, struct document *d,
                          int64_t *page)
{
    const struct reference *ref;
    struct history h;
    struct share s;

    if (!read_shared(r, &s, &h))
        return false;
    ref = find_reference(r, &h);
    if (!ref ||
        (file ? !s.files || !frozen_has_file(ref) : !frozen_has_page(ref))) {
        reply_ended(r);
        return false;
    }
    *page = ref->source.page;
    return open_document(r, &s, ref, d);
}

static void picture_work(struct request *r)
{
    AUTO(buf_free) struct buf png = BUF(PAGE_PICTURE_BYTES_MAX);
    struct document d;
    int64_t page;
    struct str text;

    if (!find_document(r, false, &d, &page))
        return;
    if (!document_has_pages(&d)) {
        reply_ended(r);
        return;
    }
    if (!page_paint(r, &d, page, 1, &png))
        return;
    text = arena_str(&r->arena, buf_str(&png));
    if (!text.p) {
        call_no_memory(r);
        return;
    }
    add_headers(r);
    reply_text(r, 200, STR("image/png"), text);
}

void shared_picture(struct request *r)
{
    r->share = net_client_hash(str_c(caller(r)->client));
    request_work_slow(r, picture_work);
}

static void file_work(struct request *r)
{
    struct document d;
    int64_t page;

    if (!find_document(r, true, &d, &page))
        return;
    if (!d.object_key.p) {
        reply_ended(r);
        return;
    }
    r->reply.no_store = true;
    reply_header(r, STR("X-Robots-Tag"), STR("noindex, nofollow, noarchive"));
    reply_object(
        r, &(struct object_out){.key = d.object_key,
                                .bytes = d.bytes,
                                .digest = &d.digest,
                                .type = d.media_type.p
                                            ? d.media_type
                                            : STR("application/octet-stream"),
                                .attachment = true,
                                .filename = d.filename});
}

void shared_file(struct request *r)
{
    r->share = net_client_hash(str_c(caller(r)->client));
    request_work_then(r, file_work, NULL);
}
