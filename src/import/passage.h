/* passage.h - what most products keep of a source: a passage of a file or of a
 * page of the web.  One thread. */
#ifndef IMPORT_PASSAGE_H
#define IMPORT_PASSAGE_H
#include "import/source.h"

struct passage {
    struct str id;       /* of the passage; absent: made of its words */
    struct str document; /* id of its file; may be absent */
    struct str title, url, text;
    bool has_page, has_score;
    int64_t page; /* from 1 */
    double score;
};

/* The reference that it becomes, without a number.  With an address of the web
 * it is a web source, with a page a slide, else a text. */
enum footnote_rc passage_found(struct import *im, const struct row *row,
                               const struct passage *p, struct found *out,
                               struct footnote_err *err);
/* Whether that is http:// or https://. */
bool is_web(struct str url);

/* The highest number that a marker of the text has; 0: there are none. */
enum footnote_rc text_last_number(struct import *im, struct str text,
                                  uint32_t *out, struct footnote_err *err);

#endif
