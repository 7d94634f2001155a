/* jailed.h - files that libraries take apart are read by a child in the jail.
 *
 *     server                                child, in the jail
 *     jailed_run() -- the file as stdin --> jailed_main()
 *         |                                     extract_run()
 *       sink <------- frames.h on stdout -------'
 *
 * The child is this program, executed again.  It may crash, hang, or be made to
 * say anything: the file is refused with a sentence, and that is all.  Any
 * thread; it waits. */
#ifndef INGEST_JAILED_JAILED_H
#define INGEST_JAILED_JAILED_H
#include "ingest/format/extract.h"

/* The first word after the program's name that makes it such a child; the
 * second is the name of a format. */
#define JAILED_WORD "read-in-jail"
/* In place of a format: what encoding is it? */
#define JAILED_ENCODING "encoding"

enum {
    /* All that readers may hold: the file, its arena, what it unpacks to; and
     * about 200 MB of addresses for the libraries of the program. */
    JAILED_MEMORY_MB = 768,
    JAILED_CPU_S = 10,
    JAILED_WALL_MS = 60 * 1000,
    JAILED_OUTPUT_MB = 256,
};

/* What tests change.  NULL and 0 are the values above. */
struct jailed_options {
    const char *program; /* an absolute path; NULL: the running program */
    int64_t cpu_s_max, wall_ms_max;
};

/* As extract_run(), with the open file in place of its bytes; its offset is the
 * child's meanwhile.  The sink's progress is called every JAIL_LOOK_MS at
 * least, so that it can end the reading of a file that gives nothing. */
enum footnote_rc jailed_run(const struct jailed_options *o,
                            enum extract_format format, int file,
                            struct arena *a, const struct passage_sink *sink,
                            struct extract_facts *facts,
                            struct footnote_err *err);

/* The encoding of the file, a text that does not show it (charset_is_legacy()),
 * as charset_known() names it; NULL when the child cannot tell, or fails. */
enum footnote_rc jailed_encoding(const struct jailed_options *o, int file,
                                 const char **out, struct footnote_err *err);

/* The child, behind JAILED_WORD: reads stdin, writes frames to stdout.  Gives
 * the exit code: 0 when the last line is written. */
int jailed_main(const char *format);

#endif
