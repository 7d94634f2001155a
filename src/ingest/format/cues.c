/* cues.c - reads cues out of WebVTT and SubRip files of any program.
 *
 *     WEBVTT - A title            7                        <- number or id
 *     Language: en                00:01:02,500 --> 00:01:04,000 position:10%
 *                                 <v Ada>What was &amp; is</v>
 *     NOTE not shown
 *
 * A line with an arrow between two times begins a cue wherever it stands,
 * because blank lines are missing, or too many, in files that people have. */
#include "ingest/format/cues.h"
#include "base/utf8.h"
#include "ingest/text/clean.h"
#include "ingest/text/entity.h"
#include "ingest/text/lines.h"

#include "store/document/reason.h"
#include <assert.h>

enum state { BETWEEN, HEADER, SKIPPED, TEXT };
enum {
    CUE_BYTES_MAX = 64 * 1024,
    CLEAN_BYTES_MAX = 3 * CUE_BYTES_MAX, /* entities may grow */
    TAG_BYTES_MAX = 256,
    SECONDS_MAX = 1000 * 3600
};

struct cue_reader {
    struct arena *a;
    struct extract_facts *facts;
    enum state state;
    bool vtt;
    struct cue *cues;
    size_t cues_n, room; /* one is left free for the open cue */
    bool open;           /* cues[cues_n] has its times */
    struct str stray;    /* a line between cues: the id of the next, or text */
    struct str last;     /* the last line of text: perhaps the next number */
    struct buf raw, text;
    struct clean clean;
};

/* ---- Times -------------------------------------------------------------- */

static bool read_digits(struct str *s, int most, double *out)
{
    int n = 0;

    *out = 0;
    while (s->n && *s->p >= '0' && *s->p <= '9' && n < most) {
        *out = *out * 10 + (*s->p - '0');
        *s = str_skip(*s, 1);
        n++;
    }
    return n > 0;
}

static bool skip_char(struct str *s, char c)
{
    if (s->n == 0 || *s->p != c)
        return false;
    *s = str_skip(*s, 1);
    return true;
}

/* [hours:]minutes:seconds[.,]fraction, read to milliseconds; *s moves behind
 * it. */
static bool read_time(struct str *s, double *out)
{
    double part[3] = {0, 0, 0}, digit, ms = 0;
    int n = 0;

    do {
        if (n == 3 || !read_digits(s, 6, &part[n]))
            return false;
        n++;
    } while (skip_char(s, ':'));
    if (n < 2)
        return false;
    if (skip_char(s, ',') || skip_char(s, '.')) {
        for (int unit = 100; read_digits(s, 1, &digit); unit /= 10)
            ms += digit * unit;
    }
    *out = n == 3 ? part[0] * 3600 + part[1] * 60 + part[2]
                  : part[0] * 60 + part[1];
    *out += ms / 1000;
    return *out <= SECONDS_MAX;
}

static bool read_timing(struct str line, struct cue *out)
{
    const char *arrow = line.n ? memmem(line.p, line.n, "-->", 3) : NULL;

    if (!arrow)
        return false;
    size_t at = (size_t)(arrow - line.p);
    struct str left = lines_trim((struct str){line.p, at});
    struct str right = lines_trim(str_skip(line, at + 3));
    if (!read_time(&left, &out->start) || left.n ||
        !read_time(&right, &out->end))
        return false;
    if (right.n && *right.p != ' ' && *right.p != '\t')
        return false;
    if (out->end < out->start)
        out->end = out->start;
    return true;
}

/* ---- The text of a cue -------------------------------------------------- */

/* The bytes from `at` on that may belong to a tag. */
static struct str ahead(struct str s, size_t at)
{
    struct str rest = str_skip(s, at);
    return (struct str){rest.p,
                        rest.n < TAG_BYTES_MAX ? rest.n : TAG_BYTES_MAX};
}

