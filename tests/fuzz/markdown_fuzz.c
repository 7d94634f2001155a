/* markdown_fuzz.c - fuzzes what is read as lines: Markdown, plain text, and
 * journals as files and as JSON. */
#include "extracting.h"
#include "ingest/format/journal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_journal(struct str bytes)
{
    struct arena a = ARENA(EXTRACT_ARENA_MAX);
    struct journal_lines j = journal_open(bytes);
    struct journal_entry e;
    bool more = true;

    while (more) {
        enum footnote_rc rc = journal_next(&j, &a, &e, &more, NULL);
        if (rc == FOOTNOTE_OK && more)
            must(e.date.n == 10 && e.title.p && e.text.p);
        arena_reset(&a);
    }
    if (journal_markdown(&a, bytes, STR("2026-02-26 Heat.md"), &e, NULL) ==
        FOOTNOTE_OK)
        must(e.date.n == 10 && e.title.p && utf8_valid(e.title));
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str bytes = {(const char *)data, n};

    (void)format_detect(bytes, STR("file.md"));
    extracting_run(FORMAT_MARKDOWN, bytes);
    extracting_run(FORMAT_TEXT, bytes);
    check_journal(bytes);
    return 0;
}
