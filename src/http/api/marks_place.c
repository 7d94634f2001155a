/* marks_place.c - words of pages and of transcripts, and boxes around them. */
#include "http/api/marks_place.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/utf8.h"
#include "http/api/files.h"
#include "http/api/page_failures.h"
#include "http/call/services.h"
#include "ingest/format/transcript.h"
#include "ingest/pdf/page.h"
#include "store/document/document.h"

enum {
    PAGES_MAX = 2 * MARKS_PAGES_NEAR + 1,
    LINES_MAX = 2000,
    LINE_WORDS_MAX = 2000
};

/* ---- Spans -------------------------------------------------------------- */

void marks_spans(struct json_out *out, struct str text, const struct str *words,
                 size_t n, const bool *marked)
{
    size_t units = 0, at = 0; /* `at` bytes of the text are `units` */

    json_array(out);
    for (size_t i = 0; i < n; i++) {
        size_t start = (size_t)(words[i].p - text.p);

        if (!marked[i])
            continue;
        while (i + 1 < n && marked[i + 1])
            i++;
        size_t end = (size_t)(words[i].p - text.p) + words[i].n;
        json_array(out);
        units += utf8_utf16((struct str){text.p + at, start - at});
        json_i64(out, (int64_t)units);
        units += utf8_utf16((struct str){text.p + start, end - start});
        json_i64(out, (int64_t)units);
        json_end(out, ']');
        at = end;
    }
    json_end(out, ']');
}

/* ---- Boxes -------------------------------------------------------------- */

/* A tenth of a pixel on any screen. */
static void number_json(struct json_out *out, struct str key, double v)
{
    json_key(out, key);
    json_f64(out, round(v * 100) / 100);
}

static void box_json(struct json_out *out, const struct page_word *box)
{
    json_object(out);
    number_json(out, STR("x"), box->x);
    number_json(out, STR("y"), box->y);
    number_json(out, STR("w"), box->w);
    number_json(out, STR("h"), box->h);
    json_end(out, '}');
}

/* Whether b goes on behind a on its line: not in the next column. */
static bool goes_on(const struct page_word *a, const struct page_word *b)
{
    return fabs(a->y - b->y) < b->h * 0.6 && b->x >= a->x &&
           b->x - (a->x + a->w) < b->h * 1.5;
}

static void grow_box(struct page_word *box, const struct page_word *w)
{
    double bottom = fmax(box->y + box->h, w->y + w->h);

    box->y = fmin(box->y, w->y);
    box->h = bottom - box->y;
    box->w = fmax(box->x + box->w, w->x + w->w) - box->x;
}

/* A box for the words on each line. */
static void boxes_json(struct json_out *out, const struct page_words *page,
                       const bool *marked)
{
    json_array(out);
    for (size_t i = 0; i < page->words_n; i++) {
        struct page_word box = page->words[i];

        if (!marked[i])
            continue;
        for (; i + 1 < page->words_n && marked[i + 1] &&
               goes_on(&box, &page->words[i + 1]);
             i++)
            grow_box(&box, &page->words[i + 1]);
        box_json(out, &box);
    }
    json_end(out, ']');
}

/* ---- Pages -------------------------------------------------------------- */

struct near_pages {
    struct page_words pages[PAGES_MAX];
    size_t n;
    int64_t first;
    size_t at[PAGES_MAX + 1]; /* the first word of each among all */
};

/* False: it is answered.  A page that cannot be read leaves none. */
static bool read_pages(struct request *r, const struct document *d,
                       struct marks *m, struct near_pages *out)
{
    struct page_failures *failures = services(r)->page_failures;
    struct page_of page = {d->digest, m->page, true};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = page_failures_get(failures, &page);
    int fd;

    *out = (struct near_pages){
        .first = m->page > MARKS_PAGES_NEAR ? m->page - MARKS_PAGES_NEAR : 1};
    if (rc == FOOTNOTE_OK) {
        if (!document_open_file(r, d, &fd))
            return false;
        rc = pages_words(fd, out->first, m->page + MARKS_PAGES_NEAR, m->arena,
                         out->pages, &out->n, &err);
        close(fd);
        page_failures_note(failures, &page, rc);
    }
    if (rc == FOOTNOTE_OK)
        return true;
    out->n = 0;
    if (rc == FOOTNOTE_NOTFOUND || rc == FOOTNOTE_INVALID ||
        rc == FOOTNOTE_TOOBIG)
        return true;
    call_failed(r, rc, &err, "document");
    return false;
}

