/* journal.h - journal entries: dated Markdown files, and lines of JSON.
 *
 * An entry is {date, title, text}; its text is Markdown and goes through
 * extract_run() as such.  Pure; any thread. */
#ifndef INGEST_FORMAT_JOURNAL_H
#define INGEST_FORMAT_JOURNAL_H
#include "ingest/format/extract.h"

enum { JOURNAL_LINE_BYTES_MAX = 1024 * 1024 };

struct journal_entry {
    struct str date;  /* YYYY-MM-DD, a day that exists; may be absent */
    struct str title; /* never absent; may be empty in JSON */
    struct str text;
};

/* A file of Markdown: the date of its front matter, else of its name
 * ("2026-02-26 Heat.md", "2026/02/26.md", "20260226.md"); the title of its
 * front matter, else its first heading, else its name without the date.
 * *out lives in `a`. */
enum footnote_rc journal_markdown(struct arena *a, struct str bytes,
                                  struct str filename,
                                  struct journal_entry *out,
                                  struct footnote_err *err);

/* A file of lines, each {"date":...,"title":...,"text":...}; other members are
 * ignored, empty lines too. */
struct journal_lines {
    struct str rest;
    int64_t line; /* of the last entry, from 1 */
};
struct journal_lines journal_open(struct str bytes);
/* The next entry, in `a`; *more is false at the end.  A bad line is INVALID,
 * names its number, and the next call goes on behind it. */
enum footnote_rc journal_next(struct journal_lines *j, struct arena *a,
                              struct journal_entry *out, bool *more,
                              struct footnote_err *err);

/* Reads the date at the start of s, as 2026-02-26 with "-", "/", ".", "_" or
 * nothing in between, and its length; false when there is none. */
bool journal_date(struct str s, char out[11], size_t *bytes);

#endif
