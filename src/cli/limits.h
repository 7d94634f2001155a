/* limits.h - what a question of the command line is limited to. */
#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H
#include "cli/cli.h"
#include "store/document/filter.h"

struct limits { /* as it was written: lists have commas */
    struct str documents, kinds, from, to, changed;
    struct search_filter filter; /* of these */
};
/* The options of a verb that takes them. */
#define LIMITS_OPTIONS(l)                                                      \
    {.name = "document", .text = &(l)->documents},                             \
        {.name = "kind", .text = &(l)->kinds},                                 \
        {.name = "from", .text = &(l)->from},                                  \
        {.name = "to", .text = &(l)->to},                                      \
    {                                                                          \
        .name = "changed-since", .text = &(l)->changed                         \
    }
/* CLI_GO_ON, or what was told. */
int limits_read(struct cli *c, struct limits *l);
/* The next of a list, which begins as that. */
struct str limits_next(struct str *rest);
/* Prints that nothing lies in them. */
void limits_say_empty(struct buf *b, bool waits);

#endif
