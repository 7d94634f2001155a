/* chunk.c - holds sentences until they make a passage.
 *
 *     held:  [old][new][new][new][new][new]      old: the overlap, which the
 *             `------ about 90 words -----'           last passage had too
 *                                          `- 25 words or more behind: send,
 *                                             and hold the last one again
 *
 * A passage is sent only when enough text follows it, so that the last passage
 * below a heading is never three words long. */
#include "ingest/text/chunk.h"
#include "base/utf8.h"
#include "cite/sentence.h"
#include "cite/source.h"
#include "cite/words.h"
#include "ingest/text/charset.h"
#include "ingest/text/lines.h"
#include "store/document/document.h"

#include "store/document/reason.h"
#include <assert.h>
#include <stdio.h>

static const char path_gap[] = " > ";

enum {
    PATH_BYTES = CHUNK_LEVELS * (CHUNK_HEADING_BYTES + sizeof(path_gap)),
    LOCATOR_BYTES = 64
};
_Static_assert(PATH_BYTES <= (int)SOURCE_LABEL_BYTES_MAX,
               "a path can be stored");
_Static_assert((int)CHUNK_HELD_BYTES_MAX <= (int)SOURCE_TEXT_BYTES_MAX,
               "so can a text");

void chunk_init(struct chunker *c, const struct passage_sink *sink)
{
    *c = (struct chunker){.sink = sink,
                          .text = BUF(CHUNK_TEXT_BYTES_MAX),
                          .line = BUF(CHARSET_BYTES_MAX)};
}

void chunk_free(struct chunker *c)
{
    buf_free(&c->text);
    buf_free(&c->line);
}

size_t chunk_words(struct str text)
{
    struct words w = {.text = text};
    struct str word;
    size_t n = 0;

    while (words_next(&w, &word))
        n++;
    return n;
}

/* ---- Out ---------------------------------------------------------------- */

static struct str heading_path(const struct chunker *c, char out[PATH_BYTES])
{
    size_t n = 0;

    for (int i = 0; i < CHUNK_LEVELS; i++) {
        if (c->headings_n[i] == 0)
            continue;
        if (n) {
            memcpy(out + n, path_gap, sizeof(path_gap) - 1);
            n += sizeof(path_gap) - 1;
        }
        memcpy(out + n, c->headings[i], c->headings_n[i]);
        n += c->headings_n[i];
    }
    return n ? (struct str){out, n} : STR_NONE;
}

static enum footnote_rc send_passage(struct chunker *c, struct passage p,
                                     struct footnote_err *err)
{
    if (c->position >= PASSAGES_MAX)
        return refuse(err, TOO_MUCH_TEXT,
                      "the file has more than %d passages of text",
                      PASSAGES_MAX);
    assert(p.text.n > 0);
    p.position = ++c->position;
    p.extra = c->extra;
    if (!p.locator.p)
        p.locator = c->locator;
    return c->sink->passage(c->sink->arg, &p, err);
}

/* Forgets the first n sentences. */
static void drop_sentences(struct chunker *c, size_t n)
{
    size_t from = n < c->held_n ? c->held[n].at : c->text.n;

    assert(n <= c->held_n && from <= c->text.n);
    for (size_t i = 0; i < n; i++)
        c->words -= c->held[i].words;
    c->held_n -= n;
    memmove(c->held, c->held + n, c->held_n * sizeof(c->held[0]));
    for (size_t i = 0; i < c->held_n; i++)
        c->held[i].at -= from;
    c->text.n -= from;
    if (c->text.n)
        memmove(c->text.p, c->text.p + from, c->text.n);
}

/* Of the first n sentences, the text on `page`.  The overlap may be from the
 * page before, the last sentences from the page behind. */
static struct str on_page(const struct chunker *c, size_t n, int64_t page)
{
    const struct chunk_sentence *first = NULL, *last = NULL;

    for (size_t i = 0; i < n; i++) {
        if (c->held[i].page != page)
            continue;
        first = first ? first : &c->held[i];
        last = &c->held[i];
    }
    return first ? (struct str){c->text.p + first->at,
                                last->at + last->bytes - first->at}
                 : STR_NONE;
}

/* "lines 10–20", of the first n sentences; absent when none has a line. */
static struct str lines_locator(const struct chunker *c, size_t n,
                                char out[LOCATOR_BYTES])
{
    int64_t first = 0, last = 0;

    for (size_t i = 0; i < n; i++) {
        const struct chunk_sentence *s = &c->held[i];

        if (s->line && (first == 0 || s->line < first))
            first = s->line;
        last = s->last_line > last ? s->last_line : last;
    }
    if (first == 0)
        return STR_NONE;
    if (last <= first)
        snprintf(out, LOCATOR_BYTES, "line %lld", (long long)first);
    else
        snprintf(out, LOCATOR_BYTES, "lines %lld–%lld", (long long)first,
                 (long long)last);
    return str_c(out);
}

