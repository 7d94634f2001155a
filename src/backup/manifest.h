/* manifest.h - what a backup says of itself: NAME/manifest.json.  One thread.
 */
#ifndef BACKUP_MANIFEST_H
#define BACKUP_MANIFEST_H
#include "backup/place.h"
#include "store/identity.h"

enum { MANIFEST_FORMAT = 1 };

/* How much there is of everything, in the moment of the backup. */
struct backup_counts {
    int64_t sessions, messages, answers, citations, documents;
    int64_t files, file_bytes; /* by digest, each once */
    int64_t missing;           /* files that were damaged or gone already */
};

struct manifest {
    char name[PLACE_NAME_BYTES + 1];
    char store[STORE_IDENTITY_BYTES + 1]; /* whose backup it is */
    int64_t format, schema, created_ms;
    struct backup_counts counts;
    struct object database, list; /* footnote.db and files.txt; without keys */
};

/* Sets name and created_ms: now. */
void manifest_begin(struct manifest *m);
enum footnote_rc manifest_write(const struct manifest *m, struct place *p,
                                struct footnote_err *err);
/* NOTFOUND: there is no backup of that name, or it was not finished.  FOREIGN:
 * a newer program made it.  DAMAGED: it is no manifest. */
enum footnote_rc manifest_read(struct place *p, const char *name,
                               struct manifest *out, struct footnote_err *err);

/* Length and digest of a file. */
enum footnote_rc manifest_measure(int fd, struct object *out,
                                  struct footnote_err *err);

#endif
