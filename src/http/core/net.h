/* net.h - addresses, networks, host names and lists of them.  Any thread. */
#ifndef HTTP_CORE_NET_H
#define HTTP_CORE_NET_H
#include "base/arena.h"

/* An IPv4 address is kept as IPv4-mapped IPv6, so the two never differ by
 * how the socket shows them. */
struct net {
    uint8_t b[16];
    unsigned bits; /* that count, of 128 */
};

/* "10.1.2.3", "10.0.0.0/8", "fd00::/8".  False for anything else. */
bool net_read(struct str text, struct net *out);
/* Is the address in the network?  False when it is no address. */
bool net_has(const struct net *n, struct str address);
/* A list of networks, with commas or spaces between.  INVALID names the first
 * that is none.  *out lives in `a`. */
enum footnote_rc net_list(struct arena *a, struct str text, struct net **out,
                          size_t *n, struct footnote_err *err);
/* An address as text; that of IPv4 as such. */
enum { NET_TEXT = 46 };
void net_text(const struct net *n, char out[NET_TEXT]);
/* What one client has: an address of IPv4, a /64 of IPv6. */
uint64_t net_client_hash(struct str address);
bool net_is_loopback(struct str address);
/* A loopback address (IPv6 in brackets or not), "localhost", or below it. */
bool net_is_loopback_name(struct str host);

/* The host of "HOST", "HOST:PORT" or "[ADDRESS]:PORT", without brackets and
 * the root's dot.  Absent when it is malformed. */
struct str net_host(struct str authority);
/* Equal but for upper and lower case (ASCII). */
bool net_same_name(struct str a, struct str b);
char net_lower(char c);
/* The next item of a list with commas or spaces between; false at the end. */
bool net_next(struct str *list, struct str *item);

#endif
