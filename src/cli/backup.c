/* backup.c - `footnote backup` and `footnote restore`.
 *
 * Both work on the database and the files themselves.  SQLite and PostgreSQL
 * give another process a snapshot while the server writes, so there is nothing
 * to ask a running server for; a backup works the same without one. */
#include "backup/backup.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/services.h"

enum { TEXT_BYTES_MAX = 8192 };

static const atomic_bool never;

static void print_damage(void *arg, const char *what)
{
    const struct cli *c = arg;

    fprintf(stderr, "footnote %s: %s\n", c->verb->name, what);
}

static void add_number(struct json_out *w, struct str key, int64_t v)
{
    json_key(w, key);
    json_i64(w, v);
}

static void begin_json(struct json_out *w, const struct manifest *m,
                       const struct backup_counts *n)
{
    json_object(w);
    json_key(w, STR("backup"));
    json_str(w, str_c(m->name));
    json_key(w, STR("store"));
    json_str(w, str_c(m->store));
    add_number(w, STR("sessions"), n->sessions);
    add_number(w, STR("messages"), n->messages);
    add_number(w, STR("answers"), n->answers);
    add_number(w, STR("citations"), n->citations);
    add_number(w, STR("documents"), n->documents);
    add_number(w, STR("files"), n->files);
    add_number(w, STR("fileBytes"), n->file_bytes);
    add_number(w, STR("missingFiles"), n->missing);
}

static int print_json(struct cli *c, struct json_out *w)
{
    json_end(w, '}');
    buf_add_c(w->b, '\n');
    return cli_print(c, w->b);
}

static int print_made(struct cli *c, const struct backup_made *made)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);
    const struct backup_counts *n = &made->manifest.counts;

    if (c->json) {
        begin_json(&w, &made->manifest, n);
        add_number(&w, STR("newFiles"), made->copied);
        add_number(&w, STR("newBytes"), made->copied_bytes);
        add_number(&w, STR("removed"), made->removed);
        return print_json(c, &w);
    }
    buf_printf(&b,
               "%s: %lld answers, %lld citations, %lld documents, %lld files "
               "(%lld new, %.1f MB), %lld old backups removed\n",
               made->manifest.name, (long long)n->answers,
               (long long)n->citations, (long long)n->documents,
               (long long)n->files, (long long)made->copied,
               (double)made->copied_bytes / 1e6, (long long)made->removed);
    return cli_print(c, &b);
}

static int print_restored(struct cli *c, const struct restored *r)
{
    AUTO(buf_free) struct buf b = BUF(TEXT_BYTES_MAX);
    struct json_out w = JSON_OUT(&b);
    int code;

    if (c->json) {
        begin_json(&w, &r->manifest, &r->counts);
        add_number(&w, STR("damaged"), r->damaged);
        code = print_json(c, &w);
    } else {
        buf_printf(&b, "%s: %lld answers, %lld citations, ", r->manifest.name,
                   (long long)r->counts.answers,
                   (long long)r->counts.citations);
        if (r->damaged)
            buf_printf(&b, "%lld damaged\n", (long long)r->damaged);
        else
            buf_add(&b, STR("all equal\n"));
        code = cli_print(c, &b);
    }
    return code == CLI_DONE && r->damaged ? CLI_DAMAGED : code;
}

/* `bucket` outlives what is returned. */
static struct place_where where(const struct cli *c, struct str url,
                                struct objects_place *bucket)
{
    *bucket = services_place(&c->config, url);
    return (struct place_where){
        .url = url, .scratch = c->config.data.p, .bucket = bucket};
}

/* ---- backup -------------------------------------------------------------- */

