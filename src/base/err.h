/* err.h - one way to fail: return the code, leave a sentence.  Any thread.
 *
 * A function that can fail returns enum footnote_rc; results go through
 * out-parameters.  `err` may be NULL and is untouched on success. */
#ifndef BASE_ERR_H
#define BASE_ERR_H
#include "base/str.h"
#include "footnote.h"

/* The failing line: `return err_set(err, FOOTNOTE_X, "...")`.  A macro whose
 * value is its code, so that analysers see that it is not OK. */
#define err_set(err, rc, ...) (err_put((err), (rc), __VA_ARGS__), (rc))

/* The same about one field, whose name begins the sentence: "field: ...". */
#define err_field(err, rc, field, ...)                                         \
    err_field_str((err), (rc), str_c(field), __VA_ARGS__)
#define err_field_str(err, rc, field, ...)                                     \
    (err_put((err), (rc), __VA_ARGS__), err_put_field((err), (field)), (rc))

/* Writes code and sentence, about no field; a sentence that does not fit is
 * cut. */
void err_put(struct footnote_err *err, enum footnote_rc rc, const char *format,
             ...) __attribute__((format(printf, 3, 4)));

void err_put_field(struct footnote_err *err, struct str field);

/* Says which field a failure is about, without a change to the sentence. */
void err_about(struct footnote_err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts "context: " before the sentence, for callers that know more. */
void err_prefix(struct footnote_err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The table of footnote.h: "FOOTNOTE_X" short name, HTTP status, JSON code
 * and meaning of a code. */
const char *rc_name(enum footnote_rc rc);
int rc_status(enum footnote_rc rc);
const char *rc_code(enum footnote_rc rc);
const char *rc_text(enum footnote_rc rc);

/* Passes a failure on.  The only macro in the tree that returns. */
#define TRY(call)                                                              \
    do {                                                                       \
        enum footnote_rc try_rc_ = (call);                                     \
        if (try_rc_ != FOOTNOTE_OK)                                            \
            return try_rc_;                                                    \
    } while (0)

/* Runs fn(&variable) when the variable goes out of scope. */
#define AUTO(fn) __attribute__((cleanup(fn)))

#endif
