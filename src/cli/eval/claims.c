/* claims.c - reads judged claims from their own file, or from a collection. */
#include "cli/eval/claims.h"

#include "base/buf.h"
#include "base/json.h"
#include "cite/sentence.h"

enum { SOURCE_BYTES_MAX = 1024 * 1024, ANSWER_SENTENCE_BYTES_MIN = 24 };

/* ---- claims.jsonl ------------------------------------------------------- */

static size_t items_of(const struct json *list)
{
    return list && list->type == JSON_ARRAY ? list->n : 0;
}

/* The evidence as one text with empty lines between its sentences, which are
 * put into `sentences`. */
static enum footnote_rc join_evidence(struct arena *a, const struct json *list,
                                      struct str *sentences, struct str *out,
                                      struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(SOURCE_BYTES_MAX);
    size_t n = 0;

    for (const struct json *s = list->first; s; s = s->next) {
        if (s->type != JSON_STR)
            return err_set(err, FOOTNOTE_INVALID, "evidence: not all are text");
        buf_add(&b, s->s);
        buf_add(&b, STR("\n\n"));
    }
    TRY(buf_rc(&b, err));
    *out = arena_str(a, buf_str(&b));
    TRY(arena_rc(a, err));
    const char *at = out->p;
    for (const struct json *s = list->first; s; s = s->next) {
        sentences[n++] = (struct str){at, s->s.n};
        at += s->s.n + 2;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read_gold(struct arena *a, const struct json *sets,
                                  const struct str *sentences, size_t n,
                                  struct claim_case *c,
                                  struct footnote_err *err)
{
    c->gold = arena_many(a, n + 1, struct str);
    bool *taken = arena_many(a, n + 1, bool);

    TRY(arena_rc(a, err));
    for (const struct json *set = items_of(sets) ? sets->first : NULL; set;
         set = set->next) {
        const struct json *i = items_of(set) ? set->first : NULL;

        for (; i; i = i->next) {
            if (i->type != JSON_I64 || i->i < 0 || (size_t)i->i >= n)
                return err_set(err, FOOTNOTE_INVALID,
                               "supporting_sentences: there are %zu", n);
            if (!taken[i->i])
                c->gold[c->gold_n++] = sentences[i->i];
            taken[i->i] = true;
        }
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read_claim(struct arena *a, struct str line,
                                   struct claim_case *c,
                                   struct footnote_err *err)
{
    struct json *o, *evidence;

    TRY(json_read(a, line, &o, err));
    evidence = json_get(o, STR("evidence"));
    c->claim = json_text(o, STR("claim"));
    c->title = STR_NONE;
    c->supported = str_eq(json_text(o, STR("label")), STR("supported"));
    if (!c->claim.p || !evidence || evidence->type != JSON_ARRAY)
        return err_set(err, FOOTNOTE_INVALID, "claim or evidence is missing");
    struct str *sentences = arena_many(a, evidence->n + 1, struct str);
    TRY(arena_rc(a, err));
    TRY(join_evidence(a, evidence, sentences, &c->source, err));
    return read_gold(a, json_get(o, STR("supporting_sentences")), sentences,
                     evidence->n, c, err);
}

static enum footnote_rc read_lines(struct arena *a, struct str text,
                                   struct claims *out, struct footnote_err *err)
{
    struct str line;

    out->cases =
        arena_many(a, collection_count_lines(text) + 1, struct claim_case);
    TRY(arena_rc(a, err));
    while (collection_next_line(&text, &line)) {
        enum footnote_rc rc = read_claim(a, line, &out->cases[out->n++], err);

        if (rc == FOOTNOTE_OK)
            continue;
        err_prefix(err, "claims.jsonl, line %zu", out->n);
        return rc;
    }
    return FOOTNOTE_OK;
}

/* ---- Answers of a collection -------------------------------------------- */

static size_t count_sentences(const struct collection *c)
{
    size_t n = 0;

    for (size_t q = 0; q < c->queries_n; q++)
        for (size_t i = 0; i < c->queries[q].answers_n; i++) {
            struct str sentence;
            size_t at = 0;

            while (sentence_next(c->queries[q].answers[i], &at, &sentence))
                n++;
        }
    return n;
}

/* Each sentence of an answer is a claim about the document that it is from.
 * The shortest ones ("Yes.") claim nothing by themselves. */
static void add_answer(struct claims *out, const struct collection_doc *d,
                       struct str answer)
{
    struct str sentence;
    size_t at = 0;

    while (sentence_next(answer, &at, &sentence))
        if (sentence.n >= ANSWER_SENTENCE_BYTES_MIN)
            out->cases[out->n++] = (struct claim_case){.title = d->title,
                                                       .source = d->text,
                                                       .claim = sentence,
                                                       .supported = true};
}

static enum footnote_rc take_answers(struct arena *a,
                                     const struct collection *c,
                                     struct claims *out,
                                     struct footnote_err *err)
{
    out->cases = arena_many(a, count_sentences(c) + 1, struct claim_case);
    TRY(arena_rc(a, err));
    for (size_t q = 0; q < c->queries_n; q++) {
        const struct collection_query *query = &c->queries[q];

        for (size_t i = 0; query->judgements_n && i < query->answers_n; i++)
            add_answer(out, &c->docs[query->judgements[0].doc],
                       query->answers[i]);
    }
    return FOOTNOTE_OK;
}

enum footnote_rc claims_read(struct arena *a, const char *folder,
                             struct claims *out, struct footnote_err *err)
{
    struct collection c;
    struct str text;
    enum footnote_rc rc =
        collection_load(a, folder, "claims.jsonl", &text, err);

    *out = (struct claims){.n = 0};
    if (rc == FOOTNOTE_OK)
        return read_lines(a, text, out, err);
    if (rc != FOOTNOTE_NOTFOUND)
        return rc;
    TRY(collection_read(a, folder, &c, err));
    return take_answers(a, &c, out, err);
}
