/* openai.h - what the files of the OpenAI surface share. */
#ifndef HTTP_STREAM_OPENAI_H
#define HTTP_STREAM_OPENAI_H
#include "http/stream/chat.h"

struct message;

/* The body of POST /v1/chat/completions, in a worker; false: answered. */
bool openai_intake(struct request *r, struct chat_call *call);
/* 404 model_not_found. */
void openai_no_model(struct request *r, struct str model);

/* [annotation, ...]: one per marker that has a source. */
void openai_annotations(struct buf *b, const struct format_state *s,
                        const struct message *m);
void openai_usage(struct buf *b, const struct feed_end *end);
/* {"id":...,"object":`object`,"created":...,"model":... without the rest. */
void openai_head(struct buf *b, const struct format_state *s,
                 const char *object);
struct str openai_finish(const struct feed_end *end);

#endif
