/* import.c - one import, from its source to its last session. */
#include "import/import.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
#include "import/flight.h"
#include "import/kind.h"
#include "import/load.h"
#include "import/staged.h"
#include "import/users.h"

enum { NOTE_BYTES = 300, WHERE_BYTES = 600, ID_CHARS = 100 };

static const struct import_kind *const kinds[] = {
    &import_v1,        &import_v2,   &import_state,     &import_journal,
    &import_events,    &import_ui,   &import_openwebui, &import_anythingllm,
    &import_librechat, &import_onyx, &import_chatgpt,   &import_footnote};

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
    static const char names[] = "v1, v2, state, journal, events, ui, "
                                "openwebui, anythingllm, librechat, onyx, "
                                "chatgpt or footnote";

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

void import_tell(struct import *im, enum import_note kind, const char *where,
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
    import_tell(im, kind, where, text);
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

void session_left_out(struct import *im, struct str key,
                      const struct footnote_err *why)
{
    char where[WHERE_BYTES];

    snprintf(where, sizeof(where), "session %.*s", STR_ARG(key));
    import_tell(im, IMPORT_LEFT_OUT, where, why->text);
}

/* ---- Sessions ------------------------------------------------------------ */

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

/* FOOTNOTE_OK as well when nothing of it is to be stored. */
static enum footnote_rc one_session(struct import *im, struct flight *f,
                                    struct str key, struct footnote_err *err)
{
    struct import_session s = {.id = key};
    struct str user;

    TRY(im->kind->read(im, key, &s, err));
    if (s.messages_n == 0 && !s.is_there)
        return FOOTNOTE_OK; /* nothing of it can be placed: that was noted */
    fill_times(&s);
    if (im->o->course.p)
        s.course = im->o->course;
    TRY(users_find(im, s.user, &user, err));
    return flight_start(f, &s, user, err);
}

static enum footnote_rc fly(struct import *im, struct flight *f,
                            struct footnote_err *err)
{
    int64_t n = 0;

    for (;;) {
        struct footnote_err why;
        enum footnote_rc rc;
        struct str key;

        TRY(flight_seat(f, err));
        TRY(staged_next_session(im->staged, im->a, &n, &key, err));
        if (!key.p)
            return flight_land(f, err);
        rc = one_session(im, f, key, &why);
        if (is_of_session(rc)) {
            session_left_out(im, key, &why);
        } else if (rc != FOOTNOTE_OK) {
            if (err)
                *err = why;
            err_prefix(err, "session %.*s", STR_ARG(utf8_cut(key, 80)));
            return rc;
        }
    }
}

static enum footnote_rc all_sessions(struct import *im,
                                     struct footnote_err *err)
{
    struct flight *f = NULL;
    enum footnote_rc rc;

    TRY(staged_count(im->staged, &im->counts->sessions_in_source, err));
    TRY(flight_open(im, &f, err));
    rc = fly(im, f, err);
    flight_close(f);
    return rc;
}

static enum footnote_rc run(struct import *im, struct footnote_err *err)
{
    struct arena *a = im->a;

    TRY(staged_open(im->o->scratch, &im->staged, err));
    TRY(users_load(im, err));
    if (!im->kind->read)
        return im->kind->strays(im, err);
    TRY(load_all(im, err));
    TRY(all_sessions(im, err));
    im->a = a;
    arena_reset(a);
    return im->kind->strays ? im->kind->strays(im, err) : FOOTNOTE_OK;
}

enum footnote_rc import_run(const struct import_options *o,
                            struct import_counts *counts,
                            struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(IMPORT_SESSION_BYTES_MAX);
    struct import im = {
        .o = o, .kind = kind_of(str_c(o->kind)), .counts = counts, .a = &a};
    enum footnote_rc rc;

    *counts = (struct import_counts){.sessions = 0};
    if (!im.kind)
        return err_set(err, FOOTNOTE_INVALID, "the kind is %s", import_kinds());
    rc = run(&im, err);
    staged_close(im.staged);
    return rc;
}
