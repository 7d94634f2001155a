/* html_tags.h - what tags and attributes of HTML mean to a reader, for html.c
 * only.  Any thread. */
#ifndef INGEST_FORMAT_HTML_TAGS_H
#define INGEST_FORMAT_HTML_TAGS_H
#include "base/str.h"

enum html_role {
    ROLE_INLINE,
    ROLE_BLOCK,
    ROLE_UNSEEN, /* never read */
    ROLE_AROUND, /* menus, footers, banners: not what the page is about */
    ROLE_ITEM,
    ROLE_ROW,
    ROLE_CELL,
    ROLE_BREAK,
    ROLE_CODE,
    ROLE_TITLE,
    ROLE_HEADING /* h1 to h6 */
};

enum html_role html_role(const char *name);

/* Attributes are as libxml2 gives them: names and values in turn, ended by
 * NULL; the list itself may be NULL. */
struct str html_attribute(const unsigned char **attributes, const char *name);
/* Whether an element is not shown.  *trick is set when honest pages do not hide
 * elements in this way. */
bool html_is_hidden(const unsigned char **attributes, bool *trick);
/* Whether it is ROLE_AROUND by its tag or by its "role" attribute. */
bool html_is_around(enum html_role role, const unsigned char **attributes);

#endif
