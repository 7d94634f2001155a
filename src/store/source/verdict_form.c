/* verdict_form.c - records of verdicts as they are stored.
 *
 * A record is a JSON array with an array of numbers for each sentence, in the
 * order of struct sentence_verdict, what is missing last: people with SQL can
 * read it. */
#include "store/source/verdict_form.h"

#include "base/buf.h"
#include "base/json.h"
#include "store/source/digest.h"

enum {
    FIELDS = 10,
    FIELDS_MAX = FIELDS + 2 * JUDGE_MISSING_MAX,
    PACKED_BYTES_MAX = 128 * 1024
};

enum footnote_rc verdicts_pack(struct arena *a,
                               const struct sentence_verdict *list, size_t n,
                               struct str *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(PACKED_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    json_array(&w);
    for (size_t i = 0; i < n; i++) {
        const struct sentence_verdict *s = &list[i];
        const uint32_t fields[FIELDS] = {
            s->start,      s->end,     (uint32_t)s->kind, (uint32_t)s->reason,
            s->number,     s->support, s->from,           s->to,
            s->word_start, s->word_end};

        json_array(&w);
        for (size_t k = 0; k < FIELDS; k++)
            json_i64(&w, fields[k]);
        for (size_t k = 0; k < 2 * (size_t)s->missing_n; k++)
            json_i64(&w, s->missing[k]);
        json_end(&w, ']');
    }
    json_end(&w, ']');
    TRY(buf_rc(&b, err));
    *out = arena_str(a, buf_str(&b));
    return arena_rc(a, err);
}

/* The numbers of one sentence; false when it is not of this form. */
static bool unpack_one(const struct json *fields, struct sentence_verdict *out)
{
    uint32_t v[FIELDS_MAX] = {0};
    size_t n = 0;

    if (fields->type != JSON_ARRAY || fields->n < FIELDS ||
        fields->n > FIELDS_MAX || fields->n % 2)
        return false;
    for (const struct json *f = fields->first; f; f = f->next) {
        if (f->type != JSON_I64 || f->i < 0 || f->i > UINT32_MAX)
            return false;
        v[n++] = (uint32_t)f->i;
    }
    *out = (struct sentence_verdict){.start = v[0],
                                     .end = v[1],
                                     .kind = (enum verdict_kind)v[2],
                                     .reason = (enum verdict_reason)v[3],
                                     .number = v[4],
                                     .support = v[5],
                                     .from = v[6],
                                     .to = v[7],
                                     .word_start = v[8],
                                     .word_end = v[9],
                                     .missing_n = (uint32_t)(n - FIELDS) / 2};
    memcpy(out->missing, v + FIELDS, sizeof(out->missing));
    return v[2] <= VERDICT_CONTRADICTS && v[3] <= REASON_UNKNOWN;
}

enum footnote_rc verdicts_unpack(struct arena *scratch, struct arena *a,
                                 struct str packed, struct verdict_record *out,
                                 bool *sound, struct footnote_err *err)
{
    struct sentence_verdict *list;
    struct json *all;

    *sound = json_read(scratch, packed, &all, NULL) == FOOTNOTE_OK &&
             all->type == JSON_ARRAY;
    TRY(arena_rc(scratch, err));
    if (!*sound)
        return FOOTNOTE_OK;
    list = arena_many(a, all->n + 1, struct sentence_verdict);
    if (!list)
        return arena_rc(a, err);
    for (const struct json *s = all->first; s && *sound; s = s->next) {
        *sound = unpack_one(s, &list[out->n]);
        out->carried += list[out->n++].kind == VERDICT_CARRIED;
    }
    out->sentences = list;
    return FOOTNOTE_OK;
}

/* Without reading it: [[0,33,1,... has the verdict as the third number. */
void verdicts_count(struct str packed, struct verdict_counts *out)
{
    size_t field = 0;

    *out = (struct verdict_counts){.judged = 0};
    for (size_t i = 1; i < packed.n; i++) {
        if (packed.p[i] == '[') {
            field = 0;
            out->judged++;
        } else if (packed.p[i] == ',' && ++field == 2 && i + 1 < packed.n) {
            int kind = packed.p[i + 1] - '0';

            out->carried += kind == VERDICT_CARRIED;
            out->unsupported +=
                kind == VERDICT_NOT_FOUND || kind == VERDICT_CONTRADICTS;
        }
    }
}

void verdicts_digest(struct sha256_ctx *c, const struct sha256 *message,
                     struct str judge, struct str packed, struct sha256 *out)
{
    sha256_begin(c);
    sha256_add(c, STR("footnote verdict 1\n"));
    sha256_add(c, digest_str(message));
    sha256_add(c, judge);
    sha256_add(c, STR("\n"));
    sha256_add(c, packed);
    sha256_end(c, out);
}
