/* extractive.h - an answer without a model. */
#ifndef CHAT_TURN_EXTRACTIVE_H
#define CHAT_TURN_EXTRACTIVE_H
#include "base/err.h"

enum { EXTRACTIVE_SENTENCES = 3 };

struct turn;
/* Sentences with their numbers, by turn_say(). */
enum footnote_rc extractive_answer(struct turn *t, struct footnote_err *err);

#endif