/* The length of the tag at s.p[at]; 0 when "<" is just a character. */
static size_t tag_bytes(struct str s, size_t at)
{
    struct str rest = ahead(s, at + 1);
    size_t end = str_find(rest, '>');
    if (rest.n == 0)
        return 0;
    char c = rest.p[0];
    bool opens = c == '/' || (c >= '0' && c <= '9') ||
                 ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');

    return opens && end < rest.n ? end + 2 : 0;
}

/* "<v Ada>" and "<v.loud Ada>" name who speaks. */
static void read_speaker(struct cue_reader *r, struct cue *cue, struct str tag)
{
    struct str inner = {tag.p + 1, tag.n - 2};
    size_t space = str_find(inner, ' ');
    struct str name = lines_trim(str_skip(inner, space));

    if (inner.p[0] != 'v' || (space > 1 && inner.p[1] != '.') || name.n == 0)
        return;
    if (r->text.n == 0) {
        cue->speaker = arena_str(r->a, name);
        return;
    }
    clean_add(&r->clean, &r->text, name);
    buf_add(&r->text, STR(": "));
}

/* Adds what is at s.p[at] to the text: a tag, an entity, or a run of
 * characters.  Returns its length. */
static size_t add_part(struct cue_reader *r, struct cue *cue, struct str s,
                       size_t at)
{
    size_t n = 0;

    if (s.p[at] == '<' && (n = tag_bytes(s, at)) > 0) {
        read_speaker(r, cue, (struct str){s.p + at, n});
        return n;
    }
    if (s.p[at] == '{' && at + 1 < s.n && s.p[at + 1] == '\\') {
        struct str rest = ahead(s, at);
        n = str_find(rest, '}');
        if (n < rest.n)
            return n + 1;
    }
    uint32_t c = s.p[at] == '&' ? entity_at(s, at, &n) : 0;
    if (c) {
        char bytes[4];
        clean_add(&r->clean, &r->text, (struct str){bytes, utf8_put(c, bytes)});
        return n;
    }
    for (n = 1; at + n < s.n && !strchr("<{&", s.p[at + n]); n++)
        ;
    clean_add(&r->clean, &r->text, (struct str){s.p + at, n});
    return n;
}

static enum footnote_rc finish_cue(struct cue_reader *r,
                                   struct footnote_err *err)
{
    struct cue *cue = &r->cues[r->cues_n];
    struct str raw = buf_str(&r->raw);

    if (!r->open)
        return FOOTNOTE_OK;
    buf_reset(&r->text);
    for (size_t at = 0; at < raw.n;)
        at += add_part(r, cue, raw, at);
    lines_squeeze(&r->text);
    TRY(buf_rc(&r->raw, err));
    TRY(buf_rc(&r->text, err));
    if (r->text.n) {
        cue->text = arena_str(r->a, buf_str(&r->text));
        cue->number = ++r->cues_n;
    }
    r->open = false;
    return arena_rc(r->a, err);
}

/* ---- Lines -------------------------------------------------------------- */

static void add_line(struct cue_reader *r, struct str line)
{
    if (r->raw.n)
        buf_add_c(&r->raw, '\n');
    buf_add(&r->raw, line);
    r->last = line;
}

static enum footnote_rc begin_cue(struct cue_reader *r,
                                  const struct cue *timing,
                                  struct footnote_err *err)
{
    int64_t number;

    /* The line before a time, without a blank line between, is its number. */
    if (r->state == TEXT && r->raw.n > r->last.n &&
        str_i64(lines_trim(r->last), &number))
        r->raw.n -= r->last.n + 1;
    TRY(finish_cue(r, err));
    assert(r->cues_n < r->room && timing->end >= timing->start);
    r->cues[r->cues_n] =
        (struct cue){.start = timing->start, .end = timing->end};
    r->open = true;
    r->state = TEXT;
    r->stray = r->last = STR_NONE;
    buf_reset(&r->raw);
    return FOOTNOTE_OK;
}

/* A line below WEBVTT, such as "Language: en". */
static void read_header(struct cue_reader *r, struct str line)
{
    if (lines_begins(line, STR("language:")))
        r->facts->language = arena_str(r->a, lines_trim(str_skip(line, 9)));
    else if (lines_begins(line, STR("title:")))
        r->facts->title = arena_str(r->a, lines_trim(str_skip(line, 6)));
}

