/* log.h - lines on stderr: for people on a TTY, JSON otherwise.  Any thread.
 *
 * One record is one line and one write().  Control characters and bidi
 * overrides in values are escaped, bytes that are not UTF-8 are replaced, and
 * values are cut at 512 bytes.  A record is at most 4096 bytes, which a pipe
 * takes whole; fields that do not fit are left out and "cut" says so.  Nothing
 * is allocated.  The library never calls this; programs do. */
#ifndef BASE_LOG_H
#define BASE_LOG_H
#include "base/str.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };

struct log_field {
    struct str text; /* or, when absent, the number */
    int64_t number;
    const char *key; /* last, see log_write */
};
#define LOG_TEXT(k, s) ((struct log_field){.key = (k), .text = (s)})
#define LOG_NUM(k, v)  ((struct log_field){.key = (k), .number = (v)})

/* Where to (default: 2), from which level on (default: info), and as JSON or
 * for people (default: JSON unless fd is a TTY). */
enum log_form { LOG_AUTO, LOG_HUMAN, LOG_JSON };
void log_setup(int fd, enum log_level from, enum log_form form);

/* log_write(LOG_INFO, "listening", LOG_NUM("port", 8080), ...).  The message
 * becomes the key of element 0; as that is the last member, the next
 * initialiser, if there is one, is element 1. */
#define log_write(level, ...)                                                  \
    log_fields((level), LOG_ARRAY(__VA_ARGS__),                                \
               sizeof(LOG_ARRAY(__VA_ARGS__)) / sizeof(struct log_field))
#define LOG_ARRAY(...) ((struct log_field[]){[0].key = __VA_ARGS__})

/* fields[0].key is the message, the others are the fields. */
void log_fields(enum log_level level, const struct log_field *fields,
                size_t fields_n);

#endif
