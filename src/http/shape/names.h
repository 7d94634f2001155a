/* names.h - the words of the API for the enums of the store.  Any thread. */
#ifndef HTTP_SHAPE_NAMES_H
#define HTTP_SHAPE_NAMES_H
#include "cite/judge/judge.h"
#include "store/document/document.h"
#include "store/document/kind.h"
#include "store/session/course.h"
#include "store/session/feedback.h"

struct str role_name(enum footnote_role role);
struct str role_type(enum footnote_role role); /* in the state of a graph */
struct str status_name(enum footnote_status status);
struct str state_name(enum footnote_state state);
struct str member_role_name(enum member_role role);

struct str feedback_name(enum feedback_rating rating);
bool feedback_parse(struct str name, enum feedback_rating *out);
struct str verdict_name(enum verdict_kind kind);
struct str reason_name(enum verdict_reason reason); /* absent: there is none */

struct str page_layout_name(enum page_layout layout); /* may be absent */
struct str document_status_name(enum document_status status);
struct str progress_unit_name(enum progress_unit unit);

/* False when the word is none of them; *out is untouched then. */
bool role_parse(struct str word, enum footnote_role *out); /* or its type */
bool status_parse(struct str word, enum footnote_status *out);
/* reader or editor: what a member can be made. */
bool member_role_parse(struct str word, enum member_role *out);
bool document_status_parse(struct str word, enum document_status *out);

#endif
