/* memory_test.c - too little memory is an error, wherever it runs out. */
#include "read_passages.h"
#include "store/document/document.h"

static enum footnote_rc ignore(void *arg, const struct passage *p,
                               struct footnote_err *err)
{
    (void)arg, (void)p, (void)err;
    return FOOTNOTE_OK;
}

static enum footnote_rc run(struct str bytes, const char *name, size_t most,
                            size_t *used)
{
    struct passage_sink sink = {NULL, ignore, NULL};
    struct arena a = ARENA(most);
    struct extract_facts facts;
    struct footnote_err err;
    struct extract_file file = {.bytes = bytes, .filename = str_c(name)};
    enum footnote_rc rc = extract_run(format_detect(bytes, file.filename),
                                      &file, &a, &sink, &facts, &err);

    *used = a.used_bytes;
    arena_free(&a);
    return rc;
}

TEST(every_reader_survives_an_arena_of_any_size)
{
    static const char *const names[] = {
        "lecture.vtt", "rolling.vtt", "notes.md",    "page.html",
        "latin1.txt",  "report.docx", "slides.pptx",
    };
    enum { STEPS = 200 };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct arena a = ARENA(SCRATCH);
        struct str bytes = read_bytes(&a, names[i]);
        size_t all, used;

        CHECK_INT(run(bytes, names[i], EXTRACT_ARENA_MAX, &all), FOOTNOTE_OK);
        for (size_t step = 0; step < STEPS; step++) {
            if (run(bytes, names[i], all * step / STEPS, &used) !=
                FOOTNOTE_NOMEM)
                FAIL("%s: %zu of %zu bytes are enough", names[i],
                     all * step / STEPS, all);
        }
        arena_free(&a);
    }
}

TEST(the_same_bytes_give_the_same_passages)
{
    struct read *a = read_file("slides.pptx"), *b = read_file("slides.pptx");

    CHECK_INT(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        CHECK_TEXT(a->passages[i].text, b->passages[i].text);
        CHECK_TEXT(a->passages[i].heading, b->passages[i].heading);
        CHECK_INT(a->passages[i].page, b->passages[i].page);
    }
    read_free(a);
    read_free(b);
}
