/* counting_test.c - a session whose answers name thousands of documents: what
 * counting them costs grows as they do, and not faster. */
#include "attack_site.h"
#include "contract.h"

enum { MESSAGES = 10, SOURCES_EACH = 200, SOURCES = MESSAGES * SOURCES_EACH };

__typeof__(str_eq) __real_str_eq, __wrap_str_eq;
static _Atomic int compared;

bool __wrap_str_eq(struct str a, struct str b)
{
    compared++;
    return __real_str_eq(a, b);
}

static void name_many(struct attack_site *a)
{
    for (int m = 0; m < MESSAGES; m++) {
        AUTO(buf_free) struct buf b = BUF(256 * 1024);

        buf_add(&b, STR("{'role':'assistant','content':'So [1].','sources':["));
        for (int i = 0; i < SOURCES_EACH; i++)
            buf_printf(&b,
                       "%s{'sourceType':'slide','documentId':'d%d',"
                       "'slideNumber':1}",
                       i ? "," : "", m * SOURCES_EACH + i);
        buf_add(&b, STR("]}"));
        talk_with(&a->site, a->mallory, 201, "POST", "/api/sessions/m/messages",
                  arena_str(&a->site.arena, buf_str(&b)).p);
    }
}

CONTRACT(attack_references_to_many_documents)
{
    ATTACK_SITE(a);
    struct json *v;

    name_many(&a);
    compared = 0;
    v = talk_with(&a.site, a.mallory, 200, "GET",
                  "/api/sessions/m/references?limit=1", NULL);
    CHECK(compared < 20 * SOURCES);
    CHECK_AT(&a.site, v, "references.0.count", "1");
    CHECK_AT(&a.site, v, "references.0.cited", "1");
}
