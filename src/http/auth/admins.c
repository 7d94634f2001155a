/* admins.c - admins by name and by claim. */
#include "http/auth/admins.h"

#include "base/json.h"
#include "http/token/jwt.h"

bool admins_have(const struct config *c, struct who who)
{
    struct str left = c->admin_users, item;

    if (!str_eq(who.tenant, STR("default")))
        return false;
    while (config_next_item(&left, &item))
        if (str_eq(item, who.user))
            return true;
    return false;
}

bool admins_claim(const struct config *c, const struct json *claims)
{
    struct str name, value;

    return c->admin_claim.p &&
           config_claim_value(c->admin_claim, &name, &value) &&
           claim_has(json_get(claims, name), value);
}
