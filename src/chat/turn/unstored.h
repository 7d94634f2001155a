/* unstored.h - what the store does for a turn that has a session. */
#ifndef CHAT_TURN_UNSTORED_H
#define CHAT_TURN_UNSTORED_H
#include "base/err.h"

struct turn;
enum footnote_rc unstored_number(struct turn *t, struct footnote_err *err);
void unstored_end(struct turn *t);

#endif
