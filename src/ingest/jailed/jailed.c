/* jailed.c - the server's side: runs the child, and says what became of it. */
#include "ingest/jailed/jailed.h"
#include "ingest/jail/jail.h"
#include "ingest/jailed/frames.h"
#include "ingest/text/charset.h"
#include "store/document/reason.h"

enum { MB = 1024 * 1024 };

static enum footnote_rc on_output(struct str bytes, void *arg,
                                  struct footnote_err *err)
{
    return frames_add(arg, bytes, err);
}

static enum footnote_rc on_look(void *arg, struct footnote_err *err)
{
    struct frames *f = arg;

    return f->sink->progress
               ? f->sink->progress(f->sink->arg, f->done, f->total, err)
               : FOOTNOTE_OK;
}

/* What a file was refused with counts also when the child died afterwards. */
static enum footnote_rc explain_end(const struct jail_job *job,
                                    const struct jail_end *end,
                                    const struct frames *f,
                                    struct footnote_err *err)
{
    switch (end->how) {
    case JAIL_EXITED:
        if (end->status == 0)
            return frames_end(f, err);
        break;
    case JAIL_DIED: break;
    case JAIL_CPU:
        return refuse(err, TOO_SLOW,
                      "the file could not be read within %lld seconds of a "
                      "processor's time, which is more than any honest file "
                      "needs",
                      (long long)job->cpu_s_max);
    case JAIL_TIME:
        return refuse(err, TOO_SLOW,
                      "the file could not be read within %lld seconds",
                      (long long)(job->wall_ms_max + 999) / 1000);
    case JAIL_OUTPUT:
        return refuse(err, TOO_MUCH_TEXT,
                      "its text with the headings above it has more than %d "
                      "MB, the most for one document",
                      JAILED_OUTPUT_MB);
    }
    return refuse(err, DAMAGED,
                  "the program that reads such files has failed on this one "
                  "(%s %d); the file is damaged, or made to be",
                  end->how == JAIL_DIED ? "signal" : "code", end->status);
}

enum footnote_rc jailed_run(const struct jailed_options *o,
                            enum extract_format format, int file,
                            struct arena *a, const struct passage_sink *sink,
                            struct extract_facts *facts,
                            struct footnote_err *err)
{
    static const struct jailed_options usual = {.program = NULL};
    AUTO(frames_free) struct frames frames;
    struct jail_end end;

    if (!o)
        o = &usual;
    const char *argv[] = {o->program ? o->program : "/proc/self/exe",
                          JAILED_WORD, format_of(format)->name, NULL};
    const struct jail_job job = {
        .argv = argv,
        .input = file,
        .wall_ms_max = o->wall_ms_max ? o->wall_ms_max : JAILED_WALL_MS,
        .cpu_s_max = o->cpu_s_max ? o->cpu_s_max : JAILED_CPU_S,
        .memory_bytes_max = (size_t)JAILED_MEMORY_MB * MB,
        .output_bytes_max = (size_t)JAILED_OUTPUT_MB * MB,
        .output = on_output,
        .goes_on = on_look,
        .arg = &frames,
    };
    frames_init(&frames, sink, a, facts);
    TRY(jail_run(&job, &end, err));
    return explain_end(&job, &end, &frames, err);
}

static enum footnote_rc on_name(struct str bytes, void *arg,
                                struct footnote_err *err)
{
    (void)err;
    buf_add(arg, bytes); /* one that is too long is no name */
    return FOOTNOTE_OK;
}

enum footnote_rc jailed_encoding(const struct jailed_options *o, int file,
                                 const char **out, struct footnote_err *err)
{
    enum { NAME_BYTES_MAX = 64 };
    AUTO(buf_free) struct buf name = BUF(NAME_BYTES_MAX);
    const char *argv[] = {o && o->program ? o->program : "/proc/self/exe",
                          JAILED_WORD, JAILED_ENCODING, NULL};
    const struct jail_job job = {
        .argv = argv,
        .input = file,
        .wall_ms_max = JAILED_WALL_MS,
        .cpu_s_max = JAILED_CPU_S,
        .memory_bytes_max = (size_t)JAILED_MEMORY_MB * MB,
        .output_bytes_max = NAME_BYTES_MAX,
        .output = on_name,
        .arg = &name,
    };
    struct jail_end end;

    *out = NULL;
    TRY(jail_run(&job, &end, err));
    if (end.how == JAIL_EXITED && end.status == 0 && !name.broken)
        *out = charset_known(buf_str(&name));
    return FOOTNOTE_OK;
}
