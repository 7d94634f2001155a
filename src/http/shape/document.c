/* document.c - documents, and who has cited them, as JSON. */
#include "store/document/document.h"
#include "base/json.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/read/history.h"
#include "store/read/impact.h"

static void add_progress(struct buf *b, const struct document_progress *p)
{
    if (p->unit == UNIT_NONE) {
        buf_add(b, STR("null"));
        return;
    }
    buf_add(b, STR("{\"done\":"));
    buf_add_i64(b, p->done);
    buf_add(b, STR(",\"total\":"));
    shape_i64(b, p->total > 0, p->total);
    buf_add(b, STR(",\"unit\":"));
    shape_str(b, progress_unit_name(p->unit));
    buf_add_c(b, '}');
}

static void add_file(struct buf *b, const struct document *d)
{
    buf_add(b, STR(",\"filename\":"));
    shape_str(b, d->filename);
    buf_add(b, STR(",\"mediaType\":"));
    shape_str(b, d->media_type);
    buf_add(b, STR(",\"bytes\":"));
    shape_i64(b, d->has_bytes, d->bytes);
    buf_add(b, STR(",\"pages\":"));
    shape_i64(b, d->has_pages, d->pages);
    buf_add(b, STR(",\"layout\":"));
    shape_str(b, page_layout_name(d->layout));
    buf_add(b, STR(",\"pageLabels\":"));
    buf_add(b, d->page_labels.p ? d->page_labels : STR("null"));
    buf_add(b, STR(",\"durationSeconds\":"));
    if (d->has_seconds)
        buf_add_f64(b, d->seconds);
    else
        buf_add(b, STR("null"));
    buf_add(b, STR(",\"language\":"));
    shape_str(b, d->language);
    buf_add(b, STR(",\"encoding\":"));
    shape_str(b, d->encoding);
    buf_add(b, STR(",\"hasMedia\":"));
    shape_flag(b, true, d->media.object_key.p || d->media.url.p);
}

static void add_reading(struct buf *b, const struct document *d)
{
    buf_add(b, STR(",\"version\":"));
    buf_add_i64(b, d->version);
    buf_add(b, STR(",\"searchableVersion\":"));
    shape_i64(b, d->searchable_version > 0, d->searchable_version);
    buf_add(b, STR(",\"status\":"));
    shape_str(b, document_status_name(d->status));
    buf_add(b, STR(",\"progress\":"));
    add_progress(b, &d->progress);
    buf_add(b, STR(",\"error\":"));
    shape_str(b, d->error);
    buf_add(b, STR(",\"errorCode\":"));
    shape_str(b, d->error_code);
    buf_add(b, STR(",\"warning\":"));
    shape_str(b, d->warning);
}

void shape_document_fields(struct buf *b, const struct document *d)
{
    buf_add(b, STR("\"id\":"));
    buf_add_json(b, d->id);
    buf_add(b, STR(",\"courseId\":"));
    buf_add_json(b, d->course);
    buf_add(b, STR(",\"kind\":"));
    shape_str(b, document_kind_name(d->kind));
    buf_add(b, STR(",\"title\":"));
    shape_str(b, d->title);
    buf_add(b, STR(",\"date\":"));
    shape_str(b, d->date);
    buf_add(b, STR(",\"url\":"));
    shape_str(b, d->url);
    add_file(b, d);
    add_reading(b, d);
    buf_add(b, STR(",\"createdAt\":"));
    shape_time(b, d->created_ms);
    buf_add(b, STR(",\"changedAt\":"));
    shape_time(b, d->changed_ms);
}

void shape_document(struct buf *b, const struct document *d)
{
    buf_add_c(b, '{');
    shape_document_fields(b, d);
    buf_add_c(b, '}');
}

void shape_citation(struct buf *b, const struct citation *c)
{
    buf_add(b, STR("{\"sessionId\":"));
    buf_add_json(b, c->session);
    buf_add(b, STR(",\"messageId\":"));
    buf_add_json(b, c->message);
    buf_add(b, STR(",\"chunkNumber\":"));
    buf_add_i64(b, c->number);
    buf_add(b, STR(",\"cited\":"));
    shape_flag(b, true, c->cited);
    buf_add(b, STR(",\"createdAt\":"));
    shape_time(b, c->created_ms);
    buf_add_c(b, '}');
}

