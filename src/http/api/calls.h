/* calls.h - what the handlers of the API share.
 *
 * A call that reads goes to a worker at once and does everything there.  A
 * call that writes reads its body on the loop, writes, and then goes to a
 * worker to read what it answers with: the stored thing, not the sent one. */
#ifndef HTTP_API_CALLS_H
#define HTTP_API_CALLS_H
#include "http/core/http.h"
#include "http/shape/intake.h"
#include "store/idempotency.h"
#include "store/session/course.h"

struct multipart;
struct store_op;

enum { REPLY_BYTES_MAX = 128 * 1024 * 1024 };

/* ---- The handlers ------------------------------------------------------- */

request_fn api_sessions_list, api_session_make, api_session_read,
    api_session_change, api_session_delete;    /* sessions.c */
request_fn api_references_list;                /* sessions.c */
request_fn api_images_list, api_object_follow; /* pictures.c */
request_fn api_snapshot_add;                   /* snapshots.c */
request_fn api_messages_list;                  /* history.c */
request_fn api_message_save, api_message_cite, api_message_change,
    api_sources_by_message, api_sources_clear;     /* messages.c */
request_fn api_feedback_put, api_feedback_delete;  /* feedback.c */
request_fn api_retrieval_add, api_retrievals_list; /* retrievals.c */
request_fn api_course_make, api_courses_list, api_course_read,
    api_course_change, api_course_delete;                       /* courses.c */
request_fn api_members_list, api_member_put, api_member_delete; /* members.c */
request_fn api_documents_list, api_document_read, api_document_delete,
    api_document_prune, api_document_citations, api_document_impact,
    api_course_stats; /* documents.c */
request_fn api_library, api_document_outline, api_document_change,
    api_document_retry;                            /* library.c */
request_fn api_document_add, api_document_replace; /* document_add.c */
request_fn api_document_download, api_document_media,
    api_document_transcript;                               /* files.c */
request_fn api_page_picture, api_page_words;               /* pages.c */
request_fn api_marks;                                      /* marks.c */
request_fn api_insights, api_insights_switch;              /* insights.c */
request_fn api_verify;                                     /* verify.c */
request_fn api_search;                                     /* search.c */
request_fn api_logins_list, api_login_revoke;              /* logins.c */
request_fn api_keys_list, api_key_make, api_key_revoke;    /* keys.c */
request_fn api_share_make, api_shares_list, api_share_end; /* shares.c */
request_fn shared_page, shared_picture, shared_file;       /* shared.c */
request_fn api_users_list;                                 /* users.c */
request_fn api_audit_list;                                 /* audit.c */
request_fn api_session_export, api_session_import;         /* export.c */

/* ---- Answers ------------------------------------------------------------ */

/* Tells what the store refused, with the field that its sentence begins with as
 * `where`.  `thing` names what was not found when the sentence does not. */
void call_failed(struct request *r, enum footnote_rc rc,
                 const struct footnote_err *err, const char *thing);
void call_no_memory(struct request *r);
/* Reads into the request's arena; answers and returns false when it fails. */
bool call_read(struct request *r, const struct store_op *kind, void *op,
               const char *thing);
/* After a DELETE: 204, or what the store refused. */
void call_deleted(struct request *r, const char *thing);
/* 403: it may be seen, and changed only by "its owner". */
void call_forbidden(struct request *r, const char *who);
/* After a write to the path's course that is for its owner: what the store
 * refused; 403 when the asker may read the course. */
void call_owner_failed(struct request *r);
/* The course is one that the asker may change: else 404 or 403, and false.
 * Waits. */
bool call_editor(struct request *r, struct str course);
/* A key that is for certain courses is not for the account: 403, and true. */
bool call_is_confined(struct request *r);
/* The handler's state; answers and returns NULL when there is no memory. */
void *call_state(struct request *r, size_t bytes);
/* The body by its table; answers and returns NULL when it is refused. */
struct json *call_body(struct request *r, const struct field *fields, size_t n,
                       void *out);
/* The same of a client that adds fields of its own: they are passed over. */
struct json *call_open_body(struct request *r, const struct field *fields,
                            size_t n, void *out);
/* What everybody may do in a course that the call makes by naming it: what its
 * courseShare says, else the setting.  Answers 400 and false for other words.
 */
bool call_course_share(struct request *r, struct str word,
                       enum member_role *out);
/* Answers with the problem of a failed intake. */
void call_refused(struct request *r, const struct intake *in);
/* For a body of multipart/form-data; answers and returns NULL when its
 * Content-Type is broken. */
struct multipart *call_form(struct request *r);
/* Location: `path` and the id, encoded. */
void call_location(struct request *r, struct str path, struct str id);

/* ---- Questions ---------------------------------------------------------- */

/* The path's parameter as an id.  What cannot be one is not found. */
bool call_param(struct request *r, size_t i, const char *thing,
                struct str *out);
/* The path's document, and ?courseId=, absent or an id. */
bool call_document(struct request *r, struct str *id, struct str *course);
/* call_param() for DELETE: nothing has an id that cannot be one, so that is
 * gone already, and answered. */
bool call_gone_param(struct request *r, struct str *out);
/* ?name= is one of the words, which end with NULL: its index, or -1 when it is
 * absent.  Answers 400 and false else. */
bool call_word(struct request *r, struct str name, const char *const *words,
               int *out);
/* ?name= is a number of min to max; *out stays as it is when it is absent.
 * Answers 400 and false else. */
bool call_number(struct request *r, struct str name, int64_t min, int64_t max,
                 int64_t *out);

/* What links begin with: the operator's URL, else the host that was asked. */
struct str call_public_url(struct request *r);

/* ---- Writes that may be repeated (idempotency.c) ------------------------ */

/* Begins the state of every POST. */
struct keyed {
    struct keyed_write write;
    bool has_key;
    const char *result; /* the id that the operation makes */
};
/* Runs the operation, under the request's Idempotency-Key when it has one.
 * `result` is a text in `op`; `scope` the session, or "". */
void keyed_write(struct request *r, struct keyed *k, struct str scope,
                 const struct store_op *kind, void *op, request_fn *then);
/* The id that was made, now or the first time. */
struct str keyed_result(const struct keyed *k);
/* 201, or 200 with Idempotent-Replayed; `made` is the operation's. */
int keyed_status(struct request *r, const struct keyed *k, bool made);

#define FIELDS_N(fields) (sizeof(fields) / sizeof((fields)[0]))
#define FIELD_NAME(camel)                                                      \
    {                                                                          \
        "" camel, sizeof(camel) - 1                                            \
    }

#endif
