/* ingest.c - the workers' threads.
 *
 * A worker sleeps until the store says that a job was queued.  It also looks
 * once a second, because another node may have queued a job, or died. */
#include "ingest/work/ingest.h"

#include <assert.h>
#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "ingest/work/document_reader.h"
#include "object/tidy.h"
#include "store/document/document.h"
#include "store/document/job.h"
#include "store/document/reason.h"

enum {
    POLL_MS = 1000,
    TIDY_MS = 60 * 1000,
    TIDY_WHOLE_MS = 24 * 3600 * 1000,
    CLAIM_BYTES_MAX = 1024 * 1024
};

struct ingest {
    struct ingest_options o;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    uint64_t queued_n; /* jobs that were queued so far */
    atomic_bool stop;
    atomic_bool tidier; /* one of the threads tidies */
    atomic_llong ready, failed, passages, pages;
    /* Only for the thread that tidies. */
    int64_t tidied_ms, tidied_whole_ms;
    char tidy_error[sizeof(
        ((struct footnote_err *)0)->text)]; /* that was said */
    pthread_t threads[INGEST_WORKERS_MAX];
    int threads_n;
};

/* ---- Sleeping ----------------------------------------------------------- */

static void on_change(void *arg, const struct document_change *c)
{
    struct ingest *in = arg;

    if (c->deleted || c->status != DOCUMENT_QUEUED)
        return;
    pthread_mutex_lock(&in->lock);
    in->queued_n++;
    pthread_cond_broadcast(&in->wake);
    pthread_mutex_unlock(&in->lock);
}

/* Waits until more than `seen` jobs were queued, for a second at most. */
static void wait_for_jobs(struct ingest *in, uint64_t seen)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += POLL_MS / 1000;
    pthread_mutex_lock(&in->lock);
    while (!atomic_load(&in->stop) && in->queued_n <= seen &&
           pthread_cond_timedwait(&in->wake, &in->lock, &until) == 0) {
    }
    pthread_mutex_unlock(&in->lock);
}

/* ---- One job ------------------------------------------------------------ */

/* The sentence for a person.  Errors are written without a capital and a full
 * stop; these are added. */
static struct str error_sentence(enum footnote_rc rc,
                                 const struct footnote_err *err,
                                 char out[sizeof(err->text) + 2])
{
    size_t n;

    if (rc == FOOTNOTE_DAMAGED)
        return STR("The stored file is not what was uploaded any more. "
                   "Please upload it again.");
    if (rc != FOOTNOTE_INVALID && rc != FOOTNOTE_TOOBIG && rc != FOOTNOTE_QUOTA)
        return STR("This file could not be read because of an error on the "
                   "server. Its operator can find the reason in the log.");
    n = strlen(err->text);
    memcpy(out, err->text, n + 1);
    if (out[0] >= 'a' && out[0] <= 'z')
        out[0] = (char)(out[0] - 'a' + 'A');
    if (n > 0 && !strchr(".!?", out[n - 1]))
        memcpy(out + n, ".", 2);
    return str_c(out);
}

/* The failure is not the document's fault and may be over soon. */
static bool is_temporary(enum footnote_rc rc)
{
    return rc == FOOTNOTE_BUSY || rc == FOOTNOTE_READONLY ||
           rc == FOOTNOTE_UNSURE || rc == FOOTNOTE_NOMEM || rc == FOOTNOTE_FULL;
}

static void log_trouble(const struct job *j, const char *what, struct str why)
{
    log_write(LOG_WARN, what, LOG_TEXT("tenant", j->tenant),
              LOG_TEXT("document", j->document.id), LOG_TEXT("error", why));
}

/* Tries until the end of a job is stored: while this process lives, no other
 * worker may claim the job.  When we stop, the store releases it. */
static void store_until_done(struct ingest *in, const struct store_op *kind,
                             void *op)
{
    struct footnote_err err;

    while (is_temporary(store_own(in->o.store, kind, op, &err)) &&
           !atomic_load(&in->stop))
        wait_for_jobs(in, UINT64_MAX);
}

