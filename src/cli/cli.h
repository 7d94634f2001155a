/* cli.h - what the verbs share: options, errors, exit codes.  One thread.
 *
 * Data goes to stdout, all else to stderr.  With --json an error is the JSON
 * object that the HTTP API would answer with. */
#ifndef CLI_CLI_H
#define CLI_CLI_H
#include <limits.h>
#include <stdio.h>

#include "config/config.h"
#include "object/object.h"
#include "store/store.h"

enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_NOTFOUND = 3,
    CLI_SOME_FAILED = 4, /* some items failed, the others are done */
    CLI_UNREACHABLE = 5, /* the server */
    CLI_FORBIDDEN = 6,
    CLI_CONFIG = 7,
    CLI_DAMAGED = 8,
    CLI_TEMPORARY = 75,
    CLI_SIGNAL = 128, /* plus the signal's number */
    CLI_GO_ON = -1    /* no exit code: the verb goes on */
};

struct cli;
struct store;
struct verb {
    const char *name;
    int (*run)(struct cli *c); /* gives the exit code */
    const char *summary;       /* what it does, for the list of verbs */
    const char *usage;         /* examples first, then its options */
    bool reads_config;
    bool shows_settings; /* --help goes on with the table of settings */
};
extern const struct verb cli_verbs[];
extern const size_t cli_verbs_n;
const struct verb *cli_find_verb(struct str name); /* NULL: none */

struct cli {
    const struct verb *verb;
    struct arena arena;
    struct config_input in; /* argc, argv: the words after the verb */
    struct config config;   /* after cli_read */
    struct str *operands;   /* the words that are not options */
    size_t operands_n;
    bool json;
    bool quiet, verbose; /* -q, -v: every verb has them */
    struct str color;    /* auto, always, never */
};

/* An option of one verb: a switch that sets `on`, or a text. */
struct cli_option {
    const char *name; /* without its -- */
    char letter;      /* 0: none */
    bool *on;
    struct str *text;
};

/* Reads configuration, options and operands.  Returns CLI_GO_ON, or the exit
 * code after it has printed the help or an error. */
int cli_read(struct cli *c, const struct cli_option *options, size_t n);
/* CLI_GO_ON when there are `from` to `to` operands; else a usage error. */
int cli_expect(struct cli *c, size_t from, size_t to, const char *what);

/* Whether text for a person on this stream may have colours. */
bool cli_has_color(const struct cli *c, FILE *to);

/* Each prints the error and returns the exit code. */
int cli_usage(struct cli *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int cli_fail(struct cli *c, enum footnote_rc rc,
             const struct footnote_err *err);
int cli_exit_code(enum footnote_rc rc);
int cli_fail_config(struct cli *c, const struct footnote_err *err);
/* Writes to stdout; CLI_FAILED when it is closed. */
int cli_print(struct cli *c, struct buf *text);

/* ---- Help (help.c) ------------------------------------------------------- */

enum { CLI_HELP_BYTES_MAX = 64 * 1024, CLI_MANUAL_BYTES_MAX = 1024 * 1024 };
void help_program(struct buf *b);
void help_verb(struct buf *b, const struct verb *v);

/* ---- The data folder (folder.c, lock.c) ---------------------------------- */

/* Makes the folder (0700) when it is missing.  As root, becomes the owner of
 * an existing folder, so that every file in it keeps one owner. */
enum footnote_rc folder_enter(const struct config *c, struct footnote_err *err);
/* The same for verbs that only work with what is there: NOTFOUND without a
 * database, and nothing is made, so that a mistyped --data is found out. */
enum footnote_rc folder_enter_existing(const struct config *c,
                                       struct footnote_err *err);
/* The path of SQLite's file with `suffix`; false: another engine. */
bool folder_database_path(const struct config *c, const char *suffix,
                          char path[PATH_MAX]);
/* Opens the store in the folder, or the one of --database. */
enum footnote_rc folder_open_store(struct arena *a, const struct config *c,
                                   struct store **out,
                                   struct footnote_err *err);

/* The same for whoever has the folder's lock: what others held in a file of it
 * has ended.  `node_name` may be absent. */
enum footnote_rc folder_open_locked(struct arena *a, const struct config *c,
                                    struct str node_name, struct store **out,
                                    struct footnote_err *err);

/* The id of the course with this id or title; NOTFOUND.  In `a`. */
enum footnote_rc cli_course(struct store *st, struct who who, struct arena *a,
                            struct str name, struct str *id,
                            struct footnote_err *err);

/* The folder's lock: one server at a time; the file holds its address.  BUSY,
 * after a second, names the server that has it.  *fd is yours:
 * lock_release(). */
enum footnote_rc lock_take(const struct config *c, int *fd,
                           struct footnote_err *err);
/* The address of the server that has the lock; absent: no server has it. */
enum footnote_rc lock_read_address(const struct config *c, struct arena *a,
                                   struct str *url, struct footnote_err *err);
enum footnote_rc lock_write_address(int fd, struct str url,
                                    struct footnote_err *err);
void lock_release(const int *fd); /* for AUTO; -1 is fine */

/* ---- Before a start (preflight.c) -----------------------------------------
 */

/* Opens what a server would open, making nothing; INVALID and the other codes
 * name the setting.  What a server can start without is a line on stderr. */
enum footnote_rc preflight(struct cli *c, struct footnote_err *err);
/* Says what is amiss and keeps no server from starting: variables that name no
 * setting, programs that are missing. */
void preflight_warn(struct cli *c, void (*say)(const char *text, int n));
/* The key that signs in at a server: of the file, else FOOTNOTE_KEY. */
enum footnote_rc cli_server_key(struct cli *c, struct str key_file,
                                struct str *key, struct footnote_err *err);

/* ---- Parts of serve ------------------------------------------------------ */

/* Sends systemd, if it started us, a text such as "READY=1\nSTATUS=...". */
void notify_send(const char *text);
/* The longest time between two WATCHDOG=1 to systemd; 0: it wants none. */
int64_t notify_interval_ms(void);
/* The socket that systemd listens on for us, 0 without one; it is yours.  Its
 * address becomes c->listen, so that it is checked like any other. */
enum footnote_rc activation_take(struct arena *a, struct config *c, int *fd,
                                 struct footnote_err *err);
/* Adds the demo course when there is neither a course nor a session.  Its
 * documents are queued for the workers. */
enum footnote_rc demo_add(struct store *st, struct objects *objects,
                          struct footnote_err *err);

/* Says in the log what is usual and unsafe here: unsafe.c. */
void unsafe_say(void);

/* ---- The verbs ----------------------------------------------------------- */

int verb_serve(struct cli *c);
int verb_ingest(struct cli *c);
int verb_ask(struct cli *c);
int verb_key(struct cli *c);
int verb_objects(struct cli *c);
int verb_usage(struct cli *c);
int verb_backup(struct cli *c);
int verb_restore(struct cli *c);
int verb_import(struct cli *c);
int verb_impact(struct cli *c);
int verb_export(struct cli *c);
int verb_search(struct cli *c);
int verb_eval(struct cli *c);
int verb_config(struct cli *c);
int verb_doctor(struct cli *c);
int verb_version(struct cli *c);
int verb_help(struct cli *c);
int verb_completion(struct cli *c);

#endif
