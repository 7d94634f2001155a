/* multipart.h - multipart/form-data, as it comes (RFC 7578).  One thread; no
 * I/O, no allocation.
 *
 *     --boundary CRLF headers CRLF CRLF data CRLF --boundary ... --boundary--
 *
 * Strict, so that there is one reading or none: nothing before the first
 * boundary or behind the last but a line's end, every line ends in CR LF, every
 * part has one Content-Disposition with one name, and no two parts have the
 * same.  Data is handed on as it comes, in pieces of any size. */
#ifndef HTTP_CORE_MULTIPART_H
#define HTTP_CORE_MULTIPART_H
#include "base/err.h"

enum {
    MULTIPART_BOUNDARY_MAX = 70,
    MULTIPART_PARTS_MAX = 16,
    MULTIPART_HEAD_BYTES_MAX = 4 * 1024, /* of a part's headers */
    MULTIPART_NAME_BYTES_MAX = 64,
    MULTIPART_FILENAME_BYTES_MAX = 1024,
    MULTIPART_FIELDS_BYTES_MAX = 8 * 1024 /* of plain fields, together */
};

struct form_part { /* views until the next call */
    struct str name;
    struct str filename; /* without folders; absent: a plain field */
    struct str type;     /* absent: not said */
};

/* Takes the parts.  A result that is not OK ends the reading. */
struct multipart_to {
    void *arg;
    enum footnote_rc (*begin)(void *arg, const struct form_part *p,
                              struct footnote_err *err);
    enum footnote_rc (*data)(void *arg, struct str bytes,
                             struct footnote_err *err);
    enum footnote_rc (*end)(void *arg, struct footnote_err *err); /* or NULL */
};

/* Plain fields of a form, one behind the other.  Begins zeroed. */
struct multipart_fields {
    struct str *field; /* that bytes are added to; NULL: a file's come */
    char text[MULTIPART_FIELDS_BYTES_MAX];
    size_t text_n;
};
/* Bytes that are added from now on are this field's: a view into *f. */
void multipart_field(struct multipart_fields *f, struct str *field);
enum footnote_rc multipart_field_add(struct multipart_fields *f,
                                     struct str bytes,
                                     struct footnote_err *err);

struct multipart { /* inner */
    int step;
    char mark[MULTIPART_BOUNDARY_MAX + 5]; /* CR LF -- boundary */
    size_t mark_n, matched;
    char head[MULTIPART_HEAD_BYTES_MAX];
    size_t head_n;
    char names[MULTIPART_PARTS_MAX][MULTIPART_NAME_BYTES_MAX];
    size_t names_n[MULTIPART_PARTS_MAX];
    size_t parts;
    char filename[MULTIPART_FILENAME_BYTES_MAX];
};

/* The boundary of a Content-Type; INVALID when it has none. */
enum footnote_rc multipart_init(struct multipart *m, struct str content_type,
                                struct footnote_err *err);
/* INVALID when the form is broken, TOOBIG when a limit is passed, else the
 * result of `to`. */
enum footnote_rc multipart_feed(struct multipart *m, struct str bytes,
                                const struct multipart_to *to,
                                struct footnote_err *err);
/* All bytes were fed; INVALID when more should have come. */
enum footnote_rc multipart_finish(const struct multipart *m,
                                  struct footnote_err *err);

/* A file's name as a label: without folders, UTF-8, no control characters, not
 * too long.  *out is a view. */
bool multipart_filename(struct str given, struct str *out);

/* multipart_head.c: a part's headers, as read from m->head. */
enum footnote_rc multipart_head(struct multipart *m, struct form_part *out,
                                struct footnote_err *err);
/* Takes the next "; name=value" off a header's parameters; the value is
 * unquoted into `room` when it must be.  False at the end; a name of length 0
 * is a mistake. */
struct parameter {
    struct str name, value;
};
bool parameter_next(struct str *rest, char *room, size_t room_n,
                    struct parameter *out);

#endif