/* Empties pages that are too far from the named one to be looked at, too. */
static void leave_far_words(struct near_pages *p, int64_t named)
{
    size_t words = 0;

    for (int64_t away = 0; away <= MARKS_PAGES_NEAR; away++)
        for (size_t i = 0; i < p->n; i++) {
            if (llabs(p->first + (int64_t)i - named) != away)
                continue;
            if (p->pages[i].words_n > MARKS_WORDS_MAX - words)
                p->pages[i].words_n = 0;
            words += p->pages[i].words_n;
        }
}

static enum footnote_rc find_on_pages(struct marks *m, struct near_pages *p,
                                      struct claim_place *place,
                                      struct footnote_err *err)
{
    struct str *words = arena_many(m->arena, MARKS_WORDS_MAX + 1, struct str);
    uint32_t *page = arena_many(m->arena, MARKS_WORDS_MAX + 1, uint32_t);

    *place = (struct claim_place){.words = words, .page = page};
    TRY(arena_rc(m->arena, err));
    for (size_t i = 0; i < p->n; i++) {
        p->at[i] = place->words_n;
        if (p->first + (int64_t)i == m->page && p->pages[i].words_n)
            place->from = place->words_n;
        for (size_t j = 0; j < p->pages[i].words_n; j++) {
            words[place->words_n] = p->pages[i].words[j].text;
            page[place->words_n++] = (uint32_t)i;
        }
    }
    p->at[p->n] = place->words_n;
    return claim_find_place(m->arena, &m->passage, m->claims, m->claims_n,
                            place, err);
}

static size_t count_marked(const bool *marked, size_t from, size_t to)
{
    size_t n = 0;

    for (size_t i = from; i < to; i++)
        n += marked[i];
    return n;
}

static void note_claim_pages(struct marks *m, const struct near_pages *p,
                             const struct claim_place *place)
{
    for (size_t c = 0; c < m->claims_n; c++) {
        size_t most = 0;

        for (size_t i = 0; i < p->n; i++) {
            size_t n = count_marked(place->claims[c], p->at[i], p->at[i + 1]);
            if (n > most)
                m->claim_pages[c] = p->first + (int64_t)i;
            most = n > most ? n : most;
        }
    }
}

static void page_json(struct json_out *out, const struct marks *m,
                      const struct near_pages *p,
                      const struct claim_place *place, size_t i)
{
    json_object(out);
    json_key(out, STR("page"));
    json_i64(out, p->first + (int64_t)i);
    number_json(out, STR("width"), p->pages[i].width);
    number_json(out, STR("height"), p->pages[i].height);
    json_key(out, STR("passage"));
    boxes_json(out, &p->pages[i], place->passage + p->at[i]);
    json_key(out, STR("claims"));
    json_array(out);
    for (size_t c = 0; c < m->claims_n; c++)
        boxes_json(out, &p->pages[i], place->claims[c] + p->at[i]);
    json_end(out, ']');
    json_end(out, '}');
}

bool marks_on_pages(struct request *r, const struct document *d,
                    struct marks *m, struct json_out *out)
{
    struct footnote_err err = {.text = ""};
    struct claim_place place;
    struct near_pages p;

    if (!read_pages(r, d, m, &p))
        return false;
    leave_far_words(&p, m->page);
    if (find_on_pages(m, &p, &place, &err) != FOOTNOTE_OK) {
        call_no_memory(r);
        return false;
    }
    note_claim_pages(m, &p, &place);
    json_array(out);
    for (size_t i = 0; i < p.n; i++)
        if (count_marked(place.passage, p.at[i], p.at[i + 1]))
            page_json(out, m, &p, &place, i);
    json_end(out, ']');
    return true;
}

/* ---- Lines of a transcript ---------------------------------------------- */

