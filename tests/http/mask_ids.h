/* mask_ids.h - answers without their ids and times, to compare two of them. */
#ifndef MASK_IDS_H
#define MASK_IDS_H
#include "help/site.h"

/* The text with # for `id`, for UUIDs and for times; in the
 * site's arena. */
struct str mask_ids(struct site *site, struct str s, const char *id);
bool text_has(struct str text, const char *part);

#endif
