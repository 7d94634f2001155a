/* course.c - a course and its documents: what is known of them.  The files
 * themselves are read in again, or come with a backup. */
#include "base/json.h"
#include "export/export.h"
#include "export/fields.h"
#include "http/shape/names.h"

void export_course(struct buf *b, const struct course *c,
                   const struct member *members, size_t n)
{
    buf_add(b, STR("{\"footnote\":\"course\""));
    field_number(b, STR("version"), true, EXPORT_VERSION);
    field_text(b, STR("id"), c->id);
    field_text(b, STR("userId"), c->owner);
    field_text(b, STR("title"), c->title);
    field_time(b, STR("createdAt"), c->created_ms);
    field_name(b, STR("members"));
    buf_add_c(b, '[');
    for (size_t i = 0; i < n; i++) {
        buf_add(b, i ? STR(",{\"userId\":") : STR("{\"userId\":"));
        buf_add_json(b, members[i].user);
        field_text(b, STR("role"), member_role_name(members[i].role));
        buf_add_c(b, '}');
    }
    buf_add(b, STR("]}"));
}

void export_document(struct buf *b, const struct document *d)
{
    buf_add(b, STR("{\"footnote\":\"document\""));
    field_number(b, STR("version"), true, EXPORT_VERSION);
    field_text(b, STR("id"), d->id);
    field_text(b, STR("courseId"), d->course);
    field_text(b, STR("kind"), document_kind_name(d->kind));
    field_text(b, STR("title"), d->title);
    field_text(b, STR("date"), d->date);
    field_text(b, STR("url"), d->url);
    field_text(b, STR("filename"), d->filename);
    field_text(b, STR("mediaType"), d->media_type);
    field_text(b, STR("language"), d->language);
    field_number(b, STR("bytes"), d->has_bytes, d->bytes);
    field_number(b, STR("pages"), d->has_pages, d->pages);
    field_number(b, STR("documentVersion"), true, d->version);
    field_name(b, STR("digest"));
    buf_add(b, STR("\"sha256:"));
    buf_add_hex(b, d->digest.b, SHA256_BYTES);
    buf_add_c(b, '"');
    field_time(b, STR("createdAt"), d->created_ms);
    buf_add_c(b, '}');
}
