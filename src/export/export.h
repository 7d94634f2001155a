/* export.h - a session as a file.  Any thread.
 *
 * Two ways lead out: `json` has everything, all branches, and comes back in;
 * the others are for readers, and have the path that is shown. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H
#include "store/store.h"

struct course;
struct document;
struct history;
struct intake;
struct json;
struct member;
struct whole;
struct whole_write;

enum export_format {
    EXPORT_JSON,
    EXPORT_JSONL, /* from here on for readers */
    EXPORT_MARKDOWN,
    EXPORT_HTML,
    EXPORT_DOCX,
    EXPORT_BIBTEX,
    EXPORT_CSL,
    EXPORT_RIS,
    EXPORT_FORMATS_N
};
struct export_kind {
    struct str name, media_type, suffix;
};
extern const struct export_kind export_kinds[EXPORT_FORMATS_N];
/* False when the word is none; *out is untouched then. */
bool export_parse(struct str word, enum export_format *out);
const char *export_words(void); /* "json, jsonl, ...", for people */

enum { EXPORT_VERSION = 1 };

/* One JSON object in one line, without its end.  `owner` is whose session it
 * is; absent where that is not told. */
void export_kept(struct buf *b, const struct whole *w, struct str owner);
/* A course with who may read it, and what is known of one of its documents, in
 * a line each. */
void export_course(struct buf *b, const struct course *c,
                   const struct member *members, size_t n);
void export_document(struct buf *b, const struct document *d);
/* The way back.  `o` may be changed, and is looked into as long as *out is.
 * *owner may be absent afterwards.  False with in->problem set. */
bool export_kept_read(struct intake *in, struct json *o, struct whole *out,
                      struct str *owner);
/* Writes it to the store; *made is false when the same session is there.
 * CONFLICT: another one is.  `a` is for comparing. */
enum footnote_rc export_put(struct store *st, struct who who, struct arena *a,
                            struct whole_write *op, bool *made,
                            struct footnote_err *err);

/* The others: what a session shows, as h->messages have it, which were read
 * with their previews.  Links begin with base_url; "": there are none. */
struct shown_session;
enum footnote_rc export_shown(struct buf *b, struct arena *a,
                              enum export_format format,
                              const struct shown_session *s,
                              struct footnote_err *err);
/* Its parts, a file each. */
enum footnote_rc export_markdown(struct buf *b, struct arena *a,
                                 const struct shown_session *s,
                                 struct footnote_err *err);
enum footnote_rc export_html(struct buf *b, struct arena *a,
                             const struct shown_session *s,
                             struct footnote_err *err);
enum footnote_rc export_docx(struct buf *b, struct arena *a,
                             const struct shown_session *s,
                             struct footnote_err *err);
enum footnote_rc export_bibliography(struct buf *b, struct arena *a,
                                     enum export_format format,
                                     const struct shown_session *s,
                                     struct footnote_err *err);

#endif
