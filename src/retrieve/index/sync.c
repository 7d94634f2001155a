/* sync.c - brings the index of a course up to date with the store.
 *
 * The store's list of documents says what the index should have.  Documents
 * that no segment has are read, each passage once, and become new segments.  A
 * segment is put in place as soon as it is made.  A turn ends when all is
 * there, or behind TURN_PASSAGES if another course waits.
 *
 * A document with damaged passages is left out, from them on, and logged: the
 * others can be searched.  It is tried again at the course's next change. */
#include <assert.h>
#include <stdlib.h>

#include "base/log.h"
#include "retrieve/index/course_index.h"

enum {
    PASSAGES_FIRST = 125,         /* of each document, read together */
    PASSAGES_AT_ONCE = 500,       /* of a longer one, then */
    TURN_PASSAGES = 2000,         /* about a fifth of a second */
    SEGMENT_PASSAGES_NEW = 50000, /* a new segment ends behind so many */
    GUESS_BYTES = 16 * 1024       /* of a document, to tell its language */
};
#define GUESS_BYTES_MAX ((size_t)1 << 20)
#define LIST_BYTES_MAX  ((size_t)1 << 30)
#define BATCH_BYTES_MAX ((size_t)256 << 20)

struct course_sync {
    struct indexes *indexes;
    struct course_index *course;
    struct index_documents list;
    struct live_document *live; /* of the list; NULL: the course has it */
    size_t *missing;            /* documents to add, as indexes in the list */
    size_t missing_n;
    struct builder *builder;
    struct analyser *analyser;
    struct segment_list before, made;
    size_t passages_n; /* that were added in this turn */
};

static void course_sync_free(struct course_sync *sync)
{
    free(sync->live);
    free(sync->missing);
    builder_close(sync->builder);
    indexes_return_analyser(sync->indexes, sync->analyser);
    segment_list_free(&sync->before);
    segment_list_free(&sync->made);
}

uint64_t index_digest(const struct sha256 *d)
{
    uint64_t v;

    memcpy(&v, d->b, sizeof(v));
    return v;
}

/* ---- What the index should have ------------------------------------------ */

static enum footnote_rc list_live(struct course_sync *sync,
                                  struct footnote_err *err)
{
    size_t n = sync->list.documents_n;

    sync->live = calloc(n + 1, sizeof(*sync->live));
    sync->missing = calloc(n + 1, sizeof(*sync->missing));
    if (!sync->live || !sync->missing)
        return err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    for (size_t i = 0; i < n; i++) {
        const struct index_document *d = &sync->list.documents[i];

        if (i > 0 && d[-1].key >= d->key)
            return err_set(err, FOOTNOTE_DAMAGED,
                           "the list of documents is out of order");
        sync->live[i] =
            (struct live_document){.key = d->key,
                                   .digest = index_digest(&d->digest),
                                   .version = (uint32_t)d->version};
    }
    return FOOTNOTE_OK;
}

/* The segments of the snapshot; without one, those on disk. */
static enum footnote_rc list_segments(struct course_sync *sync, bool *from_disk,
                                      struct footnote_err *err)
{
    struct index_snapshot *now =
        course_index_snapshot(sync->indexes, sync->course);
    enum footnote_rc rc = FOOTNOTE_OK;

    *from_disk = !now;
    if (!now)
        return course_index_load(sync->indexes, sync->course, &sync->before,
                                 err);
    for (size_t i = 0; rc == FOOTNOTE_OK && i < now->segments_n; i++)
        rc = segment_list_add(&sync->before,
                              segment_hold(now->segments[i].segment), err);
    index_snapshot_drop(now);
    return rc;
}

static bool is_missing(const struct live_document *l,
                       const struct segment_list *segments)
{
    for (size_t i = 0; i < segments->n; i++) {
        const struct segment *s = segments->items[i];
        uint32_t d = segment_document(s, l->key);

        if (d < s->documents_n && s->documents[d].version == l->version &&
            s->documents[d].digest == l->digest)
            return false;
    }
    return true;
}

/* ---- Putting it in place ------------------------------------------------- */

static bool has_segment(const struct segment_list *l, const struct segment *s)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->items[i] == s)
            return true;
    return false;
}

/* What is there now, which may have been merged meanwhile, or what was there
 * before, if that was forgotten; and what was made. */
static enum footnote_rc gather(struct course_sync *sync,
                               const struct index_snapshot *now,
                               struct segment_list *out,
                               struct footnote_err *err)
{
    size_t n = now ? now->segments_n : sync->before.n;

