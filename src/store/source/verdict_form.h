/* verdict_form.h - records of verdicts as they are stored.  Any thread. */
#ifndef STORE_SOURCE_VERDICT_FORM_H
#define STORE_SOURCE_VERDICT_FORM_H
#include "base/sha256.h"
#include "store/source/verdicts.h"

/* As they are stored; *out lives in `a`. */
enum footnote_rc verdicts_pack(struct arena *a,
                               const struct sentence_verdict *list, size_t n,
                               struct str *out, struct footnote_err *err);
/* Sets sentences, n and carried of *out, which has none yet; they live in `a`.
 * *sound is false for what is not of this form. */
enum footnote_rc verdicts_unpack(struct arena *scratch, struct arena *a,
                                 struct str packed, struct verdict_record *out,
                                 bool *sound, struct footnote_err *err);

/* Of what verdicts_pack() wrote. */
struct verdict_counts {
    int64_t judged, carried, unsupported; /* contradicted or not found */
};
void verdicts_count(struct str packed, struct verdict_counts *out);

/* It covers what was judged, who did and what was found. */
void verdicts_digest(struct sha256_ctx *c, const struct sha256 *message,
                     struct str judge, struct str packed, struct sha256 *out);

#endif
