/* fd.h - file descriptors that close themselves.  Any thread. */
#ifndef BASE_FD_H
#define BASE_FD_H
#include <unistd.h>

/* Fit for AUTO; -1 is fine. */
static inline void fd_closep(const int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

#endif
