/* extract.c - picks the reader, and says what a file without text gets. */
#include "ingest/format/extract.h"
#include "ingest/format/reader.h"
#include "store/store.h"

enum footnote_rc read_progress(struct format_reader *r, size_t done,
                               size_t total, struct footnote_err *err)
{
    if (!r->sink->progress)
        return FOOTNOTE_OK;
    return r->sink->progress(r->sink->arg, (int64_t)done, (int64_t)total, err);
}

/* A title that is too long to be kept is none. */
static void drop_long(struct str *s, size_t most)
{
    if (s->n > most)
        *s = STR_NONE;
}

static enum footnote_rc run(read_fn *read, struct format_reader *r,
                            struct footnote_err *err)
{
    TRY(read(r, err));
    TRY(arena_rc(r->a, err));
    if (r->chunker.position == 0)
        return err_set(err, FOOTNOTE_INVALID, "there is no text in the file");
    drop_long(&r->facts->title, STORE_TITLE_BYTES_MAX);
    drop_long(&r->facts->language, STORE_ID_BYTES_MAX);
    return r->facts->pages ? FOOTNOTE_OK
                           : read_progress(r, r->bytes.n, r->bytes.n, err);
}

enum footnote_rc extract_run(enum extract_format f, struct str bytes,
                             struct str filename, struct arena *a,
                             const struct passage_sink *sink,
                             struct extract_facts *facts,
                             struct footnote_err *err)
{
    struct format_reader r = {.bytes = bytes,
                              .filename = filename,
                              .a = a,
                              .sink = sink,
                              .facts = facts};
    read_fn *read = format_of(f)->read;

    *facts = (struct extract_facts){.warning = ""};
    if (bytes.n == 0)
        return err_set(err, FOOTNOTE_INVALID, "the file is empty");
    if (!read)
        return err_set(err, FOOTNOTE_INVALID, "%s",
                       f == FORMAT_UNKNOWN
                           ? format_unknown_reason(bytes, filename)
                           : "a PDF or recording has no text of its own here");
    chunk_init(&r.chunker, sink);
    enum footnote_rc rc = run(read, &r, err);
    chunk_free(&r.chunker);
    return rc;
}
