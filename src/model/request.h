/* request.h - a question to a model, as JSON.  Pure.
 *
 * Only needed keys are sent: servers refuse keys that they do not know, and
 * empty lists.  Keys that some servers refuse (tools, stream_options) are last,
 * so that they can be removed again. */
#ifndef MODEL_REQUEST_H
#define MODEL_REQUEST_H
#include "base/buf.h"
#include "model/model.h"

enum { MODEL_REQUEST_BYTES_MAX = 48 * 1024 * 1024 };

struct model_request {
    struct buf text;
    size_t base_n; /* bytes that are the same in every try */
};
#define MODEL_REQUEST                                                          \
    ((struct model_request){.text = BUF(MODEL_REQUEST_BYTES_MAX)})

enum footnote_rc model_request_write(struct model_request *r,
                                     const struct model_ask *ask,
                                     struct footnote_err *err);
/* Ends the text, with or without the keys that may be refused; can be called
 * again. */
enum footnote_rc model_request_finish(struct model_request *r, bool tools,
                                      bool usage, struct footnote_err *err);

#endif
