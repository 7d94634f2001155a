/* xml.h - XML as events, with all its dangers off.  Any thread.
 *
 * Only xml.c knows libxml2's XML parser.  A document type is refused, so there
 * are no entities to expand and nothing is ever fetched; attributes, elements
 * and their depth have the limits of markup.h.  No tree is built. */
#ifndef INGEST_FORMAT_XML_H
#define INGEST_FORMAT_XML_H
#include "base/arena.h"

struct xml_tag {
    struct str name; /* without its prefix */
    const void *attributes;
    int attributes_n;
};

/* The value of an attribute by its name without prefix; absent when there is
 * none.  Where two differ only in the prefix ("id" and "r:id"), xml_linked()
 * gives the prefixed one.  Valid during the event; character references are
 * resolved. */
struct str xml_attribute(const struct xml_tag *t, const char *name);
struct str xml_linked(const struct xml_tag *t, const char *name);

/* A code that is not OK ends the reading.  `end` and `text` may be NULL. */
struct xml_events {
    enum footnote_rc (*start)(void *arg, const struct xml_tag *t,
                              struct footnote_err *err);
    enum footnote_rc (*end)(void *arg, struct str name,
                            struct footnote_err *err);
    /* Valid UTF-8, perhaps in several calls. */
    enum footnote_rc (*text)(void *arg, struct str text,
                             struct footnote_err *err);
};

/* INVALID when it is not well-formed. */
enum footnote_rc xml_read(struct str bytes, const struct xml_events *events,
                          void *arg, struct footnote_err *err);

/* The same bytes with a document type that only names a standard, as books and
 * pages have, written over with spaces; a copy in `a`.  One with declarations
 * of its own stays, and xml_read() refuses it. */
struct str xml_without_doctype(struct arena *a, struct str bytes);

/* Before any other call into libxml2; any thread, any number of times. */
void xml_init(void);

#endif
