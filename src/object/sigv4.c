/* sigv4.c - makes signatures, and puts them into a header or a query.
 *
 *     canonical request --sha256--> text to sign --HMAC--> signature
 *     secret --HMAC date--HMAC region--HMAC service--HMAC "aws4_request"--> key
 */
#include "object/sigv4.h"

#include <assert.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>

#include "base/clock.h"

#define ALGORITHM "AWS4-HMAC-SHA256"
#define UNSIGNED  "UNSIGNED-PAYLOAD"

enum { DAY = 8, SCOPE_BYTES_MAX = 256, NUMBER_MAX = 24 };

/* ---- Text --------------------------------------------------------------- */

void sigv4_add(struct sigv4_pairs *p, struct str name, struct str value)
{
    assert(p->n < SIGV4_PAIRS_MAX);
    p->items[p->n++] = (struct sigv4_pair){name, value};
}

/* Insertion sort: there is only a handful. */
static void sort_pairs(struct sigv4_pairs *p)
{
    for (size_t i = 1; i < p->n; i++)
        for (size_t j = i;
             j > 0 && str_cmp(p->items[j - 1].name, p->items[j].name) > 0;
             j--) {
            struct sigv4_pair t = p->items[j];

            p->items[j] = p->items[j - 1];
            p->items[j - 1] = t;
        }
}

static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
           c == '~';
}

void sigv4_encode(struct buf *b, struct str s, bool keep_slashes)
{
    static const char digits[] = "0123456789ABCDEF";

    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];

        if (is_unreserved(s.p[i]) || (keep_slashes && c == '/')) {
            buf_add_c(b, s.p[i]);
            continue;
        }
        buf_add_c(b, '%');
        buf_add_c(b, digits[c >> 4]);
        buf_add_c(b, digits[c & 15]);
    }
}

void sigv4_query(struct buf *b, struct sigv4_pairs *query)
{
    sort_pairs(query);
    for (size_t i = 0; i < query->n; i++) {
        if (i)
            buf_add_c(b, '&');
        sigv4_encode(b, query->items[i].name, false);
        buf_add_c(b, '=');
        sigv4_encode(b, query->items[i].value, false);
    }
}

/* 2026-02-26T20:15:00.123Z without signs and milliseconds. */
void sigv4_date(int64_t time_ms, char out[SIGV4_DATE + 1])
{
    char text[CLOCK_TEXT + 1];
    size_t n = 0;

    clock_text(time_ms, text);
    for (size_t i = 0; i < CLOCK_TEXT - 5; i++) /* up to the milliseconds */
        if (text[i] != '-' && text[i] != ':')
            out[n++] = text[i];
    out[n++] = 'Z';
    assert(n == SIGV4_DATE);
    out[n] = '\0';
}

/* ---- The canonical request ---------------------------------------------- */

static void add_signed_names(struct buf *b, const struct sigv4_pairs *headers)
{
    for (size_t i = 0; i < headers->n; i++) {
        if (i)
            buf_add_c(b, ';');
        buf_add(b, headers->items[i].name);
    }
}

static void add_canonical(struct buf *b, struct sigv4_request *r,
                          struct str payload)
{
    buf_add(b, r->method);
    buf_add_c(b, '\n');
    buf_add(b, r->path);
    buf_add_c(b, '\n');
    sigv4_query(b, &r->query);
    buf_add_c(b, '\n');
    for (size_t i = 0; i < r->headers.n; i++) {
        buf_add(b, r->headers.items[i].name);
        buf_add_c(b, ':');
        buf_add(b, r->headers.items[i].value);
        buf_add_c(b, '\n');
    }
    buf_add_c(b, '\n');
    add_signed_names(b, &r->headers);
    buf_add_c(b, '\n');
    buf_add(b, payload);
}

/* ---- The signature ------------------------------------------------------ */

static bool hmac(struct str key, struct str text, struct sha256 *out)
{
    unsigned n = 0;

    return HMAC(EVP_sha256(), key.p, (int)key.n, (const uint8_t *)text.p,
                text.n, out->b, &n) &&
           n == SHA256_BYTES;
}

static struct str digest_bytes(const struct sha256 *d)
{
    return (struct str){(const char *)d->b, SHA256_BYTES};
}

static bool signing_key(const struct sigv4_keys *k, struct str day,
                        struct sha256 *out)
{
    AUTO(buf_free) struct buf first = BUF(SIGV4_BYTES_MAX);
    struct sha256 by_day, by_region, by_service;
    bool ok;

