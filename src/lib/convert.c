/* convert.c - the public structs and the store's, both ways. */
#include "lib/convert.h"
#include "store/session/message.h"
#include "store/source/verdicts.h"

_Static_assert((int)FOOTNOTE_CONTRADICTS == (int)VERDICT_CONTRADICTS &&
                   (int)FOOTNOTE_WHY_UNKNOWN == (int)REASON_UNKNOWN,
               "the public names are those of what is stored");

/* ---- Fields of a source, which have the same names in both structs ------ */

#define IN(line, kind, member, camel, snake, max) IN_##kind(member)
#define IN_TEXT(member)                           to.member = str_c(from->member);
#define IN_ID(member)                             IN_TEXT(member)
#define IN_OBJECT(member)                         IN_TEXT(member)
#define IN_COUNT(member)                          to.member = from->member;
#define IN_WHOLE(member)                                                       \
    to.has_##member = from->has_##member;                                      \
    to.member = from->member;
#define IN_SECONDS(member)                                                     \
    to.has_##member = from->has_##member;                                      \
    to.member = from->member##_seconds;

#define OUT(line, kind, member, camel, snake, max) OUT_##kind(member)
#define OUT_TEXT(member)                           to.member = from->member.p;
#define OUT_ID(member)                             OUT_TEXT(member)
#define OUT_OBJECT(member)                         OUT_TEXT(member)
#define OUT_COUNT(member)                          to.member = (uint32_t)from->member;
#define OUT_WHOLE(member)                                                      \
    to.has_##member = from->has_##member;                                      \
    to.member = (uint32_t)from->member;
#define OUT_SECONDS(member)                                                    \
    to.has_##member = from->has_##member;                                      \
    to.member##_seconds = from->member;

static struct source source_in(const struct footnote_source *from)
{
    struct source to = {.type = from->type};

    SOURCE_FIELDS(IN);
    return to;
}

static struct footnote_source source_out(const struct source *from)
{
    struct footnote_source to = {.type = from->type};

    SOURCE_FIELDS(OUT);
    return to;
}

/* ---- The way in --------------------------------------------------------- */

enum footnote_rc lib_sources(struct arena *a,
                             const struct footnote_source *from, size_t n,
                             const struct reference **out,
                             struct footnote_err *err)
{
    struct reference *refs;

    *out = NULL;
    if (n > STORE_SOURCES_MAX)
        return err_field(err, FOOTNOTE_TOOBIG, "sources", "%zu, at most %d", n,
                         STORE_SOURCES_MAX);
    refs = arena_many(a, n + 1, struct reference);
    if (!refs)
        return arena_rc(a, err);
    for (size_t i = 0; i < n; i++)
        refs[i] = (struct reference){.source = source_in(&from[i]),
                                     .number = from[i].number,
                                     .has_score = from[i].has_score,
                                     .score = from[i].score};
    *out = refs;
    return FOOTNOTE_OK;
}

static enum footnote_rc list_in(struct arena *a, struct footnote_list from,
                                const struct str **out, size_t *n,
                                struct footnote_err *err)
{
    struct str *s;

    if (from.n > STORE_IDS_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "a list: %zu, at most %d", from.n,
                       STORE_IDS_MAX);
    s = arena_many(a, from.n + 1, struct str);
    if (!s)
        return arena_rc(a, err);
    for (size_t i = 0; i < from.n; i++)
        s[i] = str_c(from.items[i]);
    *out = s;
    *n = from.n;
    return FOOTNOTE_OK;
}

enum footnote_rc lib_message(struct arena *a,
                             const struct footnote_message *from,
                             struct message *out, struct footnote_err *err)
{
    *out = (struct message){.id = str_c(from->id),
                            .session = str_c(from->session),
                            .parent = str_c(from->parent),
                            .role = from->role,
                            .status = from->status,
                            .content = str_c(from->text),
                            .created_ms = from->created_ms,
                            .has_low_confidence = from->has_low_confidence,
                            .low_confidence = from->low_confidence,
                            .has_image = from->image.s3key != NULL,
                            .image_s3key = str_c(from->image.s3key),
                            .image_slide = str_c(from->image.slide),
                            .has_image_page = from->image.has_page,
                            .image_page = from->image.page,
                            .sources_n = from->sources_n};
    TRY(list_in(a, from->doc_refs, &out->doc_refs, &out->doc_refs_n, err));
    TRY(list_in(a, from->rag_source_ids, &out->rag_source_ids,
                &out->rag_source_ids_n, err));
    TRY(list_in(a, from->web_source_ids, &out->web_source_ids,
                &out->web_source_ids_n, err));
    return lib_sources(a, from->sources, from->sources_n, &out->sources, err);
}

/* ---- The way out -------------------------------------------------------- */

static struct footnote_source reference_out(const struct reference *r)
{
    struct footnote_source s = source_out(&r->source);

    s.number = r->number;
    s.has_score = r->has_score;
    s.score = r->score;
    s.cited = r->cited;
    s.support = r->support < 0 ? -1 : r->support / 1000.0;
    s.spans = r->spans;
    s.spans_n = r->spans_n;
    s.state = r->state;
    return s;
}

