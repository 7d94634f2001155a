/* move_test.c - a store with files goes from SQLite to PostgreSQL and back, by
 * backup and restore. */
#include <stdlib.h>
#include <sys/stat.h>

#include "backup/backup.h"
#include "contract.h"
#include "same_rows.h"
#include "store/document/document.h"
#include "store/session/course.h"

enum { MESSAGES = 200, FILES = 5 };

static const atomic_bool never;
static struct footnote_err err;

static void no_damage(void *arg, const char *what)
{
    (void)arg;
    FAIL("%s", what);
}

/* A data folder below the test's own. */
struct place_for_store {
    char folder[600], file[700], url[800], files[700];
    struct objects *objects;
};

static struct place_for_store make_folder(const char *name)
{
    struct place_for_store p = {.objects = NULL};

    snprintf(p.folder, sizeof(p.folder), "%s/%s", test_dir(), name);
    CHECK(mkdir(p.folder, 0700) == 0);
    snprintf(p.file, sizeof(p.file), "%s/footnote.db", p.folder);
    snprintf(p.url, sizeof(p.url), "sqlite:%s", p.file);
    snprintf(p.files, sizeof(p.files), "files:%s/objects", p.folder);
    CHECK_OK(objects_open(str_c(p.files), &p.objects, &err), &err);
    return p;
}

static void save(struct footnote *fn, int n)
{
    char id[40], session[40], text[100], preview[100];
    struct footnote_source sources[] = {
        {.type = FOOTNOTE_TEXT, .number = 1, .id = "shared", .preview = "all"},
        {.type = FOOTNOTE_SLIDE,
         .number = 3,
         .document = "heat",
         .has_page = true,
         .page = n + 1,
         .preview = preview,
         .has_score = true,
         .score = 1.0 / (n + 3)}};

    snprintf(id, sizeof(id), "m%d", n);
    snprintf(session, sizeof(session), "s%d", n / 20);
    snprintf(text, sizeof(text), "\xc3\xbc %d [1], and [3].", n);
    snprintf(preview, sizeof(preview), "Slide %d \xf0\x9f\x93\x9a", n);
    CHECK_OK(
        footnote_save(fn,
                      &(struct footnote_message){.id = id,
                                                 .session = session,
                                                 .role = FOOTNOTE_ASSISTANT,
                                                 .text = text,
                                                 .sources = sources,
                                                 .sources_n = 2},
                      &err),
        &err);
}

static void add_files(const struct place_for_store *p)
{
    struct who who = {STR("default"), STR("local")};
    struct course_put course = {.id = STR("c"), .title = STR("c")};
    struct store *st = NULL;

    CHECK_OK(store_open(p->url, &st, &err), &err);
    CHECK_OK(store_write(st, who, OP(course_put), &course, &err), &err);
    for (int i = 0; i < FILES; i++) {
        char id[20];
        struct object o;

        snprintf(id, sizeof(id), "file %d", i);
        CHECK_OK(object_store(p->objects, str_c(id), &o, &err), &err);
        struct document_put put = {.document = {.id = str_c(id),
                                                .course = STR("c"),
                                                .kind = DOCUMENT_TEXT,
                                                .object_key = str_c(o.key),
                                                .digest = o.digest,
                                                .bytes = o.bytes,
                                                .has_bytes = true},
                                   .queue = true};
        CHECK_OK(store_write(st, who, OP(document_put), &put, &err), &err);
    }
    store_close(st);
}

static void fill(const struct place_for_store *p)
{
    struct footnote *fn = NULL;

    CHECK_OK(footnote_open(p->url, &fn, &err), &err);
    for (int i = 0; i < MESSAGES; i++)
        save(fn, i);
    footnote_close(fn);
    add_files(p);
}

static void back_up(const char *database, struct objects *objects,
                    const char *name, char to[700])
{
    struct backup_made made;

    snprintf(to, 700, "%s/%s", test_dir(), name);
    CHECK_OK(backup_make(&(struct backup_options){.database = database,
                                                  .objects = objects,
                                                  .to = {.url = str_c(to)},
                                                  .stop = &never,
                                                  .damage = no_damage},
                         &made, &err),
             &err);
    CHECK_INT(made.manifest.counts.answers, MESSAGES);
    CHECK_INT(made.manifest.counts.citations, 2 * MESSAGES);
    CHECK_INT(made.manifest.counts.files, FILES);
}

static void restore(const char *from, const char *database,
                    const struct place_for_store *p)
{
    struct restored restored;

    CHECK_OK(
        backup_restore(&(struct restore_options){.from = {.url = str_c(from),
                                                          .scratch = p->folder},
                                                 .database = database,
                                                 .folder = p->folder,
                                                 .objects = p->objects,
                                                 .stop = &never,
                                                 .damage = no_damage},
                       &restored, &err),
        &err);
    CHECK_INT(restored.damaged, 0);
    CHECK_INT(restored.counts.answers, MESSAGES);
    CHECK_INT(restored.counts.citations, 2 * MESSAGES);
    CHECK_INT(restored.counts.files, FILES);
    CHECK(strcmp(restored.store, restored.manifest.store) != 0);
}

/* On SQLite the store in the middle is a file, too. */
CONTRACT(a_store_comes_back_the_same_from_another_engine)
{
    struct place_for_store first = make_folder("first"),
                           middle = make_folder("middle"),
                           last = make_folder("last");
    const char *database = test_is_postgres() ? test_url() : middle.url;
    char there[700], back[700];

    fill(&first);
    back_up(first.url, first.objects, "there", there);
    restore(there, database, &middle);
    back_up(database, middle.objects, "back", back);
    restore(back, last.url, &last);
    same_rows_check(first.file, last.file, 0);
    objects_close(first.objects);
    objects_close(middle.objects);
    objects_close(last.objects);
}

CONTRACT(a_used_database_is_not_restored_into)
{
    struct place_for_store first = make_folder("first"),
                           other = make_folder("other");
    struct footnote *fn = NULL;
    char there[700];
    struct restored restored;

    fill(&first);
    back_up(first.url, first.objects, "there", there);
    CHECK_OK(footnote_open(test_url(), &fn, &err), &err);
    save(fn, 1);
    footnote_close(fn);
    CHECK_INT(backup_restore(
                  &(struct restore_options){
                      .from = {.url = str_c(there), .scratch = other.folder},
                      .database = test_url(),
                      .folder = other.folder,
                      .objects = other.objects,
                      .stop = &never,
                      .damage = no_damage},
                  &restored, &err),
              FOOTNOTE_CONFLICT);
    objects_close(first.objects);
    objects_close(other.objects);
}
