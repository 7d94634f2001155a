/* jailed_main.c - the child's side: a file on stdin, frames on stdout. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "ingest/jailed/frames.h"
#include "ingest/jailed/jailed.h"
#include "ingest/text/charset_guess.h"
#include "store/document/reason.h"

enum { READ_BYTES = 256 * 1024, WRITE_BYTES = 64 * 1024 };

static enum extract_format format_by_name(const char *name)
{
    for (enum extract_format f = 0; f < FORMATS_N; f++)
        if (strcmp(format_of(f)->name, name) == 0)
            return f;
    return FORMAT_UNKNOWN;
}

static enum footnote_rc read_stdin(struct buf *b, struct footnote_err *err)
{
    for (;;) {
        char *room = buf_room(b, READ_BYTES);
        ssize_t n = room ? read(STDIN_FILENO, room, READ_BYTES) : 0;

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, FOOTNOTE_INTERNAL, "reading the file failed");
        if (n == 0)
            return buf_rc(b, err);
        b->n += (size_t)n;
    }
}

/* ---- Frames out ---------------------------------------------------------- */

static enum footnote_rc flush(struct buf *b, struct footnote_err *err)
{
    struct str rest = buf_str(b);

    TRY(buf_rc(b, err));
    while (rest.n) {
        ssize_t n = write(STDOUT_FILENO, rest.p, rest.n);

        if (n < 0 && errno != EINTR)
            return err_set(err, FOOTNOTE_INTERNAL, "nobody listens");
        rest = str_skip(rest, n > 0 ? (size_t)n : 0);
    }
    buf_reset(b);
    return FOOTNOTE_OK;
}

static enum footnote_rc on_passage(void *arg, const struct passage *p,
                                   struct footnote_err *err)
{
    struct buf *out = arg;

    frames_passage(out, p);
    return out->n < WRITE_BYTES ? FOOTNOTE_OK : flush(out, err);
}

static enum footnote_rc on_progress(void *arg, int64_t done, int64_t total,
                                    struct footnote_err *err)
{
    frames_progress(arg, done, total);
    return flush(arg, err);
}

/* ---- Together ------------------------------------------------------------ */

static enum footnote_rc read_all(enum extract_format format, struct buf *out,
                                 struct footnote_err *err)
{
    AUTO(buf_free) struct buf bytes = BUF(EXTRACT_BYTES_MAX);
    AUTO(arena_free) struct arena a = ARENA(EXTRACT_ARENA_MAX);
    const struct passage_sink sink = {out, on_passage, on_progress};
    struct extract_facts facts;

    TRY(read_stdin(&bytes, err));
    struct extract_file file = {.bytes = buf_str(&bytes)};
    if (charset_is_legacy(file.bytes))
        file.declared = charset_guess(file.bytes);
    TRY(extract_run(format, &file, &a, &sink, &facts, err));
    frames_facts(out, &facts);
    return flush(out, err);
}

/* Writes the name of the encoding of the text on stdin, or nothing. */
static enum footnote_rc tell_encoding(struct buf *out, struct footnote_err *err)
{
    AUTO(buf_free) struct buf bytes = BUF(EXTRACT_BYTES_MAX);

    TRY(read_stdin(&bytes, err));
    const char *name = charset_guess(buf_str(&bytes));
    if (name)
        buf_add(out, str_c(name));
    return flush(out, err);
}

int jailed_main(const char *format)
{
    AUTO(buf_free)
    struct buf out = BUF((size_t)FRAME_BYTES_MAX + WRITE_BYTES);
    struct footnote_err err = {.text = ""};
    enum footnote_rc rc = strcmp(format, JAILED_ENCODING) == 0
                              ? tell_encoding(&out, &err)
                              : read_all(format_by_name(format), &out, &err);

    if (rc == FOOTNOTE_NOMEM)
        rc = refuse(&err, TOO_MUCH_MEMORY,
                    "the file needs more memory to be read than a document "
                    "may have");
    if (rc == FOOTNOTE_OK)
        return 0;
    if (rc == FOOTNOTE_INVALID || rc == FOOTNOTE_TOOBIG) {
        frames_refusal(&out, &err);
        return flush(&out, NULL) == FOOTNOTE_OK ? 0 : 1;
    }
    fprintf(stderr, "%s\n", err.text);
    return 1;
}
