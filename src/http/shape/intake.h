/* intake.h - JSON that a client sends, checked and read into structs.  One
 * thread per request.
 *
 * An object is read by a table of its fields: whatever is not in the table is
 * refused, a value of another type is refused, and the problem says where as a
 * JSON Pointer into the body.  Fields have their camelCase name and may have a
 * snake_case one.  null counts as absent.  Texts are views of the body or live
 * in the arena. */
#ifndef HTTP_SHAPE_INTAKE_H
#define HTTP_SHAPE_INTAKE_H
#include "http/core/http.h"

struct message;
struct reference;

/* Where we are in the body; the root has no place above it. */
struct place {
    const struct place *up;
    struct str key; /* absent: `index` of an array */
    size_t index;
};

struct intake {
    struct arena *a;
    struct problem problem; /* status 0: none so far */
};

enum field_kind {
    FIELD_TEXT,   /* struct str */
    FIELD_ID,     /* struct str of 1 to 200 bytes */
    FIELD_FLAG,   /* bool */
    FIELD_WHOLE,  /* int64_t */
    FIELD_NUMBER, /* double */
    FIELD_TIME,   /* int64_t, milliseconds since 1970 */
    FIELD_TEXTS,  /* struct texts */
    FIELD_OBJECT, /* struct str, its bytes */
    FIELD_ANY,    /* const struct json *, for the caller to read */
    FIELD_SKIP    /* ours to say: accepted and not looked at */
};
struct field {
    struct str name, snake; /* snake absent: the same word */
    enum field_kind kind;
    size_t offset;     /* of the value in the struct that is filled */
    size_t has_offset; /* of a bool that says it was there; 0: none */
    size_t max;        /* bytes of a text, items of a list; 0: not here */
    bool keep;         /* null is refused: it cannot be taken away */
};
struct texts {
    const struct str *items;
    size_t n;
};

/* Each returns false with in->problem set. */
bool intake_object(struct intake *in, const struct place *at,
                   const struct json *o, const struct field *fields, size_t n,
                   void *out);
/* The body's list of sources, at most 200. */
bool intake_sources(struct intake *in, const struct place *at,
                    const struct json *list, const struct reference **out,
                    size_t *n);
/* The body of POST .../messages. */
bool intake_message(struct intake *in, const struct json *body,
                    struct message *out);

/* Says what is wrong.  The text is a sentence that names the field. */
bool intake_refuse(struct intake *in, const struct place *at, int status,
                   struct str code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* 400 invalid_field for a field of the root object that is missing. */
bool intake_missing(struct intake *in, struct str name);

/* RFC 3339 with any offset; false when it is not, or before 1970. */
bool time_parse(struct str text, int64_t *wall_ms);

#endif
