/* config.h - the configuration: one value per setting.
 *
 * Flag > FOOTNOTE_* in the environment > --config FILE > the user's own file
 * below $XDG_CONFIG_HOME or, without one, /etc/footnote > default.  The table
 * of settings is in config/table.c.  Read once at the start; then any thread
 * reads it and none writes it. */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H
#include "base/arena.h"

enum {
    CONFIG_AUTH_NONE = 1,
    CONFIG_AUTH_KEY = 2,
    CONFIG_AUTH_JWT = 4,
    CONFIG_AUTH_PROXY = 8,
    CONFIG_AUTH_OIDC = 16
};

/* One [[models]] of the file: a model server that speaks OpenAI's protocol. */
struct config_model {
    struct str name;  /* the name that users pick; default: `model` */
    struct str url;   /* base URL, such as http://127.0.0.1:11434/v1 */
    struct str model; /* its name at the server */
    struct str key;   /* read from key-file or key-env; absent: none */
    struct str key_file, key_env;
    bool tools, images, usage;
};
enum { CONFIG_MODELS_MAX = 32 };

/* A text that is not set is absent.  A list is one text: items with commas
 * between them, without spaces and without empty items. */
struct config {
    struct str listen;   /* ADDR:PORT */
    struct str data;     /* folder of the embedded mode */
    struct str database; /* URL, never absent: sqlite in `data` */
    struct str objects;  /* URL, never absent: files:objects in `data` */
    struct str objects_external;       /* list */
    struct str backup_to;              /* where the server puts its backups */
    int64_t backup_every, backup_keep; /* ms; 0: none.  0: all */
    struct str s3_endpoint, s3_style;
    struct str s3_key_id, s3_secret, s3_token, s3_region; /* AWS_* */
    unsigned auth;         /* CONFIG_AUTH_ bits */
    struct str jwt_secret; /* read from --jwt-secret-file */
    struct str jwks;       /* file or URL */
    struct str jwt_audience, jwt_issuer, tenant_claim;
    struct str oidc_issuer, oidc_client_id, oidc_name;
    struct str oidc_client_secret; /* absent: a client without one */
    struct str oidc_scopes;        /* list */
    struct str oidc_user_claim, oidc_groups_claim;
    struct str oidc_groups;     /* list of GROUP=COURSE:ROLE */
    struct str admin_users;     /* list, of the tenant `default` */
    struct str admin_claim;     /* NAME=VALUE */
    struct str auth_header;     /* Remote-User */
    struct str trusted_proxies; /* list of addresses and networks */
    struct str public_url;      /* list, no slash at an end; the main first */
    struct str cors_origins;    /* list */
    struct str node_name;       /* absent: it has none */
    struct str durability;      /* strict, relaxed */
    struct str course_share;    /* none, reader, editor */
    struct str metrics_token;
    int64_t loops;            /* 0: one per core */
    int64_t workers;          /* threads that read the database */
    int64_t ingest_workers;   /* threads that read documents in */
    struct str ocr_languages; /* of tesseract, or none */
    struct str poppler;       /* folder of its programs; absent: PATH */
    int64_t body_bytes_max, chat_bytes_max, upload_bytes_max;
    int64_t connections_max, connections_per_address;
    int64_t head_ms, body_gap_ms, idle_ms, grace_ms, drain_delay;
    int64_t body_rate_min;                       /* bytes a second */
    int64_t requests_per_minute, turns_per_user; /* 0: no limit */
    /* 0: no limit; not in mode none */
    int64_t bytes_per_user, documents_per_user, sessions_per_user;
    int64_t bytes_per_tenant, documents_per_tenant, sessions_per_tenant;
    int64_t daily_turns_per_user, streams_per_user, uploads_per_user;
    int64_t daily_turns_per_tenant, streams_per_tenant, uploads_per_tenant;
    int64_t disk_reserve;                   /* bytes that stay free */
    int64_t turn_ms_max;                    /* one whole answer */
    int64_t failed_sign_ins_per_minute;     /* 0: no limit */
    int64_t login_ms_max, login_idle_ms;    /* of a browser; 0: no limit */
    int64_t cache_bytes;                    /* histories */
    int64_t bodies_bytes;                   /* bodies and their JSON */
    struct str model_url, model, model_key; /* a model outside of the list */
    bool model_tools, model_images, model_usage;
    int64_t model_connect_ms, model_first_ms, model_idle_ms, model_total_ms;
    int64_t model_retries, model_retry_ms, model_wait_ms, model_bytes_max;
    struct str verify_model; /* looks at answers again; absent: none */
    int64_t verify_per_minute;
    const struct config_model *models; /* the list in the file */
    size_t models_n;
    int64_t index_bytes;   /* indexes in memory */
    int64_t index_wait_ms; /* for documents that are not indexed yet */
    struct str embeddings_url, embeddings_model, embeddings_key;
    struct str embeddings_query_prefix, embeddings_passage_prefix;
    int64_t embeddings_ms;
    struct str rerank_url, rerank_model, rerank_key;
    int64_t rerank_ms;
    struct str log_level; /* debug, info, warn, error */
    bool demo, no_ui;
    struct str ui_dir;
};

/* Where a value came from, for `config show --origin`. */
enum config_origin {
    CONFIG_DEFAULT,
    CONFIG_SYSTEM_FILE,
    CONFIG_FILE,
    CONFIG_ENV,
    CONFIG_FLAG
};
struct config_from {
    enum config_origin origin;
    struct str where; /* "--auth", "FOOTNOTE_AUTH", "x.toml:3", "default" */
};

/* Reads all sources.  Texts live in `a`.  `argv` are the words after the verb;
 * words that are not settings go to *rest, in order, with a "--" if there was
 * one.  INVALID names the setting, where it was set, and what it takes. */
struct config_input {
    int argc;
    char **argv;
    char **env;       /* like environ, ends with NULL */
    struct str *rest; /* out, in `a` */
    size_t rest_n;
    struct config_from *from; /* out, in `a`: one per row of the table */
    bool usage;               /* out: the error is in the command line */
};
enum footnote_rc config_read(struct arena *a, struct config_input *in,
                             struct config *out, struct footnote_err *err);

/* Variables FOOTNOTE_* that are no settings: a sentence each, at most `max`, in
 * `a`.  Returns how many. */
size_t config_unknown_env(struct arena *a, char *const *env, struct str *out,
                          size_t max);

/* A text with the passwords of its URLs replaced by "(set)".  In `a`; absent
 * when there is no memory. */
struct str config_hide_passwords(struct arena *a, struct str text);

/* Checks whether a server can run: addresses, URLs and lists are well formed,
 * an address beyond loopback has auth, and each mode of auth has its settings.
 * config_read() does not call it, so that `config show` can show a broken
 * configuration. */
enum footnote_rc config_check(const struct config *c, struct footnote_err *err);

/* Splits ADDR:PORT or [ADDR]:PORT; *host is a view without the brackets. */
bool config_split_listen(struct str listen, struct str *host, uint16_t *port);
/* True for 127.0.0.0/8, ::1 and the name localhost. */
bool config_is_loopback(struct str host);
/* Takes an item of oidc_groups or admin_claim apart; false: it is none. */
bool config_group_course(struct str item, struct str *group, struct str *course,
                         struct str *role);
bool config_claim_value(struct str item, struct str *name, struct str *value);
/* Takes the next item off a list; false when the list is empty. */
bool config_next_item(struct str *list, struct str *item);

/* For `footnote version` and GET /version. */
struct config_build {
    struct str version, git, compiler;
    int schema; /* number of the newest migration */
};
struct config_build config_build(void);

#endif