/* The file name without folders and extension, for want of a better title. */
static struct str title_from_name(struct str filename)
{
    size_t from = 0, dot;

    for (size_t i = 0; i < filename.n; i++)
        if (filename.p[i] == '/')
            from = i + 1;
    if (!filename.p || from == filename.n)
        return STR_NONE;
    filename = str_skip(filename, from);
    for (dot = filename.n; dot > 1 && filename.p[dot - 1] != '.'; dot--) {
    }
    return dot > 1 ? (struct str){filename.p, dot - 1} : filename;
}

static void end_ready(struct ingest *in, struct document_reader *r)
{
    static const char hidden[] = "It has text or characters that people cannot "
                                 "see; those were left out.";
    const struct extract_facts *f = &r->facts;
    struct job_end end = {
        .job = r->job,
        .status = DOCUMENT_READY,
        .warning = f->warning[0] ? str_c(f->warning) : STR_NONE,
        .title =
            f->title.n ? f->title : title_from_name(r->job->document.filename),
        .date = f->date,
        .language = f->language,
        .encoding = str_c(f->encoding),
        .layout = f->layout,
        .page_labels = f->page_labels,
        .has_pages = f->pages > 0,
        .pages = f->pages,
        .has_seconds = f->seconds > 0,
        .seconds = f->seconds};

    if (f->hidden_text && f->warning[0])
        end.warning = arena_printf(&r->arena, "%s %s", f->warning, hidden);
    else if (f->hidden_text)
        end.warning = str_c(hidden);
    atomic_fetch_add(&in->ready, 1);
    atomic_fetch_add(&in->passages, r->passages);
    atomic_fetch_add(&in->pages, f->pages);
    store_until_done(in, OP(job_end), &end);
}

static void end_failed(struct ingest *in, const struct job *j,
                       enum footnote_rc rc, const struct footnote_err *err)
{
    char text[sizeof(err->text) + 2];
    struct job_end end = {.job = j,
                          .status = DOCUMENT_FAILED,
                          .error = error_sentence(rc, err, text),
                          .error_code = str_c(reason_code(reason_of(err)))};

    log_trouble(j, "a document could not be read", str_c(err->text));
    atomic_fetch_add(&in->failed, 1);
    store_until_done(in, OP(job_end), &end);
}

static void release_job(struct ingest *in, const struct job *j,
                        enum footnote_rc rc, const struct footnote_err *err)
{
    struct job_release release = {.job = j, .counts = rc == FOOTNOTE_NOMEM};

    if (!atomic_load(&in->stop))
        log_trouble(j, "reading a document has to wait", str_c(err->text));
    store_until_done(in, OP(job_release), &release);
    wait_for_jobs(in, UINT64_MAX);
}

static void read_document(struct ingest *in, const struct job *j)
{
    AUTO(document_reader_free) struct document_reader r;
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc;

    document_reader_init(&r, &in->o, j, &in->stop);
    rc = document_reader_run(&r, &err);
    if (rc == FOOTNOTE_OK)
        end_ready(in, &r);
    else if (is_temporary(rc))
        release_job(in, j, rc, &err);
    else if (rc != FOOTNOTE_ENDED) /* ENDED: the job was cancelled */
        end_failed(in, j, rc, &err);
}

/* ---- The threads -------------------------------------------------------- */

