/* docx_parts.h - the parts of a Word file beside its text, for docx*.c only. */
#ifndef INGEST_FORMAT_DOCX_PARTS_H
#define INGEST_FORMAT_DOCX_PARTS_H
#include "ingest/format/office.h"

enum { DOCX_STYLES_MAX = 500, DOCX_NOTES_MAX = 50 * 1000 };

enum { STYLE_TEXT = 0, STYLE_CONTENTS = -1 }; /* else the level of a heading */
struct docx_style {
    struct str id;
    int level;
};
struct docx_styles {
    struct docx_style *items;
    size_t n;
};

/* The styles that are headings, by their level in the outline, else by their
 * name, which is English in every language.  *out lives in `a`. */
enum footnote_rc docx_styles(struct arena *a, struct str bytes,
                             struct docx_styles *out, struct footnote_err *err);
/* The level of style `id`. */
int docx_level(const struct docx_styles *s, struct str id);

struct docx_note {
    int64_t id;
    struct str text;
};
struct docx_notes {
    struct docx_note *items; /* sorted by id */
    size_t n;
};

/* The texts of footnotes.xml or endnotes.xml, each as "Note: ..."; *out lives
 * in `a`. */
enum footnote_rc docx_notes(struct arena *a, struct str bytes,
                            struct docx_notes *out, bool *hidden,
                            struct footnote_err *err);
/* The note's text; absent when there is none. */
struct str docx_note(const struct docx_notes *n, struct str id);

#endif
