/* shares_call.c - answers to who has too much under way, or keeps too much. */
#include <stdio.h>

#include "http/call/caller.h"
#include "http/call/shares.h"

void call_over(struct request *r, const char *text, int wait_s)
{
    char wait[16];

    snprintf(wait, sizeof(wait), "%d", wait_s);
    reply_header(r, STR("Retry-After"), str_c(wait));
    reply_problem(r, &(struct problem){.status = 429,
                                       .code = STR("quota_exceeded"),
                                       .text = str_c(text)});
}

struct share_holder *call_share(struct request *r, enum share kind)
{
    struct shares *s = services(r)->shares;
    struct share_holder *h;
    bool over;

    h = share_take(s, caller(r)->who, kind, &over);
    if (over)
        call_over(r,
                  kind == SHARE_STREAMS
                      ? "Too many streams are open: close one, or wait until "
                        "one ends"
                      : "Too many uploads are under way: wait until one ends",
                  1);
    else if (!h)
        reply_rc(r, FOOTNOTE_NOMEM, &(struct footnote_err){.text = ""}, NULL);
    return h;
}

void call_count_refusal(struct request *r, enum footnote_rc rc,
                        const struct footnote_err *err)
{
    struct shares *s = services(r)->shares;

    if (rc == FOOTNOTE_FULL)
        shares_refused(s, REFUSED_DISK);
    for (int i = REFUSED_BYTES; rc == FOOTNOTE_QUOTA && i <= REFUSED_SESSIONS;
         i++)
        if (strcmp(err->field, refusal_name((enum refusal)i)) == 0)
            shares_refused(s, (enum refusal)i);
}
