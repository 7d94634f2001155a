/* services.h - what the handlers of the server work with. */
#ifndef HTTP_CALL_SERVICES_H
#define HTTP_CALL_SERVICES_H
#include "config/config.h"
#include "http/core/http.h"

struct auth;
struct backup_timer;
struct chat;
struct chat_loop;
struct disk;
struct document_waits;
struct history_cache;
struct ingest;
struct limits;
struct mend;
struct metrics;
struct models;
struct objects;
struct page_failures;
struct provider;
struct retriever;
struct shares;
struct store;

struct services {
    /* These are opened before the server, and closed after it. */
    struct store *store;
    struct objects *objects;     /* NULL: no documents are taken or given */
    struct retriever *retriever; /* NULL: nothing can be searched */
    struct ingest *ingest;       /* NULL: another server reads documents in */
    struct models *models;       /* NULL, as the next: no answers */
    struct chat *chat;
    struct mend *mend; /* looks for damage; NULL: nobody does */
    struct disk *disk; /* of data and files; NULL: nobody looks at it */
    struct backup_timer *backups; /* NULL: this server makes none */
    int socket; /* systemd listens on it for us; 0: nobody does */
    /* These are the server's own: serve.c opens and closes them. */
    const struct config *config;
    struct auth *auth;
    struct provider *provider; /* NULL: nobody signs in elsewhere */
    struct limits *limits;
    struct shares *shares;
    struct metrics *metrics;
    struct history_cache *history_cache;
    struct page_failures *page_failures;
    struct document_waits *waits;
};

/* Those of the request's server. */
static inline struct services *services(const struct request *r)
{
    return server_app(r->server);
}

/* THE TABLE, in api.c. */
extern const struct route api_routes[];
extern const size_t api_routes_n;

#endif
