/* transcript.c - cues become passages with their seconds.
 *
 * Automatic captions roll: each cue repeats the line before, so that every line
 * comes two or three times.
 *
 *     1  so today we look at heat         -> so today we look at heat
 *     2  so today we look at heat
 *        and at work                      -> and at work
 *     3  and at work                      -> (nothing)
 *
 * In a file where many cues do so, the words that a cue shares with the end of
 * the cue before are dropped.  In other files people do repeat themselves. */
#include "ingest/format/transcript.h"
#include "cite/sentence.h"
#include "ingest/format/cues.h"
#include "ingest/format/reader.h"
#include "ingest/text/charset.h"
#include "ingest/text/lines.h"

#include "store/document/reason.h"
#include <assert.h>
#include <stdlib.h>

enum {
    TAIL_WORDS = 64,        /* of a cue, compared with the start of the next */
    SHARED_WORDS = 3,       /* so many shared words are no accident */
    ROLLING_SHARE = 4,      /* a file rolls when one cue in so many shares */
    LONG_WORDS = 30,        /* a longer sentence is cut at cues, */
    SHORT_WORDS = 15,       /* into pieces of at least so many words */
    SILENCE_MS = 30 * 1000, /* a longer silence ends a passage */
    PAUSE_MS = 2000         /* a longer silence ends a sentence */
};

/* ---- Rolling ------------------------------------------------------------ */

struct tokens {
    struct str at[TAIL_WORDS];
    size_t n;
    bool all; /* these are all of the cue */
};

static void head_tokens(struct str s, struct tokens *t)
{
    t->n = 0;
    while (s.n && t->n < TAIL_WORDS) {
        struct str token = {s.p, str_find(s, ' ')};
        t->at[t->n++] = token;
        s = str_skip(s, token.n < s.n ? token.n + 1 : token.n);
    }
    t->all = s.n == 0;
}

static void tail_tokens(struct str s, struct tokens *t)
{
    size_t spaces = 0, from = s.n;

    while (from > 0 && (s.p[from - 1] != ' ' || ++spaces < TAIL_WORDS))
        from--;
    head_tokens(str_skip(s, from), t);
    t->all = from == 0;
}

/* How many words the end of `before` and the start of `now` share. */
static size_t count_shared(const struct tokens *before,
                           const struct tokens *now)
{
    size_t n = before->n < now->n ? before->n : now->n;

    for (; n > 0; n--) {
        size_t same = 0, from = before->n - n;
        while (same < n && str_eq(before->at[from + same], now->at[same]))
            same++;
        if (same == n)
            return n;
    }
    return 0;
}

static bool is_whole_cue(const struct tokens *before, const struct tokens *now,
                         size_t n)
{
    return (before->all && n == before->n) || (now->all && n == now->n);
}

static bool is_rolling(const struct cue *cues, size_t n)
{
    struct tokens before, now;
    size_t rolled = 0;

    for (size_t i = 1; i < n; i++) {
        tail_tokens(cues[i - 1].text, &before);
        head_tokens(cues[i].text, &now);
        size_t same = count_shared(&before, &now);
        rolled += same >= SHARED_WORDS ||
                  (same > 1 && is_whole_cue(&before, &now, same));
    }
    return rolled >= 2 && rolled * ROLLING_SHARE >= n;
}

/* Leaves each cue the words that are new; returns how many cues are left. */
static size_t unroll(struct cue *cues, size_t n)
{
    struct tokens before, now;
    struct str last = cues[0].text;
    size_t kept = 1;

    assert(n > 0);
    for (size_t i = 1; i < n; i++) {
        struct cue cue = cues[i];
        tail_tokens(last, &before);
        head_tokens(cue.text, &now);
        size_t same = count_shared(&before, &now);
        last = cue.text;
        if (same == 1 && !is_whole_cue(&before, &now, same))
            same = 0;
        if (same == now.n && now.all) {
            if (cues[kept - 1].end < cue.end)
                cues[kept - 1].end = cue.end;
            continue;
        }
        if (same < now.n)
            cue.text =
                str_skip(cue.text, (size_t)(now.at[same].p - cue.text.p));
        cues[kept++] = cue;
    }
    return kept;
}

/* ---- Cues --------------------------------------------------------------- */

