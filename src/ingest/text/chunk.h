/* chunk.h - text becomes passages: of about 90 words, cut between sentences.
 *
 * For prose and transcripts a passage overlaps the one before by a sentence
 * and never crosses a heading.  Measured on lectures and papers: passages of
 * 90 words hold more answers than those of 45 or 150.
 *
 *     chunk_init -> (chunk_heading | chunk_add | chunk_break)* -> chunk_break
 *     chunk_free, at any time
 *
 * For slides, which are one passage each, see pages.h.  One thread; no more
 * than CHUNK_HELD_BYTES_MAX is held. */
#ifndef INGEST_TEXT_CHUNK_H
#define INGEST_TEXT_CHUNK_H
#include "ingest/text/passage_sink.h"
#include "store/document/document.h"

enum {
    CHUNK_WORDS = 90,          /* what a passage should have */
    CHUNK_REST_WORDS = 25,     /* fewer make no passage of their own */
    CHUNK_OVERLAP_WORDS = 40,  /* a longer sentence is not repeated */
    CHUNK_SENTENCE_WORDS = 60, /* a longer one is cut between words */
    CHUNK_SENTENCE_BYTES = 2048,
    CHUNK_LOOK_BYTES = 2 * CHUNK_SENTENCE_BYTES, /* to find where to cut */
    CHUNK_WHOLE_BYTES = 4096, /* a longer block of code is cut, at lines */
    CHUNK_SENTENCES_MAX = 160,
    CHUNK_HELD_BYTES_MAX = 60 * 1024, /* a passage, in the worst case */
    CHUNK_TEXT_BYTES_MAX = 2 * CHUNK_HELD_BYTES_MAX,
    CHUNK_LEVELS = 6,
    CHUNK_HEADING_BYTES = 300 /* a longer heading is cut */
};

/* What stands between a piece and the piece before it.  GAP_PAGE: a page ended
 * within a sentence, which goes on. */
enum chunk_gap { GAP_SPACE, GAP_LINE, GAP_BLOCK, GAP_PAGE };

struct chunk_piece {
    struct str text; /* valid UTF-8; line ends count as spaces unless `whole` */
    enum chunk_gap gap;
    bool whole;   /* code, a row of a table: one sentence, spaces and all */
    int64_t page; /* 0: none */
    int64_t line, last_line; /* of its file, from 1; 0: not told */
    bool has_seconds;
    double start, end;
};

struct chunk_sentence {
    size_t at, bytes, words; /* of chunker.text */
    bool whole, has_seconds;
    int64_t page, line, last_line;
    double start, end;
};

struct chunker { /* private, but for position, extra and locator */
    const struct passage_sink *sink;
    int64_t position; /* of the last passage; set it to go on behind one */
    struct str extra; /* JSON given to every passage from now on; borrowed */
    /* Likewise; passages whose pieces have lines get "lines 10–20". */
    struct str locator;
    struct buf text, line;
    char headings[CHUNK_LEVELS][CHUNK_HEADING_BYTES];
    size_t headings_n[CHUNK_LEVELS];
    struct chunk_sentence held[CHUNK_SENTENCES_MAX];
    size_t held_n, words;
    size_t overlap_n; /* the first held sentences that the last passage had */
};

/* *sink is borrowed until the end. */
void chunk_init(struct chunker *c, const struct passage_sink *sink);
void chunk_free(struct chunker *c); /* fit for AUTO */

/* A heading of level 1 to 6 ends the passage; "Heat > Engines" is then the
 * heading of the passages that follow.  An empty one only ends the passage. */
enum footnote_rc chunk_heading(struct chunker *c, int level, struct str text,
                               struct footnote_err *err);
/* The heading of this level is not carried any more; those above and below it
 * are, and the passage goes on. */
void chunk_forget(struct chunker *c, int level);
/* Adds text of any length, which is cut into sentences here. */
enum footnote_rc chunk_add(struct chunker *c, const struct chunk_piece *p,
                           struct footnote_err *err);
/* Ends the passage, also the last one; the next one does not overlap it. */
enum footnote_rc chunk_break(struct chunker *c, struct footnote_err *err);

/* Sends what is held, then this passage as it is.  Position, extra and, if it
 * has none, its locator are filled in here.  Text over CHUNK_HELD_BYTES_MAX is
 * a bug. */
enum footnote_rc chunk_emit(struct chunker *c, struct passage p,
                            struct footnote_err *err);

/* How many words valid UTF-8 has, as search counts them. */
size_t chunk_words(struct str text);

#endif
