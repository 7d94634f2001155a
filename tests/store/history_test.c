/* history_test.c - whole histories: what they were true at, and sources that
 * are asked for ahead. */
#include "store/read/history.h"
#include "store/session/message.h"
#include "store_help.h"

STORED(a_history_tells_the_versions_it_is_true_at)
{
    struct version_ask now = {.who = ANN, .versions.session = STR("s")};
    struct history h;

    say(ANN, "s", "m1", FOOTNOTE_USER, "What is entropy?");
    h = history_of(ANN, "s");
    store_versions(st, &now, 1, true);
    CHECK_OK(now.rc, &now.err);
    CHECK_INT(h.versions.session_version, now.versions.session_version);
    CHECK_INT(h.versions.course_version, now.versions.course_version);
    CHECK_INT(h.versions.docs_version, now.versions.docs_version);
    say(ANN, "s", "m2", FOOTNOTE_USER, "And enthalpy?");
    CHECK(history_of(ANN, "s").versions.session_version >
          now.versions.session_version);
}

/* More sources than are asked for at once, some of them twice, and none of
 * them in the cache. */
enum { ANSWERS = 30, SOURCES = 7 };

static void make_answer(size_t i)
{
    char id[32], previews[SOURCES][32];
    struct reference refs[SOURCES];

    for (size_t k = 0; k < SOURCES; k++) {
        size_t n = i * (SOURCES - 1) + k;

        snprintf(previews[k], sizeof(previews[k]), "Slide number %zu.", n);
        refs[k] = slide("deck", (int64_t)n + 1, previews[k]);
    }
    snprintf(id, sizeof(id), "a%zu", i);
    answer(ANN, "s", id, "So [1] and so [7].", refs, SOURCES);
}

STORED(sources_that_are_not_cached_come_in_their_places)
{
    struct history h;

    for (size_t i = 0; i < ANSWERS; i++)
        make_answer(i);
    help_reopen();
    h = history_of(ANN, "s");
    CHECK_INT(h.messages_n, ANSWERS);
    for (size_t i = 0; i < ANSWERS; i++) {
        CHECK_INT(h.messages[i].sources_n, SOURCES);
        for (size_t k = 0; k < SOURCES; k++) {
            char want[32];

            snprintf(want, sizeof(want), "Slide number %zu.",
                     i * (SOURCES - 1) + k);
            CHECK_TEXT(h.messages[i].sources[k].source.preview, str_c(want));
        }
    }
}