static int by_time(const void *x, const void *y)
{
    const struct cue *a = x, *b = y;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

enum footnote_rc transcript_cues(struct arena *a, struct str bytes,
                                 struct str declared, struct cue **out,
                                 size_t *n, struct extract_facts *facts,
                                 struct footnote_err *err)
{
    struct str text;

    TRY(charset_decode(a, bytes, declared, &text, &facts->hidden_text,
                       &facts->encoding, err));
    TRY(cues_read(a, text, out, n, facts, err));
    TRY(arena_rc(a, err));
    if (*n == 0)
        return refuse(err, NO_CUES,
                      "the transcript has no cues: no line such as "
                      "\"00:01.000 --> 00:04.000\" with words below it");
    qsort(*out, *n, sizeof(**out), by_time);
    if (is_rolling(*out, *n))
        *n = unroll(*out, *n);
    for (size_t i = 0; i < *n; i++) {
        if (facts->seconds < (*out)[i].end)
            facts->seconds = (*out)[i].end;
    }
    return FOOTNOTE_OK;
}

/* ---- Passages ----------------------------------------------------------- */

/* Cues without a pause or a change of speaker in between, as one text. */
struct cue_run {
    struct format_reader *r;
    const struct cue *cues;
    size_t n;
    size_t *at; /* where each cue begins in `text`; at[n] is the end */
    struct buf text;
    enum chunk_gap gap;
};

/* Whether s has about n words.  A character of a script without spaces, such as
 * Chinese, counts as a word. */
static bool has_words(struct str s, size_t n)
{
    size_t seen = 0;

    for (size_t i = 0; i < s.n && seen < n; i++)
        seen += s.p[i] == ' ' || (unsigned char)s.p[i] >= 0xe3;
    return seen >= n;
}

static enum footnote_rc add_piece(struct cue_run *run, size_t from, size_t to,
                                  size_t *cue, struct footnote_err *err)
{
    struct chunk_piece p = {
        .text = {run->text.p + from, to - from},
        .gap = run->gap,
        .has_seconds = true,
    };

    assert(from < to && to <= run->at[run->n]);
    while (run->at[*cue + 1] <= from)
        ++*cue;
    p.start = run->cues[*cue].start;
    p.end = run->cues[*cue].end;
    while (run->at[*cue + 1] < to)
        ++*cue;
    if (p.end < run->cues[*cue].end)
        p.end = run->cues[*cue].end;
    run->gap = GAP_SPACE;
    return chunk_add(&run->r->chunker, &p, err);
}

/* The first end of a cue behind `from` that leaves enough words before it;
 * `to` when there is none. */
static size_t end_of_cues(const struct cue_run *run, size_t from, size_t to,
                          size_t cue)
{
    for (size_t i = cue; i < run->n && run->at[i + 1] < to; i++) {
        size_t end = run->at[i + 1];
        if (end > from &&
            has_words((struct str){run->text.p + from, end - from},
                      SHORT_WORDS))
            return end;
    }
    return to;
}

static enum footnote_rc add_sentences(struct cue_run *run,
                                      struct footnote_err *err)
{
    struct str text = buf_str(&run->text), s;
    size_t at = 0, cue = 0;

    TRY(buf_rc(&run->text, err));
    while (sentence_next(text, &at, &s)) {
        size_t from = (size_t)(s.p - text.p), end = from + s.n;

        while (from < end) {
            struct str left = {text.p + from, end - from};
            size_t to = has_words(left, LONG_WORDS)
                            ? end_of_cues(run, from, end, cue)
                            : end;
            TRY(add_piece(run, from, to, &cue, err));
            from = to;
        }
    }
    return FOOTNOTE_OK;
}

static double pause_ms(const struct cue *before, const struct cue *now)
{
    return (now->start - before->end) * 1000;
}

static bool continues(const struct cue *before, const struct cue *now)
{
    if (now->speaker.p && !str_eq(before->speaker, now->speaker))
        return false;
    return pause_ms(before, now) < PAUSE_MS;
}

static void build_text(struct cue_run *run, struct str last_speaker)
{
    const struct str who = run->cues[0].speaker;

    buf_reset(&run->text);
    run->gap = GAP_SPACE;
    if (who.p && !str_eq(who, last_speaker)) {
        run->gap = GAP_LINE;
        buf_add(&run->text, who);
        buf_add(&run->text, STR(": "));
    }
    for (size_t i = 0; i < run->n; i++) {
        run->at[i] = i ? run->text.n : 0;
        buf_add(&run->text, run->cues[i].text);
        buf_add_c(&run->text, ' ');
    }
    run->at[run->n] = run->text.n;
}

static enum footnote_rc add_runs(struct cue_run *run, size_t n,
                                 struct footnote_err *err)
{
    struct str speaker = STR_NONE;

    for (const struct cue *end = run->cues + n; run->cues < end;) {
        size_t left = (size_t)(end - run->cues);

        for (run->n = 1; run->n < left &&
                         continues(&run->cues[run->n - 1], &run->cues[run->n]);)
            run->n++;
        build_text(run, speaker);
        TRY(add_sentences(run, err));
        if (run->n < left &&
            pause_ms(&run->cues[run->n - 1], &run->cues[run->n]) > SILENCE_MS)
            TRY(chunk_break(&run->r->chunker, err));
        if (run->cues[0].speaker.p)
            speaker = run->cues[0].speaker;
        run->cues += run->n;
    }
    return chunk_break(&run->r->chunker, err);
}

enum footnote_rc read_transcript(struct format_reader *r,
                                 struct footnote_err *err)
{
    struct cue_run run = {.r = r, .text = BUF(4UL * EXTRACT_BYTES_MAX)};
    struct cue *cues;
    size_t n;

    TRY(transcript_cues(r->a, r->bytes, r->declared, &cues, &n, r->facts, err));
    run.cues = cues;
    run.at = arena_many(r->a, n + 1, size_t);
    if (!run.at)
        return arena_rc(r->a, err);
    enum footnote_rc rc = add_runs(&run, n, err);
    buf_free(&run.text);
    return rc;
}