/* Removes unused objects.  A failure is tried again after the next pause. */
static void tidy(struct ingest *in)
{
    int64_t now_ms = clock_mono_ms();
    struct tidied done = {.removed = 0};
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc;

    if (in->tidied_ms && now_ms - in->tidied_ms < TIDY_MS)
        return;
    in->tidied_ms = now_ms;
    rc = tidy_deleted(in->o.store, in->o.objects, &done, &err);
    if (rc == FOOTNOTE_OK && (!in->tidied_whole_ms ||
                              now_ms - in->tidied_whole_ms > TIDY_WHOLE_MS)) {
        rc = tidy_unused(in->o.store, &err);
        if (rc == FOOTNOTE_OK)
            rc = tidy_unknown(in->o.store, in->o.objects, &done, &err);
        in->tidied_whole_ms = now_ms;
    }
    if (rc == FOOTNOTE_OK)
        in->tidy_error[0] = '\0';
    if (done.removed || done.aside || done.put_back)
        log_write(LOG_INFO, "tidied files", LOG_NUM("removed", done.removed),
                  LOG_NUM("aside", done.aside),
                  LOG_NUM("put_back", done.put_back));
    if (rc == FOOTNOTE_OK || strcmp(in->tidy_error, err.text) == 0)
        return; /* a cause is said once */
    memcpy(in->tidy_error, err.text, sizeof(in->tidy_error));
    log_write(LOG_WARN, "unused files are not removed",
              LOG_TEXT("error", str_c(err.text)));
}

/* Looking for jobs is a read; a claim is a write, and made only if there are
 * any.  On a disk that is nearly full documents wait. */
static bool claim_job(struct ingest *in, struct arena *a,
                      struct job_claim *claim)
{
    struct job_waits any = {false};
    struct footnote_err err;

    *claim = (struct job_claim){.out = a, .most = in->o.workers - 1};
    if (!store_has_room(in->o.store) ||
        store_own_read(in->o.store, a, OP(job_waits), &any, &err) !=
            FOOTNOTE_OK ||
        !any.waits)
        return false;
    return store_own(in->o.store, OP(job_claim), claim, &err) == FOOTNOTE_OK &&
           claim->found;
}

static void *work(void *arg)
{
    struct ingest *in = arg;
    bool tidies = !atomic_exchange(&in->tidier, true);

    while (!atomic_load(&in->stop)) {
        AUTO(arena_free) struct arena a = ARENA(CLAIM_BYTES_MAX);
        struct job_claim claim;

        pthread_mutex_lock(&in->lock);
        uint64_t seen = in->queued_n;
        pthread_mutex_unlock(&in->lock);
        if (claim_job(in, &a, &claim)) {
            read_document(in, &claim.job);
            continue;
        }
        if (tidies)
            tidy(in);
        wait_for_jobs(in, seen);
    }
    return NULL;
}

enum footnote_rc ingest_open(const struct ingest_options *o,
                             struct ingest **out, struct footnote_err *err)
{
    struct ingest *in = calloc(1, sizeof(*in));
    pthread_condattr_t attr;

    assert(o->workers >= 1 && o->workers <= INGEST_WORKERS_MAX);
    *out = NULL;
    if (!in)
        return err_set(err, FOOTNOTE_NOMEM, "starting to read documents");
    in->o = *o;
    curl_global_init(CURL_GLOBAL_DEFAULT); /* fetch.h asks for it */
    pthread_mutex_init(&in->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&in->wake, &attr);
    pthread_condattr_destroy(&attr);
    store_watch(o->store, on_change, in);
    for (; in->threads_n < o->workers; in->threads_n++)
        if (pthread_create(&in->threads[in->threads_n], NULL, work, in) != 0)
            break;
    if (in->threads_n < o->workers) {
        ingest_close(in);
        return err_set(err, FOOTNOTE_NOMEM, "starting a thread");
    }
    *out = in;
    return FOOTNOTE_OK;
}

void ingest_close(struct ingest *in)
{
    if (!in)
        return;
    store_unwatch(in->o.store, in);
    pthread_mutex_lock(&in->lock);
    atomic_store(&in->stop, true);
    pthread_cond_broadcast(&in->wake);
    pthread_mutex_unlock(&in->lock);
    for (int i = 0; i < in->threads_n; i++)
        pthread_join(in->threads[i], NULL);
    pthread_cond_destroy(&in->wake);
    pthread_mutex_destroy(&in->lock);
    free(in);
}

struct ingest_counts ingest_count(struct ingest *in)
{
    return (struct ingest_counts){
        atomic_load(&in->ready), atomic_load(&in->failed),
        atomic_load(&in->passages), atomic_load(&in->pages)};
}
