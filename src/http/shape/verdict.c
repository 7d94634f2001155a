/* verdict.c - what judges found in an answer, as JSON.
 *
 * A reader who may no longer see a source is not told where its words are. */
#include "base/json.h"
#include "http/shape/names.h"
#include "http/shape/shape.h"
#include "store/session/message.h"
#include "store/source/verdicts.h"

static const struct reference *source_of(const struct message *m,
                                         uint32_t number)
{
    for (size_t i = 0; i < m->sources_n; i++)
        if (m->sources[i].number == number)
            return &m->sources[i];
    return NULL;
}

static bool has_words(const struct reference *r)
{
    return r && r->source.preview.p;
}

static void add_pair(struct buf *b, uint32_t from, uint32_t to)
{
    buf_add_c(b, '[');
    buf_add_i64(b, from);
    buf_add_c(b, ',');
    buf_add_i64(b, to);
    buf_add_c(b, ']');
}

static void add_sentence(struct buf *b, const struct sentence_verdict *s,
                         bool measured, bool with_span)
{
    buf_add(b, STR("{\"start\":"));
    buf_add_i64(b, s->start);
    buf_add(b, STR(",\"end\":"));
    buf_add_i64(b, s->end);
    buf_add(b, STR(",\"verdict\":"));
    buf_add_json(b, verdict_name(s->kind));
    buf_add(b, STR(",\"number\":"));
    shape_i64(b, s->number > 0, s->number);
    if (s->number && measured) {
        buf_add(b, STR(",\"support\":"));
        shape_support(b, (int)s->support);
    }
    if (s->reason != REASON_NONE) {
        buf_add(b, STR(",\"reason\":"));
        buf_add_json(b, reason_name(s->reason));
    }
    if (s->word_end) {
        buf_add(b, STR(",\"word\":"));
        add_pair(b, s->word_start, s->word_end);
    }
    if (s->missing_n) {
        buf_add(b, STR(",\"missing\":["));
        for (size_t i = 0; i < s->missing_n; i++) {
            if (i)
                buf_add_c(b, ',');
            add_pair(b, s->missing[2 * i], s->missing[2 * i + 1]);
        }
        buf_add_c(b, ']');
    }
    if (with_span && s->to) {
        buf_add(b, STR(",\"span\":"));
        add_pair(b, s->from, s->to);
    }
    buf_add_c(b, '}');
}

static void add_record(struct buf *b, const struct message *m,
                       const struct verdict_record *r)
{
    bool measured = str_eq(r->judge, STR(VERDICT_JUDGE_TEXT));

    buf_add(b, STR("{\"judge\":"));
    buf_add_json(b, r->judge);
    buf_add(b, STR(",\"carried\":"));
    buf_add_i64(b, (int64_t)r->carried);
    buf_add(b, STR(",\"of\":"));
    buf_add_i64(b, (int64_t)r->n);
    buf_add(b, STR(",\"sentences\":["));
    for (size_t i = 0; i < r->n; i++) {
        const struct sentence_verdict *s = &r->sentences[i];

        if (i)
            buf_add_c(b, ',');
        add_sentence(b, s, measured, has_words(source_of(m, s->number)));
    }
    buf_add(b, STR("]}"));
}

void shape_verdicts(struct buf *b, const struct message *m)
{
    buf_add_c(b, '[');
    for (size_t i = 0; i < m->verdicts_n; i++) {
        if (i)
            buf_add_c(b, ',');
        add_record(b, m, &m->verdicts[i]);
    }
    buf_add_c(b, ']');
}
