/* document_reader.c - one document, from its object to its passages.
 *
 * A document gives the same passages every time it is read, so passages that an
 * earlier run has stored are skipped.  A PDF takes long, and goes on at its
 * last stored batch of pages instead. */
#include "ingest/work/document_reader.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "ingest/pdf/page_ocr.h"
#include "ingest/pdf/pdf.h"
#include "store/document/document.h"
#include "store/document/job.h"
#include "store/document/reason.h"

void document_reader_init(struct document_reader *r,
                          const struct ingest_options *o, const struct job *job,
                          const atomic_bool *stop)
{
    *r = (struct document_reader){.o = o,
                                  .job = job,
                                  .stop = stop,
                                  .arena = ARENA(EXTRACT_ARENA_MAX),
                                  .texts = ARENA(BATCH_ARENA_BYTES_MAX),
                                  .written_ms = clock_mono_ms()};
}

void document_reader_free(struct document_reader *r)
{
    arena_free(&r->arena);
    arena_free(&r->texts);
}

/* ---- Passages out ------------------------------------------------------- */

static enum footnote_rc write_batch(struct document_reader *r,
                                    const struct job_place *place,
                                    struct footnote_err *err)
{
    struct job_step step = {.job = r->job,
                            .passages = r->batch,
                            .passages_n = r->batch_n,
                            .progress = r->progress,
                            .place = place};

    assert(r->batch_n <= JOB_PASSAGES_MAX);
    TRY(arena_rc(&r->texts, err));
    TRY(store_own(r->o->store, OP(job_step), &step, err));
    r->passages += (int64_t)r->batch_n;
    r->batch_n = 0;
    r->written_ms = clock_mono_ms();
    arena_reset(&r->texts);
    return FOOTNOTE_OK;
}

static enum footnote_rc check_stop(const struct document_reader *r,
                                   struct footnote_err *err)
{
    if (atomic_load(r->stop))
        return err_set(err, FOOTNOTE_BUSY, "the workers are told to stop");
    return FOOTNOTE_OK;
}

static enum footnote_rc on_passage(void *arg, const struct passage *p,
                                   struct footnote_err *err)
{
    struct document_reader *r = arg;
    struct passage *mine = &r->batch[r->batch_n];

    assert(p->position > 0 && r->batch_n < JOB_PASSAGES_MAX);
    if (p->position <= r->job->passages)
        return check_stop(r, err);
    *mine = *p;
    mine->heading = arena_str(&r->texts, p->heading);
    mine->text = arena_str(&r->texts, p->text);
    mine->extra = arena_str(&r->texts, p->extra);
    mine->locator = arena_str(&r->texts, p->locator);
    mine->boxes = arena_str(&r->texts, p->boxes);
    r->batch_n++;
    if (r->batch_n < JOB_PASSAGES_MAX && r->texts.used_bytes < BATCH_BYTES)
        return FOOTNOTE_OK;
    TRY(check_stop(r, err));
    return write_batch(r, NULL, err);
}

static enum footnote_rc on_progress(void *arg, int64_t done, int64_t total,
                                    struct footnote_err *err)
{
    struct document_reader *r = arg;

    r->progress.done = done;
    r->progress.total = total;
    TRY(check_stop(r, err));
    if (clock_mono_ms() - r->written_ms < BATCH_MS)
        return FOOTNOTE_OK;
    return write_batch(r, NULL, err);
}

static enum footnote_rc on_place(void *arg, const struct pdf_place *at,
                                 struct footnote_err *err)
{
    struct job_place place = {at->pages, at->position, at->blank};

    return write_batch(arg, &place, err);
}

/* ---- Bytes in ----------------------------------------------------------- */

/* Stores the web page of an address as an object, to read it from there. */
static enum footnote_rc fetch_object(struct document_reader *r,
                                     struct object *out,
                                     struct footnote_err *err)
{
    AUTO(buf_free) struct buf body = BUF(FETCH_BYTES_MAX);
    struct job_fetched op = {.job = r->job};
    struct fetched page;
    enum footnote_rc rc = fetch_page(r->job->document.url, r->o->fetch,
                                     &r->arena, &body, &page, err);

    if (rc == FOOTNOTE_BUSY || rc == FOOTNOTE_NOTFOUND)
        err->rc = rc = FOOTNOTE_INVALID; /* a person may try again, not we */
    TRY(rc);
    TRY(object_store(r->o->objects, buf_str(&body), out, err));
    op.object_key = str_c(out->key);
    op.media_type = page.type;
    op.digest = out->digest;
    op.bytes = out->bytes;
    rc = store_own(r->o->store, OP(job_fetched), &op, err);
    if (rc != FOOTNOTE_OK && rc != FOOTNOTE_UNSURE)
        (void)object_delete(r->o->objects, op.object_key, NULL);
    return rc;
}

static enum footnote_rc open_object(struct document_reader *r,
                                    struct object *object, int *fd,
                                    struct footnote_err *err)
{
    const struct document *d = &r->job->document;
    enum footnote_rc rc;

