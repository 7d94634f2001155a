/* whole_verdicts.c - what the verdicts are worth that come with a session.
 *
 * A file can claim anything, and a verdict is the server's word.  So a record
 * counts only with the digest that names its message, and what it says must be
 * possible.  From somebody who may speak for the judges it is taken then.  From
 * anybody else the words are judged again: that gives the same for the same
 * words, and a record that says otherwise is dropped, as is any model's. */
#include "store/session/whole_verdicts.h"

#include "base/utf8.h"
#include "cite/answer_sentences.h"
#include "store/check.h"
#include "store/source/marking.h"
#include "store/source/verdict_form.h"
#include "store/state.h"

struct fitting {
    struct tx *tx;
    const struct message *m;
    const struct new_references *sources;
    size_t units;    /* of the content */
    size_t *preview; /* units of each source's */
};

/* ---- What can be --------------------------------------------------------- */

static enum footnote_rc refuse(struct footnote_err *err, const char *why)
{
    return err_field(err, FOOTNOTE_INVALID, "verdicts", "%s", why);
}

/* -1: no source has it. */
static int source_of(const struct fitting *f, uint32_t number)
{
    for (size_t i = 0; i < f->sources->n; i++)
        if (f->sources->items[i].number == number)
            return (int)i;
    return -1;
}

static bool in(uint32_t from, uint32_t to, size_t units)
{
    return from <= to && to <= units;
}

static bool source_fits(const struct fitting *f,
                        const struct sentence_verdict *s)
{
    int i = source_of(f, s->number);

    if (s->reason == REASON_UNKNOWN) /* when it was judged; no [^Page]: 0 */
        return s->kind == VERDICT_NOT_FOUND && !s->from && !s->to;
    if (i >= 0)
        return in(s->from, s->to, f->preview[i]);
    return !s->number && !s->from && !s->to &&
           (s->kind == VERDICT_NO_SOURCE || s->kind == VERDICT_NOT_FOUND);
}

static bool fits(const struct fitting *f, const struct sentence_verdict *s)
{
    for (size_t i = 0; i < s->missing_n; i++)
        if (!in(s->missing[2 * i], s->missing[2 * i + 1], f->units))
            return false;
    return in(s->start, s->end, f->units) &&
           in(s->word_start, s->word_end, f->units) && s->support <= 1000 &&
           source_fits(f, s);
}

/* *packed has one form, however the file wrote it. */
static enum footnote_rc check_record(const struct fitting *f,
                                     const struct verdict_record *r,
                                     struct str *packed,
                                     struct footnote_err *err)
{
    struct verdict_record read = {.n = 0};
    bool sound;

    if (!r->judge.n)
        return refuse(err, "one has no judge");
    TRY(check_text(r->judge, STORE_ID_BYTES_MAX, "verdicts", err));
    if (r->created_ms < 0)
        return refuse(err, "one is from before 1970");
    TRY(verdicts_unpack(f->tx->scratch, f->tx->scratch, r->packed, &read,
                        &sound, err));
    if (!sound || read.n > ANSWER_SENTENCES_MAX)
        return refuse(err, "one is no list of sentences");
    for (size_t i = 0; i < read.n; i++)
        if (!fits(f, &read.sentences[i]))
            return refuse(err, "one is not of this text and these sources");
    return verdicts_pack(f->tx->scratch, read.sentences, read.n, packed, err);
}

static enum footnote_rc measure(struct fitting *f, struct footnote_err *err)
{
    f->units = utf8_utf16(f->m->content);
    f->preview = arena_many(f->tx->scratch, f->sources->n + 1, size_t);
    for (size_t i = 0; f->preview && i < f->sources->n; i++)
        f->preview[i] = utf8_utf16(f->sources->items[i].preview);
    return arena_rc(f->tx->scratch, err);
}

/* ---- What counts --------------------------------------------------------- */

static const struct verdict_record *record_of(const struct verdict_record *list,
                                              size_t n, struct str judge)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(list[i].judge, judge))
            return &list[i];
    return NULL;
}

/* Those of the file that name the message go into out. */
static enum footnote_rc read_records(const struct fitting *f,
                                     struct sha256_ctx *c,
                                     struct whole_message *out,
                                     struct footnote_err *err)
{
    const struct verdict_record *list = f->m->verdicts;

    for (size_t i = 0; i < f->m->verdicts_n; i++) {
        struct verdict_record *to = &out->verdicts[out->verdicts_n];
        struct sha256 digest;

        *to = list[i];
        TRY(check_record(f, &list[i], &to->packed, err));
        if (record_of(list, i, list[i].judge))
            return refuse(err, "one judge has two");
        verdicts_digest(c, &out->digest, to->judge, to->packed, &digest);
        out->verdicts_n +=
            list[i].has_digest && sha256_eq(&list[i].digest, &digest);
    }
    return FOOTNOTE_OK;
}

/* Marks and support stay as they came. */
static enum footnote_rc judge(const struct fitting *f, struct str *packed,
                              struct footnote_err *err)
{
    struct new_references again = *f->sources;

    again.items = arena_many(f->tx->scratch, again.n + 1, struct new_reference);
    if (!again.items)
        return arena_rc(f->tx->scratch, err);
    if (again.n)
        memcpy(again.items, f->sources->items, again.n * sizeof(*again.items));
    TRY(new_references_mark(f->tx, f->m->content, &again, MARKING_BYTES, err));
    *packed = again.verdicts;
    return FOOTNOTE_OK;
}

/* The record of the words, by our own judge; of the file's only its time, when
 * both say the same. */
static enum footnote_rc judge_again(const struct fitting *f, bool trusted,
                                    struct whole_message *out,
                                    struct footnote_err *err)
{
    const struct str text = STR(VERDICT_JUDGE_TEXT);
    const struct verdict_record *theirs =
        record_of(out->verdicts, out->verdicts_n, text);
    struct verdict_record ours = {.judge = text};

    TRY(judge(f, &ours.packed, err));
    if (theirs && str_eq(theirs->packed, ours.packed))
        ours.created_ms = theirs->created_ms;
    if (!trusted)
        out->verdicts_n = 0;
    if (ours.packed.p)
        out->verdicts[out->verdicts_n++] = ours;
    return FOOTNOTE_OK;
}

enum footnote_rc whole_verdicts(struct tx *tx, struct sha256_ctx *c,
                                const struct message *m, bool trusted,
                                const struct new_references *sources,
                                struct whole_message *out,
                                struct footnote_err *err)
{
    const struct str text = STR(VERDICT_JUDGE_TEXT);
    struct fitting f = {.tx = tx, .m = m, .sources = sources};

    if (m->role != FOOTNOTE_ASSISTANT || !m->content.p)
        return m->verdicts_n ? refuse(err, "are an answer's") : FOOTNOTE_OK;
    out->verdicts =
        arena_many(tx->scratch, m->verdicts_n + 1, struct verdict_record);
    if (!out->verdicts)
        return arena_rc(tx->scratch, err);
    TRY(measure(&f, err));
    TRY(read_records(&f, c, out, err));
    /* What the file does not tell, or tells of another text, is judged. */
    if (trusted && m->verdicts &&
        (record_of(out->verdicts, out->verdicts_n, text) ||
         !record_of(m->verdicts, m->verdicts_n, text)))
        return FOOTNOTE_OK;
    return judge_again(&f, trusted, out, err);
}
