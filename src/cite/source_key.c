/* source_key.c - the key under which equal sources meet.
 *
 * Old keys are stored, so a rule here is never changed: tests/cite/keys.tsv
 * holds them, for other programs as well. */
#include "cite/source.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>

static bool filled(struct str s)
{
    return s.p && s.n;
}

bool source_makes_key(const struct source *s)
{
    switch (s->type) {
    case FOOTNOTE_SLIDE:
        return filled(s->document) && s->has_page && s->page >= 1;
    case FOOTNOTE_LECTURE: return filled(s->lecture);
    case FOOTNOTE_JOURNAL: return filled(s->date) && filled(s->title);
    case FOOTNOTE_WEB: return filled(s->url);
    case FOOTNOTE_IMAGE: return filled(s->s3key);
    case FOOTNOTE_TEXT: return filled(s->document) && s->part >= 1;
    }
    return false;
}

/* The first passage of a page has its key without "#1", as it had before
 * pages were cut into passages. */
static struct str with_part(struct arena *a, struct str key, int64_t part)
{
    if (part < 2)
        return key;
    return arena_printf(a, "%.*s#%" PRId64, STR_ARG(key), part);
}

static enum footnote_rc web_key(struct arena *a, const struct source *s,
                                struct str *out, struct footnote_err *err)
{
    struct sha256 digest;
    char hex[SHA256_HEX + 1];

    TRY(sha256(s->url, &digest, err));
    sha256_hex(&digest, hex);
    *out = with_part(a, arena_printf(a, "web_%s", hex), s->part);
    return FOOTNOTE_OK;
}

static enum footnote_rc made_key(struct arena *a, const struct source *s,
                                 struct str *out, struct footnote_err *err)
{
    assert(source_makes_key(s));
    switch (s->type) {
    case FOOTNOTE_SLIDE:
        *out = arena_printf(a, "doc_%.*s_slide_%" PRId64, STR_ARG(s->document),
                            s->page);
        break;
    case FOOTNOTE_LECTURE: /* "%.0f", unlike a cast, takes every double */
        *out = arena_printf(a, "lec_%.*s_%.0f_%.0f", STR_ARG(s->lecture),
                            s->has_start ? floor(s->start) : 0.0,
                            s->has_end ? floor(s->end) : 0.0);
        break;
    case FOOTNOTE_JOURNAL:
        *out = with_part(a,
                         arena_printf(a, "journal_%.*s:%.*s", STR_ARG(s->date),
                                      STR_ARG(s->title)),
                         s->part);
        break;
    case FOOTNOTE_WEB: return web_key(a, s, out, err);
    case FOOTNOTE_IMAGE:
        *out = arena_printf(a, "img_%.*s", STR_ARG(s->s3key));
        break;
    case FOOTNOTE_TEXT:
        *out = arena_printf(a, "text_%.*s_%" PRId64, STR_ARG(s->document),
                            s->part);
        break;
    }
    return FOOTNOTE_OK;
}

enum footnote_rc source_key(struct arena *a, const struct source *s,
                            struct str *out, struct footnote_err *err)
{
    if (source_makes_key(s))
        TRY(made_key(a, s, out, err));
    else if (s->id.p)
        *out = arena_str(a, s->id);
    else
        return err_set(err, FOOTNOTE_INVALID,
                       "a source needs an id, or the fields that make one");
    return arena_rc(a, err);
}
