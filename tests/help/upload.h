/* upload.h - documents sent to a site, as browsers and programs do it. */
#ifndef UPLOAD_H
#define UPLOAD_H
#include "store/document/document.h"
#include "talk.h"

/* A part of a form; filename NULL: a plain field. */
struct upload_part {
    const char *name, *filename, *body;
};
#define UPLOAD_TYPE "multipart/form-data; boundary=BoUnDaRy"
/* The parts up to one without a name, as a body; in s->arena. */
struct str upload_form(struct site *s, const struct upload_part *parts);

/* POST of a form (or PUT) to the path; the answer as JSON.  `header` may be
 * NULL. */
struct json *upload_to(struct site *s, const char *header, int status,
                       const char *method, const char *path,
                       const struct upload_part *parts);
/* POST of a file with ?filename= to course c. */
struct json *upload_bytes(struct site *s, int status, const char *query,
                          struct str bytes);
/* The course c of the user without a key, and its document d: a PDF that
 * nobody has read in yet. */
void upload_course(struct site *s);
#define UPLOAD_PDF "%PDF-1.4 not much of one"

/* What a worker would say of it. */
void upload_status(struct site *s, const char *document,
                   enum document_status status);
/* Objects and parts of such that lie in the site's folder. */
int upload_objects(void);
void upload_await_objects(int n);

#endif
