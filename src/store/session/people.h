/* people.h - who is in a tenant, and what they keep: for its admins, who see no
 * contents by it.  Any thread. */
#ifndef STORE_SESSION_PEOPLE_H
#define STORE_SESSION_PEOPLE_H
#include "store/store.h"

struct person_kept {
    struct str user;
    int64_t bytes, documents, sessions;
};

/* Those of the asker's tenant by name, with all that it keeps, and the
 * documents that wait to be read in or are being read. */
struct people_list {
    struct str after; /* cursor: the last one's name; absent: from the first */
    size_t limit;
    struct person_kept *people; /* out */
    size_t people_n;
    struct person_kept all; /* out: without a name */
    int64_t waiting, reading;
};
STORE_OP(people_list);

#endif
