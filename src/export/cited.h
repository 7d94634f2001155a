/* cited.h - what a session's shown path cites, for the formats that people
 * read.  Any thread. */
#ifndef EXPORT_CITED_H
#define EXPORT_CITED_H
#include "cite/marks.h"
#include "store/read/history.h"

/* A session as it is shown, and where links to it begin ("" for none). */
struct shown_session {
    const struct history *history;
    struct str base_url;
};

/* A source that is cited, once, however often it is.  Of one that is withdrawn
 * nothing is known. */
struct cited {
    const struct message *message; /* that cites it first */
    const struct reference *ref;
};
enum footnote_rc cited_all(struct arena *a, const struct history *h,
                           struct cited **out, size_t *n,
                           struct footnote_err *err);

/* Writes the text with `mark` called for each source that a marker names, in
 * place of the marker; `plain` writes what is between. */
struct cited_writer {
    void (*plain)(struct buf *b, struct str text);
    void (*mark)(struct buf *b, size_t message, const struct reference *r);
    /* Instead of it, for a format with a note at each place; `at` is the
     * marker. */
    void (*note)(void *arg, struct buf *b, const struct message *m,
                 const struct mark *at, const struct reference *r);
    void *arg;
};
enum footnote_rc cited_text(struct buf *b, struct arena *a,
                            const struct message *m, size_t message,
                            const struct cited_writer *w,
                            struct footnote_err *err);

/* A message is to be read: it has a text, and a person or an answer said it. */
bool cited_is_read(const struct message *m);

/* Title, else what names the source. */
struct str cited_title(const struct source *s);
/* "slide 3", "8:19-8:40", "2024-02-29", or nothing. */
void cited_place(struct buf *b, const struct source *s);
/* The quotation as one line, cut to so many characters; or another text. */
struct str cited_quote(struct arena *a, const struct source *s, size_t chars);
struct str cited_line(struct arena *a, struct str text, size_t chars);
/* The sentence of the source that carries what stands at this place of the
 * text, in UTF-16 units; absent when no verdict knows it. */
struct str cited_words(const struct message *m, size_t at,
                       const struct reference *r);
/* The web address that a source may lead to; absent: it has none that begins
 * with http. */
struct str cited_url(const struct source *s);
/* The address of the reference in the app. */
void cited_link(struct buf *b, const struct shown_session *s,
                const struct cited *c);
/* A name for programs: letters and digits alone, the same for a source
 * everywhere. */
enum { CITED_KEY = 16 };
void cited_key(const struct cited *c, char out[CITED_KEY + 1]);

/* Text of others in HTML, also in quoted attributes; html.c. */
void export_html_escape(struct buf *b, struct str s);

#endif
