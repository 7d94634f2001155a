/* transcript_fuzz.c - fuzzes WebVTT and SubRip: cues come in order of time,
 * on one line each and never empty; passages hold what extracting.h says. */
#include "extracting.h"
#include "ingest/format/transcript.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_cues(struct str bytes)
{
    struct arena a = ARENA(EXTRACT_ARENA_MAX);
    struct extract_facts facts = {.warning = ""};
    struct cue *cues;
    size_t cues_n;

    if (transcript_cues(&a, bytes, STR_NONE, &cues, &cues_n, &facts, NULL) ==
        FOOTNOTE_OK) {
        must(cues_n > 0);
        for (size_t i = 0; i < cues_n; i++) {
            must(cues[i].text.n > 0 && utf8_valid(cues[i].text));
            must(str_find(cues[i].text, '\n') == cues[i].text.n);
            must(cues[i].end >= cues[i].start && cues[i].start >= 0);
            must(i == 0 || cues[i].start >= cues[i - 1].start);
            must(cues[i].end <= facts.seconds);
        }
    }
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str bytes = {(const char *)data, n};

    check_cues(bytes);
    extracting_run(FORMAT_VTT, bytes);
    return 0;
}
