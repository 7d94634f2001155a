/* users.c - GET /api/users: who is in the asker's tenant, what they keep, and
 * what waits to be read in; for admins, who see no contents by it. */
#include "http/api/calls.h"
#include "http/call/caller.h"
#include "http/shape/cursor.h"
#include "store/session/people.h"

static void add_kept(struct json_out *w, const struct person_kept *p)
{
    json_key(w, STR("bytes"));
    json_i64(w, p->bytes);
    json_key(w, STR("documents"));
    json_i64(w, p->documents);
    json_key(w, STR("sessions"));
    json_i64(w, p->sessions);
}

static void add_sums(struct json_out *w, const struct people_list *op)
{
    json_key(w, STR("all"));
    json_object(w);
    add_kept(w, &op->all);
    json_end(w, '}');
    json_key(w, STR("jobs"));
    json_object(w);
    json_key(w, STR("waiting"));
    json_i64(w, op->waiting);
    json_key(w, STR("reading"));
    json_i64(w, op->reading);
    json_end(w, '}');
}

static void list_work(struct request *r)
{
    struct people_list *op = r->state;
    struct buf b = BUF(REPLY_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);
    struct str next = STR_NONE;
    size_t limit = op->limit++;

    if (!call_read(r, OP(people_list), op, "user"))
        return;
    if (op->people_n > limit) {
        op->people_n = limit;
        next = cursor_text(r, 'p', op->people[limit - 1].user);
    }
    json_object(&w);
    json_key(&w, STR("users"));
    json_array(&w);
    for (size_t i = 0; i < op->people_n; i++) {
        json_object(&w);
        json_key(&w, STR("userId"));
        json_str(&w, op->people[i].user);
        add_kept(&w, &op->people[i]);
        json_end(&w, '}');
    }
    json_end(&w, ']');
    add_sums(&w, op);
    json_key(&w, STR("nextCursor"));
    json_str(&w, next);
    json_end(&w, '}');
    r->reply.no_store = true;
    reply_json(r, 200, &b);
}

void api_users_list(struct request *r)
{
    struct people_list *op = call_state(r, sizeof(*op));

    if (op && request_limit(r, PAGE_PRESET, PAGE_MAX, &op->limit) &&
        cursor_read_text(r, 'p', &op->after))
        request_work(r, list_work);
}