static void add_impact(struct buf *b, struct str name,
                       const struct impact_counts *n)
{
    buf_add(b, name);
    buf_add(b, STR("{\"answers\":"));
    buf_add_i64(b, (int64_t)n->answers);
    buf_add(b, STR(",\"cited\":"));
    buf_add_i64(b, (int64_t)n->cited);
    buf_add_c(b, '}');
}

void shape_impact(struct buf *b, const struct document_impact *i)
{
    buf_add(b, STR("{\"documentId\":"));
    buf_add_json(b, i->document);
    buf_add(b, STR(",\"courseId\":"));
    shape_str(b, i->course);
    buf_add(b, STR(",\"title\":"));
    shape_str(b, i->title);
    buf_add(b, STR(",\"version\":"));
    buf_add_i64(b, i->version);
    buf_add(b, STR(",\"sessions\":"));
    buf_add_i64(b, (int64_t)i->sessions);
    add_impact(b, STR(",\"ifDeleted\":"), &i->deleted);
    add_impact(b, STR(",\"ifReplaced\":"), &i->replaced);
    buf_add(b, STR(",\"complete\":"));
    shape_flag(b, true, i->complete);
    buf_add(b, STR(",\"answers\":["));
    for (size_t k = 0; k < i->list_n; k++) {
        const struct impact_answer *a = &i->list[k];

        buf_add(b, k ? STR(",{\"sessionId\":") : STR("{\"sessionId\":"));
        buf_add_json(b, a->session);
        buf_add(b, STR(",\"messageId\":"));
        buf_add_json(b, a->message);
        buf_add(b, STR(",\"cited\":"));
        shape_flag(b, true, a->cited);
        buf_add(b, STR(",\"ifDeleted\":"));
        shape_flag(b, true, a->deleted);
        buf_add(b, STR(",\"ifReplaced\":"));
        shape_flag(b, true, a->replaced);
        buf_add_c(b, '}');
    }
    buf_add(b, STR("],\"more\":"));
    shape_flag(b, true, i->list_more);
    buf_add_c(b, '}');
}

/* ---- Counts ------------------------------------------------------------- */

static void add_counts(struct buf *b, const struct reference_count *c, size_t n)
{
    buf_add_c(b, '[');
    for (size_t i = 0; i < n; i++) {
        buf_add(b, i ? STR(",{\"documentId\":") : STR("{\"documentId\":"));
        shape_str(b, c[i].document);
        buf_add(b, STR(",\"title\":"));
        shape_str(b, c[i].title);
        buf_add(b, STR(",\"count\":"));
        buf_add_i64(b, (int64_t)c[i].cited_n);
        buf_add_c(b, '}');
    }
    buf_add_c(b, ']');
}

void shape_stats(struct buf *b, const struct course_stats *s)
{
    buf_add(b, STR("{\"mostCited\":"));
    add_counts(b, s->most, s->most_n);
    buf_add(b, STR(",\"neverCited\":"));
    add_counts(b, s->never, s->never_n);
    buf_add(b, STR(",\"perDay\":["));
    for (size_t i = 0; i < s->per_day_n; i++) {
        buf_add(b, i ? STR(",{\"date\":") : STR("{\"date\":"));
        buf_add_json(b, str_c(s->per_day[i].date));
        buf_add(b, STR(",\"count\":"));
        buf_add_i64(b, s->per_day[i].count);
        buf_add_c(b, '}');
    }
    buf_printf(
        b,
        "],\"verdicts\":{\"answers\":%lld,\"unsupported\":%lld,"
        "\"sentences\":%lld,\"carried\":%lld}}",
        (long long)s->verdicts.answers, (long long)s->verdicts.unsupported,
        (long long)s->verdicts.sentences, (long long)s->verdicts.carried);
}
