/* collection_course.c - puts a collection into a course, by the operations of
 * any upload, and opens a retriever over it. */
#include <assert.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/eval/collection.h"
#include "store/document/document.h"
#include "store/session/course.h"

enum { PASSAGES_AT_ONCE = 100 };

/* ---- Writing ------------------------------------------------------------ */

/* The store runs jobs in order, so a document's jobs are submitted without
 * waiting for each other. */
struct loading {
    struct store *store;
    struct who who;
    pthread_mutex_t lock;
    pthread_cond_t done;
    size_t running;
    enum footnote_rc rc;
    struct footnote_err err;
};

struct load_job {
    struct store_job job;
    struct loading *loading;
};

static void job_done(struct store_job *job, enum footnote_rc rc,
                     const struct footnote_err *err)
{
    struct load_job *j = (struct load_job *)job;
    struct loading *l = j->loading;

    pthread_mutex_lock(&l->lock);
    if (rc != FOOTNOTE_OK && l->rc == FOOTNOTE_OK) {
        l->rc = rc;
        l->err = *err;
    }
    assert(l->running > 0);
    l->running--;
    pthread_cond_signal(&l->done);
    pthread_mutex_unlock(&l->lock);
}

static enum footnote_rc submit(struct arena *a, struct loading *l,
                               const struct store_op *kind, void *op,
                               struct footnote_err *err)
{
    struct load_job *j = arena_new(a, struct load_job);
    enum footnote_rc rc;

    TRY(arena_rc(a, err));
    *j = (struct load_job){
        .job = {.who = l->who, .kind = kind, .op = op, .done = job_done},
        .loading = l};
    pthread_mutex_lock(&l->lock);
    l->running++;
    pthread_mutex_unlock(&l->lock);
    rc = store_submit(l->store, &j->job, err);
    if (rc != FOOTNOTE_OK) /* the store does not call a refused job's done */
        job_done(&j->job, rc, err);
    return rc;
}

/* The first passage's title is the document's; other titles are headings. */
static enum footnote_rc add_passages(struct arena *a, struct loading *l,
                                     const struct collection *c, struct str id,
                                     uint32_t document,
                                     struct footnote_err *err)
{
    uint32_t from = c->first[document], to = c->first[document + 1];
    struct str title = c->docs[c->order[from]].title;

    while (from < to) {
        struct passages_add *op = arena_new(a, struct passages_add);
        uint32_t n =
            to - from < PASSAGES_AT_ONCE ? to - from : PASSAGES_AT_ONCE;
        struct passage *p = arena_many(a, n, struct passage);

        TRY(arena_rc(a, err));
        for (uint32_t i = 0; i < n; i++) {
            const struct collection_doc *d = &c->docs[c->order[from + i]];

            p[i] = (struct passage){.position = d->position, .text = d->text};
            if (!str_eq(d->title, title))
                p[i].heading = d->title;
        }
        *op = (struct passages_add){
            .document = id, .version = 1, .passages = p, .passages_n = n};
        TRY(submit(a, l, OP(passages_add), op, err));
        from += n;
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc add_document(struct arena *a, struct loading *l,
                                     const struct collection *c,
                                     uint32_t document,
                                     struct footnote_err *err)
{
    struct document_put *put = arena_new(a, struct document_put);
    struct document_status_set *ready =
        arena_new(a, struct document_status_set);
    struct str id = arena_printf(a, "%u", document);
    struct str title = c->docs[c->order[c->first[document]]].title;

    TRY(arena_rc(a, err));
    put->document = (struct document){
        .id = id, .course = STR("eval"), .title = title, .kind = DOCUMENT_TEXT};
    memcpy(put->document.digest.b, &document, sizeof(document));
    *ready =
        (struct document_status_set){.document = id, .status = DOCUMENT_READY};
    TRY(submit(a, l, OP(document_put), put, err));
    TRY(add_passages(a, l, c, id, document, err));
    return submit(a, l, OP(document_status_set), ready, err);
}

static enum footnote_rc load_collection(struct arena *a,
                                        const struct collection *c,
                                        struct bench_course *b,
                                        struct footnote_err *err)
{
    struct loading l = {.store = b->store,
                        .who = b->who,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .done = PTHREAD_COND_INITIALIZER};
    struct course_put course = {.id = STR("eval")};
    enum footnote_rc rc = submit(a, &l, OP(course_put), &course, err);

    for (uint32_t i = 0; rc == FOOTNOTE_OK && i < c->documents_n; i++)
        rc = add_document(a, &l, c, i, err);
    pthread_mutex_lock(&l.lock);
    while (l.running)
        pthread_cond_wait(&l.done, &l.lock);
    pthread_mutex_unlock(&l.lock);
    return l.rc == FOOTNOTE_OK ? rc : err_set(err, l.rc, "%s", l.err.text);
}

/* ---- Opening ------------------------------------------------------------ */

enum footnote_rc collection_open(struct arena *a, struct collection *c,
                                 const struct retriever_options *o,
                                 struct bench_course *out,
                                 struct footnote_err *err)
{
    static const struct retriever_options words_alone = {.folder = NULL};
    struct str url;

    *out = (struct bench_course){.who = {STR("default"), STR("local")}};
    snprintf(out->folder, sizeof(out->folder), "/tmp/footnote-eval-XXXXXX");
    if (!mkdtemp(out->folder)) {
        out->folder[0] = '\0';
        return err_set(err, FOOTNOTE_BUSY, "cannot make a folder in /tmp");
    }
    url = arena_printf(a, "sqlite:%s/eval.db", out->folder);
    TRY(arena_rc(a, err));
    TRY(store_open(url.p, &out->store, err));
    TRY(load_collection(a, c, out, err));
    TRY(retriever_open(out->store, o ? o : &words_alone, &out->retriever, err));
    return retriever_wait_vectors(out->retriever, err);
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *walk)
{
    (void)st;
    (void)type;
    (void)walk;
    return remove(path);
}

void collection_close(struct bench_course *b)
{
    retriever_close(b->retriever);
    if (b->store)
        store_close(b->store);
    if (b->folder[0])
        (void)nftw(b->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- Back to the collection --------------------------------------------- */

const struct search_filter *collection_filter(struct arena *a,
                                              const struct collection *c,
                                              const struct collection_query *q)
{
    struct search_filter *f = arena_new(a, struct search_filter);
    struct str *id = arena_new(a, struct str);

    for (uint32_t i = 0; f && id && q->scope.p && i < c->documents_n; i++)
        if (str_eq(c->docs[c->order[c->first[i]]].scope, q->scope)) {
            *id = arena_printf(a, "%u", i);
            f->documents = id;
            f->documents_n = 1;
            return f;
        }
    return NULL;
}

uint32_t collection_doc_of(const struct collection *c, const struct hit *h)
{
    int64_t document = 0;
    uint32_t i;

    (void)str_i64(h->source.document, &document);
    assert(document >= 0 && document < c->documents_n);
    i = c->first[document] + (uint32_t)h->source.part - 1;
    assert(h->source.part > 0 && i < c->first[document + 1]);
    return c->order[i];
}
