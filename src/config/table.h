/* table.h - the table of settings, and how values are read and printed.
 * Constant; any thread. */
#ifndef CONFIG_TABLE_H
#define CONFIG_TABLE_H
#include "base/json.h"
#include "config/config.h"

enum config_type {
    CONFIG_TEXT,
    CONFIG_WORD,    /* one of `words` */
    CONFIG_WORDS,   /* a list of `words`, kept as bits in their order */
    CONFIG_LIST,    /* of texts */
    CONFIG_INTEGER, /* min to max */
    CONFIG_BYTES,   /* the same, with K, M or G */
    CONFIG_MS,      /* the same, with ms or s */
    CONFIG_SWITCH
};

/* All but CONFIG_OPEN can come from a file: --NAME-file, FOOTNOTE_NAME_FILE. */
enum config_secrecy {
    CONFIG_OPEN,
    CONFIG_PASSWORD, /* a URL that may hold a password, shown without it */
    CONFIG_SECRET    /* not from the command line or a file of settings, where
                        others could read it; shown as "(set)" */
};

struct setting {
    const char *name; /* kebab-case, as in flag and file */
    enum config_type type;
    enum config_secrecy secrecy;
    size_t offset;      /* in struct config */
    const char *preset; /* the default, as text; NULL: none */
    int64_t min, max;
    const char *words; /* "none|key|jwt|proxy" */
    const char *value; /* name of its value in the help; NULL: by the type */
    const char *group; /* heading in the help */
    const char *help;
};
extern const struct setting config_settings[];
extern const size_t config_settings_n;

/* A value as a source gives it.  FORM_LIST and FORM_UNQUOTED come from files
 * only; a text may hold a list with commas. */
struct config_value {
    enum config_form { FORM_TEXT, FORM_LIST, FORM_UNQUOTED } form;
    struct str text;         /* FORM_TEXT, FORM_UNQUOTED (12, true) */
    const struct str *items; /* FORM_LIST */
    size_t items_n;
};

/* Puts a value into the setting's field of *c.  The error says what the
 * setting takes, without its name. */
enum footnote_rc config_put(struct arena *a, const struct setting *s,
                            const struct config_value *v, struct config *c,
                            struct footnote_err *err);
/* Appends the value as a file of settings has it; secrets hidden. */
void config_print(struct buf *b, const struct setting *s,
                  const struct config *c);
void config_print_json(struct json_out *w, const struct setting *s,
                       const struct config *c);

/* The flag without its dashes: NAME, or NAME-file for a secret.  Static or in
 * `a`. */
struct str config_flag_name(struct arena *a, const struct setting *s);
/* A setting by its name; NULL when there is none. */
const struct setting *config_find_setting(struct str name);

/* ---- The small file (config/file.c) ---------------------------------------
 *
 *     # a comment
 *     listen = "127.0.0.1:8080"      text
 *     head-ms = 10000                unquoted: a number, true or false
 *     auth = ["key", "jwt"]          list of texts, may span lines
 *     [jwt]
 *     audience = "example"           is jwt-audience
 *     [[models]]                     an item of a list, each time
 *     name = "local"
 */
enum { CONFIG_FILE_BYTES_MAX = 256 * 1024 };
struct config_key {
    struct str list; /* "models"; absent outside of lists */
    size_t item;     /* its index in the list */
    struct str name; /* with its section's name, not the list's */
    int line;
};
typedef enum footnote_rc config_line_fn(void *arg, const struct config_key *key,
                                        const struct config_value *v,
                                        struct footnote_err *err);
/* Calls fn for each key in order.  Keys and values live in `a` or in `text`.
 * An error begins with the line's number. */
enum footnote_rc config_parse(struct arena *a, struct str text,
                              config_line_fn *fn, void *arg,
                              struct footnote_err *err);

/* Reads the whole file, NUL-terminated, into `a`. */
enum footnote_rc config_load(struct arena *a, const char *path,
                             size_t bytes_max, struct str *out,
                             struct footnote_err *err);
/* Reads a secret without its trailing line ends.  INVALID when other users can
 * read or write the file, unless it is mounted for us alone: see load.c. */
enum footnote_rc config_load_secret(struct arena *a, const char *path,
                                    struct str *out, struct footnote_err *err);

/* FOOTNOTE_JWT_SECRET_FILE for jwt-secret and _FILE.  In `a`. */
struct str config_env_name(struct arena *a, const char *name, const char *tail);
/* The value of a variable; absent when there is none. */
struct str config_env_get(char *const *env, struct str name);

/* What one [[models]] may have. */
struct config_model_field {
    const char *name;
    size_t offset; /* in struct config_model */
    bool is_switch;
};
extern const struct config_model_field config_model_fields[];
extern const size_t config_model_fields_n;

/* ---- The list of models (config/models.c) -------------------------------- */
struct config_models {
    struct config_model *items; /* CONFIG_MODELS_MAX, in the arena */
    size_t n;
};
/* Puts one value of one [[models]]. */
enum footnote_rc config_models_put(struct arena *a, struct config_models *m,
                                   const struct config_key *key,
                                   const struct config_value *v,
                                   struct footnote_err *err);
/* Append the list as a file has it, and as JSON; without keys. */
void config_models_print(struct buf *b, const struct config *c);
void config_models_print_json(struct json_out *w, const struct config *c);
/* Checks the items, fills in missing names and reads the keys, from files or
 * from variables. */
enum footnote_rc config_models_fill(struct arena *a, struct config_models *m,
                                    char *const *env, struct footnote_err *err);

/* ---- "Did you mean" --------------------------------------------------------
 *
 * The best candidate so far; begin with {.word = ...}. */
struct nearest {
    struct str word, best; /* best absent: nothing is near enough */
    size_t distance;
};
void nearest_try(struct nearest *n, struct str candidate);
/* " (did you mean PREFIXbest?)", or "" when nothing is near.  In `a`. */
const char *nearest_hint(struct arena *a, const struct nearest *n,
                         const char *prefix);

#endif
