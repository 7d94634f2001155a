/* services.c - the parts behind a server. */
#include "cli/services.h"

#include <assert.h>

#include "backup/timer.h"
#include "base/disk.h"
#include "base/log.h"
#include "chat/chat.h"
#include "cli/mend.h"
#include "ingest/work/ingest.h"
#include "model/model.h"
#include "retrieve/retrieve.h"
#include "store/document/document.h"
#include "store/health.h"
#include "store/identity.h"

static enum objects_style style_of(struct str word)
{
    if (str_eq(word, STR("path")))
        return OBJECTS_S3_PATH;
    return str_eq(word, STR("virtual")) ? OBJECTS_S3_VIRTUAL : OBJECTS_S3_AUTO;
}

struct objects_place services_place(const struct config *c, struct str url)
{
    return (struct objects_place){.url = url,
                                  .s3_endpoint = c->s3_endpoint,
                                  .s3_key_id = c->s3_key_id,
                                  .s3_secret = c->s3_secret,
                                  .s3_token = c->s3_token,
                                  .s3_region = c->s3_region,
                                  .s3_style = style_of(c->s3_style),
                                  .external = c->objects_external,
                                  .scratch = c->data};
}

enum footnote_rc services_objects(const struct config *c, struct store *st,
                                  struct str url, struct objects **out,
                                  struct footnote_err *err)
{
    struct objects_place place = services_place(c, url);
    struct store_identity identity;

    TRY(store_own_read(st, NULL, OP(store_identity), &identity, err));
    place.store = str_c(identity.id);
    return objects_open_place(&place, out, err);
}

/* The server reads what is not its own, and says what it does not do there.  A
 * place that is away is asked again when something is stored. */
static void warn_of_owner(struct objects *o)
{
    struct footnote_err err;

    if (objects_check_owner(o, &err) == FOOTNOTE_FOREIGN)
        log_write(LOG_WARN, "files are read only",
                  LOG_TEXT("error", str_c(err.text)));
}

static void on_change(void *arg, const struct document_change *c)
{
    retriever_changed(arg, c);
}

/* Each change once, with its cause: requests only say that the store is busy.
 */
static void log_health(void *arg, enum health_way way, const struct health *h)
{
    bool reading = way == HEALTH_READING;

    (void)arg;
    if (h->ok)
        log_write(LOG_INFO, reading ? "the database can be read again"
                                    : "the database can be written again");
    else
        log_write(LOG_ERROR,
                  reading ? "the database cannot be read"
                          : "the database cannot be written",
                  LOG_TEXT("code", str_c(footnote_rc_code(h->rc))),
                  LOG_TEXT("error", str_c(h->why)));
}

struct retriever_options services_retriever(const struct config *c)
{
    return (struct retriever_options){
        .bytes_max = (size_t)c->index_bytes,
        .embeddings_url = c->embeddings_url.p,
        .embeddings_model = c->embeddings_model.p,
        .embeddings_key = c->embeddings_key.p,
        .query_prefix = c->embeddings_query_prefix.p,
        .passage_prefix = c->embeddings_passage_prefix.p,
        .embeddings_ms = c->embeddings_ms,
        .rerank_url = c->rerank_url.p,
        .rerank_model = c->rerank_model.p,
        .rerank_key = c->rerank_key.p,
        .rerank_ms = c->rerank_ms};
}

/* Indexes are files beside the embedded database. */
static enum footnote_rc open_retriever(struct arena *a, const struct config *c,
                                       struct services *s,
                                       struct footnote_err *err)
{
    struct retriever_options o = services_retriever(c);

    if (c->data.p)
        o.folder = arena_printf(a, "%.*s/index", STR_ARG(c->data)).p;
    TRY(arena_rc(a, err));
    TRY(retriever_open(s->store, &o, &s->retriever, err));
    store_watch(s->store, on_change, s->retriever);
    return FOOTNOTE_OK;
}

