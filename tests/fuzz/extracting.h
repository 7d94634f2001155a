/* extracting.h - what must hold for every passage of every file, for the
 * fuzzers of ingest/. */
#ifndef FUZZ_EXTRACTING_H
#define FUZZ_EXTRACTING_H
#include "base/utf8.h"
#include "ingest/format/extract.h"
#include "store/document/document.h"

#include <stdlib.h>

static inline void must(bool holds)
{
    if (!holds)
        abort();
}

struct extracting {
    int64_t position, done;
};

static inline enum footnote_rc extracting_passage(void *arg,
                                                  const struct passage *p,
                                                  struct footnote_err *err)
{
    struct extracting *x = arg;

    (void)err;
    must(p->position == ++x->position);
    must(p->text.n > 0 && p->text.n <= SOURCE_TEXT_BYTES_MAX);
    must(utf8_valid(p->text) && !memchr(p->text.p, 0, p->text.n));
    must(p->heading.n <= SOURCE_LABEL_BYTES_MAX && utf8_valid(p->heading));
    must(p->page >= 0);
    must(!p->has_seconds || (p->start >= 0 && p->end >= p->start));
    return FOOTNOTE_OK;
}

static inline enum footnote_rc extracting_progress(void *arg, int64_t done,
                                                   int64_t total,
                                                   struct footnote_err *err)
{
    struct extracting *x = arg;

    (void)err;
    must(done >= x->done && done <= total);
    x->done = done;
    return FOOTNOTE_OK;
}

static inline void extracting_run(enum extract_format f, struct str bytes)
{
    struct extracting x = {0, 0};
    struct passage_sink sink = {&x, extracting_passage, extracting_progress};
    struct arena a = ARENA(EXTRACT_ARENA_MAX);
    struct extract_facts facts;
    struct footnote_err err = {.text = ""};
    struct extract_file file = {.bytes = bytes, .filename = STR("file")};
    enum footnote_rc rc = extract_run(f, &file, &a, &sink, &facts, &err);

    if (rc == FOOTNOTE_OK) {
        must(x.position > 0);
        must(utf8_valid(facts.title) && utf8_valid(facts.language));
        must(!facts.date.p || facts.date.n == 10);
        must(facts.pages >= 0 && facts.seconds >= 0);
    } else {
        must(rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG);
        must(err.rc == rc && err.text[0]);
    }
    arena_free(&a);
}

#endif