static enum footnote_rc list_out(struct arena *a, const struct str *s, size_t n,
                                 struct footnote_list *out,
                                 struct footnote_err *err)
{
    const char **items = arena_many(a, n + 1, const char *);

    if (!items)
        return arena_rc(a, err);
    for (size_t i = 0; i < n; i++)
        items[i] = arena_str(a, s[i]).p;
    *out = (struct footnote_list){items, n};
    return arena_rc(a, err);
}

static enum footnote_rc sources_out(struct arena *a, const struct message *m,
                                    struct footnote_message *out,
                                    struct footnote_err *err)
{
    struct footnote_source *s =
        arena_many(a, m->sources_n + 1, struct footnote_source);

    if (!s)
        return arena_rc(a, err);
    for (size_t i = 0; i < m->sources_n; i++)
        s[i] = reference_out(&m->sources[i]);
    out->sources = s;
    out->sources_n = m->sources_n;
    return FOOTNOTE_OK;
}

/* Nobody is told where the words are of a source that is not shown. */
static bool has_words(const struct message *m, uint32_t number)
{
    for (size_t i = 0; i < m->sources_n; i++)
        if (m->sources[i].number == number)
            return m->sources[i].source.preview.p;
    return false;
}

static struct footnote_sentence sentence_out(const struct message *m,
                                             const struct sentence_verdict *s,
                                             bool measured)
{
    bool told = s->to && has_words(m, s->number);

    return (struct footnote_sentence){
        .start = s->start,
        .end = s->end,
        .verdict = (enum footnote_verdict)s->kind,
        .reason = (enum footnote_reason)s->reason,
        .number = s->number,
        .support = measured && s->number ? s->support / 1000.0 : -1,
        .word_start = s->word_start,
        .word_end = s->word_end,
        .span_start = told ? s->from : 0,
        .span_end = told ? s->to : 0};
}

static enum footnote_rc verdicts_out(struct arena *a, const struct message *m,
                                     struct footnote_message *out,
                                     struct footnote_err *err)
{
    struct footnote_verdicts *v =
        arena_many(a, m->verdicts_n + 1, struct footnote_verdicts);

    for (size_t i = 0; v && i < m->verdicts_n; i++) {
        const struct verdict_record *r = &m->verdicts[i];
        struct footnote_sentence *s =
            arena_many(a, r->n + 1, struct footnote_sentence);

        for (size_t k = 0; s && k < r->n; k++)
            s[k] = sentence_out(m, &r->sentences[k],
                                str_eq(r->judge, STR(VERDICT_JUDGE_TEXT)));
        v[i] = (struct footnote_verdicts){.judge = arena_str(a, r->judge).p,
                                          .sentences = s,
                                          .n = r->n,
                                          .carried = r->carried};
    }
    out->verdicts = v;
    out->verdicts_n = m->verdicts_n;
    out->unknown = m->unknown;
    out->unknown_n = m->unknown_n;
    return arena_rc(a, err);
}

static enum footnote_rc digest_out(struct arena *a, const struct message *m,
                                   struct footnote_message *out,
                                   struct footnote_err *err)
{
    char hex[SHA256_HEX + 1];

    if (!m->has_digest)
        return FOOTNOTE_OK;
    sha256_hex(&m->digest, hex);
    out->digest = arena_printf(a, "sha256:%s", hex).p;
    return arena_rc(a, err);
}

static enum footnote_rc message_out(struct arena *a, const struct message *m,
                                    struct footnote_message *out,
                                    struct footnote_err *err)
{
    *out = (struct footnote_message){
        .id = m->id.p,
        .session = m->session.p,
        .text = m->content.p,
        .role = m->role,
        .status = m->status,
        .created_ms = m->created_ms,
        .has_low_confidence = m->has_low_confidence,
        .low_confidence = m->low_confidence,
        .image = {m->image_s3key.p, m->image_slide.p, m->has_image_page,
                  (uint32_t)m->image_page},
        .parent = m->parent.p,
        .shown = m->shown == SHOWN_ON,
        .replaced_by = m->replaced_by.p,
        .failure = m->failure.p};
    TRY(list_out(a, m->doc_refs, m->doc_refs_n, &out->doc_refs, err));
    TRY(list_out(a, m->rag_source_ids, m->rag_source_ids_n,
                 &out->rag_source_ids, err));
    TRY(list_out(a, m->web_source_ids, m->web_source_ids_n,
                 &out->web_source_ids, err));
    TRY(digest_out(a, m, out, err));
    TRY(verdicts_out(a, m, out, err));
    return sources_out(a, m, out, err);
}

enum footnote_rc lib_messages_out(struct arena *a, const struct message *from,
                                  size_t n, const struct footnote_message **out,
                                  struct footnote_err *err)
{
    struct footnote_message *m = arena_many(a, n + 1, struct footnote_message);

    if (!m)
        return arena_rc(a, err);
    for (size_t i = 0; i < n; i++)
        TRY(message_out(a, &from[i], &m[i], err));
    *out = m;
    return FOOTNOTE_OK;
}
