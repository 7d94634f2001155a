/* poppler.c - poppler's programs, and what their ends mean to people. */
#include "ingest/pdf/poppler.h"
#include "base/buf.h"
#include "store/document/reason.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MB = 1024 * 1024 };

/* What poppler prints, and what it means.  The first match counts: an encrypted
 * file is also one that cannot be opened. */
static const struct {
    const char *printed;
    enum read_reason reason;
    const char *text;
} meanings[] = {
    {"Incorrect password", REASON_PASSWORD,
     "the PDF is protected with a password; save it without one and upload it "
     "again"},
    {"Wrong page range", REASON_NO_PAGE, "the PDF has no such page"},
    {"Unknown security handler", REASON_ENCRYPTED,
     "the PDF is encrypted in a way that we cannot read; save it without "
     "encryption and upload it again"},
    {"Copying of text", REASON_NO_COPYING,
     "the PDF does not allow its text to be copied"},
    {"May not be a PDF", REASON_UNKNOWN_KIND,
     "the file is not a PDF, whatever its name says"},
    {"ut of memory", REASON_TOO_MUCH_MEMORY,
     "the PDF needs more memory to be read than a document may"},
    {"bad_alloc", REASON_TOO_MUCH_MEMORY,
     "the PDF needs more memory to be read than a document may"},
};

static enum footnote_rc explain_failure(const struct jail_end *end,
                                        struct footnote_err *err)
{
    for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
        if (strstr(end->error_output, meanings[i].printed))
            return refuse_as(err, meanings[i].reason, meanings[i].text);
    return refuse(err, DAMAGED,
                  "the PDF is damaged and cannot be opened; try to open it "
                  "yourself, and save it again");
}

/* A crash may be the file's fault or poppler's: the sentence is the same. */
static enum footnote_rc explain_end(const struct jail_end *end,
                                    struct footnote_err *err)
{
    switch (end->how) {
    case JAIL_EXITED:
        return end->status == 0 ? FOOTNOTE_OK : explain_failure(end, err);
    case JAIL_DIED: return explain_failure(end, err);
    case JAIL_CPU:
    case JAIL_TIME:
        return refuse(err, TOO_SLOW,
                      "the PDF takes too long to read: a page of it keeps a "
                      "processor busy for over %d seconds",
                      POPPLER_CPU_S);
    case JAIL_OUTPUT: break;
    }
    return refuse(err, UNPACKS,
                  "the PDF unpacks to more than %d MB, which no honest page "
                  "does",
                  POPPLER_OUTPUT_BYTES / MB);
}

const char *const poppler_programs[] = {"pdftotext", "pdfinfo", "pdftoppm",
                                        "pdftohtml", NULL};

const char *poppler_missing(void)
{
    char path[JAIL_PATH_BYTES];

    for (size_t i = 0; poppler_programs[i]; i++)
        if (!jail_find(poppler_programs[i], path))
            return poppler_programs[i];
    return NULL;
}

enum footnote_rc poppler_run(const char *const *words, int file,
                             jail_output *output, void *arg,
                             struct footnote_err *err)
{
    const char *argv[JAIL_ARGS + 1] = {NULL};
    char path[JAIL_PATH_BYTES];
    struct jail_end end;
    struct stat st;

    if (!jail_find(words[0], path))
        return err_set(err, FOOTNOTE_INTERNAL,
                       "%s is not installed on this server: no PDF can be read",
                       words[0]);
    argv[0] = path;
    for (size_t i = 1; words[i]; i++) {
        assert(i < JAIL_ARGS);
        argv[i] = words[i];
    }

    /* From a pipe, poppler keeps the whole file in its memory. */
    if (fstat(file, &st) != 0)
        return err_set(err, FOOTNOTE_INTERNAL, "the PDF cannot be read");
    const struct jail_job job = {
        .argv = argv,
        .input = file,
        .wall_ms_max = POPPLER_WALL_MS,
        .cpu_s_max = POPPLER_CPU_S,
        .memory_bytes_max = (size_t)POPPLER_MEMORY_MB * MB + (size_t)st.st_size,
        .output_bytes_max = POPPLER_OUTPUT_BYTES,
        .output = output,
        .arg = arg,
    };
    TRY(jail_run(&job, &end, err));
    return explain_end(&end, err);
}

enum footnote_rc poppler_page(int64_t n, struct footnote_err *err)
{
    return n >= 1 ? FOOTNOTE_OK
                  : err_set(err, FOOTNOTE_NOTFOUND, "pages count from 1");
}

const char *poppler_number(int64_t n, char out[POPPLER_NUMBER])
{
    snprintf(out, POPPLER_NUMBER, "%lld", (long long)n);
    return out;
}

enum footnote_rc poppler_collect(struct str bytes, void *arg,
                                 struct footnote_err *err)
{
    buf_add(arg, bytes);
    return buf_rc(arg, err);
}
