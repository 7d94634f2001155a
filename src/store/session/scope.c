/* scope.c - what a key is confined to. */
#include "store/session/scope.h"

#include "base/utf8.h"
#include "store/check.h"

enum { SCOPE_BYTES_MAX = SCOPE_COURSES_MAX * (STORE_ID_BYTES_MAX + 1) + 16 };

enum footnote_rc scope_make(struct arena *a, bool read_only,
                            const struct str *courses, size_t n,
                            struct str *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(SCOPE_BYTES_MAX);

    *out = STR_NONE;
    if (n > SCOPE_COURSES_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "courses", "%zu, at most %d", n,
                         SCOPE_COURSES_MAX);
    if (!read_only && n == 0)
        return FOOTNOTE_OK;
    buf_add(&b, read_only ? STR("read") : STR("write"));
    for (size_t i = 0; i < n; i++) {
        if (!id_can_be(courses[i]) || !utf8_is_name(courses[i]))
            return err_field(err, FOOTNOTE_INVALID, "courses",
                             "one of them cannot be a course");
        buf_add_c(&b, '\n');
        buf_add(&b, courses[i]);
    }
    TRY(buf_rc(&b, err));
    *out = arena_str(a, buf_str(&b));
    return arena_rc(a, err);
}

bool scope_reads_only(struct str scope)
{
    return str_starts(scope, STR("read"));
}

bool scope_confines(struct str scope)
{
    return str_find(scope, '\n') < scope.n;
}

bool scope_next(struct str *rest, struct str *course)
{
    size_t at = str_find(*rest, '\n');

    if (at == rest->n)
        return false;
    *rest = str_skip(*rest, at + 1);
    *course = (struct str){rest->p, str_find(*rest, '\n')};
    return true;
}

bool scope_has(struct str scope, struct str course)
{
    struct str rest = scope, one;

    if (!scope_confines(scope))
        return true;
    while (scope_next(&rest, &one))
        if (str_eq(one, course))
            return true;
    return false;
}
