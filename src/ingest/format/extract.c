/* extract.c - runs the reader of a format on a file. */
#include "ingest/format/extract.h"
#include "ingest/format/reader.h"
#include "store/document/reason.h"
#include <assert.h>

enum footnote_rc read_progress(struct format_reader *r, size_t done,
                               size_t total, struct footnote_err *err)
{
    assert(done <= total);
    if (!r->sink->progress)
        return FOOTNOTE_OK;
    return r->sink->progress(r->sink->arg, (int64_t)done, (int64_t)total, err);
}

/* A text that is too long to be stored is left out. */
static void drop_long(struct str *s, size_t most)
{
    if (s->n > most)
        *s = STR_NONE;
}

static void reader_free(struct format_reader *r)
{
    chunk_free(&r->chunker);
}

enum footnote_rc extract_run(enum extract_format f,
                             const struct extract_file *file, struct arena *a,
                             const struct passage_sink *sink,
                             struct extract_facts *facts,
                             struct footnote_err *err)
{
    AUTO(reader_free)
    struct format_reader r = {.bytes = file->bytes,
                              .filename = file->filename,
                              .declared = str_c(file->declared),
                              .a = a,
                              .sink = sink,
                              .facts = facts};
    read_fn *read = format_of(f)->read;

    *facts = (struct extract_facts){.warning = ""};
    if (file->bytes.n == 0)
        return refuse(err, EMPTY, "the file is empty");
    if (!read)
        return refuse(err, UNKNOWN_KIND, "%s",
                      f == FORMAT_UNKNOWN
                          ? format_unknown_reason(file->bytes, file->filename)
                          : "a PDF or recording has no text of its own here");
    chunk_init(&r.chunker, sink);
    TRY(read(&r, err));
    TRY(arena_rc(a, err));
    assert(r.chunker.held_n == 0); /* the reader has ended its last passage */
    if (r.chunker.position == 0)
        return refuse(err, NO_TEXT, "there is no text in the file");
    drop_long(&facts->title, STORE_TITLE_BYTES_MAX);
    drop_long(&facts->language, STORE_ID_BYTES_MAX);
    /* Readers of pages have told how far they are, page by page. */
    return facts->pages ? FOOTNOTE_OK
                        : read_progress(&r, file->bytes.n, file->bytes.n, err);
}
