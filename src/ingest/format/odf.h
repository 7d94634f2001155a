/* odf.h - what OpenDocument files have in common: parts, hidden styles. */
#ifndef INGEST_FORMAT_ODF_H
#define INGEST_FORMAT_ODF_H
#include "ingest/format/office.h"

#define ODF_CONTENT STR("content.xml")

enum { ODF_HIDDEN_MAX = 10 * 1000 };

/* Styles with which text, slides, tables or their rows are not shown. */
struct odf_hidden {
    struct str *names;
    size_t n;
};

struct odf {
    struct zip zip;
    struct odf_hidden hidden;
};

/* Opens r->bytes, refuses one with a password, and puts title, language and
 * date into r->facts.  Lives in r->a. */
enum footnote_rc odf_open(struct format_reader *r, struct odf *out,
                          struct footnote_err *err);
/* Whether a style of this name hides what has it. */
bool odf_is_hidden(const struct odf *o, struct str style);
/* The number of an attribute; `otherwise` when there is none above 0. */
int64_t odf_number(const struct xml_tag *t, const char *name,
                   int64_t otherwise);
/* Appends what the elements of a paragraph that are characters stand for;
 * false: t is none of them. */
bool odf_sign(const struct xml_tag *t, struct buf *out);
/* Whether the element is never text: comments, deleted text, the place of a
 * note's number, scripts, tables of contents and indexes. */
bool odf_is_unread(struct str name);

#endif
