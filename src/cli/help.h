/* help.h - what help texts, manual pages and completions share.  One thread. */
#ifndef CLI_HELP_H
#define CLI_HELP_H
#include "cli/cli.h"
#include "config/table.h"

/* Options that every verb has, in the form of a verb's own. */
extern const char help_common[];

/* The name of a setting's value: URL, BYTES; "" for a switch. */
const char *help_value_name(const struct setting *s);

/* An option as a verb's help lists it.  Of "-q, --quiet" the first has no help.
 */
struct help_option {
    struct str name; /* with its dashes */
    struct str value, help;
};
struct help_options { /* begins with {.usage = ...} */
    struct str usage, line;
};
bool help_next_option(struct help_options *o, struct help_option *out);
/* Whether a verb says more about an option that every verb has. */
bool help_is_own(const struct verb *v, struct str name);
/* The next line of the help of the option that came last; false: it ends. */
bool help_more(struct help_options *o, struct str *line);

#endif
