/* manual.h - pages, completions and files, made from the tables of verbs and
 * settings.  One thread.
 *
 * Each is made anew whenever it is asked for, so that none can be out of date.
 */
#ifndef CLI_MANUAL_MANUAL_H
#define CLI_MANUAL_MANUAL_H
#include "cli/cli.h"

/* footnote(1), with all verbs; of one verb, footnote-VERB(1). */
void manual_page(struct buf *b, const struct verb *v);
/* footnote.toml(5). */
void manual_settings_page(struct buf *b);

/* For "bash", "zsh" and "fish"; false for another shell. */
bool manual_completion(struct buf *b, struct str shell);

void manual_toml(struct buf *b);   /* all settings, each as a comment */
void manual_schema(struct buf *b); /* JSON Schema of that file */
void manual_table(struct buf *b);  /* of the settings, in Markdown */
void manual_verbs(struct buf *b);  /* of the verbs, in Markdown */

#endif