/* Sends the first n sentences as a passage. */
static enum footnote_rc send_first(struct chunker *c, size_t n,
                                   struct footnote_err *err)
{
    const struct chunk_sentence *last = &c->held[n - 1];
    const struct chunk_sentence *fresh = &c->held[c->overlap_n];
    char path[PATH_BYTES], locator[LOCATOR_BYTES];
    struct passage p = {.page = fresh->page,
                        .has_seconds = c->held[0].has_seconds,
                        .start = c->held[0].start,
                        .heading = heading_path(c, path)};

    assert(n > c->overlap_n && c->held[0].at == 0);
    TRY(buf_rc(&c->text, err));
    p.text = (struct str){c->text.p, last->at + last->bytes};
    p.on_page = on_page(c, n, p.page);
    p.locator = lines_locator(c, n, locator);
    for (size_t i = 0; i < n; i++)
        p.end = p.end > c->held[i].end ? p.end : c->held[i].end;
    return send_passage(c, p, err);
}

/* Sends sentences of about CHUNK_WORDS words, at least one of them new.  One
 * more sentence goes in when more than half of it fits. */
static enum footnote_rc send_some(struct chunker *c, struct footnote_err *err)
{
    size_t n = c->overlap_n + 1, words = 0;

    assert(n <= c->held_n);
    for (size_t i = 0; i < n; i++)
        words += c->held[i].words;
    while (n < c->held_n && words + c->held[n].words / 2 <= CHUNK_WORDS)
        words += c->held[n++].words;
    const struct chunk_sentence *last = &c->held[n - 1];
    TRY(send_first(c, n, err));
    bool again = n > 1 && !last->whole && last->words <= CHUNK_OVERLAP_WORDS;
    drop_sentences(c, again ? n - 1 : n);
    c->overlap_n = again;
    return FOOTNOTE_OK;
}

enum footnote_rc chunk_break(struct chunker *c, struct footnote_err *err)
{
    if (c->held_n > c->overlap_n)
        TRY(send_first(c, c->held_n, err));
    drop_sentences(c, c->held_n);
    c->overlap_n = 0;
    return FOOTNOTE_OK;
}

enum footnote_rc chunk_emit(struct chunker *c, struct passage p,
                            struct footnote_err *err)
{
    assert(p.text.n <= CHUNK_HELD_BYTES_MAX);
    TRY(chunk_break(c, err));
    return send_passage(c, p, err);
}

/* ---- In ----------------------------------------------------------------- */

static struct str cut_bytes(struct str s, size_t most)
{
    if (s.n > most)
        s.n = utf8_whole((struct str){s.p, most});
    return s;
}

enum footnote_rc chunk_heading(struct chunker *c, int level, struct str text,
                               struct footnote_err *err)
{
    int at = level < 1              ? 0
             : level > CHUNK_LEVELS ? CHUNK_LEVELS - 1
                                    : level - 1;

    text = cut_bytes(lines_trim(text), CHUNK_HEADING_BYTES);
    TRY(chunk_break(c, err));
    if (text.n == 0)
        return FOOTNOTE_OK;
    for (int i = at; i < CHUNK_LEVELS; i++)
        c->headings_n[i] = 0;
    /* A heading may come in pieces, but in a path it is one line. */
    for (size_t i = 0; i < text.n; i++) {
        c->headings[at][i] = text.p[i];
        if (text.p[i] == '\n' || text.p[i] == '\t')
            c->headings[at][i] = ' ';
    }
    c->headings_n[at] = text.n;
    return FOOTNOTE_OK;
}

void chunk_forget(struct chunker *c, int level)
{
    assert(level >= 1 && level <= CHUNK_LEVELS);
    c->headings_n[level - 1] = 0;
}

/* Adds the rest of the sentence that is held last; it has its first page.  When
 * a passage had it already, the next one has it whole. */
static void join_sentence(struct chunker *c, struct str rest)
{
    struct chunk_sentence *last = &c->held[c->held_n - 1];

    if (c->text.p[c->text.n - 1] == '-')
        c->text.n--; /* of a word that goes on, too */
    else
        buf_add_c(&c->text, ' ');
    buf_add(&c->text, rest);
    if (buf_rc(&c->text, NULL) != FOOTNOTE_OK)
        return;
    last->bytes = c->text.n - last->at;
    c->words -= last->words;
    last->words = chunk_words((struct str){c->text.p + last->at, last->bytes});
    c->words += last->words;
    if (c->overlap_n == c->held_n)
        c->overlap_n = 0;
}

/* Whether the sentence that is held last may go on for n bytes. */
static bool may_join(const struct chunker *c, size_t n)
{
    if (c->held_n == 0)
        return false;
    const struct chunk_sentence *last = &c->held[c->held_n - 1];
    return !last->whole && last->bytes + n < CHUNK_SENTENCE_BYTES;
}

/* Sends passages until what is held is no more than one and a rest. */
static enum footnote_rc send_full(struct chunker *c, struct footnote_err *err)
{
    while (c->words > CHUNK_WORDS + CHUNK_REST_WORDS &&
           c->held_n > c->overlap_n)
        TRY(send_some(c, err));
    return buf_rc(&c->text, err);
}

