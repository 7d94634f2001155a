/* ready.c - whether requests should come here: /readyz.
 *
 * It asks the database one question, and nobody else: the rest is what earlier
 * calls came to.  Outsiders get a sentence, the operator gets the cause. */
#include "backup/timer.h"
#include "base/clock.h"
#include "base/disk.h"
#include "chat/chat.h"
#include "http/call/services.h"
#include "http/ops/ops.h"
#include "model/model.h"
#include "retrieve/remote/endpoint.h"
#include "retrieve/retrieve.h"
#include "store/health.h"

enum { READY_BYTES_MAX = 8 * 1024 };

static struct str sentence_of(enum footnote_rc rc)
{
    if (rc == FOOTNOTE_READONLY)
        return STR("The database is read-only");
    if (rc == FOOTNOTE_DAMAGED || rc == FOOTNOTE_FOREIGN)
        return STR("The database is damaged");
    return STR("The database takes no writes");
}

/* What stands in the way of writing; absent: nothing does. */
static struct str find_obstacle(struct request *r, const struct health *writing)
{
    if (!writing->ok)
        return sentence_of(writing->rc);
    return disk_look(services(r)->disk).full ? STR("The disk is nearly full")
                                             : STR_NONE;
}

static void add_word(struct json_out *w, struct str key, struct str word)
{
    json_key(w, key);
    json_str(w, word);
}

static void add_number(struct json_out *w, struct str key, int64_t n)
{
    json_key(w, key);
    json_i64(w, n);
}

/* Seconds since then; null: it never was. */
static void add_age(struct json_out *w, struct str key, int64_t wall_ms)
{
    json_key(w, key);
    if (wall_ms > 0)
        json_i64(w, (clock_wall_ms() - wall_ms) / 1000);
    else
        json_null(w);
}

/* ---- ?full -------------------------------------------------------------- */

static void add_database(struct json_out *w, const struct store_size *size,
                         const struct health *writing)
{
    json_key(w, STR("database"));
    json_object(w);
    add_number(w, STR("bytes"), size->bytes);
    add_number(w, STR("logBytes"), size->log_bytes);
    if (!writing->ok) {
        add_word(w, STR("cause"), str_c(writing->why));
        add_age(w, STR("unwritableSeconds"), writing->since_ms);
    }
    json_end(w, '}');
}

static void add_disk(struct request *r, struct json_out *w)
{
    struct disk_state disk = disk_look(services(r)->disk);

    json_key(w, STR("disk"));
    json_object(w);
    if (disk.free_bytes >= 0)
        add_number(w, STR("freeBytes"), disk.free_bytes);
    json_key(w, STR("full"));
    json_bool(w, disk.full);
    json_end(w, '}');
}

/* What it last did for a question, or at the start: nobody is asked for the
 * sake of a probe. */
static void add_model(struct request *r, struct json_out *w)
{
    struct chat_model_state state = {.failure = NULL};
    char cause[MODEL_CAUSE_BYTES];
    const struct model *m;

    json_key(w, STR("model"));
    if (!services(r)->chat || !services(r)->models) {
        json_null(w);
        return;
    }
    m = models_find(services(r)->models, STR_NONE);
    chat_model_look(services(r)->chat, &state);
    json_object(w);
    add_word(w, STR("name"), m->name);
    if (!m->extractive) {
        add_age(w, STR("answeredSeconds"), state.answered_ms);
        add_age(w, STR("failedSeconds"), state.failed_ms);
    }
    if (state.failure) {
        add_word(w, STR("failure"), str_c(state.failure));
        if (state.model)
            add_word(w, STR("url"), state.model->url);
        add_word(w, STR("cause"),
                 model_cause(state.cause, state.status, cause));
    }
    json_end(w, '}');
}

/* Null: there is none. */
static void add_endpoint(struct json_out *w, struct str key, struct endpoint *e,
                         const struct retriever_progress *p)
{
    struct endpoint_state s;

    json_key(w, key);
    if (!e) {
        json_null(w);
        return;
    }
    endpoint_look(e, &s);
    json_object(w);
    add_word(w, STR("url"), str_c(endpoint_url(e)));
    add_age(w, STR("answeredSeconds"), s.answered_ms);
    add_age(w, STR("failedSeconds"), s.failed_ms);
    if (s.failing)
        add_word(w, STR("cause"), str_c(s.cause));
    if (p) {
        add_number(w, STR("passages"), p->passages);
        add_number(w, STR("vectors"), p->vectors);
    }
    json_end(w, '}');
}

static void add_retriever(struct request *r, struct json_out *w)
{
    struct retriever *re = services(r)->retriever;
    struct retriever_progress p = {0, 0};

    if (re)
        (void)retriever_progress(re, STR_NONE, STR_NONE, &p);
    add_endpoint(w, STR("embedder"), re ? retriever_embedder(re) : NULL, &p);
    add_endpoint(w, STR("reranker"), re ? retriever_reranker(re) : NULL, NULL);
}

static void add_others(struct request *r, struct json_out *w)
{
    struct backup_state backup = {.made_ms = 0};

    json_key(w, STR("backup"));
    if (services(r)->backups)
        backup_timer_look(services(r)->backups, &backup);
    json_object(w);
    add_age(w, STR("ageSeconds"), backup.made_ms);
    if (backup.failed)
        add_word(w, STR("failure"), str_c(backup.why.text));
    json_end(w, '}');
}

/* ---- The answer --------------------------------------------------------- */

static void write_ready(struct request *r, const struct store_size *size,
                        bool full)
{
    struct buf b = BUF(READY_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);
    struct health writing;
    struct str why;

    health_look(services(r)->store, HEALTH_WRITING, &writing);
    why = find_obstacle(r, &writing);
    json_object(&w);
    add_word(&w, STR("status"), STR("ready"));
    json_key(&w, STR("checks"));
    json_object(&w);
    add_word(&w, STR("database"), writing.ok ? STR("ok") : STR("read-only"));
    add_word(&w, STR("disk"),
             disk_look(services(r)->disk).full ? STR("full") : STR("ok"));
    json_end(&w, '}');
    json_key(&w, STR("writable"));
    json_bool(&w, !why.p);
    if (why.p)
        add_word(&w, STR("why"), why);
    if (full) {
        add_database(&w, size, &writing);
        add_disk(r, &w);
        add_model(r, &w);
        add_retriever(r, &w);
        add_others(r, &w);
    }
    json_end(&w, '}');
    reply_json(r, 200, &b);
}

static void answer(struct request *r, bool full)
{
    struct store_size size = {.bytes = 0};

    r->reply.no_store = true;
    if (ops_read_size(r, &size) == FOOTNOTE_OK)
        write_ready(r, &size, full);
    else
        reply_problem(r, &(struct problem){.status = 503,
                                           .code = STR("store_busy"),
                                           .text = STR("The database does not "
                                                       "answer")});
}

static void ready_work(struct request *r)
{
    answer(r, false);
}

static void full_work(struct request *r)
{
    answer(r, true);
}

void ops_ready(struct request *r)
{
    bool full = request_query(r, STR("full")).p != NULL;

    if (server_is_draining(r->server)) {
        r->reply.no_store = true;
        reply_problem(r, &(struct problem){.status = 503,
                                           .code = STR("draining"),
                                           .text = STR("The server is "
                                                       "ending")});
    } else if (!full) {
        request_work(r, ready_work);
    } else if (ops_may_watch(r)) {
        request_work(r, full_work);
    }
}