    for (size_t i = 0; i < n; i++)
        TRY(segment_list_add(out,
                             segment_hold(now ? now->segments[i].segment
                                              : sync->before.items[i]),
                             err));
    for (size_t i = 0; i < sync->made.n; i++)
        if (!has_segment(out, sync->made.items[i]))
            TRY(segment_list_add(out, segment_hold(sync->made.items[i]), err));
    return FOOTNOTE_OK;
}

/* A snapshot that is not `whole` keeps the version of the one before. */
static enum footnote_rc install(struct course_sync *sync, bool whole,
                                struct footnote_err *err)
{
    AUTO(segment_list_free) struct segment_list list = {.n = 0};
    struct course_index *c = sync->course;
    struct index_snapshot *now;
    enum footnote_rc rc;

    pthread_mutex_lock(&c->update_lock);
    if (sync->live) {
        free(c->live);
        c->live = sync->live;
        c->live_n = sync->list.documents_n;
        sync->live = NULL;
    }
    now = course_index_snapshot(sync->indexes, c);
    rc = gather(sync, now, &list, err);
    if (rc == FOOTNOTE_OK)
        rc = course_index_install(sync->indexes, c, &list,
                                  whole ? sync->list.index_version
                                  : now ? now->index_version
                                        : -1,
                                  err);
    index_snapshot_drop(now);
    pthread_mutex_unlock(&c->update_lock);
    return rc;
}

/* ---- Making what is missing ---------------------------------------------- */

static enum footnote_rc end_segment(struct course_sync *sync,
                                    struct footnote_err *err)
{
    struct segment *s;

    if (builder_passages_n(sync->builder) == 0)
        return FOOTNOTE_OK;
    TRY(builder_finish(sync->builder, &sync->indexes->closing, &s, err));
    return segment_list_add(&sync->made, s, err);
}

/* A document's language by its first passages; English when they are too
 * short to tell. */
static enum language guess_language(struct course_sync *sync,
                                    const struct document_passages *first)
{
    AUTO(buf_free) struct buf b = BUF(GUESS_BYTES_MAX);
    enum language l;

    for (size_t i = 0; i < first->passages_n && b.n < GUESS_BYTES; i++) {
        buf_add(&b, first->passages[i].text);
        buf_add_c(&b, '\n');
    }
    l = language_guess(sync->analyser, buf_str(&b));
    return l == LANGUAGE_NONE ? LANGUAGE_EN : l;
}

static enum footnote_rc add_passages(struct course_sync *sync,
                                     const struct document_passages *some,
                                     struct footnote_err *err)
{
    if (sync->indexes->closing)
        return err_set(err, FOOTNOTE_ENDED, "the retriever is closing");
    for (size_t i = 0; i < some->passages_n; i++) {
        const struct index_passage *p = &some->passages[i];

        TRY(builder_passage(sync->builder, p->position, p->heading, p->text,
                            p->contents, err));
    }
    sync->passages_n += some->passages_n;
    return FOOTNOTE_OK;
}

/* What a document has beyond its first passages. */
static enum footnote_rc add_rest(struct course_sync *sync,
                                 const struct document_passages *first,
                                 struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(BATCH_BYTES_MAX);
    struct document_passages more = *first;
    struct index_passages op = {
        .documents = &more, .documents_n = 1, .limit = PASSAGES_AT_ONCE};
    size_t full = PASSAGES_FIRST;

    while (more.passages_n == full) {
        op.after_position = more.passages[full - 1].position;
        arena_reset(&a);
        TRY(store_read(sync->indexes->store, index_reader(sync->course), &a,
                       OP(index_passages), &op, err));
        TRY(add_passages(sync, &more, err));
        full = PASSAGES_AT_ONCE;
    }
    return FOOTNOTE_OK;
}

/* False for any other failure. */
static bool leave_out(const struct course_sync *sync, int64_t document,
                      enum footnote_rc rc, const struct footnote_err *err)
{
    if (rc != FOOTNOTE_DAMAGED)
        return false;
    log_write(LOG_ERROR, "a document is damaged and not searched",
              LOG_TEXT("tenant", str_c(sync->course->tenant)),
              LOG_NUM("document", document), LOG_TEXT("why", str_c(err->text)));
    return true;
}

static enum footnote_rc add_document(struct course_sync *sync,
                                     const struct index_document *d,
                                     const struct document_passages *first,
                                     struct footnote_err *err)
{
    struct segment_document new = {.key = d->key,
                                   .digest = index_digest(&d->digest),
                                   .version = (uint32_t)d->version,
                                   .kind = (uint32_t)d->kind,
                                   .language = guess_language(sync, first)};