static void read_between(struct cue_reader *r, struct str line)
{
    static const struct str skipped[] = {
        {"NOTE", 4}, {"STYLE", 5}, {"REGION", 6}};

    for (size_t i = 0; r->vtt && i < 3; i++) {
        if (str_starts(line, skipped[i])) {
            r->state = SKIPPED;
            return;
        }
    }
    /* SubRip files have cues with empty lines inside. */
    if (!r->vtt && r->open && r->stray.p)
        add_line(r, r->stray);
    r->stray = line;
}

static enum footnote_rc read_line(struct cue_reader *r, struct str line,
                                  struct footnote_err *err)
{
    struct cue timing;

    if (r->state != SKIPPED && read_timing(line, &timing))
        return begin_cue(r, &timing, err);
    /* In WebVTT a line of spaces is text: automatic captions have them at the
     * top of a cue. */
    if (line.n == 0 || (!r->vtt && lines_trim(line).n == 0)) {
        r->state = BETWEEN;
        return FOOTNOTE_OK;
    }
    switch (r->state) {
    case BETWEEN: read_between(r, line); break;
    case HEADER: read_header(r, line); break;
    case TEXT: add_line(r, line); break;
    case SKIPPED: break;
    }
    return FOOTNOTE_OK;
}

static void read_first_line(struct cue_reader *r, struct str *text)
{
    struct str line;

    if (!str_starts(*text, STR("WEBVTT")) || !lines_next(text, &line))
        return;
    line = lines_trim(str_skip(line, 6));
    while (line.n && (*line.p == '-' || *line.p == ' '))
        line = str_skip(line, 1);
    if (line.n)
        r->facts->title = arena_str(r->a, line);
    r->vtt = true;
    r->state = HEADER;
}

/* SubRip begins with a number, and a line with an arrow below it. */
bool is_srt(struct str head)
{
    struct str line;
    int64_t number;

    do {
        if (!lines_next(&head, &line))
            return false;
        line = lines_trim(line);
    } while (line.n == 0);
    return str_i64(line, &number) && lines_next(&head, &line) && line.n &&
           memmem(line.p, line.n, " --> ", 5);
}

static size_t count_arrows(struct str text)
{
    size_t n = 0;

    for (const char *at = text.p, *end = text.p + text.n;
         n <= TRANSCRIPT_CUES_MAX && at < end; n++) {
        at = memmem(at, (size_t)(end - at), "-->", 3);
        if (!at)
            break;
        at += 3;
    }
    return n;
}

static void cue_reader_free(struct cue_reader *r)
{
    buf_free(&r->raw);
    buf_free(&r->text);
}

enum footnote_rc cues_read(struct arena *a, struct str text, struct cue **out,
                           size_t *n, struct extract_facts *facts,
                           struct footnote_err *err)
{
    size_t most = count_arrows(text);
    AUTO(cue_reader_free)
    struct cue_reader r = {.a = a,
                           .facts = facts,
                           .raw = BUF(CUE_BYTES_MAX),
                           .text = BUF(CLEAN_BYTES_MAX)};
    struct str line;

    if (most > TRANSCRIPT_CUES_MAX)
        return refuse(err, TOO_MANY_PARTS,
                      "the transcript has more than %d cues",
                      TRANSCRIPT_CUES_MAX);
    r.room = most + 1;
    r.cues = arena_many(a, r.room, struct cue);
    if (!r.cues)
        return arena_rc(a, err);
    read_first_line(&r, &text);
    while (lines_next(&text, &line))
        TRY(read_line(&r, line, err));
    if (!r.vtt && r.open && r.stray.p)
        add_line(&r, r.stray);
    TRY(finish_cue(&r, err));
    *out = r.cues;
    *n = r.cues_n;
    facts->hidden_text |= r.clean.hidden;
    return FOOTNOTE_OK;
}
