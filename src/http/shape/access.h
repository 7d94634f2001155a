/* access.h - keys, logins and the audit as JSON.  Any thread. */
#ifndef HTTP_SHAPE_ACCESS_H
#define HTTP_SHAPE_ACCESS_H
#include "base/json.h"

struct access_key;
struct audit_row;
struct login;

/* The members of a key's object, without its braces. */
void shape_key_fields(struct json_out *w, const struct access_key *k);
/* `current`: it is the asker's own. */
void shape_login(struct json_out *w, const struct login *l, bool current);
void shape_audit(struct json_out *w, const struct audit_row *u);

struct share;
void shape_share_fields(struct json_out *w, const struct share *s);

#endif
