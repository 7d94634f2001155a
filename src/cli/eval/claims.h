/* claims.h - sentences that people have judged, with their sources. */
#ifndef CLI_EVAL_CLAIMS_H
#define CLI_EVAL_CLAIMS_H
#include "cli/eval/collection.h"

struct claim_case {
    struct str title, source, claim;
    bool supported;   /* by the source, all of it */
    struct str *gold; /* sentences that support it, views into `source` */
    size_t gold_n;
};
struct claims {
    struct claim_case *cases;
    size_t n;
};

/* Reads DIR/claims.jsonl: {"claim", "evidence": [sentence], "label",
 * "supporting_sentences": [[index]]}.  Without that file, a collection whose
 * queries have answers: each answer is a true claim about its judged docs. */
enum footnote_rc claims_read(struct arena *a, const char *folder,
                             struct claims *out, struct footnote_err *err);

/* ---- claim_edits.c: copies of a true claim that are false ---------------- */

enum claim_edit { EDIT_NEGATION, EDIT_NAME, EDIT_NUMBER, EDITS };

/* The rules, so that others can make the same copies:
 *
 *   negation  "not", "never" or "n't" goes; else "not" is put behind the first
 *             of is are was were has have had can could will would may might
 *             must should does did do
 *   number    the last number in digits that the source has becomes 7 more, or
 *             7 less: one that neither the claim nor the source has
 *   name      the last word with a capital that begins no sentence and that
 *             the source has becomes such a word of `other`, which neither the
 *             claim nor the source has
 *
 * Absent when the rule finds nothing to change. */
enum footnote_rc claim_edited(struct arena *a, const struct claim_case *c,
                              struct str other, enum claim_edit edit,
                              struct str *out, struct footnote_err *err);

#endif
