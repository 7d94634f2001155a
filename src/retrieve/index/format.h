/* format.h - the block that a segment is, in memory and on disk.
 *
 * Numbers have the machine's byte order: index files are never moved to another
 * one.  A change of the layout, of analysis or of lengths gets a new magic, and
 * files with another magic are made again. */
#ifndef RETRIEVE_INDEX_FORMAT_H
#define RETRIEVE_INDEX_FORMAT_H
#include <stdint.h>

#include "base/sha256.h"

#define FORMAT_MAGIC      "fnindex1"
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
    struct sha256 digest; /* on disk: of all, with zeros here */
};

#endif
