/* thread_words.c - a question in its thread: "Why?" is about what was asked
 * before, and people seldom change the subject.  So the words of the nearest
 * question that names its subject count as well, with less weight, even for one
 * that could stand by itself: on mtragun-show that is worth four points. */
#include "base/utf8.h"
#include "language/follow_up.h"
#include "retrieve/search/search.h"

struct str query_cut(struct str question)
{
    if (question.n <= RETRIEVE_QUERY_BYTES)
        return question;
    question.n = RETRIEVE_QUERY_BYTES;
    question.n = utf8_whole(question);
    return question;
}

/* Adds the nearest of the questions before `end` that names what it is about
 * itself; if there is none, the nearest that has words at all. */
static enum footnote_rc add_subject(struct query *q, const struct search *s,
                                    size_t end, struct footnote_err *err)
{
    size_t found = 0; /* one more than its index */

    for (size_t i = end; i > 0; i--) {
        struct str text = query_cut(s->earlier[i - 1]);
        enum follow_up kind;

        if (!utf8_valid(text))
            continue;
        kind = follow_up_of(q->analyser, text);
        if (kind == FOLLOWS_BY_WORD && !found)
            found = i;
        if (kind != STANDS_ALONE && kind != FOLLOWS_AS_FRAGMENT)
            continue;
        found = i;
        break;
    }
    return found
               ? query_add_text(q, query_cut(s->earlier[found - 1]), true, err)
               : FOOTNOTE_OK;
}

/* "Why?" asks the question before once more: that is then the question, and
 * may itself follow another. */
static size_t nearest_with_words(struct query *q, const struct search *s)
{
    for (size_t i = s->earlier_n; i > 0; i--) {
        struct str text = query_cut(s->earlier[i - 1]);

        if (utf8_valid(text) &&
            follow_up_of(q->analyser, text) != FOLLOWS_EMPTY)
            return i;
    }
    return 0;
}

enum footnote_rc query_add_thread(struct query *q, const struct search *s,
                                  struct footnote_err *err)
{
    struct str question = query_cut(s->query);
    size_t end = s->earlier_n;

    if (follow_up_of(q->analyser, question) == FOLLOWS_EMPTY) {
        size_t nearest = nearest_with_words(q, s);

        if (nearest > 0) {
            end = nearest - 1;
            question = query_cut(s->earlier[end]);
        }
    }
    TRY(query_add_text(q, question, false, err));
    return add_subject(q, s, end, err);
}
