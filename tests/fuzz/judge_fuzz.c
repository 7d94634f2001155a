/* judge_fuzz.c - fuzzes verdicts: the first line is a sentence, the rest its
 * source.
 *
 * On valid UTF-8 a verdict comes, its span lies in the source and its word in
 * the sentence, and a second time it is the same. */
#include <stdlib.h>

#include "base/utf8.h"
#include "cite/judge/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { TEXT_BYTES_MAX = 16 * 1024, ARENA_BYTES_MAX = 256 * 1024 * 1024 };

static void must(bool holds)
{
    if (!holds)
        abort();
}

static struct verdict verdict_of(struct arena *a, struct str sentence,
                                 struct str passage)
{
    AUTO(judge_closep) struct judge *j = NULL;
    struct judge_source *source;
    struct verdict v;

    must(judge_open(&j, NULL) == FOOTNOTE_OK);
    must(judge_source_read(j, a, STR_NONE, passage, &source, NULL) ==
         FOOTNOTE_OK);
    must(judge_sentence(j, a, sentence, source, &v, NULL) == FOOTNOTE_OK);
    return v;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str text = {(const char *)data, n};
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);

    if (n == 0 || n > TEXT_BYTES_MAX || !utf8_valid(text))
        return 0;
    struct str sentence = {text.p, str_find(text, '\n')};
    struct str passage = str_skip(text, sentence.n);
    struct verdict v = verdict_of(&a, sentence, passage);
    struct verdict again = verdict_of(&a, sentence, passage);

    must(v.start <= v.end && v.end <= passage.n);
    must(v.support >= 0 && v.support <= 1000);
    must(!v.word.p || (v.word.p >= sentence.p &&
                       v.word.p + v.word.n <= sentence.p + sentence.n));
    must(v.kind == again.kind && v.reason == again.reason &&
         v.support == again.support && v.start == again.start);
    return 0;
}