static int make(struct cli *c, struct str to)
{
    const struct config *config = &c->config;
    struct objects_place place = services_place(config, config->objects);
    struct objects_place bucket;
    struct backup_made made;
    struct objects *objects = NULL;
    struct footnote_err err;
    enum footnote_rc rc = objects_open_place(&place, &objects, &err);
    int code;

    if (rc != FOOTNOTE_OK)
        return cli_fail_config(c, &err);
    rc = backup_make(&(struct backup_options){.database = config->database.p,
                                              .objects = objects,
                                              .to = where(c, to, &bucket),
                                              .keep = config->backup_keep,
                                              .stop = &never,
                                              .damage = print_damage,
                                              .arg = c},
                     &made, &err);
    objects_close(objects);
    if (rc != FOOTNOTE_OK)
        return cli_fail(c, rc, &err);
    code = print_made(c, &made);
    return code == CLI_DONE && made.manifest.counts.missing ? CLI_DAMAGED
                                                            : code;
}

/* The copy of the database goes to $TMPDIR: a backup is never written to. */
static int verify(struct cli *c, struct str from)
{
    const char *tmp = getenv("TMPDIR");
    char folder[PATH_MAX];
    struct objects_place bucket;
    struct restored found;
    struct footnote_err err;
    enum footnote_rc rc;

    snprintf(folder, sizeof(folder), "%.3000s/footnote-XXXXXX",
             tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) {
        rc = err_set(&err, FOOTNOTE_INVALID, "cannot make a folder in %.100s",
                     tmp ? tmp : "/tmp");
        return cli_fail(c, rc, &err);
    }
    bucket = services_place(&c->config, from);
    bucket.scratch = str_c(folder);
    rc = backup_verify(
        &(struct restore_options){
            .from = {.url = from, .scratch = folder, .bucket = &bucket},
            .stop = &never,
            .damage = print_damage,
            .arg = c},
        &found, &err);
    (void)rmdir(folder);
    return rc == FOOTNOTE_OK ? print_restored(c, &found)
                             : cli_fail(c, rc, &err);
}

int verb_backup(struct cli *c)
{
    bool checks = false;
    const struct cli_option options[] = {{.name = "json", .on = &c->json},
                                         {.name = "verify", .on = &checks}};
    int code = cli_read(c, options, 2);
    struct footnote_err err;
    struct str place;

    if (code == CLI_GO_ON)
        code = cli_expect(c, c->config.backup_to.p ? 0 : 1, 1,
                          "where to: a folder, FILE.tar or s3://BUCKET/PREFIX");
    if (code != CLI_GO_ON)
        return code;
    place = c->operands_n ? c->operands[0] : c->config.backup_to;
    if (checks)
        return verify(c, place);
    /* As the folder's owner: SQLite writes into it to read. */
    if (folder_enter_existing(&c->config, &err) != FOOTNOTE_OK)
        return cli_fail_config(c, &err);
    return make(c, place);
}

/* ---- restore ------------------------------------------------------------- */

static enum footnote_rc restore(struct cli *c, struct restored *out,
                                struct footnote_err *err)
{
    const struct config *config = &c->config;
    struct objects_place place = services_place(config, config->objects);
    struct objects_place bucket;
    struct restore_options o = {.from = where(c, c->operands[0], &bucket),
                                .database = config->database.p,
                                .folder = config->data.p,
                                .stop = &never,
                                .damage = print_damage,
                                .arg = c};
    AUTO(lock_release) int lock = -1;
    enum footnote_rc rc;

    TRY(folder_enter(config, err));
    TRY(lock_take(config, &lock, err));
    TRY(objects_open_place(&place, &o.objects, err));
    rc = backup_restore(&o, out, err);
    objects_close(o.objects);
    return rc;
}

int verb_restore(struct cli *c)
{
    const struct cli_option options[] = {{.name = "json", .on = &c->json}};
    int code = cli_read(c, options, 1);
    struct restored restored;
    struct footnote_err err;
    enum footnote_rc rc;

    if (code == CLI_GO_ON)
        code = cli_expect(
            c, 1, 1, "which backup: a folder, FILE.tar or s3://BUCKET/PREFIX");
    if (code != CLI_GO_ON)
        return code;
    rc = restore(c, &restored, &err);
    return rc == FOOTNOTE_OK ? print_restored(c, &restored)
                             : cli_fail(c, rc, &err);
}
