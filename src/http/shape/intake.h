/* intake.h - JSON that a client sends, checked and read into structs.  One
 * thread per request.
 *
 * An object is read by a table of its fields: other fields are refused (unless
 * `open` is set), values
 * of another type are refused, and the problem says where as a JSON Pointer
 * into the body.  A field is read by its camelCase name and by the same in
 * snake_case.  null counts as absent.  Texts are views of the body or live
 * in the arena. */
#ifndef HTTP_SHAPE_INTAKE_H
#define HTTP_SHAPE_INTAKE_H
#include "http/core/http.h"

struct message;
struct reference;

/* A place in the body; the root has none above it. */
struct json_place {
    const struct json_place *up;
    struct str key; /* absent: `index` of an array */
    size_t index;
};

struct intake {
    struct arena *a;
    bool open; /* unknown fields are the client's own: pass over them */
    struct problem problem; /* status 0: none so far */
};

enum field_kind {
    FIELD_TEXT,   /* struct str */
    FIELD_LINE,   /* the same, fit to be a name: utf8_is_name() */
    FIELD_ID,     /* the same, of 1 to 200 bytes */
    FIELD_FLAG,   /* bool */
    FIELD_WHOLE,  /* int64_t */
    FIELD_NUMBER, /* double */
    FIELD_TIME,   /* int64_t, milliseconds since 1970 */
    FIELD_TEXTS,  /* struct texts */
    FIELD_OBJECT, /* struct str, its bytes */
    FIELD_ANY,    /* const struct json *, for the caller to read */
    FIELD_SKIP    /* accepted and ignored: a value that only we set */
};
struct field {
    struct str name; /* in camelCase */
    enum field_kind kind;
    size_t offset;     /* of the value in the struct that is filled */
    size_t has_offset; /* of a bool that says it was there; 0: none */
    size_t max;        /* bytes of a text, items of a list; 0: no limit */
    bool not_null;     /* null is refused, which else counts as absent */
};
struct texts {
    const struct str *items;
    size_t n;
};

/* The name by which a client called our field in `o`; ours if it did not. */
struct str intake_name(const struct json *o, struct str camel);

/* Each returns false with in->problem set. */
bool intake_object(struct intake *in, const struct json_place *at,
                   const struct json *o, const struct field *fields, size_t n,
                   void *out);
/* The body's list of sources, at most 200. */
bool intake_sources(struct intake *in, const struct json_place *at,
                    const struct json *list, const struct reference **out,
                    size_t *n);
/* The body of POST .../messages, in any form in which a message is read: as it
 * is, in either case, and that of each ?as= (a message of the AI SDK has
 * parts). */
struct message_in; /* intake_message.h */
bool intake_message(struct intake *in, const struct json *body,
                    struct message_in *out);
/* The message of the AI SDK as the others write it; NULL: refused. */
const struct json *intake_ui(struct intake *in, const struct json *message);

/* Sets the problem.  The text is a sentence that names the field. */
bool intake_refuse(struct intake *in, const struct json_place *at, int status,
                   struct str code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* 400 invalid_field for a field of the root object that is missing. */
bool intake_missing(struct intake *in, struct str name);

/* RFC 3339 with any offset, UTC without one; false when it is not, or before
 * 1970. */
bool time_parse(struct str text, int64_t *wall_ms);

#endif
