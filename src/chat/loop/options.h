/* options.h - what the engine is given, and its limits. */
#ifndef CHAT_LOOP_OPTIONS_H
#define CHAT_LOOP_OPTIONS_H
#include <stdint.h>

#include "base/str.h"

enum {
    CHAT_SEARCHES_MAX = 4, /* of one turn, the question itself included */
    CHAT_SOURCES_DEFAULT = 8,
    CHAT_OUTLINE_DEFAULT = 16, /* of what a course is about */
    CHAT_SOURCES_MAX = 50,
    CHAT_HISTORY_MESSAGES = 20 /* earlier messages that a model is given */
};

struct chat_options {
    struct store *store;
    struct retriever *retriever;
    struct objects *objects; /* page pictures; NULL: there are none */
    const struct models *models;
    struct str verify_model;   /* that looks again; absent: none */
    int64_t verify_per_minute; /* answers, at most */
    int64_t turn_ms_max;    /* a turn ends by then, whatever the model does */
    int64_t turns_per_user; /* 0: no limit */
    int64_t index_wait_ms;  /* for documents that are not indexed yet */
};

#endif
