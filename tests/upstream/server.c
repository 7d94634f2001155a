/* server.c - the scripted server: a thread that listens, one per connection.
 *
 * A script is a sequence, and a thread can simply play it in order; there are
 * never more connections than a test has calls. */
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "upstream/inner.h"

enum { SCRIPT_BYTES_MAX = 1024 * 1024, BACKLOG = 512 };

/* ---- Gates -----------------------------------------------------------------
 */

/* Under the lock. */
static struct gate *gate_find(struct upstream *u, const char *name)
{
    struct gate *g = u->gates;

    while (g && strcmp(g->name, name) != 0)
        g = g->next;
    if (g)
        return g;
    g = upstream_alloc(NULL, sizeof(*g));
    *g = (struct gate){.name = strdup(name), .next = u->gates};
    u->gates = g;
    return g;
}

static bool has_left(const struct client *c)
{
    struct pollfd fd = {.fd = c->fd, .events = POLLRDHUP};

    return poll(&fd, 1, 0) > 0;
}

/* Nothing wakes us when a client leaves, so look now and then: what stands at
 * a gate for nobody would take the place of another. */
static void wait_a_little(struct upstream *u)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20L * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&u->changed, &u->lock, &until);
}

bool gate_wait(struct client *c, const char *name)
{
    struct upstream *u = c->u;
    struct gate *g;
    bool left = false, passed;

    pthread_mutex_lock(&u->lock);
    g = gate_find(u, name);
    g->waiting++;
    pthread_cond_broadcast(&u->changed);
    while (!g->passes && !u->stopping && !(left = has_left(c)))
        wait_a_little(u);
    g->waiting--;
    passed = !left && !u->stopping;
    g->passes -= passed;
    pthread_mutex_unlock(&u->lock);
    return passed;
}

void upstream_pass(struct upstream *u, const char *gate)
{
    pthread_mutex_lock(&u->lock);
    gate_find(u, gate)->passes++;
    pthread_cond_broadcast(&u->changed);
    pthread_mutex_unlock(&u->lock);
}

void upstream_await(struct upstream *u, const char *gate)
{
    pthread_mutex_lock(&u->lock);
    while (!gate_find(u, gate)->waiting && !u->stopping)
        pthread_cond_wait(&u->changed, &u->lock);
    pthread_mutex_unlock(&u->lock);
}

bool upstream_stands(struct upstream *u, const char *gate)
{
    bool stands;

    pthread_mutex_lock(&u->lock);
    stands = gate_find(u, gate)->waiting > 0;
    pthread_mutex_unlock(&u->lock);
    return stands;
}

/* ---- What was asked --------------------------------------------------------
 */

uint64_t upstream_sent(struct upstream *u)
{
    return u->sent;
}

static size_t get(struct upstream *u, const size_t *field)
{
    size_t n;

    pthread_mutex_lock(&u->lock);
    n = *field;
    pthread_mutex_unlock(&u->lock);
    return n;
}

size_t upstream_left(struct upstream *u)
{
    return get(u, &u->left);
}

size_t upstream_connections(struct upstream *u)
{
    return get(u, &u->connections);
}

size_t upstream_asked(struct upstream *u)
{
    return get(u, &u->asked_n);
}

struct upstream_request upstream_request(struct upstream *u, size_t i)
{
    struct upstream_request r;

    pthread_mutex_lock(&u->lock);
    if (i >= u->asked_n)
        upstream_die("request %zu was never made", i);
    r.head = (struct str){u->asked[i].head, u->asked[i].head_n};
    r.body = (struct str){u->asked[i].body, u->asked[i].body_n};
    pthread_mutex_unlock(&u->lock);
    return r;
}

static void keep(struct upstream *u, const struct asked *a)
{
    pthread_mutex_lock(&u->lock);
    u->asked = upstream_alloc(u->asked, (u->asked_n + 1) * sizeof(*u->asked));
    u->asked[u->asked_n++] = *a;
    pthread_mutex_unlock(&u->lock);
}

/* ---- Connections -----------------------------------------------------------
 */

static bool serve(struct client *c)
{
    struct asked a;
    bool received = request_receive(c, &a);
    const struct scene *scene;

    if (!received || request_control(c, &a)) {
        free(a.head);
        free(a.body);
        return received;
    }
    keep(c->u, &a);
    scene = request_scene(c->u, &a);
    if (scene)
        return play(c, scene);
    send_all(c->fd,
             STR("HTTP/1.1 404 Not Found\r\ncontent-length: 45\r\n\r\n"
                 "{\"error\":{\"message\":\"no script of that name\"}}"));
    return false;
}

