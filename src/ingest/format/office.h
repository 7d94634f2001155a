/* office.h - what office files have in common: parts and how they link. */
#ifndef INGEST_FORMAT_OFFICE_H
#define INGEST_FORMAT_OFFICE_H
#include "ingest/format/reader.h"
#include "ingest/format/xml.h"
#include "ingest/format/zip.h"

enum { OFFICE_LINKS_MAX = 20 * 1000 };

/* A part's links to others, from its ".rels". */
struct office_link {
    struct str id, type; /* the last word of the type: "slide" */
    struct str target;   /* a member's name */
};
struct office_links {
    struct office_link *items;
    size_t n;
};

/* The links of `part`, in `a`; none when it has no ".rels". */
enum footnote_rc office_links(struct arena *a, const struct zip *z,
                              struct str part, struct office_links *out,
                              struct footnote_err *err);
/* The target by id, or by type; absent when there is none. */
struct str office_by_id(const struct office_links *l, struct str id);
struct str office_by_type(const struct office_links *l, struct str type);

/* The part that the whole file is about: "word/document.xml", wherever it is;
 * `fallback` when the file does not say. */
enum footnote_rc office_main(struct arena *a, const struct zip *z,
                             struct str fallback, struct str *out,
                             struct footnote_err *err);
/* "../notes/n1.xml" seen from "ppt/slides/" is "ppt/notes/n1.xml"; in `a`. */
struct str office_resolve(struct arena *a, struct str folder,
                          struct str target);
/* Puts title, language and date of the part into r->facts. */
#define OFFICE_CORE STR("docProps/core.xml")
enum footnote_rc office_facts(struct format_reader *r, const struct zip *z,
                              struct str part, struct footnote_err *err);

#endif
