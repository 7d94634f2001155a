/* import.c - one import, from its source to its last session. */
#include "import/import.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
#include "import/kind.h"
#include "import/load.h"
#include "import/staged.h"
#include "import/users.h"
#include "import/write.h"

enum { NOTE_BYTES = 300, WHERE_BYTES = 600, ID_CHARS = 100 };

static const struct import_kind *const kinds[] = {
    &import_v1,      &import_v2,     &import_state,
    &import_journal, &import_events, &import_ui};

static const struct import_kind *kind_of(struct str name)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (str_eq(str_c(kinds[i]->name), name))
            return kinds[i];
    return NULL;
}

bool import_kind_exists(struct str name)
{
    return kind_of(name) != NULL;
}

const char *import_kinds(void)
{
    static const char names[] = "v1, v2, state, journal, events or ui";

    return names;
}

/* ---- What is told -------------------------------------------------------- */

static void print_where(char out[WHERE_BYTES], const struct row *row)
{
    int n = snprintf(out, WHERE_BYTES, "%s:%lld", row->table->names.item[0],
                     (long long)row->line);

    if (row->id.p)
        snprintf(out + n, (size_t)(WHERE_BYTES - n), " (id %.*s)",
                 STR_ARG(utf8_cut(row->id, ID_CHARS)));
}

/* What was cut is no half character. */
static struct str whole(const char *text)
{
    struct str s = str_c(text);

    s.n = utf8_whole(s);
    return s;
}

static void tell(struct import *im, enum import_note kind, const char *where,
                 const char *text)
{
    if (kind == IMPORT_LEFT_OUT)
        im->counts->left_out++;
    else
        im->counts->changed++;
    im->o->note(im->o->arg, kind, whole(where), whole(text));
}

void import_note(struct import *im, enum import_note kind,
                 const struct row *row, const char *format, ...)
{
    char text[NOTE_BYTES], where[WHERE_BYTES];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    print_where(where, row);
    tell(im, kind, where, text);
}

enum footnote_rc row_refuse(struct import *im, const struct row *row,
                            struct footnote_err *err, const char *format, ...)
{
    char text[NOTE_BYTES], where[WHERE_BYTES];
    va_list args;

    (void)im;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    print_where(where, row);
    return err_set(err, FOOTNOTE_INVALID, "%s: %s", where, text);
}

/* ---- Sessions ------------------------------------------------------------ */

/* Whether a failure is about the session, and the next may do better. */
static bool is_of_session(enum footnote_rc rc)
{
    switch (rc) {
    case FOOTNOTE_INVALID:
    case FOOTNOTE_NOTFOUND:
    case FOOTNOTE_CONFLICT:
    case FOOTNOTE_NUMBER:
    case FOOTNOTE_TOOBIG:
    case FOOTNOTE_QUOTA:
    case FOOTNOTE_RUNNING: return true;
    case FOOTNOTE_OK:
    case FOOTNOTE_ENDED:
    case FOOTNOTE_REUSED:
    case FOOTNOTE_DAMAGED:
    case FOOTNOTE_FOREIGN:
    case FOOTNOTE_UNSURE:
    case FOOTNOTE_INTERNAL:
    case FOOTNOTE_BUSY:
    case FOOTNOTE_READONLY:
    case FOOTNOTE_NOMEM:
    case FOOTNOTE_FULL:
    case FOOTNOTE_RC_N: break;
    }
    return false;
}

/* It began with its first message and ended with its last, if nothing is said.
 */
static void fill_times(struct import_session *s)
{
    for (size_t i = 0; i < s->messages_n; i++) {
        int64_t ms = s->messages[i].m.created_ms;

        if (ms && !s->created_ms)
            s->created_ms = ms;
        if (ms > s->active_ms)
            s->active_ms = ms;
    }
}

static enum footnote_rc one_session(struct import *im, struct str key,
                                    struct footnote_err *err)
{
    struct import_session s = {.id = key};
    struct import_session_done done;
    struct str user;

    TRY(im->kind->read(im, key, &s, err));
    if (s.messages_n == 0 && !s.is_there)
        return FOOTNOTE_OK; /* nothing of it can be placed: that was noted */
    fill_times(&s);
    if (im->o->course.p)
        s.course = im->o->course;
    TRY(users_find(im, s.user, &user, err));
    TRY(write_session(im, &s, user, &done, err));
    im->o->session(im->o->arg, &done);
    return FOOTNOTE_OK;
}

static enum footnote_rc all_sessions(struct import *im,
                                     struct footnote_err *err)
{
    int64_t n = 0;

    TRY(staged_count(im->staged, &im->counts->sessions_in_source, err));
    for (;;) {
        char where[WHERE_BYTES];
        struct footnote_err why;
        enum footnote_rc rc;
        struct str key;

        arena_reset(&im->a);
        TRY(staged_next_session(im->staged, &im->a, &n, &key, err));
        if (!key.p)
            return FOOTNOTE_OK;
        rc = one_session(im, key, &why);
        snprintf(where, sizeof(where), "session %.*s", STR_ARG(key));
        if (rc == FOOTNOTE_OK)
            continue;
        if (is_of_session(rc)) {
            tell(im, IMPORT_LEFT_OUT, where, why.text);
            continue;
        }
        if (err)
            *err = why;
        err_prefix(err, "%.80s", where);
        return rc;
    }
}

static enum footnote_rc run(struct import *im, struct footnote_err *err)
{
    TRY(staged_open(im->o->scratch, &im->staged, err));
    TRY(users_load(im, err));
    TRY(load_all(im, err));
    TRY(all_sessions(im, err));
    return im->kind->strays ? im->kind->strays(im, err) : FOOTNOTE_OK;
}

enum footnote_rc import_run(const struct import_options *o,
                            struct import_counts *counts,
                            struct footnote_err *err)
{
    struct import im = {.o = o,
                        .kind = kind_of(str_c(o->kind)),
                        .counts = counts,
                        .a = ARENA(IMPORT_SESSION_BYTES_MAX)};
    enum footnote_rc rc;

    *counts = (struct import_counts){.sessions = 0};
    if (!im.kind)
        return err_set(err, FOOTNOTE_INVALID, "the kind is %s", import_kinds());
    rc = run(&im, err);
    staged_close(im.staged);
    arena_free(&im.a);
    return rc;
}
