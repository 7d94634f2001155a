/* unsafe.c - what is usual and unsafe is said at the start.
 *
 * What lets strangers in is refused (config/check.c).  Root, and a kernel that
 * gives the programs that read documents fewer walls than it could, are common
 * in containers: a server runs there, and its log says what that costs. */
#include <unistd.h>

#include "base/log.h"
#include "cli/cli.h"
#include "cli/doctor/doctor.h"
#include "ingest/jail/jail.h"

static void say_jail(void)
{
    struct footnote_err err = {.text = ""};
    struct jail_end end = {.layers = 0};

    if (doctor_run_jail(&end, &err) != FOOTNOTE_OK || end.how != JAIL_EXITED ||
        end.status != 0)
        log_write(LOG_WARN,
                  "unsafe: documents cannot be read in the jail; see "
                  "footnote doctor jail",
                  LOG_TEXT("error", str_c(err.text)));
    else if (!(end.layers & (JAIL_LAYER_ROOT | JAIL_LAYER_RULES)))
        log_write(LOG_WARN,
                  "unsafe: the jail hides no files of this machine from the "
                  "programs that read documents; see footnote doctor jail");
    else if (!(end.layers & JAIL_LAYER_NAMESPACES))
        log_write(LOG_WARN, "the jail has no namespaces of its own here; see "
                            "footnote doctor jail");
}

void unsafe_say(void)
{
    if (geteuid() == 0)
        log_write(LOG_WARN,
                  "unsafe: this server is root; give the data folder to a "
                  "user of its own, and it becomes that user");
    say_jail();
}
