/* check.h - what the checks of values share. */
#ifndef CONFIG_CHECK_H
#define CONFIG_CHECK_H
#include "config/config.h"

/* check_auth.c: whether each mode of --auth has what it needs. */
enum footnote_rc config_check_auth(const struct config *c,
                                   struct footnote_err *err);

/* http(s)://HOST[:PORT][/PATH], without user, query and fragment. */
bool config_is_base_url(struct str s);
/* The host of a URL, without its port and brackets. */
struct str config_url_host(struct str url);

#endif
