/* source_check.c - refuses what no source may be, before anything is written.
 *
 * Text goes to two databases that disagree about NUL bytes and invalid UTF-8,
 * and numbers to clients that read them as doubles: what passes here comes
 * back the same from both. */
#include "base/json.h"
#include "base/utf8.h"
#include "cite/source.h"
#include <math.h>

#define SECONDS_MAX 9007199254740992.0 /* 2^53 */

/* A tree of 4 KB of JSON; the worst case is a node for every other byte. */
enum { OBJECT_TREE_BYTES_MAX = 1024 * 1024 };

static enum footnote_rc check_text(const struct source_field *f,
                                   struct str text, struct footnote_err *err)
{
    if (f->kind == SOURCE_ID && (text.n == 0 || text.n > f->bytes_max))
        return err_set(err, FOOTNOTE_INVALID, "%s has %zu bytes, not 1 to %zu",
                       f->name.p, text.n, f->bytes_max);
    if (text.n > f->bytes_max)
        return err_set(err, FOOTNOTE_TOOBIG, "%s has %zu bytes, over %zu",
                       f->name.p, text.n, f->bytes_max);
    if (memchr(text.p, 0, text.n))
        return err_set(err, FOOTNOTE_INVALID, "%s has a NUL byte", f->name.p);
    if (!utf8_valid(text))
        return err_set(err, FOOTNOTE_INVALID, "%s is not valid UTF-8",
                       f->name.p);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_object(const struct source_field *f,
                                     struct str text, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(OBJECT_TREE_BYTES_MAX);
    struct json *tree;
    enum footnote_rc rc;

    TRY(check_text(f, text, err));
    rc = json_read(&a, text, &tree, err);
    if (rc != FOOTNOTE_OK) {
        err_prefix(err, "%s", f->name.p);
        return rc;
    }
    if (tree->type != JSON_OBJECT)
        return err_set(err, FOOTNOTE_INVALID, "%s is not a JSON object",
                       f->name.p);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_seconds(const struct source_field *f, double v,
                                      struct footnote_err *err)
{
    if (isnan(v))
        return err_set(err, FOOTNOTE_INVALID, "%s is not a number", f->name.p);
    if (signbit(v))
        return err_set(err, FOOTNOTE_INVALID, "%s is negative", f->name.p);
    if (v > SECONDS_MAX)
        return err_set(err, FOOTNOTE_INVALID, "%s is over 2^53", f->name.p);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_field(const struct source_field *f,
                                    const struct source_value *v,
                                    struct footnote_err *err)
{
    if (!v->has)
        return FOOTNOTE_OK;
    switch (f->kind) {
    case SOURCE_ID:
    case SOURCE_TEXT: return check_text(f, v->text, err);
    case SOURCE_OBJECT: return check_object(f, v->text, err);
    case SOURCE_SECONDS: return check_seconds(f, v->seconds, err);
    case SOURCE_WHOLE:
    case SOURCE_COUNT: break;
    }
    if (v->whole < 0)
        return err_set(err, FOOTNOTE_INVALID, "%s is negative", f->name.p);
    return FOOTNOTE_OK;
}

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

/* Passes on a failure, which is about this field. */
static enum footnote_rc about(enum footnote_rc rc, struct str field,
                              struct footnote_err *err)
{
    if (rc != FOOTNOTE_OK)
        err_about(err, "%s", field.p);
    return rc;
}

enum footnote_rc source_check(const struct source *s, struct footnote_err *err)
{
    TRY(about(check_type(s->type, err), STR("sourceType"), err));
    for (size_t i = 0; i < SOURCE_FIELDS_N; i++) {
        const struct source_field *f = &source_fields[i];
        struct source_value v = source_get(s, f);

        TRY(about(check_field(f, &v, err), f->name, err));
    }
    if (s->has_start && s->has_end && s->end < s->start)
        return about(
            err_set(err, FOOTNOTE_INVALID, "endSeconds is before startSeconds"),
            STR("endSeconds"), err);
    if (!s->id.p && !source_makes_key(s))
        return err_set(err, FOOTNOTE_INVALID,
                       "a source needs an id, or the fields that make one");
    return FOOTNOTE_OK;
}
