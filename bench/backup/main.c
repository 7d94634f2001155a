/* main.c - bench/backup: what a backup costs beside copying and hashing the
 * same bytes; see bench/README.md.
 *
 *     backup [--small]
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common.h"
#include "backup/backup.h"
#include "backup/rows.h"
#include "backup_sql.h"
#include "base/fd.h"
#include "base/uuid.h"
#include "footnote.h"
#include "store/document/document.h"
#include "store/session/course.h"

enum {
    SOURCES = 5,
    TEXT_BYTES = 1500,
    FILE_BYTES = 2 * 1024 * 1024,
    PART_BYTES = 64 * 1024,
    TIMES = 5
};

/* What something took: on the clock, and of a core. */
struct spent {
    double wall, cpu;
};
struct bench {
    int messages, files;
    char folder[600], url[700];
    struct objects *objects;
    int64_t bytes; /* of database and files */
};

static const atomic_bool never;

static struct spent now(void)
{
    return (struct spent){seconds_now(), cpu_seconds_now()};
}

static struct spent since(struct spent began)
{
    return (struct spent){seconds_now() - began.wall,
                          cpu_seconds_now() - began.cpu};
}

static void must(enum footnote_rc rc, const struct footnote_err *err)
{
    if (rc != FOOTNOTE_OK)
        die("a call failed", err->text);
}

/* ---- The store ---------------------------------------------------------- */

static void save(struct footnote *fn, int n)
{
    static char text[TEXT_BYTES + 1], ids[SOURCES][64], previews[SOURCES][800];
    struct footnote_source sources[SOURCES];
    struct footnote_err err;
    char id[32], session[32];

    snprintf(id, sizeof(id), "m%d", n);
    snprintf(session, sizeof(session), "s%d", n / 50);
    memset(text, 'a' + n % 26, TEXT_BYTES);
    for (int i = 0; i < SOURCES; i++) {
        snprintf(ids[i], sizeof(ids[i]), "%d-%d", i % 2 ? n % 97 : n, i);
        snprintf(previews[i], sizeof(previews[i]), "%s says %300d", ids[i], 7);
        sources[i] = (struct footnote_source){.type = FOOTNOTE_TEXT,
                                              .number = (uint32_t)i + 1,
                                              .id = ids[i],
                                              .preview = previews[i]};
    }
    must(footnote_save(fn,
                       &(struct footnote_message){.id = id,
                                                  .session = session,
                                                  .role = FOOTNOTE_ASSISTANT,
                                                  .text = text,
                                                  .sources = sources,
                                                  .sources_n = SOURCES},
                       &err),
         &err);
}

static void add_file(struct bench *b, struct store *st, int n)
{
    static char bytes[FILE_BYTES];
    struct who who = {STR("default"), STR("local")};
    struct object o;
    struct footnote_err err;
    char id[32];

    random_bytes(bytes, sizeof(bytes));
    snprintf(id, sizeof(id), "d%d", n);
    must(object_store(b->objects, (struct str){bytes, sizeof(bytes)}, &o, &err),
         &err);
    struct document_put put = {.document = {.id = str_c(id),
                                            .course = STR("c"),
                                            .title = str_c(id),
                                            .kind = DOCUMENT_TEXT,
                                            .object_key = str_c(o.key),
                                            .digest = o.digest,
                                            .bytes = o.bytes,
                                            .has_bytes = true}};
    must(store_write(st, who, OP(document_put), &put, &err), &err);
}

static void fill(struct bench *b)
{
    struct who who = {STR("default"), STR("local")};
    struct course_put course = {.id = STR("c"), .title = STR("c")};
    struct footnote *fn = NULL;
    struct store *st = NULL;
    struct footnote_err err;

    must(footnote_open(b->url, &fn, &err), &err);
    for (int i = 0; i < b->messages; i++)
        save(fn, i);
    footnote_close(fn);
    must(store_open(b->url, &st, &err), &err);
    must(store_write(st, who, OP(course_put), &course, &err), &err);
    for (int i = 0; i < b->files; i++)
        add_file(b, st, i);
    store_close(st);
}

/* ---- Copying and hashing ------------------------------------------------ */

static void copy_and_hash(int from, const char *path, struct sha256_ctx *h)
{
    static char part[PART_BYTES];
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    struct sha256 digest;
    ssize_t n;

    sha256_begin(h);
    while ((n = read(from, part, sizeof(part))) > 0) {
        sha256_add(h, (struct str){part, (size_t)n});
        if (write(to, part, (size_t)n) != n)
            die(path, "cannot be written");
    }
    sha256_end(h, &digest);
    if (to < 0 || fsync(to) != 0)
        die(path, "cannot be written");
    close(to);
}

struct copying {
    struct bench *b;
    struct sha256_ctx *h;
    const char *folder;
};

static enum footnote_rc copy_object(void *arg, struct str key,
                                    int64_t changed_ms,
                                    struct footnote_err *err)
{
    const struct copying *c = arg;
    char from[900], to[900];
    int fd;

    (void)changed_ms;
    (void)err;
    snprintf(from, sizeof(from), "%s/objects/%.2s/%.*s", c->b->folder, key.p,
             STR_ARG(key));
    snprintf(to, sizeof(to), "%s/%.*s", c->folder, STR_ARG(key));
    fd = open(from, O_RDONLY | O_CLOEXEC);
    copy_and_hash(fd, to, c->h);
    c->b->bytes += FILE_BYTES;
    close(fd);
    return FOOTNOTE_OK;
}

