/* admins.h - who is an admin without an admin's key.  Any thread. */
#ifndef HTTP_AUTH_ADMINS_H
#define HTTP_AUTH_ADMINS_H
#include "config/config.h"
#include "store/store.h"

struct json;

/* Whether --admin-users names them: users of the tenant `default`. */
bool admins_have(const struct config *c, struct who who);
/* Whether the claim of --admin-claim is its value, or a list that has it. */
bool admins_claim(const struct config *c, const struct json *claims);

#endif
