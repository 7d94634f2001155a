/* charset_guess.h - the encoding of a text that does not show it, by
 * libuchardet.
 *
 * The library takes the bytes apart, so only the child in the jail calls this;
 * the server asks jailed_charset(). */
#ifndef INGEST_TEXT_CHARSET_GUESS_H
#define INGEST_TEXT_CHARSET_GUESS_H
#include "base/str.h"

/* A name as charset_known() gives it; NULL: it cannot tell, or nothing better
 * than Windows-1252.  Any thread. */
const char *charset_guess(struct str bytes);

#endif