    buf_add(&first, STR("AWS4"));
    buf_add(&first, k->secret);
    ok = buf_rc(&first, NULL) == FOOTNOTE_OK &&
         hmac(buf_str(&first), day, &by_day) &&
         hmac(digest_bytes(&by_day), k->region, &by_region) &&
         hmac(digest_bytes(&by_region), STR("s3"), &by_service) &&
         hmac(digest_bytes(&by_service), STR("aws4_request"), out);
    if (first.p)
        explicit_bzero(first.p, first.n);
    return ok;
}

struct signing {
    char date[SIGV4_DATE + 1];
    char scope[SCOPE_BYTES_MAX];
    char hex[SHA256_HEX + 1];
};

static enum footnote_rc begin_signing(const struct sigv4_keys *k,
                                      int64_t time_ms, struct signing *s,
                                      struct footnote_err *err)
{
    int n;

    sigv4_date(time_ms, s->date);
    n = snprintf(s->scope, sizeof(s->scope), "%.*s/%.*s/s3/aws4_request", DAY,
                 s->date, STR_ARG(k->region));
    return n > 0 && (size_t)n < sizeof(s->scope)
               ? FOOTNOTE_OK
               : err_set(err, FOOTNOTE_INVALID, "region: is too long");
}

static enum footnote_rc make_signature(const struct sigv4_keys *k,
                                       struct sigv4_request *r,
                                       struct str payload, struct signing *s,
                                       struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(SIGV4_BYTES_MAX);
    struct sha256 digest, key, signature;
    char hex[SHA256_HEX + 1];

    add_canonical(&b, r, payload);
    TRY(buf_rc(&b, err));
    TRY(sha256(buf_str(&b), &digest, err));
    sha256_hex(&digest, hex);
    buf_reset(&b);
    buf_printf(&b, ALGORITHM "\n%s\n%s\n%s", s->date, s->scope, hex);
    TRY(buf_rc(&b, err));
    if (!signing_key(k, (struct str){s->date, DAY}, &key) ||
        !hmac(digest_bytes(&key), buf_str(&b), &signature))
        return err_set(err, FOOTNOTE_NOMEM, "signing a request");
    sha256_hex(&signature, s->hex);
    explicit_bzero(&key, sizeof(key));
    return FOOTNOTE_OK;
}

/* ---- Where it goes ------------------------------------------------------ */

enum footnote_rc sigv4_authorize(const struct sigv4_keys *k,
                                 struct sigv4_request *r, struct str payload,
                                 struct buf *out, struct footnote_err *err)
{
    struct signing s;

    TRY(begin_signing(k, r->time_ms, &s, err));
    sigv4_add(&r->headers, STR("host"), r->host);
    sort_pairs(&r->headers);
    TRY(make_signature(k, r, payload, &s, err));
    buf_printf(out,
               ALGORITHM " Credential=%.*s/%s, SignedHeaders=", STR_ARG(k->id),
               s.scope);
    add_signed_names(out, &r->headers);
    buf_printf(out, ", Signature=%s", s.hex);
    return buf_rc(out, err);
}

enum footnote_rc sigv4_presign(const struct sigv4_keys *k,
                               struct sigv4_request *r, int64_t seconds,
                               struct buf *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf credential = BUF(SIGV4_BYTES_MAX);
    struct sigv4_pairs *q = &r->query;
    char expires[NUMBER_MAX];
    struct signing s;

    assert(seconds > 0);
    TRY(begin_signing(k, r->time_ms, &s, err));
    buf_printf(&credential, "%.*s/%s", STR_ARG(k->id), s.scope);
    TRY(buf_rc(&credential, err));
    snprintf(expires, sizeof(expires), "%lld", (long long)seconds);
    sigv4_add(q, STR("X-Amz-Algorithm"), STR(ALGORITHM));
    sigv4_add(q, STR("X-Amz-Content-Sha256"), STR(UNSIGNED));
    sigv4_add(q, STR("X-Amz-Credential"), buf_str(&credential));
    sigv4_add(q, STR("X-Amz-Date"), str_c(s.date));
    sigv4_add(q, STR("X-Amz-Expires"), str_c(expires));
    if (k->token.n)
        sigv4_add(q, STR("X-Amz-Security-Token"), k->token);
    sigv4_add(q, STR("X-Amz-SignedHeaders"), STR("host"));
    sigv4_add(&r->headers, STR("host"), r->host);
    TRY(make_signature(k, r, STR(UNSIGNED), &s, err));
    sigv4_add(q, STR("X-Amz-Signature"), str_c(s.hex));
    sigv4_query(out, q);
    return buf_rc(out, err);
}
