/* err.c - the sentence of a failure, and the table of codes. */
#include "base/err.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

struct rc_row {
    const char *name, *code, *text;
    int status;
};

#define ROW(id, http, json, meaning)                                           \
    [FOOTNOTE_##id] = {"FOOTNOTE_" #id, json, meaning, http},
static const struct rc_row rc_table[FOOTNOTE_RC_N] = {FOOTNOTE_RC_MAP(ROW)};
#undef ROW

enum { TEXT_BYTES = sizeof(((struct footnote_err *)NULL)->text) };

/* What vsnprintf cut may end inside a character; half of one would make the
 * whole sentence invalid UTF-8. */
static void end_whole(char text[TEXT_BYTES], int wanted_bytes)
{
    assert(wanted_bytes >= 0);
    if (wanted_bytes >= TEXT_BYTES)
        text[utf8_whole((struct str){text, TEXT_BYTES - 1})] = '\0';
}

void err_put(struct footnote_err *err, enum footnote_rc rc, const char *format,
             ...)
{
    /* Written beside and copied, because the arguments may point into err. */
    char text[TEXT_BYTES];
    va_list args;

    assert(rc > FOOTNOTE_OK && rc < FOOTNOTE_RC_N);
    if (!err)
        return;
    va_start(args, format);
    int wanted = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    end_whole(text, wanted);
    err->rc = rc;
    err->field[0] = '\0';
    memcpy(err->text, text, sizeof(text));
}

/* A name that does not fit would name another field: then there is none. */
void err_about(struct footnote_err *err, const char *format, ...)
{
    va_list args;

    if (!err)
        return;
    va_start(args, format);
    int wanted = vsnprintf(err->field, sizeof(err->field), format, args);
    va_end(args);
    if (wanted < 0 || (size_t)wanted >= sizeof(err->field))
        err->field[0] = '\0';
}

void err_put_field(struct footnote_err *err, struct str field)
{
    err_about(err, "%.*s", STR_ARG(field));
    err_prefix(err, "%.*s", STR_ARG(field));
}

void err_prefix(struct footnote_err *err, const char *format, ...)
{
    char context[TEXT_BYTES], text[TEXT_BYTES];
    va_list args;

    if (!err)
        return;
    va_start(args, format);
    int wanted = vsnprintf(context, sizeof(context), format, args);
    va_end(args);
    end_whole(context, wanted);
    wanted = snprintf(text, sizeof(text), "%s: %s", context, err->text);
    end_whole(text, wanted);
    memcpy(err->text, text, sizeof(text));
}

static const struct rc_row *row(enum footnote_rc rc)
{
    assert((unsigned)rc < FOOTNOTE_RC_N);
    return &rc_table[rc];
}

const char *rc_name(enum footnote_rc rc)
{
    return row(rc)->name;
}

int rc_status(enum footnote_rc rc)
{
    return row(rc)->status;
}

const char *rc_code(enum footnote_rc rc)
{
    return row(rc)->code;
}

const char *rc_text(enum footnote_rc rc)
{
    return row(rc)->text;
}
