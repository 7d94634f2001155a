/* ops.c - up, version and metrics: for load balancers and monitors. */
#include "http/ops/ops.h"

#include <openssl/crypto.h>

#include "backup/timer.h"
#include "base/clock.h"
#include "base/disk.h"
#include "config/config.h"
#include "http/call/aside.h"
#include "http/call/services.h"
#include "http/call/shares.h"
#include "http/core/net.h"
#include "http/ops/metrics.h"
#include "http/ops/openapi.h"
#include "ingest/work/ingest.h"
#include "store/damage.h"
#include "store/document/job.h"
#include "store/health.h"

enum {
    SMALL_BYTES_MAX = 4096,
    METRICS_BYTES_MAX = 8 * 1024 * 1024,
    DOCUMENT_BYTES_MAX = 4 * 1024 * 1024
};

/* ---- Up ----------------------------------------------------------------- */

void ops_health(struct request *r)
{
    r->reply.no_store = true;
    reply_text(r, 200, STR("application/json"), STR("{\"status\":\"ok\"}"));
}

/* No rights matter here: any account will do. */
enum footnote_rc ops_read_size(struct request *r, struct store_size *out)
{
    struct who who = {STR("default"), STR("local")};
    struct footnote_err err;

    return store_read(services(r)->store, who, &r->arena, OP(store_size), out,
                      &err);
}

/* ---- Version ------------------------------------------------------------ */

void ops_version(struct request *r)
{
    struct config_build build = config_build();
    struct buf b = BUF(SMALL_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);

    json_object(&w);
    json_key(&w, STR("version"));
    json_str(&w, build.version);
    json_key(&w, STR("git"));
    json_str(&w, build.git);
    json_key(&w, STR("schema"));
    json_i64(&w, build.schema);
    json_key(&w, STR("api"));
    json_i64(&w, 1);
    json_end(&w, '}');
    reply_cached(r, &b);
}

/* ---- Metrics ------------------------------------------------------------ */

/* A proxy on this machine comes from loopback too, and may ask for a client
 * elsewhere; it sends these headers. */
static bool is_local(const struct request *r)
{
    return net_is_loopback(str_c(r->address)) &&
           !request_header(r, STR("x-forwarded-for")).p &&
           !request_header(r, STR("forwarded")).p;
}

/* Digests are compared, so that the time says nothing of token or length. */
static bool has_token(const struct request *r)
{
    struct str want = services(r)->config->metrics_token;
    struct str given = request_header(r, STR("authorization"));
    struct str scheme = STR("Bearer ");
    struct sha256 a, b;

    if (!want.n || given.n < scheme.n ||
        !net_same_name((struct str){given.p, scheme.n}, scheme))
        return false;
    return sha256(want, &a, NULL) == FOOTNOTE_OK &&
           sha256(str_skip(given, scheme.n), &b, NULL) == FOOTNOTE_OK &&
           CRYPTO_memcmp(a.b, b.b, SHA256_BYTES) == 0;
}

static void add_build(struct buf *b)
{
    struct config_build build = config_build();

    buf_printf(b,
               "# HELP footnote_build_info What is running.\n"
               "# TYPE footnote_build_info gauge\n"
               "footnote_build_info{version=\"%.*s\",git=\"%.*s\","
               "schema=\"%d\"} 1\n",
               STR_ARG(build.version), STR_ARG(build.git), build.schema);
}

static void add_store(struct request *r, struct buf *b)
{
    struct store_size size = {.bytes = 0};
    struct job_count jobs = {.waiting = 0};
    struct footnote_err err;

    int64_t began_ms = clock_mono_ms();
    bool up = ops_read_size(r, &size) == FOOTNOTE_OK;

    metrics_add(b, "footnote_db_up", "gauge",
                "1: the database answered just now.", up);
    if (up) {
        metrics_comment(b, "footnote_db_answer_seconds", "gauge",
                        "How long it took to ask the database.");
        buf_printf(b, "footnote_db_answer_seconds %.3f\n",
                   (double)(clock_mono_ms() - began_ms) / 1000);
        metrics_add(b, "footnote_db_bytes", "gauge", "Size of the database.",
                    (uint64_t)size.bytes);
        metrics_add(b, "footnote_db_log_bytes", "gauge",
                    "Size of SQLite's log beside it.",
                    (uint64_t)size.log_bytes);
    }
    if (store_own_read(services(r)->store, &r->arena, OP(job_count), &jobs,
                       &err) == FOOTNOTE_OK)
        metrics_add(b, "footnote_ingest_queue", "gauge",
                    "Documents that wait to be read in, or are being read.",
                    (uint64_t)(jobs.waiting + jobs.running));
}

/* Codes that say something about the store rather than about a request. */
static const struct {
    enum footnote_rc rc;
    const char *code;
} store_errors[] = {
    {FOOTNOTE_BUSY, "busy"},         {FOOTNOTE_UNSURE, "unsure"},
    {FOOTNOTE_READONLY, "readonly"}, {FOOTNOTE_NOMEM, "nomem"},
    {FOOTNOTE_DAMAGED, "damaged"},   {FOOTNOTE_FOREIGN, "foreign"},
    {FOOTNOTE_FULL, "full"},         {FOOTNOTE_INTERNAL, "internal"},
};

