#include "retrieve/search.h"
enum footnote_rc retriever_pick(struct retriever *r, struct arena *out,
                                const struct search *s, struct picked *picked,
                                size_t max, size_t *n,
                                struct footnote_err *err)
{ (void)r;(void)out;(void)s;(void)picked;(void)max;(void)err; *n=0; return FOOTNOTE_OK; }
