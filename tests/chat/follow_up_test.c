/* follow_up_test.c - "Why?" is searched with the subject of its own branch. */
#include "contract.h"
#include "help/chat_site.h"
#include "store/document/document.h"

#define EXTRACTIVE ",'model':'extractive','limit':1"

static void add(struct chat_site *r, const char *id, const char *text)
{
    chat_site_add(r,
                  &(struct document){.id = str_c(id),
                                     .course = STR("cats"),
                                     .title = str_c(id),
                                     .kind = DOCUMENT_TEXT},
                  &(struct passage){.position = 1, .text = str_c(text)}, 1);
}

/* The first source of the answer to a question. */
static void check(struct chat_site *r, const char *question, const char *text,
                  const char *more, const char *want)
{
    struct json *v, *last = NULL;

    chat_site_ask_with(r, "s1", question, text, more);
    v = talk(&r->site, 200, "GET", "/api/sessions/s1/messages", NULL);
    for (struct json *m = json_get(v, STR("messages"))->first; m; m = m->next)
        last = m;
    CHECK_AT(&r->site, last, "sources.0.title", want);
}

CONTRACT(turn_follows_the_subject_of_its_own_branch)
{
    CHAT_SITE(r);

    add(&r, "pump", "A heat pump moves warmth. Its efficiency was measured.");
    add(&r, "lamp", "A lamp shines. The efficiency of a lamp was measured.");
    check(&r, "q1", "What is a lamp?", EXTRACTIVE, "'lamp'");
    check(&r, "q2", "What about its efficiency?", EXTRACTIVE, "'lamp'");
    /* The first question is edited: the lamp is on another branch. */
    check(&r, "q1", "What is a heat pump?", EXTRACTIVE ",'messageId':'q1'",
          "'pump'");
    check(&r, "q3", "What about its efficiency?", EXTRACTIVE, "'pump'");
    check(&r, "q4", "Why?", EXTRACTIVE, "'pump'");
    check(&r, "q5", "And its efficiency?",
          EXTRACTIVE ",'scope':{'documentIds':['lamp']}", "'lamp'");
}
