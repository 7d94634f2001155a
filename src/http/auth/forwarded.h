/* forwarded.h - whose request a proxy passes on.  Any thread. */
#ifndef HTTP_AUTH_FORWARDED_H
#define HTTP_AUTH_FORWARDED_H
#include "http/core/http.h"
#include "http/core/net.h"

struct proxies {
    const struct net *nets;
    size_t n;
    bool loopback; /* so is a program on this machine */
};

bool proxies_have(const struct proxies *p, struct str address);
/* The address that the request came from: the peer's, unless that is a proxy;
 * then what it says in X-Forwarded-For, which is read from the right as long as
 * those who wrote it are proxies.  What stands left of that, anybody can have
 * written. */
void forwarded_client(const struct proxies *p, const struct request *r,
                      char out[NET_TEXT]);

#endif
