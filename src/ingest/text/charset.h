/* charset.h - the bytes of a text file become clean UTF-8.  Any thread. */
#ifndef INGEST_TEXT_CHARSET_H
#define INGEST_TEXT_CHARSET_H
#include "base/arena.h"

enum {
    CHARSET_BYTES_MAX = 64 * 1024 * 1024, /* of a text file */
    CHARSET_HEAD_BYTES = 4096             /* that charset_is_text() looks at */
};

/* Decodes a text file.  *out is valid UTF-8 with "\n" line ends and lives in
 * `a`.  It lacks the characters that clean.h drops; *hidden is set when some of
 * them were hidden text.
 *
 * A byte order mark decides the encoding, then `declared` (may be absent), then
 * the bytes: UTF-8, UTF-16 without a mark, else Windows-1252, which includes
 * Latin-1.  INVALID: the bytes are no text.  TOOBIG: more than
 * CHARSET_BYTES_MAX, before or after decoding. */
enum footnote_rc charset_decode(struct arena *a, struct str bytes,
                                struct str declared, struct str *out,
                                bool *hidden, struct footnote_err *err);

/* Whether the start of a file looks like text in one of these encodings. */
bool charset_is_text(struct str head);

#endif