    if (d->object_key.p)
        TRY(object_of(d->object_key, d->bytes, &d->digest, object, err));
    else if (d->url.p)
        TRY(fetch_object(r, object, err));
    else
        return refuse(err, NO_FILE, "There is no file to read.");
    rc = object_get(r->o->objects, object, fd, err);
    if (rc == FOOTNOTE_NOTFOUND)
        return refuse(err, FILE_CHANGED, "object %s is gone", object->key);
    return rc;
}

static enum footnote_rc read_head(int fd, char *p, size_t max, struct str *out,
                                  struct footnote_err *err)
{
    ssize_t n;

    do
        n = pread(fd, p, max, 0);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return refuse(err, FILE_CHANGED, "reading an object: %s",
                      strerror(errno));
    *out = (struct str){p, (size_t)n};
    return FOOTNOTE_OK;
}

/* ---- Formats ------------------------------------------------------------ */

static struct passage_sink sink_of(struct document_reader *r)
{
    return (struct passage_sink){r, on_passage, on_progress};
}

static enum footnote_rc read_pdf(struct document_reader *r,
                                 const struct object *object, int fd,
                                 struct footnote_err *err)
{
    const struct passage_sink sink = sink_of(r);
    const struct job_place *from = &r->job->place;
    struct pdf_job job = {.file = fd,
                          .from = {from->pages, from->position, from->blank},
                          .ocr_languages = r->o->ocr_languages,
                          .sink = &sink,
                          .reached = on_place};

    TRY(object_check(fd, object, err));
    r->progress.unit = UNIT_PAGES;
    return pdf_run(&job, &r->arena, &r->facts, err);
}

static enum footnote_rc read_picture(struct document_reader *r,
                                     const struct object *object, int fd,
                                     struct footnote_err *err)
{
    const struct passage_sink sink = sink_of(r);

    TRY(object_check(fd, object, err));
    return picture_run(fd, r->o->ocr_languages, &r->arena, &sink, &r->facts,
                       err);
}

/* Files that a library takes apart never reach it in this process.  The text
 * formats have readers of our own, which look at each byte a few times. */
static enum footnote_rc read_others(struct document_reader *r,
                                    const struct object *object, int fd,
                                    enum extract_format format,
                                    struct footnote_err *err)
{
    AUTO(buf_free) struct buf bytes = BUF(EXTRACT_BYTES_MAX);
    const struct passage_sink sink = sink_of(r);

    if (object->bytes > EXTRACT_BYTES_MAX)
        return refuse(err, TOO_LARGE,
                      "This file has %lld MB; of this kind, at most %d MB "
                      "can be read.",
                      (long long)(object->bytes >> 20),
                      EXTRACT_BYTES_MAX >> 20);
    r->progress.unit =
        format_of(format)->kind == DOCUMENT_SLIDES ? UNIT_PAGES : UNIT_BYTES;
    if (format_of(format)->jailed) {
        TRY(object_check(fd, object, err));
        return jailed_run(r->o->jailed, format, fd, &r->arena, &sink, &r->facts,
                          err);
    }
    TRY(object_read(r->o->objects, object, &bytes, err));
    struct extract_file file = {.bytes = buf_str(&bytes),
                                .filename = r->job->document.filename};
    if (charset_is_legacy(file.bytes))
        TRY(jailed_encoding(r->o->jailed, fd, &file.declared, err));
    return extract_run(format, &file, &r->arena, &sink, &r->facts, err);
}

/* The file name of an upload, else the last part of the address. */
static struct str file_name(const struct document *d)
{
    struct str s = d->filename.p ? d->filename : d->url;
    size_t cut = 0;

    if (d->filename.p || !s.p)
        return s;
    s.n = str_find(s, '?');
    s.n = str_find(s, '#');
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '/')
            cut = i + 1;
    return str_skip(s, cut);
}

static enum footnote_rc read_format(struct document_reader *r,
                                    const struct object *object, int fd,
                                    struct footnote_err *err)
{
    char bytes[EXTRACT_HEAD_BYTES];
    struct str name = file_name(&r->job->document), head;
    enum extract_format format;

    TRY(read_head(fd, bytes, sizeof(bytes), &head, err));
    if (head.n == 0)
        return refuse(err, EMPTY, "The file is empty.");
    format = format_detect(head, name);
    if (format == FORMAT_UNKNOWN)
        return refuse(err, UNKNOWN_KIND, "%s",
                      format_unknown_reason(head, name));
    if (format == FORMAT_MEDIA)
        return refuse(err, NO_TRANSCRIPT,
                      "This is a recording without its transcript. Add the "
                      "transcript (.vtt or .srt) together with it.");
    if (format == FORMAT_PDF)
        return read_pdf(r, object, fd, err);
    if (format_is_picture(format))
        return read_picture(r, object, fd, err);
    return read_others(r, object, fd, format, err);
}

enum footnote_rc document_reader_run(struct document_reader *r,
                                     struct footnote_err *err)
{
    AUTO(fd_closep) int fd = -1;
    struct object object;

    TRY(open_object(r, &object, &fd, err));
    TRY(read_format(r, &object, fd, err));
    TRY(arena_rc(&r->arena, err));
    return write_batch(r, NULL, err);
}
