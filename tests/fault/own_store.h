/* own_store.h - a test's own store, files and user.  What cannot be opened
 * fails the test; what was opened is the caller's to close. */
#ifndef OWN_STORE_H
#define OWN_STORE_H
#include "object/object.h"
#include "store/store.h"

struct store *own_store(void);     /* on the database of test_url() */
struct objects *own_objects(void); /* in a folder of test_dir() */
struct who ann(void);

#endif
