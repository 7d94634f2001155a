/* survey.c - counts letters by their size: most are the body's. */
#include "ingest/pdf/survey.h"
#include "ingest/text/chunk.h"
#include "ingest/text/lines.h"

#include <math.h>

enum { HEADING_WORDS_MAX = 14, HEADING_LETTERS_MAX = 120 };

/* A heading is so much larger than the body. */
#define LARGER 1.08

int survey_size(double height)
{
    long size = lround(2 * height);

    return size < 0 ? 0 : size >= SURVEY_SIZES ? SURVEY_SIZES - 1 : (int)size;
}

bool survey_may_head(const struct page_line *line)
{
    struct str s = line->text;
    bool letter = false;

    if ((line->advance > 0 && !line->one_word) ||
        line->letters > HEADING_LETTERS_MAX || line->letters < 2 ||
        strchr(".,;:", s.p[s.n - 1]) || (s.p[0] >= 'a' && s.p[0] <= 'z'))
        return false;
    for (size_t i = 0; i < s.n && !letter; i++)
        letter =
            ((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z') || s.p[i] & 0x80;
    return letter && chunk_words(s) <= HEADING_WORDS_MAX;
}

enum footnote_rc survey_page(struct survey *s, int64_t number,
                             const struct page_lines *page, struct arena *a,
                             struct footnote_err *err)
{
    if (!s->letters) {
        s->letters = arena_many(a, SURVEY_SIZES, size_t);
        s->headings = arena_many(a, SURVEY_SIZES, size_t);
        TRY(arena_rc(a, err));
    }
    for (size_t i = 0; i < page->n; i++) {
        const struct page_line *l = &page->lines[i];
        int size = survey_size(l->h);

        s->letters_n += l->letters;
        s->fixed_n += l->advance > 0 && !l->one_word ? l->letters : 0;
        s->letters[size] += l->letters;
        s->headings[size] += survey_may_head(l);
        s->words += chunk_words(l->text);
    }
    s->pages_n += page->n > 0;
    return running_learn_page(&s->running, number, page, a, err);
}

void survey_end(struct survey *s)
{
    int body = 0;

    s->fixed = 2 * s->fixed_n > s->letters_n;
    running_end(&s->running);
    for (int i = 1; s->letters && i < SURVEY_SIZES; i++)
        if (s->letters[i] > s->letters[body])
            body = i;
    s->body = body / 2.0;
    for (int i = SURVEY_SIZES - 1;
         s->letters && i > LARGER * body && s->sizes_n < SURVEY_HEADINGS; i--) {
        bool beside = s->sizes_n && s->sizes[s->sizes_n - 1] == i + 1;
        if (s->headings[i] && !beside)
            s->sizes[s->sizes_n++] = i;
    }
}
