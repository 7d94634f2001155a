/* frames_fuzz.c - fuzzes what a reader in the jail may say: whatever it is, the
 * passages and facts that are taken can be stored.
 *
 * The first byte says in how large pieces the rest comes. */
#include "extracting.h"
#include "ingest/format/journal.h"
#include "ingest/jailed/frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { ARENA_BYTES_MAX = 16 * 1024 * 1024 };

static void check_facts(const struct extract_facts *f)
{
    char day[11];
    size_t bytes;

    must(utf8_valid(f->title) && f->title.n <= STORE_TITLE_BYTES_MAX);
    must(utf8_valid(f->language) && f->language.n <= STORE_ID_BYTES_MAX);
    must(!f->date.p || journal_date(f->date, day, &bytes));
    must(f->pages >= 0 && f->seconds >= 0);
    must(memchr(f->warning, 0, sizeof(f->warning)) != NULL);
    must(utf8_valid(str_c(f->warning)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct extracting x = {0, 0};
    struct passage_sink sink = {&x, extracting_passage, extracting_progress};
    struct arena a = ARENA(ARENA_BYTES_MAX);
    struct str rest = {(const char *)data, n};
    struct footnote_err err = {.text = ""};
    struct extract_facts facts;
    enum footnote_rc rc = FOOTNOTE_OK;
    struct frames f;
    size_t step;

    if (n == 0)
        return 0;
    step = data[0] ? data[0] : 4096;
    rest = str_skip(rest, 1);
    frames_init(&f, &sink, &a, &facts);
    while (rest.n && rc == FOOTNOTE_OK) {
        size_t some = rest.n < step ? rest.n : step;

        rc = frames_add(&f, (struct str){rest.p, some}, &err);
        rest = str_skip(rest, some);
    }
    if (rc == FOOTNOTE_OK)
        rc = frames_end(&f, &err);
    if (rc == FOOTNOTE_OK)
        check_facts(&facts);
    else
        must((rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG) && err.text[0]);
    frames_free(&f);
    arena_free(&a);
    return 0;
}