static struct spent time_copying(struct bench *b, const char *folder)
{
    AUTO(sha256_closep) struct sha256_ctx *h = NULL;
    struct copying c = {.b = b, .folder = folder};
    struct footnote_err err;
    char path[900];
    struct stat st;
    struct spent began;
    int fd;

    mkdir(folder, 0700);
    must(sha256_open(&h, &err), &err);
    c.h = h;
    b->bytes = 0;
    began = now();
    must(object_each(b->objects, copy_object, &c, &err), &err);
    snprintf(path, sizeof(path), "%s/footnote.db", b->folder);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    snprintf(path, sizeof(path), "%s/footnote.db", folder);
    copy_and_hash(fd, path, h);
    if (fstat(fd, &st) == 0)
        b->bytes += st.st_size;
    close(fd);
    return since(began);
}

/* ---- Backups ------------------------------------------------------------ */

static void no_damage(void *arg, const char *what)
{
    (void)arg;
    die("damage", what);
}

static struct spent time_backup(struct bench *b, const char *to)
{
    struct backup_made made;
    struct footnote_err err;
    struct spent began = now();

    must(backup_make(&(struct backup_options){.database = b->url,
                                              .objects = b->objects,
                                              .to = {.url = str_c(to)},
                                              .stop = &never,
                                              .damage = no_damage},
                     &made, &err),
         &err);
    return since(began);
}

static struct spent time_verify(const char *from, const char *scratch)
{
    struct restored found;
    struct footnote_err err;
    struct spent began = now();

    must(backup_verify(&(struct restore_options){.from = {.url = str_c(from),
                                                          .scratch = scratch},
                                                 .stop = &never,
                                                 .damage = no_damage},
                       &found, &err),
         &err);
    return since(began);
}

/* The database by rows, as from one engine to the other. */
static struct spent time_rows(const struct bench *b, const char *to_path)
{
    char url[900];
    struct db_options from = {
        .url = b->url, .mode = DB_READ, .sql = &backup_sql_set};
    struct db_options to = {
        .url = url, .mode = DB_WRITE, .sql = &backup_sql_set};
    struct db *one = NULL, *other = NULL;
    struct footnote_err err;
    struct spent began = now();

    snprintf(url, sizeof(url), "sqlite:%s", to_path);
    must(db_open(&from, &one, &err), &err);
    must(db_open(&to, &other, &err), &err);
    must(db_begin(one, &err), &err);
    must(rows_copy(one, other, &never, &err), &err);
    db_close(one);
    db_close(other);
    return since(began);
}

/* The least of both: all else that the machine does only adds. */
static struct spent least(const struct spent *v)
{
    struct spent l = v[0];

    for (int i = 1; i < TIMES; i++) {
        l.wall = v[i].wall < l.wall ? v[i].wall : l.wall;
        l.cpu = v[i].cpu < l.cpu ? v[i].cpu : l.cpu;
    }
    return l;
}

static void measure(struct bench *b)
{
    enum { COPY, FIRST, AGAIN, VERIFY, ROWS, KINDS };
    static const char *const names[] = {
        "copying and hashing the same bytes", "footnote backup, first",
        "footnote backup, again", "footnote backup --verify",
        "the database by rows"};
    struct spent s[KINDS][TIMES], base;

    for (int i = 0; i < TIMES; i++) {
        char to[700], scratch[700], copied[720], rows[720];

        snprintf(copied, sizeof(copied), "%s/copied-%d", b->folder, i);
        snprintf(to, sizeof(to), "%s/backups-%d", b->folder, i);
        snprintf(scratch, sizeof(scratch), "%s/scratch-%d", b->folder, i);
        snprintf(rows, sizeof(rows), "%s/rows-%d.db", b->folder, i);
        mkdir(scratch, 0700);
        s[COPY][i] = time_copying(b, copied);
        s[FIRST][i] = time_backup(b, to);
        s[AGAIN][i] = time_backup(b, to);
        s[VERIFY][i] = time_verify(to, scratch);
        s[ROWS][i] = time_rows(b, rows);
        folder_remove(copied);
        folder_remove(to);
        folder_remove(scratch);
    }
    printf("%d messages with %d sources, %d files: %.0f MB\n", b->messages,
           SOURCES, b->files, (double)b->bytes / 1e6);
    base = least(s[COPY]);
    for (int i = 0; i < KINDS; i++) {
        struct spent t = least(s[i]);

        printf("%-36s %7.2f s %6.2f x   of a core %7.2f s %6.2f x\n", names[i],
               t.wall, t.wall / base.wall, t.cpu, t.cpu / base.cpu);
    }
    printf("\n");
}

static void run(int messages, int files)
{
    struct bench b = {.messages = messages, .files = files};
    struct footnote_err err;
    char objects[700];

    folder_make(b.folder, sizeof(b.folder));
    snprintf(b.url, sizeof(b.url), "sqlite:%s/footnote.db", b.folder);
    snprintf(objects, sizeof(objects), "files:%s/objects", b.folder);
    must(objects_open(str_c(objects), &b.objects, &err), &err);
    fill(&b);
    measure(&b);
    objects_close(b.objects);
    folder_remove(b.folder);
}

int main(int argc, char **argv)
{
    int n = asked(argc, argv, "--small", false) ? 4000 : 20000;

    run(n, 0);       /* the database alone */
    run(n, n / 100); /* and with files */
    return 0;
}
