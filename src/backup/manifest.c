/* manifest.c - a manifest as JSON. */
#include "backup/manifest.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"
#include "config/config.h"

enum { TEXT_BYTES_MAX = 64 * 1024, PART_BYTES = 64 * 1024 };

#define NUMBER(key, member)                                                    \
    {                                                                          \
        key, offsetof(struct manifest, member)                                 \
    }
static const struct {
    const char *key;
    size_t at;
} numbers[] = {
    NUMBER("format", format),
    NUMBER("schema", schema),
    NUMBER("createdMs", created_ms),
    NUMBER("sessions", counts.sessions),
    NUMBER("messages", counts.messages),
    NUMBER("answers", counts.answers),
    NUMBER("citations", counts.citations),
    NUMBER("documents", counts.documents),
    NUMBER("files", counts.files),
    NUMBER("fileBytes", counts.file_bytes),
    NUMBER("missingFiles", counts.missing),
    NUMBER("databaseBytes", database.bytes),
    NUMBER("listBytes", list.bytes),
};
enum { NUMBERS_N = sizeof(numbers) / sizeof(numbers[0]) };

void manifest_begin(struct manifest *m)
{
    char text[CLOCK_TEXT + 1];

    *m = (struct manifest){.format = MANIFEST_FORMAT,
                           .schema = config_build().schema,
                           .created_ms = clock_wall_ms()};
    clock_text(m->created_ms, text);
    memcpy(m->name, text, PLACE_NAME_BYTES);
    for (char *c = m->name; *c; c++)
        if (*c == ':')
            *c = '-';
}

/* ---- Writing ------------------------------------------------------------ */

static void add_text(struct json_out *w, struct str key, struct str text)
{
    json_key(w, key);
    json_str(w, text);
}

static void add_digest(struct json_out *w, struct str key,
                       const struct sha256 *digest)
{
    char hex[SHA256_HEX + 1];

    sha256_hex(digest, hex);
    add_text(w, key, str_c(hex));
}

static void add_json(const struct manifest *m, struct buf *b)
{
    struct json_out w = JSON_OUT(b);
    char created[CLOCK_TEXT + 1];

    clock_text(m->created_ms, created);
    json_object(&w);
    add_text(&w, STR("backup"), STR("footnote"));
    add_text(&w, STR("program"), config_build().version);
    add_text(&w, STR("createdAt"), str_c(created));
    add_text(&w, STR("store"), str_c(m->store));
    for (size_t i = 0; i < NUMBERS_N; i++) {
        int64_t v;

        memcpy(&v, (const char *)m + numbers[i].at, sizeof(v));
        json_key(&w, str_c(numbers[i].key));
        json_i64(&w, v);
    }
    add_digest(&w, STR("databaseSha256"), &m->database.digest);
    add_digest(&w, STR("listSha256"), &m->list.digest);
    json_end(&w, '}');
    buf_add_c(b, '\n');
}

enum footnote_rc manifest_write(const struct manifest *m, struct place *p,
                                struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    AUTO(fd_closep) int fd = memfd_create("manifest", MFD_CLOEXEC);
    char name[PLACE_PATH_BYTES];
    struct object o = {.bytes = 0};

    add_json(m, &b);
    TRY(buf_rc(&b, err));
    if (fd < 0 || pwrite(fd, b.p, b.n, 0) != (ssize_t)b.n)
        return place_error("writing the manifest", errno, err);
    o.bytes = (int64_t)b.n;
    TRY(sha256(buf_str(&b), &o.digest, err));
    snprintf(name, sizeof(name), "%s/manifest.json", m->name);
    return p->driver->put(p, name, fd, &o, err);
}

enum footnote_rc manifest_measure(int fd, struct object *out,
                                  struct footnote_err *err)
{
    AUTO(sha256_closep) struct sha256_ctx *h = NULL;
    char part[PART_BYTES];
    int64_t at = 0;

