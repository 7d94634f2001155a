/* request.c - what the scripted server is asked, and who answers it. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/json.h"
#include "upstream/inner.h"

enum { ARENA_BYTES_MAX = 512 * 1024 * 1024 };

/* ---- Receiving -------------------------------------------------------------
 */

static size_t body_bytes(const char *head)
{
    const char *at = strcasestr(head, "\r\ncontent-length:");
    int64_t n = 0;
    struct str digits;

    if (!at)
        return 0;
    digits = str_c(at + strlen("\r\ncontent-length:"));
    while (digits.n && digits.p[0] == ' ')
        digits = str_skip(digits, 1);
    digits.n = str_find(digits, '\r');
    if (!str_i64(digits, &n) || n < 0 || n > REQUEST_BYTES_MAX)
        upstream_die("a request of unknown size");
    return (size_t)n;
}

/* Byte by byte: a second request may follow the first. */
static bool receive_head(int fd, struct asked *out)
{
    out->head = upstream_alloc(NULL, HEAD_BYTES_MAX + 1);
    while (out->head_n < HEAD_BYTES_MAX) {
        if (recv(fd, out->head + out->head_n, 1, 0) != 1)
            return false;
        out->head[++out->head_n] = '\0';
        if (out->head_n >= 4 &&
            memcmp(out->head + out->head_n - 4, "\r\n\r\n", 4) == 0)
            return true;
    }
    return false;
}

bool request_receive(struct client *c, struct asked *out)
{
    size_t want, have = 0;

    *out = (struct asked){.head = NULL};
    if (!receive_head(c->fd, out))
        return false;
    want = body_bytes(out->head);
    out->body = upstream_alloc(NULL, want + 1);
    while (have < want) {
        ssize_t n = recv(c->fd, out->body + have, want - have, 0);

        if (n <= 0)
            return false;
        have += (size_t)n;
    }
    out->body[want] = '\0';
    out->body_n = want;
    return true;
}

/* ---- Who answers -----------------------------------------------------------
 */

static struct str role_of(const struct json *message)
{
    const struct json *r = json_get(message, STR("role"));

    return r && r->type == JSON_STR ? r->s : STR("");
}

static const struct json *last_question(const struct json *messages)
{
    const struct json *found = NULL;

    for (const struct json *m = messages ? messages->first : NULL; m;
         m = m->next)
        if (str_eq(role_of(m), STR("user")))
            found = m;
    return found;
}

/* How often tools were asked for since the question; 0 also when the last
 * message is not a tool's result. */
static size_t rounds_since(const struct json *question)
{
    const struct json *last = question;
    size_t n = 0;

    for (const struct json *m = question; m; m = m->next) {
        n += json_get(m, STR("tool_calls")) != NULL;
        last = m;
    }
    return str_eq(role_of(last), STR("tool")) ? n : 0;
}

/* The word after the last "script:", wherever in the message it is. */
static struct str named(const struct json *message)
{
    const struct str word = STR("script:");
    struct str raw = message ? message->raw : STR(""), name = STR_NONE;
    size_t n = 0;

    for (size_t i = 0; i + word.n < raw.n; i++)
        if (memcmp(raw.p + i, word.p, word.n) == 0)
            name = str_skip(raw, i + word.n);
    while (n < name.n && (name.p[n] == '-' || name.p[n] == '_' ||
                          (name.p[n] >= '0' && name.p[n] <= '9') ||
                          (name.p[n] >= 'a' && name.p[n] <= 'z')))
        n++;
    return (struct str){name.p, n};
}

static struct script *find(const struct upstream *u, struct str name)
{
    for (struct script *s = u->scripts; s; s = s->next)
        if (name.p && str_eq(str_c(s->name), name))
            return s;
    return NULL;
}

/* The n-th of its kind, or the last one. */
static const struct scene *nth(const struct script *s, bool on_tool, size_t n)
{
    const struct scene *found = NULL;

    for (size_t i = 0; i < s->n; i++)
        if (s->scenes[i].on_tool == on_tool && (!found || n > 0)) {
            n -= found != NULL;
            found = &s->scenes[i];
        }
    return found;
}

static const struct scene *scene_of(struct script *s, size_t rounds)
{
    const struct scene *found = rounds ? nth(s, true, rounds - 1) : NULL;

    return found ? found : nth(s, false, s->played++);
}

const struct scene *request_scene(struct upstream *u, const struct asked *a)
{
    AUTO(arena_free) struct arena arena = ARENA(ARENA_BYTES_MAX);
    const struct json *question, *model;
    const struct scene *scene = NULL;
    struct json *doc;
    struct script *s;

    if (json_read(&arena, (struct str){a->body, a->body_n}, &doc, NULL) !=
        FOOTNOTE_OK)
        return NULL;
    question = last_question(json_get(doc, STR("messages")));
    model = json_get(doc, STR("model"));
    pthread_mutex_lock(&u->lock);
    s = find(u, named(question));
    if (!s && model && model->type == JSON_STR)
        s = find(u, model->s);
    if (s)
        scene = scene_of(s, rounds_since(question));
    pthread_mutex_unlock(&u->lock);
    return scene;
}

/* ---- For the server itself -------------------------------------------------
 */

static void list_asked(struct upstream *u, struct buf *b)
{
    struct json_out w = JSON_OUT(b);

    json_array(&w);
    pthread_mutex_lock(&u->lock);
    for (size_t i = 0; i < u->asked_n; i++) {
        json_object(&w);
        json_key(&w, STR("head"));
        json_str(&w, (struct str){u->asked[i].head, u->asked[i].head_n});
        json_key(&w, STR("body"));
        json_raw(&w, (struct str){u->asked[i].body, u->asked[i].body_n});
        json_end(&w, '}');
    }
    pthread_mutex_unlock(&u->lock);
    json_end(&w, ']');
}

static void await_gate(struct upstream *u, const char *name, struct buf *b)
{
    upstream_await(u, name);
    buf_add(b, STR("{}"));
}

bool request_control(struct client *c, const struct asked *a)
{
    AUTO(buf_free) struct buf body = BUF(2UL * REQUEST_BYTES_MAX);
    AUTO(buf_free) struct buf head = BUF(512);
    char gate[101];

    if (sscanf(a->head, "POST /gate/%100[a-z0-9_-] ", gate) == 1) {
        upstream_pass(c->u, gate);
        buf_add(&body, STR("{}"));
    } else if (sscanf(a->head, "GET /gate/%100[a-z0-9_-] ", gate) == 1) {
        await_gate(c->u, gate, &body);
    } else if (strncmp(a->head, "GET /requests ", 14) == 0) {
        list_asked(c->u, &body);
    } else {
        return false;
    }
    buf_printf(&head,
               "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
               "content-length: %zu\r\n\r\n",
               body.n);
    send_all(c->fd, buf_str(&head));
    send_all(c->fd, buf_str(&body));
    return true;
}