static void add_health(struct request *r, struct buf *b)
{
    struct store *st = services(r)->store;
    struct health writing;

    health_look(st, HEALTH_WRITING, &writing);
    metrics_add(b, "footnote_writable", "gauge",
                "0: nothing new can be stored, see /readyz.",
                writing.ok && !disk_look(services(r)->disk).full);
    metrics_comment(b, "footnote_store_errors_total", "counter",
                    "Calls of the store that it could not do.");
    for (size_t i = 0; i < sizeof(store_errors) / sizeof(store_errors[0]); i++)
        buf_printf(b, "footnote_store_errors_total{code=\"%s\"} %llu\n",
                   store_errors[i].code,
                   (unsigned long long)health_count(st, store_errors[i].rc));
}

static void add_shares(struct request *r, struct buf *b)
{
    struct disk_state disk = disk_look(services(r)->disk);

    metrics_comment(b, "footnote_refusals_total", "counter",
                    "Requests that were over a user's or tenant's limit.");
    for (int i = 0; i < REFUSALS; i++)
        buf_printf(b, "footnote_refusals_total{limit=\"%s\"} %llu\n",
                   refusal_name((enum refusal)i),
                   (unsigned long long)shares_refusals(services(r)->shares,
                                                       (enum refusal)i));
    if (disk.free_bytes < 0)
        return;
    metrics_add(b, "footnote_disk_reserve_bytes", "gauge",
                "Free bytes below which nothing new is taken.",
                (uint64_t)services(r)->config->disk_reserve);
    metrics_add(b, "footnote_disk_free_bytes", "gauge",
                "Free bytes of the disk that has least of them.",
                (uint64_t)disk.free_bytes);
    metrics_add(b, "footnote_disk_full", "gauge",
                "1: nothing new is taken, see --disk-reserve.", disk.full);
}

/* Without any backup there is no age; an alarm asks for the number's absence.
 */
static void add_backups(struct request *r, struct buf *b)
{
    struct backup_state s;
    int64_t age_ms;

    if (!services(r)->backups)
        return;
    backup_timer_look(services(r)->backups, &s);
    age_ms = clock_wall_ms() - s.made_ms;
    metrics_add(b, "footnote_backup_failed", "gauge",
                "1: the last try to make a backup failed.", s.failed);
    if (s.made_ms)
        metrics_add(b, "footnote_backup_age_seconds", "gauge",
                    "Since the newest backup was made.",
                    age_ms > 0 ? (uint64_t)age_ms / 1000 : 0);
}

static void add_damage(struct request *r, struct buf *b)
{
    metrics_comment(b, "footnote_integrity_errors_total", "counter",
                    "Rows that were not as they were stored, when read.");
    for (int t = 0; t < SEALED_N; t++)
        buf_printf(b, "footnote_integrity_errors_total{table=\"%s\"} %llu\n",
                   sealed_tables[t].name,
                   (unsigned long long)damage_count(services(r)->store,
                                                    (enum sealed)t));
}

/* Without the database two numbers are missing; the others still matter. */
static void metrics_work(struct request *r)
{
    struct buf b = BUF(METRICS_BYTES_MAX);
    struct server_counts counts;

    server_count(r->server, &counts);
    metrics_write(services(r)->metrics, &b);
    metrics_add(&b, "footnote_answers_to_interrupt", "gauge",
                "Answers of dead processes that are still to be ended.",
                (uint64_t)store_unswept(services(r)->store));
    metrics_add(&b, "footnote_audit_lost_total", "counter",
                "Rows of the audit that could not be kept.", aside_lost());
    metrics_add(&b, "footnote_http_connections_total", "counter",
                "Connections that were accepted.", counts.connections);
    metrics_add(&b, "footnote_http_connections", "gauge",
                "Connections that are open.", counts.open_connections);
    metrics_add(&b, "footnote_http_body_bytes", "gauge",
                "Memory of bodies that came, and of their JSON.",
                counts.body_bytes);
    if (services(r)->chat)
        metrics_write_chat(services(r)->chat, &b);
    if (services(r)->ingest)
        metrics_add(&b, "footnote_ingest_pages_total", "counter",
                    "Pages that were read in.",
                    (uint64_t)ingest_count(services(r)->ingest).pages);
    if (services(r)->retriever)
        metrics_write_search(services(r)->retriever, &b);
    metrics_write_process(&b);
    add_shares(r, &b);
    add_damage(r, &b);
    add_store(r, &b);
    add_backups(r, &b);
    add_health(r, &b);
    add_build(&b);
    r->reply.no_store = true;
    reply_json(r, 200, &b);
    if (r->reply.status == 200)
        r->reply.type = STR("text/plain; version=0.0.4; charset=utf-8");
}

bool ops_may_watch(struct request *r)
{
    if (is_local(r) || has_token(r))
        return true;
    reply_header(r, STR("WWW-Authenticate"), STR("Bearer"));
    reply_problem(r, &(struct problem){
                         .status = 401,
                         .code = STR("unauthorized"),
                         .text = STR("This is for the operator"),
                         .hint = STR("Send the one of --metrics-token-file as "
                                     "Authorization: Bearer")});
    return false;
}

void ops_metrics(struct request *r)
{
    if (ops_may_watch(r))
        request_work(r, metrics_work);
}

/* ---- The API's description ---------------------------------------------- */

static void openapi_work(struct request *r)
{
    struct buf b = BUF(DOCUMENT_BYTES_MAX);
    struct footnote_err err;
    enum footnote_rc rc = openapi_write(&r->arena, &b, &err);

    if (rc == FOOTNOTE_OK) {
        reply_cached(r, &b);
        return;
    }
    buf_free(&b);
    reply_rc(r, rc, &err, NULL);
}

void ops_openapi(struct request *r)
{
    request_work(r, openapi_work);
}
