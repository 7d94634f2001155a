/* binding.h - which document a new source cites, and who may write where.  The
 * writer's thread. */
#ifndef STORE_SOURCE_BINDING_H
#define STORE_SOURCE_BINDING_H
#include "cite/source.h"

struct bindings;
struct tx;

enum footnote_rc bindings_open(struct bindings **out, struct footnote_err *err);
void bindings_close(struct bindings *b);
/* After a rollback: what it remembers may not be stored. */
void bindings_forget(struct bindings *b);

/* A document of ours, and its version of now; 0: the source is bound to none.
 */
struct binding {
    int64_t document, version;
};
/* What a source that is saved now into `pool` is bound to, for ever: the
 * document that it names in the course that it names, if its saver may read
 * that course; else in the course of the pool; else, when the pool is the
 * saver's own, in a course of theirs or one that they may read.  So nothing is
 * bound to a document that its saver cannot read, or that another course has
 * with the same id. */
enum footnote_rc binding_now(struct tx *tx, int64_t pool,
                             const struct source *s, struct binding *out,
                             struct footnote_err *err);
/* What the asker may do in a course of one of their sessions. */
enum course_state {
    COURSE_OPEN,
    COURSE_DELETED, /* they may go on in another */
    COURSE_CLOSED   /* they may not read it any more */
};
enum footnote_rc course_state_now(struct tx *tx, int64_t course,
                                  enum course_state *out,
                                  struct footnote_err *err);

#endif
