/* mask_ids.h - what two answers have in common. */
#ifndef MASK_IDS_H
#define MASK_IDS_H
#include "help/site.h"

/* With # for `id`, which was asked for, for UUIDs, and for times; in the
 * site's arena. */
struct str masked(struct site *site, struct str s, const char *id);
bool text_has(struct str text, const char *part);

#endif
