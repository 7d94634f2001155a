/* play.c - plays one answer of a script on a connection. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "upstream/inner.h"

enum { LINE_PIECE = 64 * 1024, HEADERS_MAX_BYTES = 16 * 1024 };

struct player {
    struct client *c;
    struct buf headers;
    int64_t status, split;
    bool until_close, typed, head_sent;
};

bool send_all(int fd, struct str s)
{
    while (s.n) {
        ssize_t n = send(fd, s.p, s.n, MSG_NOSIGNAL);

        if (n <= 0)
            return false;
        s = str_skip(s, (size_t)n);
    }
    return true;
}

static bool send_head(struct player *p)
{
    AUTO(buf_free) struct buf b = BUF(HEADERS_MAX_BYTES + 256);

    if (p->head_sent)
        return true;
    p->head_sent = true;
    buf_printf(&b, "HTTP/1.1 %d Scripted\r\n", (int)p->status);
    buf_add(&b, buf_str(&p->headers));
    if (!p->typed)
        buf_add(&b, STR("content-type: text/event-stream\r\n"));
    buf_add(&b, p->until_close ? STR("connection: close\r\n\r\n")
                               : STR("transfer-encoding: chunked\r\n\r\n"));
    return send_all(p->c->fd, buf_str(&b));
}

/* One piece: a chunk of its own, in a packet of its own. */
static bool send_piece(struct player *p, struct str s)
{
    AUTO(buf_free) struct buf b = BUF(s.n + 64);

    if (!p->until_close)
        buf_printf(&b, "%zx\r\n", s.n);
    buf_add(&b, s);
    if (!p->until_close)
        buf_add(&b, STR("\r\n"));
    if (!send_all(p->c->fd, buf_str(&b)))
        return false;
    p->c->u->sent += s.n;
    return true;
}

static bool send_body(struct player *p, struct str s)
{
    if (!send_head(p))
        return false;
    while (s.n) {
        size_t n =
            p->split > 0 && (size_t)p->split < s.n ? (size_t)p->split : s.n;

        if (!send_piece(p, (struct str){s.p, n}))
            return false;
        s = str_skip(s, n);
    }
    return true;
}

/* One endless word, as an event would begin. */
static bool send_line(struct player *p, int64_t bytes)
{
    static char filler[LINE_PIECE];
    bool ok = send_body(p, STR("data: "));

    memset(filler, 'x', sizeof(filler));
    for (int64_t left = bytes; left > 0 && ok; left -= LINE_PIECE)
        ok = send_body(p, (struct str){filler, left < LINE_PIECE ? (size_t)left
                                                                 : LINE_PIECE});
    return ok && send_body(p, STR("\n\n"));
}

static void delay(int64_t ms)
{
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    nanosleep(&t, NULL);
}

/* Nothing, until the client leaves. */
static void stall(struct player *p)
{
    struct pollfd fd = {.fd = p->c->fd, .events = POLLRDHUP};

    send_head(p);
    poll(&fd, 1, -1);
}

static void reset(int fd)
{
    struct linger now = {.l_onoff = 1, .l_linger = 0};

    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
}

/* False: the client has left, or the script ends the connection. */
static bool play_step(struct player *p, const struct step *s, bool *left)
{
    bool ok = true;

    switch (s->kind) {
    case STEP_STATUS: p->status = s->number; break;
    case STEP_HEADER:
        p->typed = p->typed || str_starts(s->text, STR("content-type:"));
        buf_add(&p->headers, s->text);
        buf_add(&p->headers, STR("\r\n"));
        break;
    case STEP_FRAMING: p->until_close = true; break;
    case STEP_HEAD: ok = send_head(p); break;
    case STEP_RAW: ok = send_body(p, s->text); break;
    case STEP_LINE: ok = send_line(p, s->number); break;
    case STEP_SPLIT: p->split = s->number; break;
    case STEP_DELAY: delay(s->number); break;
    case STEP_GATE: ok = gate_wait(p->c, s->text.p); break;
    case STEP_STALL:
        stall(p);
        ok = false;
        break;
    case STEP_RESET: reset(p->c->fd); return false;
    case STEP_CUT: return false;
    }
    *left = !ok;
    return ok;
}

static bool play_steps(struct player *p, const struct scene *s, bool *left)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct step *step = &s->steps[i];

        for (int64_t n = 0; step->times < 0 || n < step->times; n++)
            if (!play_step(p, step, left))
                return false;
    }
    return true;
}

bool play(struct client *c, const struct scene *s)
{
    struct player p = {
        .c = c, .headers = BUF(HEADERS_MAX_BYTES), .status = 200};
    bool left = false, ok = play_steps(&p, s, &left);

    if (ok)
        ok = send_head(&p) &&
             (p.until_close || send_all(c->fd, STR("0\r\n\r\n")));
    buf_free(&p.headers);
    if (left) {
        pthread_mutex_lock(&c->u->lock);
        c->u->left++;
        pthread_cond_broadcast(&c->u->changed);
        pthread_mutex_unlock(&c->u->lock);
    }
    return ok && !p.until_close;
}
