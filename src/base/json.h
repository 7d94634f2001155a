/* json.h - the one JSON reader and writer.  One thread per document.
 *
 * Strict RFC 8259: UTF-8 and surrogate pairs checked, depth at most 64,
 * duplicate keys refused, no trailing text.  Integers that fit are int64 and
 * exact; every other number is a double that reads back the same; a number
 * that a double cannot hold (1e400) is refused. */
#ifndef BASE_JSON_H
#define BASE_JSON_H
#include "base/arena.h"
#include "base/buf.h"

enum { JSON_DEPTH_MAX = 64 };

enum json_type {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_I64,
    JSON_F64,
    JSON_STR,
    JSON_ARRAY,
    JSON_OBJECT
};

struct json { /* 64 bytes: there may be one for every two of the text */
    enum json_type type;
    uint32_t n;        /* members of an array or object */
    struct json *next; /* sibling in an array or object */
    struct str key;    /* of a member of an object */
    struct str raw;    /* the bytes it was read from, borrowed from the text */
    union {
        int64_t i;
        double f;
        struct str s;
        struct json *first;
    };
};

/* Reads one document, of less than 4 GB.  *out lives in `a`; strings without
 * escapes are views into `text`, which must live as long.  The error names the
 * byte. */
enum footnote_rc json_read(struct arena *a, struct str text, struct json **out,
                           struct footnote_err *err);
/* The member with that key, or NULL (also when o is NULL or no object). */
struct json *json_get(const struct json *o, struct str key);
/* The same when it is a string; absent else. */
struct str json_text(const struct json *o, struct str key);
/* NaN of what is no number, also of NULL. */
double json_number(const struct json *v);

/* Writer: commas are its business.  Misuse is a bug (assert), failures are
 * the buffer's. */
struct json_out {
    struct buf *b;
    uint64_t more;    /* bit per level: a value was written there */
    uint64_t objects; /* bit per level: it is an object */
    unsigned depth;
    bool after_key;
};

#define JSON_OUT(buffer) ((struct json_out){.b = (buffer)})

void json_object(struct json_out *w);            /* { ... json_end */
void json_array(struct json_out *w);             /* [ ... json_end */
void json_end(struct json_out *w, char bracket); /* '}' or ']' */
void json_key(struct json_out *w, struct str key);
void json_str(struct json_out *w, struct str s); /* absent: null */
void json_i64(struct json_out *w, int64_t v);
void json_f64(struct json_out *w, double v);
void json_bool(struct json_out *w, bool v);
void json_null(struct json_out *w);
void json_raw(struct json_out *w, struct str json); /* already JSON */
/* A quoted, escaped string alone.  s is valid UTF-8. */
void buf_add_json(struct buf *b, struct str s);

#endif
