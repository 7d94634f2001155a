/* reading.c - the programs that read documents: the jail around them, and a
 * real PDF through it, with the limits that a server has. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fd.h"
#include "cli/demo.h"
#include "cli/doctor/doctor.h"
#include "ingest/jail/jail.h"
#include "ingest/jailed/jailed.h"
#include "ingest/pdf/pdf.h"
#include "ingest/pdf/poppler.h"

enum { ARENA_BYTES_MAX = 64 * 1024 * 1024, MB = 1024 * 1024 };

#define PAGE "<!doctype html><title>Heat</title><p>Heat flows from hot to cold."

/* Bytes as an open file without a name. */
static enum footnote_rc open_bytes(struct str bytes, int *fd,
                                   struct footnote_err *err)
{
    *fd = memfd_create("doctor", MFD_CLOEXEC);
    if (*fd < 0 || write(*fd, bytes.p, bytes.n) != (ssize_t)bytes.n)
        return err_set(err, FOOTNOTE_BUSY, "no memory for a file");
    return FOOTNOTE_OK;
}

/* ---- The jail ------------------------------------------------------------ */

static enum footnote_rc ignore_output(struct str bytes, void *arg,
                                      struct footnote_err *err)
{
    (void)bytes;
    (void)arg;
    (void)err;
    return FOOTNOTE_OK;
}

enum footnote_rc doctor_run_jail(struct jail_end *end, struct footnote_err *err)
{
    const char *const argv[] = {"/proc/self/exe", JAILED_WORD, "html", NULL};
    AUTO(fd_closep) int fd = -1;

    TRY(open_bytes(STR(PAGE), &fd, err));
    const struct jail_job job = {.argv = argv,
                                 .input = fd,
                                 .wall_ms_max = JAILED_WALL_MS,
                                 .cpu_s_max = JAILED_CPU_S,
                                 .memory_bytes_max =
                                     (size_t)JAILED_MEMORY_MB * MB,
                                 .output_bytes_max = MB,
                                 .output = ignore_output};
    return jail_run(&job, end, err);
}

static void report_layers(struct doctor *d, unsigned layers)
{
    const unsigned all =
        JAIL_LAYER_NAMESPACES | JAIL_LAYER_ROOT | JAIL_LAYER_RULES;
    bool hidden = layers & (JAIL_LAYER_ROOT | JAIL_LAYER_RULES);

    if ((layers & all) == all) {
        doctor_ok(d, "filter, limits, namespaces, an empty root and Landlock");
        return;
    }
    doctor_warning(d,
                   "allow user namespaces and Landlock: docs/adr/0008-jail.md",
                   "filter and limits hold; missing:%s%s%s%s",
                   layers & JAIL_LAYER_NAMESPACES ? "" : " namespaces,",
                   layers & JAIL_LAYER_ROOT ? "" : " an empty root,",
                   layers & JAIL_LAYER_RULES ? "" : " Landlock,",
                   hidden ? " and one of the last two is enough"
                          : " so readers see the files of this machine");
}

void check_jail(struct doctor *d)
{
    struct footnote_err err;
    struct jail_end end;

    if (doctor_run_jail(&end, &err) != FOOTNOTE_OK)
        doctor_bad(d, CLI_FAILED,
                   "let the service make seccomp filters, and give it memory",
                   "%s", err.text);
    else if (end.how != JAIL_EXITED || end.status != 0 || !end.output_bytes)
        doctor_bad(d, CLI_FAILED,
                   "see which limit of the service is below those in "
                   "docs/operations.md, Documents",
                   "a page could not be read in the jail (%s %d)%s%s",
                   end.how == JAIL_EXITED ? "code" : "signal", end.status,
                   end.error_output[0] ? ": " : "", end.error_output);
    else
        report_layers(d, end.layers);
}

/* ---- A PDF --------------------------------------------------------------- */

static enum footnote_rc count_passage(void *arg, const struct passage *p,
                                      struct footnote_err *err)
{
    int64_t *n = arg;

    (void)p;
    (void)err;
    ++*n;
    return FOOTNOTE_OK;
}

static struct str demo_pdf(void)
{
    for (size_t i = 0; i < demo_files_n; i++)
        if (strcmp(demo_files[i].name, "slides.pdf") == 0)
            return embed_str(&demo_files[i]);
    return STR_NONE;
}

void check_pdf(struct doctor *d)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES_MAX);
    AUTO(fd_closep) int fd = -1;
    const char *missing = poppler_missing();
    int64_t passages = 0;
    const struct passage_sink sink = {&passages, count_passage, NULL};
    struct pdf_job job = {.sink = &sink};
    struct extract_facts facts;
    struct footnote_err err;
    enum footnote_rc rc;

    if (missing) {
        doctor_bad(d, CLI_FAILED, "apt-get install poppler-utils",
                   "%s is not there: no PDF can be read", missing);
        return;
    }
    rc = open_bytes(demo_pdf(), &fd, &err);
    job.file = fd;
    if (rc == FOOTNOTE_OK)
        rc = pdf_run(&job, &a, &facts, &err);
    if (rc != FOOTNOTE_OK || passages == 0)
        doctor_bad(d, CLI_FAILED,
                   "apt-get install --reinstall poppler-utils; then see "
                   "footnote doctor jail",
                   "the demo's slides cannot be read: %s",
                   rc == FOOTNOTE_OK ? "no text came out" : err.text);
    else
        doctor_ok(d, "the demo's slides: %lld pages, %lld passages",
                  (long long)facts.pages, (long long)passages);
}
