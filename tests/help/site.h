/* site.h - libcurl asks a server of this process, as other programs would.
 *
 *     struct site s = {.curl = NULL};
 *     site_open(&s);
 *     CHECK_INT(site_get(&s, "/healthz").status, 200);
 *
 * The server has the modes `none` and `key`.  Whatever fails here fails the
 * test. */
#ifndef SITE_H
#define SITE_H
#include "client.h"
#include "store/store.h"

struct site {
    bool demo, no_ui;            /* these may be set before it is opened, and
                                    failed_sign_ins_per_minute and bodies_bytes
                                    of served */
    struct str ui_dir;           /* or absent */
    struct str s3_endpoint;      /* of a bucket for files, or absent */
    struct str objects_external; /* prefixes that are open in it */
    bool keys_only;              /* nobody is `local` */
    struct str metrics_token;    /* or absent */
    const char *model_url;       /* of a model server, or NULL; and */
    bool relaxed;                /* durability; and */
    int turns_per_user;          /* 0: any number */
    int64_t grace_ms;            /* 0: a minute; as the next */
    int64_t index_wait_ms;       /* that a search waits for new documents */
    bool model_images;           /* it takes pictures */
    void (*adjust)(struct config *c); /* or NULL: any other setting */
    struct arena arena;               /* texts of all answers */
    struct served served;
    void *curl;
};
void site_open(struct site *s);
void site_close(struct site *s);
/* A new API key of user ada, in s->arena; or of somebody else. */
struct str site_key(struct site *s);
struct str site_key_of(struct site *s, struct who who);

struct ask {
    const char *method, *path; /* the path as it is sent */
    struct str body;           /* absent: none */
    const char *type;          /* of the body; NULL: application/json */
    const char *header;        /* one more line, or NULL */
};
struct answer_to {
    int status;
    struct str body, type, headers; /* in s->arena */
};
struct answer_to site_ask(struct site *s, const struct ask *ask);
struct answer_to site_get(struct site *s, const char *path);
/* The body as JSON. */
struct json *site_json(struct site *s, struct str body);

#endif