    enum footnote_rc rc;

    if (first->passages_n == 0)
        return FOOTNOTE_OK;
    TRY(builder_document(sync->builder, &new, d->title, err));
    TRY(add_passages(sync, first, err));
    rc = add_rest(sync, first, err);
    if (rc != FOOTNOTE_OK && !leave_out(sync, d->key, rc, err))
        return rc;
    if (builder_passages_n(sync->builder) < SEGMENT_PASSAGES_NEW)
        return FOOTNOTE_OK;
    TRY(end_segment(sync, err));
    return install(sync, false, err);
}

static bool turn_is_over(struct course_sync *sync)
{
    return sync->passages_n >= TURN_PASSAGES &&
           index_others_wait(sync->indexes, sync->course);
}

/* One that is damaged spoils the reading of all: then the first is read alone,
 * and has no passages if it is the one. */
static enum footnote_rc read_some(struct course_sync *sync, struct arena *a,
                                  struct index_passages *op,
                                  struct footnote_err *err)
{
    struct who who = index_reader(sync->course);
    enum footnote_rc rc =
        store_read(sync->indexes->store, who, a, OP(index_passages), op, err);

    if (rc == FOOTNOTE_DAMAGED && op->documents_n > 1) {
        op->documents_n = 1;
        rc = store_read(sync->indexes->store, who, a, OP(index_passages), op,
                        err);
    }
    if (rc == FOOTNOTE_OK ||
        !leave_out(sync, op->documents[0].document, rc, err))
        return rc;
    op->documents[0].passages_n = 0;
    return FOOTNOTE_OK;
}

/* Documents from missing[*at] on, as many as are read together. */
static enum footnote_rc add_some(struct course_sync *sync, size_t *at,
                                 struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(BATCH_BYTES_MAX);
    const struct index_document *list = sync->list.documents;
    struct document_passages some[INDEX_DOCUMENTS_MAX];
    struct index_passages op = {.documents = some, .limit = PASSAGES_FIRST};

    while (op.documents_n < INDEX_DOCUMENTS_MAX &&
           *at + op.documents_n < sync->missing_n) {
        const struct index_document *d =
            &list[sync->missing[*at + op.documents_n]];

        some[op.documents_n++] =
            (struct document_passages){d->key, d->version, NULL, 0};
    }
    TRY(read_some(sync, &a, &op, err));
    for (size_t i = 0; i < op.documents_n && !turn_is_over(sync); i++)
        TRY(add_document(sync, &list[sync->missing[(*at)++]], &some[i], err));
    return FOOTNOTE_OK;
}

static enum footnote_rc add_missing(struct course_sync *sync, bool *done,
                                    struct footnote_err *err)
{
    size_t at = 0;

    sync->analyser = indexes_borrow_analyser(sync->indexes);
    if (!sync->analyser)
        return err_set(err, FOOTNOTE_NOMEM, "indexing a course");
    TRY(builder_open(sync->analyser, &sync->builder, err));
    while (at < sync->missing_n && !turn_is_over(sync))
        TRY(add_some(sync, &at, err));
    *done = at == sync->missing_n;
    return end_segment(sync, err);
}

/* ---- All of it ---------------------------------------------------------- */

static enum footnote_rc take_turn(struct course_sync *sync, struct arena *a,
                                  bool *done, struct footnote_err *err)
{
    bool from_disk;

    *done = true;
    TRY(store_read(sync->indexes->store, index_reader(sync->course), a,
                   OP(index_documents), &sync->list, err));
    TRY(list_live(sync, err));
    TRY(list_segments(sync, &from_disk, err));
    for (size_t i = 0; i < sync->list.documents_n; i++)
        if (is_missing(&sync->live[i], &sync->before))
            sync->missing[sync->missing_n++] = i;
    if (sync->missing_n > 0) {
        if (from_disk && sync->before.n > 0)
            TRY(install(sync, false, err));
        TRY(add_missing(sync, done, err));
    }
    return install(sync, *done, err);
}

enum footnote_rc course_index_sync(struct indexes *ix, struct course_index *c,
                                   bool *done, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(LIST_BYTES_MAX);
    struct course_sync sync = {
        .indexes = ix, .course = c, .list = {.course = str_c(c->id)}};
    enum footnote_rc rc = take_turn(&sync, &a, done, err);

    course_sync_free(&sync);
    return rc;
}
