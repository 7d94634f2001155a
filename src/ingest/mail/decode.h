/* decode.h - how mail writes bytes and words: quoted-printable, base64, encoded
 * words, parameters, dates.  Any thread. */
#ifndef INGEST_MAIL_DECODE_H
#define INGEST_MAIL_DECODE_H
#include "base/arena.h"
#include "base/buf.h"
#include "ingest/text/clean.h"

/* Appends the bytes that `body` stands for; `encoding` as in
 * Content-Transfer-Encoding. */
void mail_decode(struct buf *out, struct str body, struct str encoding);
/* Appends a header's text: "=?utf-8?Q?H=C3=A4tte?=" is "Hätte". */
void mail_words(struct buf *out, struct clean *k, struct str value);
/* The parameter of a header such as "text/plain; charset=utf-8"; absent when
 * there is none.  Borrowed from the value. */
struct str mail_parameter(struct str value, const char *name);
/* "Mon, 2 Nov 2026 10:00:00 +0100" is "2026-11-02"; false: it is no date. */
bool mail_date(struct str value, char out[11]);

#endif
