/* source_check.c - refuses what no source may be, before anything is written.
 *
 * Text goes to two databases that disagree about NUL bytes and invalid UTF-8,
 * and numbers to clients that read them as doubles: what passes here comes
 * back the same from both. */
#include "base/json.h"
#include "base/utf8.h"
#include "cite/source_fields.h"
#include <math.h>

#define SECONDS_MAX 9007199254740992.0 /* 2^53 */

/* A tree of 4 KB of JSON; the worst case is a node for every other byte. */
enum { META_TREE_BYTES_MAX = 1024 * 1024 };

static enum footnote_rc check_type(enum footnote_type type,
                                   struct footnote_err *err)
{
    if (!type)
        return err_set(err, FOOTNOTE_INVALID, "sourceType is missing");
    if (!source_type_name(type).p)
        return err_set(err, FOOTNOTE_INVALID,
                       "sourceType is none of slide, lecture, journal, web, "
                       "image, text");
    return FOOTNOTE_OK;
}

static enum footnote_rc check_bytes(const struct source_field *f, size_t n,
                                    struct footnote_err *err)
{
    if (f->is_id && (n == 0 || n > f->bytes_max))
        return err_set(err, FOOTNOTE_INVALID, "%s has %zu bytes, not 1 to %zu",
                       f->name.p, n, f->bytes_max);
    if (n > f->bytes_max)
        return err_set(err, FOOTNOTE_TOOBIG, "%s has %zu bytes, over %zu",
                       f->name.p, n, f->bytes_max);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_text(const struct source_field *f,
                                   struct str text, struct footnote_err *err)
{
    if (!text.p)
        return FOOTNOTE_OK;
    TRY(check_bytes(f, text.n, err));
    if (memchr(text.p, 0, text.n))
        return err_set(err, FOOTNOTE_INVALID, "%s has a NUL byte", f->name.p);
    if (!utf8_valid(text))
        return err_set(err, FOOTNOTE_INVALID, "%s is not valid UTF-8",
                       f->name.p);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_meta(struct str meta, struct footnote_err *err)
{
    if (!meta.p)
        return FOOTNOTE_OK;
    AUTO(arena_free) struct arena a = ARENA(META_TREE_BYTES_MAX);
    struct json *tree;
    enum footnote_rc rc = json_read(&a, meta, &tree, err);
    if (rc != FOOTNOTE_OK) {
        err_prefix(err, "meta");
        return rc;
    }
    if (tree->type != JSON_OBJECT)
        return err_set(err, FOOTNOTE_INVALID, "meta is not a JSON object");
    return FOOTNOTE_OK;
}

static enum footnote_rc check_count(const char *name, int64_t v,
                                    struct footnote_err *err)
{
    if (v < 0)
        return err_set(err, FOOTNOTE_INVALID, "%s is negative", name);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_seconds(const char *name, double v,
                                      struct footnote_err *err)
{
    if (isnan(v))
        return err_set(err, FOOTNOTE_INVALID, "%s is not a number", name);
    if (signbit(v))
        return err_set(err, FOOTNOTE_INVALID, "%s is negative", name);
    if (v > SECONDS_MAX)
        return err_set(err, FOOTNOTE_INVALID, "%s is over 2^53", name);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_numbers(const struct source *s,
                                      struct footnote_err *err)
{
    if (s->has_page)
        TRY(check_count("slideNumber", s->page, err));
    TRY(check_count("part", s->part, err));
    if (s->has_start)
        TRY(check_seconds("startSeconds", s->start, err));
    if (s->has_end)
        TRY(check_seconds("endSeconds", s->end, err));
    if (s->has_start && s->has_end && s->end < s->start)
        return err_set(err, FOOTNOTE_INVALID,
                       "endSeconds is before startSeconds");
    return FOOTNOTE_OK;
}

enum footnote_rc source_check(const struct source *s, struct footnote_err *err)
{
    TRY(check_type(s->type, err));
    for (size_t i = 0; i < SOURCE_FIELDS_N; i++) {
        const struct source_field *f = &source_fields[i];
        TRY(check_text(f, source_field_get(s, f), err));
    }
    TRY(check_meta(s->meta, err));
    TRY(check_numbers(s, err));
    if (!s->id.p && !source_makes_key(s))
        return err_set(err, FOOTNOTE_INVALID,
                       "a source needs an id, or the fields that make one");
    return FOOTNOTE_OK;
}
