/* access.c - keys, logins and the audit as JSON. */
#include "http/shape/access.h"

#include "base/clock.h"
#include "store/session/login.h"
#include "store/session/scope.h"
#include "store/session/share.h"

static void add_text(struct json_out *w, const char *name, struct str s)
{
    json_key(w, str_c(name));
    json_str(w, s);
}

static void add_flag(struct json_out *w, const char *name, bool v)
{
    json_key(w, str_c(name));
    json_bool(w, v);
}

/* null: 0. */
static void add_time(struct json_out *w, const char *name, int64_t ms)
{
    char text[CLOCK_TEXT + 1];

    clock_text(ms, text);
    add_text(w, name, ms ? str_c(text) : STR_NONE);
}

static void add_courses(struct json_out *w, struct str scope)
{
    struct str rest = scope, course;

    json_key(w, STR("courses"));
    if (!scope_confines(scope)) {
        json_null(w);
        return;
    }
    json_array(w);
    while (scope_next(&rest, &course))
        json_str(w, course);
    json_end(w, ']');
}

void shape_key_fields(struct json_out *w, const struct access_key *k)
{
    add_text(w, "prefix", k->prefix);
    add_text(w, "tenant", k->tenant);
    add_text(w, "userId", k->user);
    add_text(w, "label", k->label);
    add_flag(w, "admin", k->admin);
    add_flag(w, "readOnly", scope_reads_only(k->scope));
    add_courses(w, k->scope);
    add_time(w, "createdAt", k->created_ms);
    add_time(w, "expiresAt", k->expires_ms);
    add_time(w, "firstUsedAt", k->first_used_ms);
    add_time(w, "lastUsedAt", k->last_used_ms);
    add_time(w, "revokedAt", k->revoked_ms);
}

void shape_login(struct json_out *w, const struct login *l, bool current)
{
    json_object(w);
    add_text(w, "id", l->id);
    add_text(w, "userId", l->user);
    add_text(w, "method", l->method);
    add_text(w, "keyPrefix", l->key_prefix);
    add_text(w, "agent", l->agent);
    add_time(w, "createdAt", l->created_ms);
    add_time(w, "seenAt", l->seen_ms);
    add_time(w, "expiresAt", l->expires_ms);
    add_flag(w, "current", current);
    json_end(w, '}');
}

void shape_share_fields(struct json_out *w, const struct share *s)
{
    add_text(w, "id", s->id);
    add_text(w, "sessionId", s->session);
    add_text(w, "messageId", s->single ? s->message : STR_NONE);
    add_flag(w, "files", s->files);
    add_time(w, "createdAt", s->created_ms);
    add_time(w, "expiresAt", s->expires_ms);
}

void shape_audit(struct json_out *w, const struct audit_row *u)
{
    json_object(w);
    add_text(w, "id", u->id);
    add_time(w, "at", u->at_ms);
    add_text(w, "userId", u->user);
    add_text(w, "action", u->action);
    add_text(w, "about", u->about);
    add_text(w, "keyPrefix", u->key_prefix);
    add_text(w, "address", u->address);
    json_end(w, '}');
}
