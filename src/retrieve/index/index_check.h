/* index_check.h - the index files of all courses, compared with the store.
 * Any thread; beside a server, which makes and removes files, too. */
#ifndef RETRIEVE_INDEX_INDEX_CHECK_H
#define RETRIEVE_INDEX_INDEX_CHECK_H
#include "store/store.h"

struct index_check {
    struct store *store;
    const char *folder; /* as indexes_options has it */
    bool remove; /* damaged and unfinished files; never while a server uses the
                    folder */
    void (*goes_on)(void *arg, int64_t courses);
    void *arg;
    int64_t courses, files, bytes;   /* out, as all that follows */
    int64_t documents, not_in_files; /* that can be searched */
    int64_t damaged, removed;        /* files */
    int64_t unfinished;              /* that a killed process left */
    struct str first_damaged;        /* a path, in the arena; absent: none */
};
/* A document that is in no file is indexed by the next server that starts. */
enum footnote_rc index_check(struct index_check *c, struct arena *a,
                             struct footnote_err *err);

#endif
