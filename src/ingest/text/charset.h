/* charset.h - the bytes of a text file become clean UTF-8.  Any thread. */
#ifndef INGEST_TEXT_CHARSET_H
#define INGEST_TEXT_CHARSET_H
#include "base/arena.h"
#include "ingest/text/clean.h"

enum {
    CHARSET_BYTES_MAX = 64 * 1024 * 1024, /* of a text file */
    CHARSET_HEAD_BYTES = 4096             /* that charset_is_text() looks at */
};

/* Decodes a text file.  *out is valid UTF-8 with "\n" line ends and lives in
 * `a`.  It lacks the characters that clean.h drops; *hidden is set when some of
 * them were hidden text.
 *
 * A byte order mark decides the encoding, then the bytes: UTF-8, UTF-16 without
 * a mark, ISO-2022-JP; then `declared` (may be absent), which is what the text
 * says of itself or charset_guess.h says of its bytes; else Windows-1252, which
 * includes Latin-1.  *encoding is the name of the one that was taken, in small
 * letters; static.  INVALID: the bytes are no text.  TOOBIG: more than
 * CHARSET_BYTES_MAX, before or after decoding. */
enum footnote_rc charset_decode(struct arena *a, struct str bytes,
                                struct str declared, struct str *out,
                                bool *hidden, const char **encoding,
                                struct footnote_err *err);

/* Appends a part of a file that says which encoding the part has; where it says
 * none that we know, the bytes decide. */
void charset_append(struct buf *out, struct clean *clean, struct str bytes,
                    struct str declared);

/* Whether the bytes are text in an encoding that they do not show: charset.h
 * needs to be told which. */
bool charset_is_legacy(struct str bytes);
/* The name by which `declared` may be told to charset_decode(), in small
 * letters; NULL: it is none that we know.  Static. */
const char *charset_known(struct str declared);
/* The same for any name that charset_decode() gives. */
const char *charset_name(struct str encoding);

/* Whether the start of a file looks like text in one of these encodings. */
bool charset_is_text(struct str head);

#endif