struct near_lines {
    const struct cue *cues; /* the first of them */
    size_t first, n;
    size_t at[LINES_MAX + 1]; /* the first word of each among all */
};

static void take_near(struct near_lines *l, const struct cue *cues, size_t n,
                      const struct marks *m)
{
    size_t end = 0;

    while (l->first < n && cues[l->first].end < m->start - MARKS_SECONDS_NEAR)
        l->first++;
    for (end = l->first; end < n && end - l->first < LINES_MAX &&
                         cues[end].start <= m->end + MARKS_SECONDS_NEAR;)
        end++;
    l->cues = cues + l->first;
    l->n = end - l->first;
}

static enum footnote_rc find_in_lines(struct marks *m, struct near_lines *l,
                                      struct claim_place *place,
                                      struct footnote_err *err)
{
    struct str *words = arena_many(m->arena, MARKS_WORDS_MAX + 1, struct str);
    uint32_t *page = arena_many(m->arena, MARKS_WORDS_MAX + 1, uint32_t);
    bool from = false;

    *place = (struct claim_place){.words = words, .page = page};
    TRY(arena_rc(m->arena, err));
    for (size_t i = 0; i < l->n; i++) {
        size_t left = MARKS_WORDS_MAX - place->words_n, n;
        struct str *own;

        TRY(split_words(m->arena, l->cues[i].text,
                        left < LINE_WORDS_MAX ? left : LINE_WORDS_MAX, &own, &n,
                        err));
        l->at[i] = place->words_n;
        if (!from && n && l->cues[i].end > m->start) {
            place->from = place->words_n;
            from = true;
        }
        for (size_t j = 0; j < n; j++)
            words[place->words_n++] = own[j];
    }
    l->at[l->n] = place->words_n;
    return claim_find_place(m->arena, &m->passage, m->claims, m->claims_n,
                            place, err);
}

static void note_claim_seconds(struct marks *m, const struct near_lines *l,
                               const struct claim_place *place)
{
    for (size_t c = 0; c < m->claims_n; c++)
        for (size_t i = 0; i < l->n; i++) {
            if (!count_marked(place->claims[c], l->at[i], l->at[i + 1]))
                continue;
            if (!m->said[c])
                m->claim_starts[c] = l->cues[i].start;
            m->said[c] = true;
            m->claim_ends[c] = l->cues[i].end;
        }
}

static void line_spans(struct json_out *out, const struct near_lines *l,
                       const struct claim_place *place, size_t i,
                       const bool *marked)
{
    marks_spans(out, l->cues[i].text, place->words + l->at[i],
                l->at[i + 1] - l->at[i], marked + l->at[i]);
}

static void line_json(struct json_out *out, const struct marks *m,
                      const struct near_lines *l,
                      const struct claim_place *place, size_t i)
{
    json_object(out);
    json_key(out, STR("line"));
    json_i64(out, (int64_t)(l->first + i));
    json_key(out, STR("passage"));
    line_spans(out, l, place, i, place->passage);
    json_key(out, STR("claims"));
    json_array(out);
    for (size_t c = 0; c < m->claims_n; c++)
        line_spans(out, l, place, i, place->claims[c]);
    json_end(out, ']');
    json_end(out, '}');
}

bool marks_in_lines(struct request *r, const struct document *d,
                    struct marks *m, struct json_out *out)
{
    struct footnote_err err = {.text = ""};
    struct near_lines l = {.first = 0};
    struct claim_place place;
    struct cue *cues = NULL;
    size_t n = 0;
    enum footnote_rc rc = document_cues(r, d, &cues, &n, &err);

    if (rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG)
        n = 0;
    else if (rc != FOOTNOTE_OK) {
        call_failed(r, rc, &err, "document");
        return false;
    }
    take_near(&l, cues, n, m);
    if (find_in_lines(m, &l, &place, &err) != FOOTNOTE_OK) {
        call_no_memory(r);
        return false;
    }
    note_claim_seconds(m, &l, &place);
    json_array(out);
    for (size_t i = 0; i < l.n; i++)
        if (count_marked(place.passage, l.at[i], l.at[i + 1]))
            line_json(out, m, &l, &place, i);
    json_end(out, ']');
    return true;
}
