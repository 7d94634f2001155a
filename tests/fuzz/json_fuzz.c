/* json_fuzz.c - our JSON reader against jansson, and against our writer.
 *
 * Both must accept the same texts and see the same values in them, except
 * that jansson refuses integers over int64 and NUL in keys, which we read,
 * and that we refuse more than JSON_DEPTH_MAX levels and any NUL byte.  What
 * was read, written and read again must be the same. */

/* jansson uses eight of our names.  It is read under others; the functions
 * among them are not called here.  (Ours are hidden, so that jansson itself
 * keeps calling its own.) */
#define JSON_OBJECT JANSSON_OBJECT
#define JSON_ARRAY  JANSSON_ARRAY
#define JSON_TRUE   JANSSON_TRUE
#define JSON_FALSE  JANSSON_FALSE
#define JSON_NULL   JANSSON_NULL
#define json_object jansson_object
#define json_array  jansson_array
#define json_null   jansson_null
#include <jansson.h>
#undef JSON_OBJECT
#undef JSON_ARRAY
#undef JSON_TRUE
#undef JSON_FALSE
#undef JSON_NULL
#undef json_object
#undef json_array
#undef json_null

#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static struct arena arena = {.max_bytes = SIZE_MAX};

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "json_fuzz: %s\n", what);
    abort();
}

/* 0 and -0 are two values. */
static bool same_f64(double a, double b)
{
    return a == b && signbit(a) == signbit(b);
}

static void compare(const struct json *ours, const json_t *theirs);

static void compare_array(const struct json *ours, const json_t *theirs)
{
    size_t i = 0;
    must(json_typeof(theirs) == JANSSON_ARRAY, "jansson sees no array");
    must(ours->n == json_array_size(theirs), "arrays differ in length");
    for (const struct json *item = ours->first; item; item = item->next)
        compare(item, json_array_get(theirs, i++));
    must(i == ours->n, "the array's n is wrong");
}

static void compare_object(const struct json *ours, const json_t *theirs)
{
    size_t n = 0;
    must(json_typeof(theirs) == JANSSON_OBJECT, "jansson sees no object");
    must(ours->n == json_object_size(theirs), "objects differ in length");
    for (const struct json *m = ours->first; m; m = m->next, n++) {
        must(json_get(ours, m->key) == m, "a member is not found by its key");
        compare(m, json_object_getn(theirs, m->key.p, m->key.n));
    }
    must(n == ours->n, "the object's n is wrong");
}

static void compare_f64(const struct json *ours, const json_t *theirs)
{
    double v = json_number_value(theirs);
    must(json_is_number(theirs), "jansson sees no number");
    /* "-0" is the integer 0 to jansson. */
    if (json_is_integer(theirs))
        must(ours->f == 0 && v == 0, "an integer became a double");
    else
        must(same_f64(ours->f, v), "doubles differ");
}

static void compare(const struct json *ours, const json_t *theirs)
{
    must(theirs != NULL, "jansson does not have it");
    switch (ours->type) {
    case JSON_NULL: must(json_typeof(theirs) == JANSSON_NULL, "null"); return;
    case JSON_FALSE:
        must(json_typeof(theirs) == JANSSON_FALSE, "false");
        return;
    case JSON_TRUE: must(json_typeof(theirs) == JANSSON_TRUE, "true"); return;
    case JSON_I64:
        must(json_is_integer(theirs), "jansson sees no integer");
        must(ours->i == json_integer_value(theirs), "integers differ");
        return;
    case JSON_F64: compare_f64(ours, theirs); return;
    case JSON_STR:
        must(json_is_string(theirs), "jansson sees no string");
        must(str_eq(ours->s, (struct str){json_string_value(theirs),
                                          json_string_length(theirs)}),
             "strings differ");
        return;
    case JSON_ARRAY: compare_array(ours, theirs); return;
    case JSON_OBJECT: compare_object(ours, theirs); return;
    }
}

static void write_tree(struct json_out *w, const struct json *j)
{
    switch (j->type) {
    case JSON_NULL: json_null(w); return;
    case JSON_FALSE: json_bool(w, false); return;
    case JSON_TRUE: json_bool(w, true); return;
    case JSON_I64: json_i64(w, j->i); return;
    case JSON_F64: json_f64(w, j->f); return;
    case JSON_STR: json_str(w, j->s); return;
    case JSON_ARRAY: json_array(w); break;
    case JSON_OBJECT: json_object(w); break;
    }
    for (const struct json *m = j->first; m; m = m->next) {
        if (j->type == JSON_OBJECT)
            json_key(w, m->key);
        write_tree(w, m);
    }
    json_end(w, j->type == JSON_OBJECT ? '}' : ']');
}

/* The double 5.0 is written as 5, and that is an integer when it is read. */
static void same_number(const struct json *a, const struct json *b)
{
    if (a->type == JSON_F64 && b->type == JSON_I64)
        must(a->f == (double)b->i && (int64_t)a->f == b->i,
             "a whole double changed");
    else if (a->type == JSON_F64)
        must(same_f64(a->f, b->f), "a double changed");
    else
        must(a->i == b->i, "an integer changed");
}

static void same(const struct json *a, const struct json *b)
{
    bool whole = a->type == JSON_F64 && b->type == JSON_I64;
    must(a->type == b->type || whole, "the type changed");
    must(str_eq(a->key, b->key), "the key changed");
    if (a->type == JSON_I64 || a->type == JSON_F64)
        same_number(a, b);
    if (a->type == JSON_STR)
        must(str_eq(a->s, b->s), "the string changed");
    if (a->type != JSON_ARRAY && a->type != JSON_OBJECT)
        return;
    must(a->n == b->n, "the length changed");
    const struct json *y = b->first;
    for (const struct json *x = a->first; x; x = x->next, y = y->next)
        same(x, y);
}

static void round_trip(const struct json *tree)
{
    AUTO(buf_free) struct buf first = BUF(SIZE_MAX / 2);
    AUTO(buf_free) struct buf second = BUF(SIZE_MAX / 2);
    struct json_out w1 = JSON_OUT(&first), w2 = JSON_OUT(&second);
    struct json *again;

    write_tree(&w1, tree);
    must(json_read(&arena, buf_str(&first), &again, NULL) == FOOTNOTE_OK,
         "what was written cannot be read");
    same(tree, again);
    write_tree(&w2, again);
    must(str_eq(buf_str(&first), buf_str(&second)),
         "written twice, it differs");
}

static bool is_ours_to_refuse(struct str text, const struct footnote_err *err)
{
    /* A NUL byte ends the text for jansson's lexer. */
    return strstr(err->text, "nested deeper") || str_find(text, '\0') < text.n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const struct str text = {(const char *)data, n};
    struct footnote_err err = {.text = ""};
    struct json *ours;
    json_error_t why;

    arena_reset(&arena);
    enum footnote_rc rc = json_read(&arena, text, &ours, &err);
    json_t *theirs = json_loadb(
        n ? text.p : "", n,
        JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &why);
    must(rc == FOOTNOTE_OK || rc == FOOTNOTE_INVALID, "a strange code");
    if (rc != FOOTNOTE_OK && theirs)
        must(is_ours_to_refuse(text, &err), "only jansson accepts it");
    if (rc == FOOTNOTE_OK && !theirs)
        must(json_error_code(&why) == json_error_numeric_overflow ||
                 json_error_code(&why) == json_error_null_byte_in_key,
             "only we accept it");
    if (rc == FOOTNOTE_OK && theirs)
        compare(ours, theirs);
    if (rc == FOOTNOTE_OK)
        round_trip(ours);
    json_decref(theirs);
    return 0;
}