    TRY(sha256_open(&h, err));
    sha256_begin(h);
    for (;;) {
        ssize_t n = pread(fd, part, PART_BYTES, at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return place_error("reading a file", errno, err);
        if (n == 0)
            break;
        sha256_add(h, (struct str){part, (size_t)n});
        at += n;
    }
    *out = (struct object){.bytes = at};
    sha256_end(h, &out->digest);
    return FOOTNOTE_OK;
}

/* ---- Reading ------------------------------------------------------------ */

static bool get_digest(const struct json *o, struct str key, struct sha256 *out)
{
    struct str hex = json_text(o, key);
    char name[PLACE_PATH_BYTES];
    int n;

    if (hex.n != SHA256_HEX)
        return false;
    n = snprintf(name, sizeof(name), "objects/%.2s/%.62s", hex.p, hex.p + 2);
    return place_file_digest((struct str){name, (size_t)n}, out);
}

static bool get_store(const struct json *o, struct manifest *out)
{
    struct str id = json_text(o, STR("store"));

    if (id.n != STORE_IDENTITY_BYTES)
        return false;
    memcpy(out->store, id.p, id.n);
    return true;
}

static enum footnote_rc read_json(const struct json *o, struct manifest *out,
                                  struct footnote_err *err)
{
    bool good = str_eq(json_text(o, STR("backup")), STR("footnote"));

    for (size_t i = 0; good && i < NUMBERS_N; i++) {
        const struct json *v = json_get(o, str_c(numbers[i].key));

        if (v && v->type == JSON_I64 && v->i >= 0)
            memcpy((char *)out + numbers[i].at, &v->i, sizeof(v->i));
        else
            good = numbers[i].at != offsetof(struct manifest, format) &&
                   out->format > MANIFEST_FORMAT;
    }
    if (good &&
        (out->format > MANIFEST_FORMAT || out->schema > config_build().schema))
        return err_set(err, FOOTNOTE_FOREIGN,
                       "a newer program made it (format %lld, schema %lld)",
                       (long long)out->format, (long long)out->schema);
    if (!good || !get_store(o, out) ||
        !get_digest(o, STR("databaseSha256"), &out->database.digest) ||
        !get_digest(o, STR("listSha256"), &out->list.digest))
        return err_set(err, FOOTNOTE_DAMAGED, "is no manifest of a backup");
    return FOOTNOTE_OK;
}

static enum footnote_rc read_text(int fd, struct arena *a, struct buf *b,
                                  struct json **out, struct footnote_err *err)
{
    char *room = buf_room(b, TEXT_BYTES_MAX - 1);
    ssize_t n = room ? pread(fd, room, TEXT_BYTES_MAX - 1, 0) : -1;

    if (n < 0)
        return place_error("reading the manifest", room ? errno : ENOMEM, err);
    if (n == TEXT_BYTES_MAX - 1)
        return err_set(err, FOOTNOTE_DAMAGED, "is too long for a manifest");
    b->n = (size_t)n;
    if (json_read(a, buf_str(b), out, err) == FOOTNOTE_OK)
        return FOOTNOTE_OK;
    TRY(arena_rc(a, err));
    return err_set(err, FOOTNOTE_DAMAGED, "is no manifest of a backup");
}

enum footnote_rc manifest_read(struct place *p, const char *name,
                               struct manifest *out, struct footnote_err *err)
{
    AUTO(arena_free) struct arena a = ARENA(64UL * TEXT_BYTES_MAX);
    AUTO(buf_free) struct buf b = BUF(2UL * TEXT_BYTES_MAX);
    AUTO(fd_closep) int fd = -1;
    char path[PLACE_PATH_BYTES];
    struct json *o = NULL;
    enum footnote_rc rc;

    *out = (struct manifest){.format = 0};
    snprintf(out->name, sizeof(out->name), "%s", name);
    snprintf(path, sizeof(path), "%s/manifest.json", name);
    TRY(p->driver->get(p, path, NULL, &fd, err));
    rc = read_text(fd, &a, &b, &o, err);
    if (rc == FOOTNOTE_OK)
        rc = read_json(o, out, err);
    if (rc != FOOTNOTE_OK)
        err_prefix(err, "%s", path);
    return rc;
}
