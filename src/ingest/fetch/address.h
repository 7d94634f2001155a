/* address.h - the addresses that a stranger may send the server to.  Any
 * thread. */
#ifndef INGEST_FETCH_ADDRESS_H
#define INGEST_FETCH_ADDRESS_H
#include <stdbool.h>
#include <sys/socket.h>

/* Whether it is an address of the public internet.  Not: this machine, private
 * and local networks, carriers' networks, link-local addresses with the
 * metadata of clouds, multicast, documentation and test ranges, and IPv6
 * addresses that carry any of these inside. */
bool address_public(const struct sockaddr *a);

#endif
