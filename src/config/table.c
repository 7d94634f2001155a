/* table.c - THE TABLE of settings.
 *
 * Flags, environment, file, help and `config show` all use it.  To add a
 * setting, add a field to struct config and a row here. */
#include "config/table.h"

#define FIELD(name) offsetof(struct config, name)
#define HOUR_MS     INT64_C(3600000)
#define MB          (INT64_C(1) << 20)
#define GB          (INT64_C(1) << 30)

#define SERVING "Serving"
#define ASKING  "Who is asking"
#define LIMITS  "Limits"
#define SEARCH  "Search"
#define TIMES   "Times"
#define MODELS  "Models"
#define OTHER   "Other"

// clang-format off
const struct setting config_settings[] = {
    {"listen", CONFIG_TEXT, CONFIG_OPEN, FIELD(listen), "127.0.0.1:8080",
     0, 0, NULL, "ADDR:PORT", SERVING,
     "where to listen; port 0 picks a free one"},
    {"data", CONFIG_TEXT, CONFIG_OPEN, FIELD(data), NULL,
     0, 0, NULL, "DIR", SERVING,
     "folder of the database; made when it is missing"},
    {"database", CONFIG_TEXT, CONFIG_PASSWORD, FIELD(database), NULL,
     0, 0, NULL, "URL", SERVING,
     "sqlite:FILE or postgres://...; default: footnote.db in the data folder"},
    {"objects", CONFIG_TEXT, CONFIG_OPEN, FIELD(objects), NULL,
     0, 0, NULL, "URL", SERVING,
     "files:DIR or s3://BUCKET[/PREFIX]; default: objects in the data folder"},
    {"objects-external", CONFIG_TEXT, CONFIG_OPEN, FIELD(objects_external),
     NULL,
     0, 0, NULL, "PREFIX", SERVING,
     "keys of the bucket, not ours, that may be linked to; default: snapshots/"},
    {"s3-endpoint", CONFIG_TEXT, CONFIG_OPEN, FIELD(s3_endpoint), NULL,
     0, 0, NULL, "URL", SERVING,
     "another server for S3 than Amazon's; keys and region: AWS_*"},
    {"s3-style", CONFIG_WORD, CONFIG_OPEN, FIELD(s3_style), "auto",
     0, 0, "auto|path|virtual", NULL, SERVING,
     "where the bucket's name goes; auto: the path, but for Amazon"},
    {"durability", CONFIG_WORD, CONFIG_OPEN, FIELD(durability), "strict",
     0, 0, "strict|relaxed", NULL, SERVING,
     "relaxed: text of running answers is shown before it is on disk"},
    {"public-url", CONFIG_TEXT, CONFIG_OPEN, FIELD(public_url), NULL,
     0, 0, NULL, "URL", SERVING,
     "how browsers reach this server, when there is a proxy before it"},
    {"cors-origins", CONFIG_LIST, CONFIG_OPEN, FIELD(cors_origins), NULL,
     0, 0, NULL, "LIST", SERVING,
     "origins of other sites whose pages may call the API"},
    {"demo", CONFIG_SWITCH, CONFIG_OPEN, FIELD(demo), "false",
     0, 0, NULL, NULL, SERVING,
     "add the demo course when the database is empty"},
    {"ui-dir", CONFIG_TEXT, CONFIG_OPEN, FIELD(ui_dir), NULL,
     0, 0, NULL, "DIR", SERVING,
     "serve the pages of this folder instead of the built-in ones"},
    {"no-ui", CONFIG_SWITCH, CONFIG_OPEN, FIELD(no_ui), "false",
     0, 0, NULL, NULL, SERVING,
     "serve the API alone"},

    {"auth", CONFIG_WORDS, CONFIG_OPEN, FIELD(auth), "none",
     0, 0, "none|key|jwt|proxy", NULL, ASKING,
     "how askers prove who they are; none is for loopback only"},
    {"jwt-secret", CONFIG_TEXT, CONFIG_SECRET, FIELD(jwt_secret), NULL,
     0, 0, NULL, NULL, ASKING,
     "for HS256: at least 32 bytes, readable by few"},
    {"jwks", CONFIG_TEXT, CONFIG_OPEN, FIELD(jwks), NULL,
     0, 0, NULL, "FILE|URL", ASKING,
     "public keys for RS256, ES256 and EdDSA"},
    {"jwt-audience", CONFIG_TEXT, CONFIG_OPEN, FIELD(jwt_audience), NULL,
     0, 0, NULL, "TEXT", ASKING,
     "what a token's aud must hold"},
    {"jwt-issuer", CONFIG_TEXT, CONFIG_OPEN, FIELD(jwt_issuer), NULL,
     0, 0, NULL, "TEXT", ASKING,
     "what a token's iss must be"},
    {"tenant-claim", CONFIG_TEXT, CONFIG_OPEN, FIELD(tenant_claim), NULL,
     0, 0, NULL, "NAME", ASKING,
     "claim of a token that names the tenant"},
    {"auth-header", CONFIG_TEXT, CONFIG_OPEN, FIELD(auth_header),
     "Remote-User",
     0, 0, NULL, "NAME", ASKING,
     "header in which a trusted proxy names the user"},
    {"trusted-proxies", CONFIG_LIST, CONFIG_OPEN, FIELD(trusted_proxies), NULL,
     0, 0, NULL, "LIST", ASKING,
     "addresses or networks of the proxies that are believed"},
    {"metrics-token", CONFIG_TEXT, CONFIG_SECRET, FIELD(metrics_token), NULL,
     0, 0, NULL, NULL, ASKING,
     "what reads /metrics from elsewhere than loopback"},

    {"body-bytes-max", CONFIG_BYTES, CONFIG_OPEN, FIELD(body_bytes_max), "1M",
     1024, GB, NULL, NULL, LIMITS,
     "body of a request in JSON"},
    {"chat-bytes-max", CONFIG_BYTES, CONFIG_OPEN, FIELD(chat_bytes_max), "32M",
     1024, GB, NULL, NULL, LIMITS,
     "body of a chat request"},
    {"upload-bytes-max", CONFIG_BYTES, CONFIG_OPEN, FIELD(upload_bytes_max),
     "512M",
     1024, 1024 * GB, NULL, NULL, LIMITS,
     "one uploaded file"},
    {"connections-max", CONFIG_INTEGER, CONFIG_OPEN, FIELD(connections_max),
     "16384",
     1, 1000000, NULL, NULL, LIMITS,
     "open connections"},
    {"connections-per-address", CONFIG_INTEGER, CONFIG_OPEN,
     FIELD(connections_per_address), "1024",
     1, 1000000, NULL, NULL, LIMITS,
     "open connections from one address"},
    {"requests-per-minute", CONFIG_INTEGER, CONFIG_OPEN,
     FIELD(requests_per_minute), "600",
     0, 1000000, NULL, NULL, LIMITS,
     "of one user; 0: no limit; not in mode none"},
    {"failed-sign-ins-per-minute", CONFIG_INTEGER, CONFIG_OPEN,
     FIELD(failed_sign_ins_per_minute), "60",
     0, 1000000, NULL, NULL, LIMITS,
     "from one address, after which it waits; 0: no limit"},
    {"turns-per-user", CONFIG_INTEGER, CONFIG_OPEN, FIELD(turns_per_user), "4",
     0, 10000, NULL, NULL, LIMITS,
     "answers that run at once; 0: no limit; not in mode none"},
    {"cache-bytes", CONFIG_BYTES, CONFIG_OPEN, FIELD(cache_bytes), "64M",
     0, 1024 * GB, NULL, NULL, LIMITS,
     "memory for histories that were read before"},

    {"index-bytes", CONFIG_BYTES, CONFIG_OPEN, FIELD(index_bytes), "1G",
     MB, 1024 * GB, NULL, NULL, SEARCH,
     "memory for indexes; the least recently searched are forgotten"},
    {"embeddings-url", CONFIG_TEXT, CONFIG_OPEN, FIELD(embeddings_url), NULL,
     0, 0, NULL, "URL", SEARCH,
     "an OpenAI-compatible endpoint for vectors; default: words alone"},
    {"embeddings-model", CONFIG_TEXT, CONFIG_OPEN, FIELD(embeddings_model),
     NULL,
     0, 0, NULL, "NAME", SEARCH,
     "the model that the endpoint is asked for"},
    {"embeddings-key", CONFIG_TEXT, CONFIG_SECRET, FIELD(embeddings_key), NULL,
     0, 0, NULL, NULL, SEARCH,
     "what the endpoint wants as its bearer token"},

    {"head-ms", CONFIG_MS, CONFIG_OPEN, FIELD(head_ms), "10s",
     10, HOUR_MS, NULL, NULL, TIMES,
     "for the head of a request to arrive"},
    {"body-gap-ms", CONFIG_MS, CONFIG_OPEN, FIELD(body_gap_ms), "30s",
     10, HOUR_MS, NULL, NULL, TIMES,
     "between two bytes of a body"},
    {"body-rate-min", CONFIG_BYTES, CONFIG_OPEN, FIELD(body_rate_min), "1K",
     0, MB, NULL, NULL, TIMES,
     "bytes a second that a body must bring; 0: any"},
    {"idle-ms", CONFIG_MS, CONFIG_OPEN, FIELD(idle_ms), "60s",
     10, 24 * HOUR_MS, NULL, NULL, TIMES,
     "that a connection may be silent between requests"},
    {"grace-ms", CONFIG_MS, CONFIG_OPEN, FIELD(grace_ms), "30s",
     0, HOUR_MS, NULL, NULL, TIMES,
     "for running requests to finish after SIGTERM"},

    {"model-url", CONFIG_TEXT, CONFIG_OPEN, FIELD(model_url), NULL,
     0, 0, NULL, "URL", MODELS,
     "base of a server with OpenAI's API, as http://127.0.0.1:11434/v1"},
    {"model", CONFIG_TEXT, CONFIG_OPEN, FIELD(model), NULL,
     0, 0, NULL, "NAME", MODELS,
     "its model; without a URL: which of the configured ones is the default"},
    {"model-key", CONFIG_TEXT, CONFIG_SECRET, FIELD(model_key), NULL,
     0, 0, NULL, NULL, MODELS,
     "what that server wants as a key"},
    {"model-tools", CONFIG_SWITCH, CONFIG_OPEN, FIELD(model_tools), "true",
     0, 0, NULL, NULL, MODELS,
     "the model may ask for further searches; =false: it cannot"},
    {"model-images", CONFIG_SWITCH, CONFIG_OPEN, FIELD(model_images), "false",
     0, 0, NULL, NULL, MODELS,
     "the model can look at pictures"},
    {"model-usage", CONFIG_SWITCH, CONFIG_OPEN, FIELD(model_usage), "true",
     0, 0, NULL, NULL, MODELS,
     "ask its server to count tokens; =false: it refuses to"},
    {"model-connect-ms", CONFIG_MS, CONFIG_OPEN, FIELD(model_connect_ms), "10s",
     10, HOUR_MS, NULL, NULL, MODELS,
     "to connect to a model's server"},
    {"model-first-ms", CONFIG_MS, CONFIG_OPEN, FIELD(model_first_ms), "120s",
     10, HOUR_MS, NULL, NULL, MODELS,
     "for the first byte of an answer, and for a model to be loaded"},
    {"model-idle-ms", CONFIG_MS, CONFIG_OPEN, FIELD(model_idle_ms), "60s",
     10, HOUR_MS, NULL, NULL, MODELS,
     "that a model may be silent within an answer"},
    {"model-total-ms", CONFIG_MS, CONFIG_OPEN, FIELD(model_total_ms), "600s",
     10, 24 * HOUR_MS, NULL, NULL, MODELS,
     "for one answer of a model"},
    {"model-retries", CONFIG_INTEGER, CONFIG_OPEN, FIELD(model_retries), "2",
     0, 10, NULL, NULL, MODELS,
     "when a model is busy or away, before the first word"},
    {"model-retry-ms", CONFIG_MS, CONFIG_OPEN, FIELD(model_retry_ms), "500ms",
     1, HOUR_MS, NULL, NULL, MODELS,
     "before the first of these; then twice as long each"},
    {"model-wait-ms", CONFIG_MS, CONFIG_OPEN, FIELD(model_wait_ms), "20s",
     0, HOUR_MS, NULL, NULL, MODELS,
     "the longest Retry-After that is waited for"},
    {"model-bytes-max", CONFIG_BYTES, CONFIG_OPEN, FIELD(model_bytes_max), "2M",
     1024, 64 * MB, NULL, NULL, MODELS,
     "text of one answer"},

    {"turn-ms-max", CONFIG_MS, CONFIG_OPEN, FIELD(turn_ms_max), "900s",
     1000, 24 * HOUR_MS, NULL, NULL, TIMES,
     "for one answer, with all its searches"},

    {"loops", CONFIG_INTEGER, CONFIG_OPEN, FIELD(loops), "0",
     0, 256, NULL, NULL, OTHER,
     "threads that serve connections; 0: one per core"},
    {"workers", CONFIG_INTEGER, CONFIG_OPEN, FIELD(workers), "4",
     1, 256, NULL, NULL, OTHER,
     "threads that read the database"},
    {"ingest-workers", CONFIG_INTEGER, CONFIG_OPEN, FIELD(ingest_workers), "1",
     0, 64, NULL, NULL, OTHER,
     "threads that read documents in; 0: another server does"},
    {"log-level", CONFIG_WORD, CONFIG_OPEN, FIELD(log_level), "info",
     0, 0, "debug|info|warn|error", NULL, OTHER,
     "what is logged to stderr; SIGHUP reads it again"},
};
// clang-format on

const size_t config_settings_n =
    sizeof(config_settings) / sizeof(config_settings[0]);

const struct setting *config_find_setting(struct str name)
{
    for (size_t i = 0; i < config_settings_n; i++)
        if (str_eq(str_c(config_settings[i].name), name))
            return &config_settings[i];
    return NULL;
}

struct str config_flag_name(struct arena *a, const struct setting *s)
{
    if (s->secrecy == CONFIG_SECRET)
        return arena_printf(a, "%s-file", s->name);
    return str_c(s->name);
}
