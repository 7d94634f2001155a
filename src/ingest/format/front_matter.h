/* front_matter.h - the lines between "---" and "---" at the top of a Markdown
 * file.  Any thread. */
#ifndef INGEST_FORMAT_FRONT_MATTER_H
#define INGEST_FORMAT_FRONT_MATTER_H
#include "base/str.h"

struct front_matter { /* views of the text; absent: not said */
    struct str title, date, language;
};

/* Moves *text, valid UTF-8, behind its front matter; without one it stays.
 * Only "key: value" at the start of a line is read; quotes around the value are
 * dropped. */
void front_matter_take(struct str *text, struct front_matter *out);

#endif
