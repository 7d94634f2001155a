/* judges.c - a few judges wait for the next call: each has learnt stems. */
#include "store/source/judges.h"

#include <pthread.h>
#include <stdlib.h>

enum { KEPT_MAX = 8 };

struct judges {
    pthread_mutex_t lock;
    struct judge *kept[KEPT_MAX];
    size_t n;
};

enum footnote_rc judges_open(struct judges **out, struct footnote_err *err)
{
    struct judges *j = calloc(1, sizeof(*j));

    *out = j;
    if (!j)
        return err_set(err, FOOTNOTE_NOMEM, "opening the judges");
    pthread_mutex_init(&j->lock, NULL);
    return FOOTNOTE_OK;
}

void judges_close(struct judges *j)
{
    if (!j)
        return;
    while (j->n)
        judge_close(j->kept[--j->n]);
    pthread_mutex_destroy(&j->lock);
    free(j);
}

enum footnote_rc judges_take(struct judges *j, struct judge **out,
                             struct footnote_err *err)
{
    *out = NULL;
    pthread_mutex_lock(&j->lock);
    if (j->n)
        *out = j->kept[--j->n];
    pthread_mutex_unlock(&j->lock);
    return *out ? FOOTNOTE_OK : judge_open(out, err);
}

void judges_give(struct judges *j, struct judge *judge)
{
    pthread_mutex_lock(&j->lock);
    if (judge && j->n < KEPT_MAX) {
        j->kept[j->n++] = judge;
        judge = NULL;
    }
    pthread_mutex_unlock(&j->lock);
    judge_close(judge);
}