static void *run_client(void *arg)
{
    struct client *c = arg;

    while (serve(c))
        ;
    pthread_mutex_lock(&c->u->lock);
    close(c->fd);
    c->gone = true;
    pthread_mutex_unlock(&c->u->lock);
    return NULL;
}

static void begin_client(struct upstream *u, int fd)
{
    struct client *c = upstream_alloc(NULL, sizeof(*c));
    int on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    *c = (struct client){.u = u, .fd = fd};
    pthread_mutex_lock(&u->lock);
    c->next = u->clients;
    u->clients = c;
    u->connections++;
    if (pthread_create(&c->thread, NULL, run_client, c) != 0)
        upstream_die("no thread");
    pthread_mutex_unlock(&u->lock);
}

static void *run_listener(void *arg)
{
    struct upstream *u = arg;
    int fd;

    while ((fd = accept4(u->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0)
        begin_client(u, fd);
    return NULL;
}

/* ---- Life ------------------------------------------------------------------
 */

struct upstream *upstream_open(void)
{
    struct upstream *u = upstream_alloc(NULL, sizeof(*u));
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof(at);

    memset(u, 0, sizeof(*u));
    pthread_mutex_init(&u->lock, NULL);
    pthread_cond_init(&u->changed, NULL);
    u->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(u->listener, (struct sockaddr *)&at, n) != 0 ||
        listen(u->listener, BACKLOG) != 0 ||
        getsockname(u->listener, (struct sockaddr *)&at, &n) != 0)
        upstream_die("cannot listen");
    u->port = ntohs(at.sin_port);
    snprintf(u->url, sizeof(u->url), "http://127.0.0.1:%d", u->port);
    if (pthread_create(&u->thread, NULL, run_listener, u) != 0)
        upstream_die("no thread");
    return u;
}

const char *upstream_url(const struct upstream *u)
{
    return u->url;
}

static void stop_clients(struct upstream *u)
{
    pthread_mutex_lock(&u->lock);
    u->stopping = true;
    pthread_cond_broadcast(&u->changed);
    for (struct client *c = u->clients; c; c = c->next)
        if (!c->gone)
            shutdown(c->fd, SHUT_RDWR);
    pthread_mutex_unlock(&u->lock);
    while (u->clients) {
        struct client *c = u->clients;

        pthread_join(c->thread, NULL);
        u->clients = c->next;
        free(c);
    }
}

void upstream_close(struct upstream *u)
{
    shutdown(u->listener, SHUT_RDWR);
    pthread_join(u->thread, NULL);
    close(u->listener);
    stop_clients(u);
    while (u->scripts) {
        struct script *s = u->scripts;

        u->scripts = s->next;
        script_free(s);
    }
    while (u->gates) {
        struct gate *g = u->gates;

        u->gates = g->next;
        free(g->name);
        free(g);
    }
    for (size_t i = 0; i < u->asked_n; i++) {
        free(u->asked[i].head);
        free(u->asked[i].body);
    }
    free(u->asked);
    pthread_mutex_destroy(&u->lock);
    pthread_cond_destroy(&u->changed);
    free(u);
}

/* ---- Scripts ---------------------------------------------------------------
 */

void upstream_add(struct upstream *u, const char *name, const char *text)
{
    struct script *s = script_read(name, str_c(text));

    pthread_mutex_lock(&u->lock);
    s->next = u->scripts;
    u->scripts = s;
    pthread_mutex_unlock(&u->lock);
}

static void load_file(struct upstream *u, const char *folder, const char *file)
{
    char path[1024], name[256];
    char *text = upstream_alloc(NULL, SCRIPT_BYTES_MAX + 1);
    FILE *f;
    size_t n;

    snprintf(path, sizeof(path), "%s/%s", folder, file);
    snprintf(name, sizeof(name), "%.*s", (int)strlen(file) - 4, file);
    f = fopen(path, "re");
    n = f ? fread(text, 1, SCRIPT_BYTES_MAX, f) : 0;
    if (!f || fclose(f) != 0 || n == SCRIPT_BYTES_MAX)
        upstream_die("cannot read %s", path);
    text[n] = '\0';
    upstream_add(u, name, text);
    free(text);
}

void upstream_load(struct upstream *u, const char *folder)
{
    DIR *d = opendir(folder);
    const struct dirent *e;

    if (!d)
        upstream_die("no folder %s", folder);
    while ((e = readdir(d))) {
        size_t n = strlen(e->d_name);

        if (n > 4 && strcmp(e->d_name + n - 4, ".txt") == 0)
            load_file(u, folder, e->d_name);
    }
    closedir(d);
}
