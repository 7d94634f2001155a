/* cursor.h - where a list goes on: opaque to clients, checked when it comes
 * back.  Any thread.
 *
 * A cursor is a letter for its list and the position in it, in base64url.  It
 * gives no rights: the list is always the asker's own. */
#ifndef HTTP_SHAPE_CURSOR_H
#define HTTP_SHAPE_CURSOR_H
#include "http/core/http.h"

/* In the request's arena; absent when there is no memory. */
struct str cursor_text(struct request *r, char list, struct str text);
struct str cursor_pair(struct request *r, char list, int64_t a, int64_t b);

/* The ?cursor= of the request: absent and true when it has none, 400
 * bad_cursor and false when it is not one of this list's. */
bool cursor_read_text(struct request *r, char list, struct str *out);
/* Both 0 when there is none. */
bool cursor_read_pair(struct request *r, char list, int64_t *a, int64_t *b);
void cursor_refuse(struct request *r);

/* For lists that are read whole and shown in pages. */
struct page {
    size_t from, limit;
};
bool page_read(struct request *r, struct page *out);
/* How many of `n` things the page shows; *next is the cursor, or absent. */
size_t page_cut(struct request *r, struct page *p, size_t n, struct str *next);

enum { PAGE_PRESET = 50, PAGE_MAX = 200 };

#endif
