/* front_matter.h - the lines between "---" and "---" at the top of a Markdown
 * file. Any thread. */
#ifndef INGEST_FORMAT_FRONT_MATTER_H
#define INGEST_FORMAT_FRONT_MATTER_H
#include "base/str.h"

struct front_matter { /* views into the text; absent: not said */
    struct str title, date, language;
};

/* Takes the front matter off *text, which is valid UTF-8; without one nothing
 * happens.  Only "key: value" at the start of a line is read, quotes around
 * the value are dropped. */
void front_matter_take(struct str *text, struct front_matter *out);

#endif
