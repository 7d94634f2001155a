/* node.h - which process holds an answer, and whether it still lives. */
#ifndef STORE_NODE_H
#define STORE_NODE_H
#include "store/state.h"

/* A name for a store of this process: boot, pid namespace, pid, start time and
 * a count. */
void node_name(char out[NODE_BYTES]);
/* True when the process of that name is known to be gone. */
bool node_is_dead(const char *node, enum node_reach reach);

#endif
