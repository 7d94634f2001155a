/* charset.h - the bytes of a text file become clean UTF-8.  Any thread. */
#ifndef INGEST_TEXT_CHARSET_H
#define INGEST_TEXT_CHARSET_H
#include "base/arena.h"

enum {
    CHARSET_BYTES_MAX = 64 * 1024 * 1024, /* of a text file */
    CHARSET_HEAD_BYTES = 4096             /* that charset_is_text() looks at */
};

/* *out is valid UTF-8 with "\n" line ends, without what clean.h takes out
 * (*hidden is set when that was meant to be unseen); it lives in `a`.
 *
 * A byte order mark decides, then `declared` (absent: nothing was), then the
 * bytes: UTF-8, UTF-16 without a mark, else Windows-1252, which has Latin-1 in
 * it.  Bytes that no text has are INVALID, more than CHARSET_BYTES_MAX, before
 * or after decoding, TOOBIG.
 */
enum footnote_rc charset_decode(struct arena *a, struct str bytes,
                                struct str declared, struct str *out,
                                bool *hidden, struct footnote_err *err);

/* Whether the start of a file looks like text in any of these. */
bool charset_is_text(struct str head);

#endif
