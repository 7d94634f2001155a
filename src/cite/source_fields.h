/* source_fields.h - the one table of a source's fields.  Any thread.
 *
 * The table makes struct source and drives all that touches every field: the
 * checks, the digest, JSON in and out, the rows of source, the copies
 * of caches and feeds, and the public struct of footnote.h.  So a new field is
 * a row at the end of the table, a member of struct footnote_source, a column
 * at the end of both lists in sql/query/source.sql, a migration, and the docs.
 *
 * Rows are in the order of JSON.  `line` is the field's place among the lines
 * of the digest and the columns of the statements; digests are stored, so it
 * never changes, and a new field takes the next one. */
#ifndef CITE_SOURCE_FIELDS_H
#define CITE_SOURCE_FIELDS_H
#include "base/str.h"
#include "footnote.h"

enum {
    SOURCE_ID_BYTES_MAX = 200,
    SOURCE_TEXT_BYTES_MAX = 64 * 1024, /* preview */
    SOURCE_META_BYTES_MAX = 4 * 1024,
    SOURCE_LABEL_BYTES_MAX = 4 * 1024 /* title, url, s3key */
};

/* What a field holds.  Absent text is STR_NONE; WHOLE and SECONDS are there
 * when their has_ is set; a COUNT of 0 is absent. */
enum source_kind {
    SOURCE_ID,      /* struct str of 1 to 200 bytes */
    SOURCE_TEXT,    /* struct str */
    SOURCE_OBJECT,  /* struct str: a JSON object, verbatim */
    SOURCE_WHOLE,   /* int64_t, 0 or more */
    SOURCE_SECONDS, /* double, 0 to 2^53; footnote.h adds _seconds */
    SOURCE_COUNT    /* int64_t, 1 or more */
};

// clang-format off
/* X(line, kind, member, camelCase, snake_case, bytes at most).  In JSON the
 * type of the source and its number stand behind the id. */
#define SOURCE_FIELDS(X) SOURCE_FIELD_ID(X) SOURCE_FIELDS_REST(X)
#define SOURCE_FIELD_ID(X) /* as brought; absent: the source's key */ \
    X(0, ID, id, "sourceId", "source_id", SOURCE_ID_BYTES_MAX)
#define SOURCE_FIELDS_REST(X) \
    X(1, TEXT, preview, "contentPreview", "content_preview", \
      SOURCE_TEXT_BYTES_MAX) \
    X(6, ID, document, "documentId", "document_id", SOURCE_ID_BYTES_MAX) \
    X(11, WHOLE, page, "slideNumber", "slide_number", 0) \
    X(7, ID, lecture, "lectureId", "lecture_id", SOURCE_ID_BYTES_MAX) \
    X(12, SECONDS, start, "startSeconds", "start_seconds", 0) \
    X(13, SECONDS, end, "endSeconds", "end_seconds", 0) \
    X(4, ID, course, "courseId", "course_id", SOURCE_ID_BYTES_MAX) \
    X(5, ID, owner, "ownerId", "owner_id", SOURCE_ID_BYTES_MAX) \
    X(2, TEXT, title, "title", "title", SOURCE_LABEL_BYTES_MAX) \
    X(3, TEXT, url, "url", "url", SOURCE_LABEL_BYTES_MAX) \
    /* of a journal entry, YYYY-MM-DD */ \
    X(8, TEXT, date, "date", "date", SOURCE_ID_BYTES_MAX) \
    /* label of a page picture */ \
    X(9, TEXT, s3key, "s3key", "s3key", SOURCE_LABEL_BYTES_MAX) \
    /* k-th passage of its page or text */ \
    X(14, COUNT, part, "part", "part", 0) \
    /* where in a text: "Prices!B2:D9", "cell 7" */ \
    X(15, TEXT, locator, "locator", "locator", SOURCE_ID_BYTES_MAX) \
    X(10, OBJECT, meta, "meta", "meta", SOURCE_META_BYTES_MAX)
// clang-format on

#define SOURCE_MEMBER(line, kind, member, camel, snake, max)                   \
    SOURCE_MEMBER_##kind(member)
#define SOURCE_MEMBER_ID(member)     struct str member;
#define SOURCE_MEMBER_TEXT(member)   struct str member;
#define SOURCE_MEMBER_OBJECT(member) struct str member;
#define SOURCE_MEMBER_WHOLE(member)                                            \
    bool has_##member;                                                         \
    int64_t member;
#define SOURCE_MEMBER_SECONDS(member)                                          \
    bool has_##member;                                                         \
    double member;
#define SOURCE_MEMBER_COUNT(member) int64_t member;

struct source {
    enum footnote_type type;
    SOURCE_FIELDS(SOURCE_MEMBER)
};

/* ---- The same at run time ----------------------------------------------- */

struct source_field {
    struct str name; /* camelCase */
    enum source_kind kind;
    size_t offset;     /* of the member in struct source */
    size_t has_offset; /* of its has_; 0: none */
    size_t bytes_max;  /* of a text */
};

static inline bool source_is_text(const struct source_field *f)
{
    return f->kind <= SOURCE_OBJECT;
}

#define SOURCE_FIELDS_ONE(line, kind, member, camel, snake, max) +1
enum { SOURCE_FIELDS_N = SOURCE_FIELDS(SOURCE_FIELDS_ONE) };
extern const struct source_field source_fields[SOURCE_FIELDS_N]; /* by line */

/* A field's value; which member holds it follows from the field's kind. */
struct source_value {
    bool has;
    struct str text;
    int64_t whole;
    double seconds;
};
struct source_value source_get(const struct source *s,
                               const struct source_field *f);
/* `s` was zeroed; a value that is absent changes nothing. */
void source_set(struct source *s, const struct source_field *f,
                const struct source_value *v);

/* All texts of a source in a row, each with a NUL behind it: how many bytes
 * that is; copies them to `to`, which has room for them, and points `s` at the
 * copies; points `s` at bytes that were copied before. */
size_t source_texts_bytes(const struct source *s);
void source_copy_texts(struct source *s, char *to);
void source_move_texts(struct source *s, const char *to);

#endif