/* Files that are elsewhere, and a database that is, have disks of their own. */
static enum footnote_rc open_disk(const struct config *c, struct services *s,
                                  struct footnote_err *err)
{
    struct str folders[DISK_FOLDERS_MAX] = {c->data, STR_NONE};

    if (str_starts(c->objects, STR("files:")))
        folders[1] = str_skip(c->objects, strlen("files:"));
    return disk_open(folders, c->disk_reserve, &s->disk, err);
}

/* Whoever is alone on the machine may fill it. */
static void limit_store(const struct config *c, const struct services *s)
{
    struct store_limits l = {.disk = s->disk};

    if (c->auth & ~(unsigned)CONFIG_AUTH_NONE) {
        l.user = (struct usage_limits){.bytes = c->bytes_per_user,
                                       .documents = c->documents_per_user,
                                       .sessions = c->sessions_per_user};
        l.tenant = (struct usage_limits){.bytes = c->bytes_per_tenant,
                                         .documents = c->documents_per_tenant,
                                         .sessions = c->sessions_per_tenant};
    }
    store_limit(s->store, &l);
}

static enum footnote_rc open_backups(struct arena *a, const struct config *c,
                                     struct services *s,
                                     struct footnote_err *err)
{
    struct objects_place *bucket = arena_new(a, struct objects_place);
    struct backup_timer_options o = {.database = c->database.p,
                                     .objects = s->objects,
                                     .keep = c->backup_keep,
                                     .every_ms = c->backup_every};

    if (!c->backup_every)
        return FOOTNOTE_OK;
    TRY(arena_rc(a, err));
    *bucket = services_place(c, c->backup_to);
    o.to = (struct place_where){
        .url = c->backup_to, .scratch = c->data.p, .bucket = bucket};
    return backup_timer_open(&o, &s->backups, err);
}

const char *services_ocr(const struct config *c)
{
    return str_eq(c->ocr_languages, STR("none")) ? NULL : c->ocr_languages.p;
}

enum footnote_rc services_open(struct arena *a, const struct config *c,
                               struct services *s, struct footnote_err *err)
{
    struct ingest_options ingest = {.store = s->store,
                                    .ocr_languages = services_ocr(c),
                                    .workers = (int)c->ingest_workers};
    struct chat_options chat = {.store = s->store,
                                .turn_ms_max = c->turn_ms_max,
                                .index_wait_ms = c->index_wait_ms,
                                .verify_model = c->verify_model,
                                .verify_per_minute = c->verify_per_minute};

    assert(s->store && !s->chat);
    health_watch(s->store, log_health, NULL);
    TRY(mend_open(s->store, &s->mend, err));
    TRY(open_disk(c, s, err));
    limit_store(c, s);
    if (c->objects.p) {
        TRY(services_objects(c, s->store, c->objects, &s->objects, err));
        warn_of_owner(s->objects);
    }
    TRY(open_retriever(a, c, s, err));
    ingest.objects = s->objects;
    if (s->objects && ingest.workers > 0) /* else another server reads them */
        TRY(ingest_open(&ingest, &s->ingest, err));
    TRY(models_open(c, &s->models, err));
    chat.retriever = s->retriever;
    chat.objects = s->objects;
    chat.models = s->models;
    if (c->auth & ~(unsigned)CONFIG_AUTH_NONE)
        chat.turns_per_user = c->turns_per_user;
    TRY(chat_open(&chat, &s->chat, err));
    return open_backups(a, c, s, err);
}

void services_close(struct services *s)
{
    backup_timer_close(s->backups);
    mend_close(s->mend);
    chat_close(s->chat);
    models_close(s->models);
    ingest_close(s->ingest);
    if (s->retriever)
        store_unwatch(s->store, s->retriever);
    retriever_close(s->retriever);
    objects_close(s->objects);
    if (s->store) {
        health_watch(s->store, NULL, NULL);
        store_limit(s->store, &(struct store_limits){.disk = NULL});
    }
    disk_close(s->disk);
    *s = (struct services){.store = s->store};
}
