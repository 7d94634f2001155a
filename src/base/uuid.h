/* uuid.h - UUIDv7 and random bytes.  Any thread. */
#ifndef BASE_UUID_H
#define BASE_UUID_H
#include "base/str.h"

enum { UUID_BYTES = 36 };

/* Writes 36 characters and a NUL.  Ids made by one process increase, also
 * within a millisecond and when the clock goes back. */
void uuid_v7(char out[UUID_BYTES + 1]);
/* From the kernel; never fails (asserts). */
void random_bytes(void *out, size_t n);

#endif
