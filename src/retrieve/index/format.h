/* format.h - the bytes that a segment is, in memory and on disk.
 *
 *     memory:  head | sections
 *     file:    head | sections | digest of each block | tail
 *
 * A block is FORMAT_BLOCK bytes, the last one what is left.  The tail says how
 * long all is and whose it is, and has a digest over itself and the digests of
 * the blocks: so every byte of a file is under a digest, and a block can be
 * checked when it is read, before anything looks at it.  The digest is SHA-256
 * because the store has no other, and reading costs as much as hashing.
 *
 * Numbers have the machine's byte order: index files are never moved to another
 * one.  A change of the layout, of analysis or of lengths gets a new magic, and
 * files with another magic are made again. */
#ifndef RETRIEVE_INDEX_FORMAT_H
#define RETRIEVE_INDEX_FORMAT_H
#include <stdint.h>

#include "base/sha256.h"

#define FORMAT_MAGIC      "fnindex4"
#define FORMAT_BLOCK      ((size_t)16 * 1024)
#define SECTION_BYTES_MAX ((size_t)UINT32_MAX)

enum section {
    SECTION_DOCUMENTS,
    SECTION_POSITIONS,
    SECTION_LENGTHS,
    SECTION_FORWARD_AT,
    SECTION_FORWARD,
    SECTION_TERMS,
    SECTION_LETTERS,
    SECTION_WORDS,
    SECTION_SLOTS,
    SECTION_BLOCK_LAST,
    SECTION_BLOCK_AT,
    SECTION_BLOCK_MAX,
    SECTION_POSTINGS,
    SECTIONS
};

struct format_head {
    char magic[16];
    uint32_t passages_n, documents_n, terms_n, slots_n;
    uint64_t length_sum, bytes;
    uint64_t section_at[SECTIONS], section_bytes[SECTIONS];
    float average;
    uint32_t unused;
};

struct format_tail {
    char magic[16];
    uint64_t bytes;       /* of head and sections */
    struct sha256 course; /* whose it is: course_index.name */
    struct sha256 digest; /* of the blocks' digests, and the tail before it */
};

#endif
