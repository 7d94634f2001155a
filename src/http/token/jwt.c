/* jwt.c - a token is three parts: which key, what it says, the signature.
 *
 * The header is read first because it names the key.  The claims are not read
 * before the signature is verified. */
#include "http/token/jwt.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "http/core/base64url.h"

struct jwt_parts {
    struct str header, claims, signature; /* as they stand in the token */
    struct str signed_text;               /* header.claims */
};

#define REFUSE(err, why) err_set(err, FOOTNOTE_INVALID, "the token " why)

static enum footnote_rc split(struct str token, struct jwt_parts *p,
                              struct footnote_err *err)
{
    struct str rest;

    if (token.n > JWT_BYTES_MAX)
        return REFUSE(err, "is too large");
    p->header = (struct str){token.p, str_find(token, '.')};
    if (p->header.n == token.n)
        return REFUSE(err, "has one part");
    rest = str_skip(token, p->header.n + 1);
    p->claims = (struct str){rest.p, str_find(rest, '.')};
    if (p->claims.n == rest.n)
        return REFUSE(err, "has two parts");
    p->signature = str_skip(rest, p->claims.n + 1);
    if (str_find(p->signature, '.') != p->signature.n)
        return REFUSE(err, "has more than three parts");
    p->signed_text = (struct str){token.p, p->header.n + 1 + p->claims.n};
    return FOOTNOTE_OK;
}

/* json_read() refuses duplicate names, so all readers see the same token. */
static enum footnote_rc read_object(struct arena *a, struct str part,
                                    struct json **out, struct footnote_err *err)
{
    struct str text;
    enum footnote_rc rc;

    TRY(base64url_read(a, part, &text, err));
    rc = json_read(a, text, out, err);
    if (rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG)
        return REFUSE(err, "has a part that is not JSON");
    TRY(rc);
    if ((*out)->type != JSON_OBJECT)
        return REFUSE(err, "has a part that is no object");
    return FOOTNOTE_OK;
}

/* ---- The key ------------------------------------------------------------ */

static const struct jwt_key *find_key(const struct jwt_keys *keys,
                                      enum jwt_alg alg, struct str kid)
{
    const struct jwt_key *found = NULL;

    for (size_t i = 0; i < keys->n; i++) {
        const struct jwt_key *k = &keys->items[i];

        if (k->alg != alg || (kid.p && !str_eq(k->kid, kid)))
            continue;
        if (found)
            return NULL; /* the token does not say which */
        found = k;
    }
    return found;
}

static enum footnote_rc choose_key(const struct jwt_keys *keys,
                                   const struct json *header,
                                   const struct jwt_key **out,
                                   struct footnote_err *err)
{
    const struct json *alg = json_get(header, STR("alg"));
    const struct json *kid = json_get(header, STR("kid"));
    enum jwt_alg a;

    if (!alg || alg->type != JSON_STR)
        return REFUSE(err, "names no algorithm");
    a = jwt_alg_find(alg->s);
    if (a == JWT_NO_ALG)
        return REFUSE(err, "names an algorithm that is not taken");
    if (json_get(header, STR("crit")))
        return REFUSE(err, "has a critical header that is not understood");
    if (kid && (kid->type != JSON_STR || kid->s.n > JWT_NAME_BYTES_MAX))
        return REFUSE(err, "has a kid that is none");
    *out = find_key(keys, a, kid ? kid->s : STR_NONE);
    if (!*out)
        return err_set(err, FOOTNOTE_NOTFOUND, "the token's key is not known");
    return FOOTNOTE_OK;
}

/* ---- The claims --------------------------------------------------------- */

/* Seconds since 1970, which may have a fraction, as milliseconds. */
static bool read_time(const struct json *j, int64_t *ms)
{
    const int64_t seconds_max = INT64_MAX / 2000;
    double f;

    if (j->type == JSON_I64) {
        if (j->i < -seconds_max || j->i > seconds_max)
            return false;
        *ms = j->i * 1000;
        return true;
    }
    if (j->type != JSON_F64)
        return false;
    f = j->f;
    if (!(f > -(double)seconds_max && f < (double)seconds_max))
        return false;
    *ms = (int64_t)(f * 1000);
    return true;
}

/* exp must be there: a token without an end could never be revoked. */
static enum footnote_rc check_times(const struct json *claims,
                                    struct jwt_claims *out,
                                    struct footnote_err *err)
{
    const struct json *exp = json_get(claims, STR("exp"));
    const struct json *nbf = json_get(claims, STR("nbf"));
    int64_t now = clock_wall_ms(), from;

    if (!exp || !read_time(exp, &out->expires_ms))
        return REFUSE(err, "has no exp");
    if (out->expires_ms + JWT_LEEWAY_MS <= now)
        return REFUSE(err, "has expired");
    if (!nbf)
        return FOOTNOTE_OK;
    if (!read_time(nbf, &from))
        return REFUSE(err, "has an nbf that is no time");
    if (from - JWT_LEEWAY_MS > now)
        return REFUSE(err, "is not valid yet");
    return FOOTNOTE_OK;
}

static bool is_text(const struct json *j, struct str text)
{
    return j && j->type == JSON_STR && str_eq(j->s, text);
}

bool claim_has(const struct json *claim, struct str text)
{
    if (!claim || claim->type != JSON_ARRAY)
        return is_text(claim, text);
    for (const struct json *j = claim->first; j; j = j->next)
        if (is_text(j, text))
            return true;
    return false;
}

bool claim_name(const struct json *j, struct str *out)
{
    if (!j || j->type != JSON_STR || j->s.n == 0 ||
        j->s.n > JWT_NAME_BYTES_MAX || !utf8_is_name(j->s) ||
        str_eq(j->s, STR("*")))
        return false;
    *out = j->s;
    return true;
}

static enum footnote_rc check_claims(const struct json *claims,
                                     const struct jwt_rules *rules,
                                     struct jwt_claims *out,
                                     struct footnote_err *err)
{
    TRY(check_times(claims, out, err));
    if (rules->issuer.p &&
        !is_text(json_get(claims, STR("iss")), rules->issuer))
        return REFUSE(err, "is of another issuer");
    if (rules->audience.p &&
        !claim_has(json_get(claims, STR("aud")), rules->audience))
        return REFUSE(err, "is for another audience");
    if (!claim_name(json_get(claims, STR("sub")), &out->user))
        return REFUSE(err, "has no sub");
    if (rules->tenant_claim.p &&
        !claim_name(json_get(claims, rules->tenant_claim), &out->tenant))
        return REFUSE(err, "has no tenant");
    return FOOTNOTE_OK;
}

enum footnote_rc jwt_verify(const struct jwt_keys *keys,
                            const struct jwt_rules *rules, struct arena *a,
                            struct str token, struct jwt_claims *out,
                            struct footnote_err *err)
{
    struct jwt_parts p;
    struct json *header = NULL, *claims = NULL;
    const struct jwt_key *key = NULL;
    struct str signature;

    *out = (struct jwt_claims){0};
    TRY(split(token, &p, err));
    TRY(read_object(a, p.header, &header, err));
    TRY(choose_key(keys, header, &key, err));
    TRY(base64url_read(a, p.signature, &signature, err));
    if (!jwt_key_verify(key, p.signed_text, signature))
        return REFUSE(err, "is not signed by that key");
    TRY(read_object(a, p.claims, &claims, err));
    out->all = claims;
    return check_claims(claims, rules, out, err);
}
