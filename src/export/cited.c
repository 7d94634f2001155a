/* cited.c - what a session's shown path cites. */
#include "export/cited.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "http/shape/shape.h"
#include "store/source/verdicts.h"

bool cited_is_read(const struct message *m)
{
    return m->content.p && m->role != FOOTNOTE_SYSTEM;
}

/* The sources that marks of one place name; how many there were. */
static size_t write_marks(struct buf *b, const struct message *m,
                          size_t message, const struct mark *marks, size_t n,
                          const struct cited_writer *w)
{
    size_t named = 0;

    for (size_t k = 0; k < m->sources_n; k++) {
        const struct reference *r = &m->sources[k];
        bool names = false;

        for (size_t i = 0; i < n; i++)
            names = names || mark_names(&marks[i], r->number,
                                        r->source.type == FOOTNOTE_IMAGE);
        named += names;
        if (names && w && w->note)
            w->note(w->arg, b, m, marks, r);
        else if (names && w)
            w->mark(b, message, r);
    }
    return named;
}

enum footnote_rc cited_text(struct buf *b, struct arena *a,
                            const struct message *m, size_t message,
                            const struct cited_writer *w,
                            struct footnote_err *err)
{
    struct mark *marks;
    size_t n, at = 0;

    TRY(marks_find(a, m->content, &marks, &n, err));
    for (size_t i = 0, same; i < n; i += same) {
        for (same = 1; i + same < n && marks[i + same].start == marks[i].start;)
            same++;
        if (write_marks(b, m, message, &marks[i], same, NULL) == 0)
            continue; /* a number without a source is text */
        w->plain(b, (struct str){m->content.p + at, marks[i].start - at});
        (void)write_marks(b, m, message, &marks[i], same, w);
        at = marks[i].end;
    }
    w->plain(b, str_skip(m->content, at));
    return FOOTNOTE_OK;
}

static bool is_listed(const struct cited *list, size_t n,
                      const struct reference *r)
{
    for (size_t i = 0; i < n; i++)
        if (sha256_eq(&list[i].ref->digest, &r->digest))
            return true;
    return false;
}

enum footnote_rc cited_all(struct arena *a, const struct history *h,
                           struct cited **out, size_t *n,
                           struct footnote_err *err)
{
    size_t max = 0;

    for (size_t i = 0; i < h->messages_n; i++)
        max += h->messages[i].sources_n;
    *out = arena_many(a, max + 1, struct cited);
    *n = 0;
    if (!*out)
        return arena_rc(a, err);
    for (size_t i = 0; i < h->messages_n; i++) {
        const struct message *m = &h->messages[i];

        for (size_t k = 0; k < m->sources_n; k++)
            if (m->sources[k].cited && cited_is_read(m) &&
                m->sources[k].state != FOOTNOTE_WITHDRAWN &&
                !is_listed(*out, *n, &m->sources[k]))
                (*out)[(*n)++] = (struct cited){m, &m->sources[k]};
    }
    return FOOTNOTE_OK;
}

struct str cited_title(const struct source *s)
{
    return s->title.n      ? s->title
           : s->url.n      ? s->url
           : s->document.n ? s->document
           : s->lecture.n  ? s->lecture
           : s->date.n     ? s->date
           : s->s3key.n    ? s->s3key
                           : s->id;
}

static void add_clock(struct buf *b, double seconds)
{
    long long whole = (long long)seconds;

    if (whole >= 3600)
        buf_printf(b, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60,
                   whole % 60);
    else
        buf_printf(b, "%lld:%02lld", whole / 60, whole % 60);
}

void cited_place(struct buf *b, const struct source *s)
{
    if (s->has_page) {
        buf_printf(b, "%s %lld", s->type == FOOTNOTE_SLIDE ? "slide" : "page",
                   (long long)s->page);
    } else if (s->has_start) {
        add_clock(b, s->start);
        if (s->has_end && s->end > s->start) {
            buf_add_c(b, '-');
            add_clock(b, s->end);
        }
    } else if (s->locator.n) {
        buf_add(b, s->locator);
    } else if (s->date.n) {
        buf_add(b, s->date);
    }
}

struct str cited_line(struct arena *a, struct str text, size_t chars)
{
    char *to = text.n ? arena_raw(a, text.n) : NULL;
    struct str line = {to, 0};

    if (!to)
        return STR("");
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];

        if (c > ' ' && c != 0x7f)
            to[line.n++] = (char)c;
        else if (line.n && to[line.n - 1] != ' ')
            to[line.n++] = ' ';
    }
    while (line.n && to[line.n - 1] == ' ')
        line.n--;
    return utf8_cut(line, chars);
}

struct str cited_quote(struct arena *a, const struct source *s, size_t chars)
{
    return cited_line(a, s->preview, chars);
}

static struct str utf16_part(struct str text, uint32_t start, uint32_t end)
{
    uint32_t units = 0;
    size_t at = 0, from;

    while (units < start && at < text.n)
        units += utf8_next(text, &at) > 0xffff ? 2 : 1;
    from = at;
    while (units < end && at < text.n)
        units += utf8_next(text, &at) > 0xffff ? 2 : 1;
    return (struct str){text.p + from, at - from};
}

struct str cited_words(const struct message *m, size_t at,
                       const struct reference *r)
{
    const struct sentence_verdict *found = NULL;

    for (size_t i = 0; i < m->verdicts_n; i++) {
        const struct verdict_record *v = &m->verdicts[i];

        if (!str_eq(v->judge, STR(VERDICT_JUDGE_TEXT)))
            continue;
        for (size_t k = 0; k < v->n && v->sentences[k].start <= at; k++)
            found = &v->sentences[k];
    }
    return found && found->number == r->number && found->to > found->from &&
                   r->source.preview.p
               ? utf16_part(r->source.preview, found->from, found->to)
               : STR_NONE;
}

/* One with a control character or a space is none: formats end a value there.
 */
struct str cited_url(const struct source *s)
{
    if (!str_starts(s->url, STR("http://")) &&
        !str_starts(s->url, STR("https://")))
        return STR_NONE;
    for (size_t i = 0; i < s->url.n; i++)
        if ((unsigned char)s->url.p[i] <= ' ' || s->url.p[i] == 0x7f)
            return STR_NONE;
    return s->url;
}

void cited_link(struct buf *b, const struct shown_session *s,
                const struct cited *c)
{
    buf_add(b, s->base_url);
    buf_add(b, STR("/c/"));
    shape_path(b, s->history->head.id);
    buf_add(b, STR("/m/"));
    shape_path(b, c->message->id);
    buf_printf(b, "#ref-%u", c->ref->number);
}

/* Of what is shown: of a redacted source nothing else. */
void cited_key(const struct cited *c, char out[CITED_KEY + 1])
{
    const struct source *s = &c->ref->source;
    const struct str parts[] = {s->id, s->title, s->preview};
    struct buf all = BUF((size_t)1024 * 1024);
    char hex[SHA256_HEX + 1] = "";
    struct sha256 digest;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        buf_add(&all, parts[i]);
        buf_add_c(&all, '\n');
    }
    if (sha256(buf_str(&all), &digest, NULL) == FOOTNOTE_OK)
        sha256_hex(&digest, hex);
    buf_free(&all);
    snprintf(out, CITED_KEY + 1, "fn%.14s", hex);
}
