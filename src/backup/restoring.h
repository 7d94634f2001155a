/* restoring.h - what the files of a restore share. */
#ifndef BACKUP_RESTORING_H
#define BACKUP_RESTORING_H
#include "backup/backup.h"
#include "db/db.h"

struct restoring {
    const struct restore_options *o;
    struct restored *out;
    struct place *place;
    struct objects *objects;   /* NULL: verifying */
    char path[PATH_MAX + 64];  /* of the copied database */
    char url[PATH_MAX + 96];   /* of the same */
    char final[PATH_MAX + 32]; /* where it belongs; "": no file */
    char note[PATH_MAX + 32];  /* the note; "": verifying */
    bool again;                /* goes on with one that was cut off */
};

/* A connection with the statements of backups; db_close(). */
enum footnote_rc restoring_open_database(const char *url, enum db_mode mode,
                                         struct db **out,
                                         struct footnote_err *err);

/* ---- empty_place.c ------------------------------------------------------ */

/* Sets path, final and note. */
enum footnote_rc restoring_name_paths(struct restoring *r,
                                      struct footnote_err *err);
/* CONFLICT unless nothing is there, or only what a restore of the same backup
 * left that was cut off: then r->again is set. */
enum footnote_rc restoring_check_empty(struct restoring *r,
                                       struct footnote_err *err);
/* From now on the place is not empty: it has a note which backup it is to be.
 */
enum footnote_rc restoring_write_note(const struct restoring *r,
                                      struct footnote_err *err);

#endif
