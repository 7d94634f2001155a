/* fence.h - other people's text in a prompt, so that it cannot pass for ours.
 * Any thread.
 *
 *     <<<WORD passage [1] title="Heat" page=4>>>
 *     the passage
 *     <<<WORD end>>>
 *
 * A fence begins its line and carries a random word.  Text cannot know the
 * word; these functions see to it that it cannot have a line that looks like a
 * fence either. */
#ifndef CHAT_TURN_FENCE_H
#define CHAT_TURN_FENCE_H
#include "base/buf.h"

enum { FENCE_LABEL_BYTES_MAX = 400 };

/* A title, an id, a file name, an address or a date: stays on its line and
 * between its quotes.  What is longer than FENCE_LABEL_BYTES_MAX is cut. */
void fence_add_label(struct buf *b, struct str label);
/* A text with lines of its own.  Both take valid UTF-8. */
void fence_add_text(struct buf *b, struct str text);

#endif