static enum footnote_rc hold_sentence(struct chunker *c, struct str s,
                                      const struct chunk_piece *p,
                                      enum chunk_gap gap,
                                      struct footnote_err *err)
{
    static const struct str gaps[] = {[GAP_SPACE] = {" ", 1},
                                      [GAP_LINE] = {"\n", 1},
                                      [GAP_BLOCK] = {"\n\n", 2},
                                      [GAP_PAGE] = {" ", 1}};
    size_t room = CHUNK_HELD_BYTES_MAX - CHUNK_WHOLE_BYTES;

    assert(s.n > 0 && s.n <= CHUNK_WHOLE_BYTES);

    if (gap == GAP_PAGE && may_join(c, s.n)) {
        join_sentence(c, s);
        return send_full(c, err);
    }
    while (c->held_n == CHUNK_SENTENCES_MAX || c->text.n > room)
        TRY(send_some(c, err));
    if (c->held_n)
        buf_add(&c->text, gaps[gap]);
    size_t words = chunk_words(s);
    c->held[c->held_n++] =
        (struct chunk_sentence){.at = c->text.n,
                                .bytes = s.n,
                                .words = words,
                                .whole = p->whole,
                                .has_seconds = p->has_seconds,
                                .page = p->page,
                                .line = p->line,
                                .last_line = p->last_line,
                                .start = p->start,
                                .end = p->end};
    c->words += words;
    buf_add(&c->text, s);
    return send_full(c, err);
}

/* Where to cut a sentence that is too long: at the space behind
 * CHUNK_SENTENCE_WORDS words, or at the last space that fits. */
static size_t cut_at(struct str s)
{
    struct words w = {.text = cut_bytes(s, CHUNK_LOOK_BYTES)};
    struct str word, rest;

    for (int n = 0; n < CHUNK_SENTENCE_WORDS && words_next(&w, &word); n++)
        ;
    rest = str_skip(w.text, w.at);
    size_t space = str_find(rest, ' ');
    /* Scripts without spaces are cut between words. */
    size_t end = w.at + (space <= WORD_BYTES_MAX ? space : 0);
    if (end <= CHUNK_SENTENCE_BYTES)
        return end;
    s = cut_bytes(s, CHUNK_SENTENCE_BYTES);
    for (size_t i = s.n; i > s.n / 2; i--) {
        if (s.p[i - 1] == ' ')
            return i;
    }
    return s.n;
}

static enum footnote_rc add_sentence(struct chunker *c, struct str s,
                                     const struct chunk_piece *p,
                                     enum chunk_gap gap,
                                     struct footnote_err *err)
{
    while (s.n) {
        size_t n = cut_at(s);
        /* A short rest stays with the part before it. */
        if (s.n <= CHUNK_SENTENCE_BYTES &&
            chunk_words(str_skip(s, n)) < CHUNK_REST_WORDS)
            n = s.n;
        struct str part = lines_trim((struct str){s.p, n});
        if (part.n)
            TRY(hold_sentence(c, part, p, gap, err));
        gap = GAP_SPACE;
        s = str_skip(s, n);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc add_prose(struct chunker *c,
                                  const struct chunk_piece *p,
                                  struct footnote_err *err)
{
    enum chunk_gap gap = p->gap;
    struct str s;
    size_t at = 0;

    buf_reset(&c->line);
    buf_add(&c->line, p->text);
    lines_squeeze(&c->line);
    TRY(buf_rc(&c->line, err));
    while (sentence_next(buf_str(&c->line), &at, &s)) {
        TRY(add_sentence(c, s, p, gap, err));
        gap = GAP_SPACE;
    }
    return FOOTNOTE_OK;
}

/* Where to cut a block: behind the last line end that fits, else behind the
 * last character. */
static size_t cut_line(struct str s)
{
    if (s.n <= CHUNK_WHOLE_BYTES)
        return s.n;
    for (size_t i = CHUNK_WHOLE_BYTES; i > CHUNK_WHOLE_BYTES / 2; i--) {
        if (s.p[i - 1] == '\n')
            return i;
    }
    return utf8_whole((struct str){s.p, CHUNK_WHOLE_BYTES});
}

enum footnote_rc chunk_add(struct chunker *c, const struct chunk_piece *p,
                           struct footnote_err *err)
{
    enum chunk_gap gap = p->gap;

    assert(p->page >= 0 && (!p->has_seconds || p->end >= p->start));
    if (!p->whole)
        return add_prose(c, p, err);
    for (struct str rest = p->text; rest.n;) {
        size_t n = cut_line(rest);
        struct str part = {rest.p, n};

        while (part.n &&
               (part.p[part.n - 1] == '\n' || part.p[part.n - 1] == ' '))
            part.n--;
        while (part.n && part.p[0] == '\n')
            part = str_skip(part, 1);
        if (lines_trim(part).n)
            TRY(hold_sentence(c, part, p, gap, err));
        gap = GAP_LINE;
        rest = str_skip(rest, n);
    }
    return FOOTNOTE_OK;
}
