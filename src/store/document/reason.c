/* reason.c - the table of why documents could not be read. */
#include "store/document/reason.h"

#include <assert.h>

static const struct {
    const char *code;
    enum footnote_rc rc;
} reasons[REASONS_N] = {
#define ROW(name, rc_, code_) [REASON_##name] = {code_, FOOTNOTE_##rc_},
    READ_REASONS(ROW)
#undef ROW
};

const char *reason_code(enum read_reason r)
{
    assert((unsigned)r < REASONS_N);
    return reasons[r].code;
}

enum footnote_rc reason_rc(enum read_reason r)
{
    assert((unsigned)r < REASONS_N);
    return reasons[r].rc;
}

enum footnote_rc refuse_as(struct footnote_err *err, enum read_reason r,
                           const char *sentence)
{
    err_put(err, reason_rc(r), "%s", sentence);
    err_about(err, "%s", reason_code(r));
    return reason_rc(r);
}

enum read_reason reason_by_code(struct str code)
{
    enum read_reason r = 0;

    while (r < REASONS_N && !str_eq(code, str_c(reasons[r].code)))
        r++;
    return r;
}

enum read_reason reason_of(const struct footnote_err *err)
{
    enum read_reason r = reason_by_code(str_c(err->field));

    if (r != REASONS_N)
        return r;
    if (err->rc == FOOTNOTE_INVALID)
        return REASON_UNREADABLE;
    if (err->rc == FOOTNOTE_TOOBIG || err->rc == FOOTNOTE_QUOTA)
        return REASON_TOO_LARGE;
    return err->rc == FOOTNOTE_DAMAGED ? REASON_FILE_CHANGED : REASON_SERVER;
}
