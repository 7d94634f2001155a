/* hits.c - a passage of the index becomes a source that can be cited.
 *
 * The document's kind gives the source's type, if the passage has what that
 * type needs: a slide its page, a lecture its seconds, a journal entry its date
 * and title, a web page its address.  Any other passage is a part of a text. */
#include "retrieve/search/search.h"
#include "store/document/document.h"
#include "store/document/search.h"

static bool is_filled(struct str s)
{
    return s.p && s.n;
}

static enum footnote_type type_of(const struct hit_read *h)
{
    switch (h->kind) {
    case DOCUMENT_SLIDES:
        return h->passage.page >= 1 ? FOOTNOTE_SLIDE : FOOTNOTE_TEXT;
    case DOCUMENT_LECTURE:
        return h->passage.has_seconds ? FOOTNOTE_LECTURE : FOOTNOTE_TEXT;
    case DOCUMENT_JOURNAL:
        return is_filled(h->date) && is_filled(h->title) ? FOOTNOTE_JOURNAL
                                                         : FOOTNOTE_TEXT;
    case DOCUMENT_PAGE: return is_filled(h->url) ? FOOTNOTE_WEB : FOOTNOTE_TEXT;
    case DOCUMENT_TEXT: break;
    }
    return FOOTNOTE_TEXT;
}

static struct source source_of(const struct hit_read *h)
{
    struct source s = {.type = type_of(h),
                       .preview = h->passage.text,
                       .title = h->title,
                       .url = h->url,
                       .course = h->course,
                       .date = h->date};

    if (s.type == FOOTNOTE_LECTURE) {
        s.lecture = h->id;
        s.has_start = s.has_end = true;
        s.start = h->passage.start;
        s.end = h->passage.end;
        return s;
    }
    s.document = h->id;
    if (s.type == FOOTNOTE_SLIDE) {
        s.has_page = true;
        s.page = h->passage.page;
        if (str_eq(h->passage.extra, PASSAGE_TALL) ||
            str_eq(h->passage.extra, PASSAGE_TALL_CONTENTS))
            s.meta = PASSAGE_TALL;
    } else {
        s.part = h->position;
        s.locator = h->passage.locator;
    }
    return s;
}

static enum footnote_rc make_hit(struct search_run *run,
                                 const struct hit_read *h,
                                 struct located_hit *out,
                                 struct footnote_err *err)
{
    out->hit = (struct hit){.source = source_of(h),
                            .text = h->passage.text,
                            .doc_ref = h->id,
                            .version = h->version};
    if (out->hit.source.type == FOOTNOTE_JOURNAL)
        out->hit.doc_ref = arena_printf(run->out, "%.*s:%.*s", STR_ARG(h->date),
                                        STR_ARG(h->title));
    return source_key(&run->scratch, &out->hit.source, &out->key, err);
}

enum footnote_rc hits_fill(struct search_run *run, struct hit_read *reads,
                           size_t n, struct located_hit *out, size_t *out_n,
                           struct footnote_err *err)
{
    struct hits_read op = {.hits = reads, .hits_n = n};

    TRY(store_read(run->retriever->store, run->search->who, run->out,
                   OP(hits_read), &op, err));
    for (size_t i = 0; i < n; i++) {
        if (!reads[i].found)
            continue;
        out[*out_n] = out[i]; /* range, passage, score and language */
        TRY(make_hit(run, &reads[i], &out[(*out_n)++], err));
    }
    return arena_rc(run->out, err);
}

enum footnote_rc hits_fetch(struct search_run *run, const struct ranked *ranked,
                            size_t n, struct located_hit *out, size_t *out_n,
                            struct footnote_err *err)
{
    struct hit_read *reads = arena_many(&run->scratch, n + 1, struct hit_read);

    *out_n = 0;
    TRY(arena_rc(&run->scratch, err));
    for (size_t i = 0; i < n; i++) {
        const struct segment *s = run->query.ranges[ranked[i].range].segment;
        const struct segment_document *d =
            &s->documents[segment_document_of(s, ranked[i].passage)];

        reads[i] =
            (struct hit_read){.document = d->key,
                              .version = d->version,
                              .position = s->positions[ranked[i].passage]};
        out[i] = (struct located_hit){.range = ranked[i].range,
                                      .passage = ranked[i].passage,
                                      .score = ranked[i].score,
                                      .language = (enum language)d->language};
    }
    return hits_fill(run, reads, n, out, out_n, err);
}
