/* kept_parts.h - parts of a session that are read out of its JSON, for
 * kept_read.c.  Each is false when it has refused, as intake_refuse(). */
#ifndef EXPORT_KEPT_PARTS_H
#define EXPORT_KEPT_PARTS_H
#include "base/sha256.h"
#include "http/shape/intake.h"
#include "store/session/message.h"

#define COUNT(fields) (sizeof(fields) / sizeof((fields)[0]))
#define NAME(camel)                                                            \
    {                                                                          \
        "" camel, sizeof(camel) - 1                                            \
    }

bool kept_no_memory(struct intake *in);
bool kept_refuse(struct intake *in, const struct json_place *at,
                 const char *what);
/* A list, or nothing. */
bool kept_check_list(struct intake *in, const struct json_place *at,
                     const struct json *list, size_t max);
/* "sha256:" and the digits. */
bool kept_digest_parse(struct str text, struct sha256 *out);

/* Lists may be NULL; what is read lives in the intake's arena. */
bool kept_read_sources(struct intake *in, const struct json_place *up,
                       struct json *list, struct message *out);
bool kept_read_verdicts(struct intake *in, const struct json_place *up,
                        const struct json *list, struct message *out);
bool kept_read_feedback(struct intake *in, const struct json_place *up,
                        const struct json *list, struct message *out);

#endif
