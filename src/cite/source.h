/* source.h - what a source is: its fields, its key, its digest.  Any thread.
 *
 * A source is a passage that an answer was given.  Which number it has, and
 * whether the answer cites it, is the reference's business, not the source's.
 */
#ifndef CITE_SOURCE_H
#define CITE_SOURCE_H
#include "base/arena.h"
#include "base/sha256.h"
#include "cite/source_fields.h" /* struct source */

/* The word of the API: slide lecture journal web image text.  A type that does
 * not exist has none (STR_NONE). */
struct str source_type_name(enum footnote_type type);
/* False when the word is none of these; *out is untouched then. */
bool source_type_parse(struct str word, enum footnote_type *out);

/* Refuses what no source may be: a type that does not exist, neither id nor
 * the fields that make a key, ids over 200 bytes or empty, numbers that are
 * negative (-0 too, which SQLite would give back as 0) or NaN, seconds over
 * 2^53, end before start, invalid UTF-8, a NUL byte, meta that is not a JSON
 * object: all INVALID; texts over their limits: TOOBIG.  The sentence names
 * the field as the API does. */
enum footnote_rc source_check(const struct source *s, struct footnote_err *err);

/* Whether the type's fields make a key without the id. */
bool source_makes_key(const struct source *s);

/* The key under which equal sources meet, made from the fields where the type
 * has them, else the id as brought (tests/cite/keys.tsv is the contract).  `s`
 * passed source_check(); with neither it is INVALID.
 *
 *   slide    doc_{document}_slide_{n}            n >= 1
 *   lecture  lec_{lecture}_{floor start}_{floor end}   when it has seconds, a
 *            missing one counts as 0
 *   journal  journal_{date}:{title}   web  web_{sha256 of url}
 *            both with #k from the second passage on
 *   text     text_{document}_{k}      image  img_{s3key}
 *
 * k is `part`.  An empty title, date, url or s3key makes no key.  Lives in
 * `a`. */
enum footnote_rc source_key(struct arena *a, const struct source *s,
                            struct str *out, struct footnote_err *err);

/* SHA-256 of the canonical form (docs/schema.md): the line
 * "footnote-source-1", then a line "name=BYTES:value" for sourceType and for
 * each field that is there, with its camelCase name, in the order that
 * source_fields.h calls `line`.  Numbers are shortest decimals.  `id` is hashed
 * as it will be shown: as brought, else the key. */
void source_digest(struct sha256_ctx *c, const struct source *s, struct str key,
                   struct sha256 *out);

#endif
