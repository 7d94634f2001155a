/* prompt.h - the lines for a model, in the turn's arena. */
#ifndef CHAT_TURN_PROMPT_H
#define CHAT_TURN_PROMPT_H
#include "base/err.h"

struct model_tool_call;
struct turn;
enum footnote_rc prompt_first(struct turn *t, struct footnote_err *err);
/* The model asked for `calls`. */
enum footnote_rc prompt_calls(struct turn *t, struct footnote_err *err);
/* What one of them found, or why it was not run. */
enum footnote_rc prompt_found(struct turn *t,
                              const struct model_tool_call *call,
                              struct footnote_err *err);
enum footnote_rc prompt_refuse(struct turn *t,
                               const struct model_tool_call *call,
                               struct str why, struct footnote_err *err);

#endif
