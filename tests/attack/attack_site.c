/* attack_site.c - a hostile account and another user on one server. */
#include "attack_site.h"

#include <pthread.h>

/* ---- The site ----------------------------------------------------------- */

static const char *header_of(struct attack_site *a, struct str user)
{
    struct who who = {STR("default"), user};

    return arena_printf(&a->site.arena, "Authorization: Bearer %.*s",
                        STR_ARG(site_key_of(&a->site, who)))
        .p;
}

void attack_site_open(struct attack_site *a)
{
    a->site.keys_only = true;
    site_open(&a->site);
    a->mallory = header_of(a, STR("mallory"));
    a->bo = header_of(a, STR("bo"));
}

void attack_site_close(struct attack_site *a)
{
    hold_release();
    site_close(&a->site);
}

void attack_send(struct attack_site *a, struct client *c, const char *method,
                 const char *path, const char *header, struct str body)
{
    struct str head = arena_printf(
        &a->site.arena,
        "%s %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n%s%s"
        "Content-Length: %zu\r\n\r\n",
        method, path, a->mallory,
        header[0] ? "" : "Content-Type: application/json\r\n", header, body.n);

    client_open(c, a->site.served.port);
    client_send(c, head);
    client_send(c, body);
}

void other_user_goes_on(struct attack_site *a)
{
    struct arena *arena = &a->site.arena;
    const char *path =
        arena_printf(arena, "/api/sessions/calm-%u/messages", a->saved++).p;

    talk_with(&a->site, a->bo, 201, "POST", path,
              "{'role':'assistant','content':'Calm [1].','sources':[{"
              "'sourceType':'slide','documentId':'d','slideNumber':1,"
              "'contentPreview':'All is calm.'}]}");
    talk_with(&a->site, a->bo, 200, "GET", path, NULL);
    talk_with(&a->site, a->bo, 200, "GET", "/api/me", NULL);
}

/* ---- A function that waits ---------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool holds;
static int held;

void hold_next(void)
{
    pthread_mutex_lock(&lock);
    holds = true;
    pthread_mutex_unlock(&lock);
}

void hold_here(void)
{
    pthread_mutex_lock(&lock);
    held++;
    pthread_cond_broadcast(&changed);
    while (holds)
        pthread_cond_wait(&changed, &lock);
    held--;
    pthread_mutex_unlock(&lock);
}

static bool is_held(void)
{
    pthread_mutex_lock(&lock);
    bool is = holds && held > 0;
    pthread_mutex_unlock(&lock);
    return is;
}

void hold_await(void)
{
    WAIT_UNTIL(is_held());
}

void hold_release(void)
{
    pthread_mutex_lock(&lock);
    holds = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
