/* source_fields.c - names and limits of a source's fields, and its types. */
#include "cite/source_fields.h"

#define FIELD(name, member, max, is_id)                                        \
    {                                                                          \
        {"" name, sizeof(name) - 1}, offsetof(struct source, member), max,     \
            is_id                                                              \
    }

// clang-format off
const struct source_field source_fields[SOURCE_FIELDS_N] = {
    FIELD("sourceId",       id,       SOURCE_ID_BYTES_MAX,    true),
    FIELD("contentPreview", preview,  SOURCE_TEXT_BYTES_MAX,  false),
    FIELD("title",          title,    SOURCE_LABEL_BYTES_MAX, false),
    FIELD("url",            url,      SOURCE_LABEL_BYTES_MAX, false),
    FIELD("courseId",       course,   SOURCE_ID_BYTES_MAX,    true),
    FIELD("ownerId",        owner,    SOURCE_ID_BYTES_MAX,    true),
    FIELD("documentId",     document, SOURCE_ID_BYTES_MAX,    true),
    FIELD("lectureId",      lecture,  SOURCE_ID_BYTES_MAX,    true),
    FIELD("date",           date,     SOURCE_ID_BYTES_MAX,    false),
    FIELD("s3key",          s3key,    SOURCE_LABEL_BYTES_MAX, false),
    FIELD("meta",           meta,     SOURCE_META_BYTES_MAX,  false),
};
// clang-format on

struct str source_type_name(enum footnote_type type)
{
    switch (type) {
    case FOOTNOTE_TEXT: return STR("text");
    case FOOTNOTE_SLIDE: return STR("slide");
    case FOOTNOTE_LECTURE: return STR("lecture");
    case FOOTNOTE_JOURNAL: return STR("journal");
    case FOOTNOTE_WEB: return STR("web");
    case FOOTNOTE_IMAGE: return STR("image");
    }
    return STR_NONE;
}

bool source_type_parse(struct str word, enum footnote_type *out)
{
    for (int i = FOOTNOTE_TEXT; i <= FOOTNOTE_IMAGE; i++) {
        if (word.p && str_eq(word, source_type_name((enum footnote_type)i))) {
            *out = (enum footnote_type)i;
            return true;
        }
    }
    return false;
}
