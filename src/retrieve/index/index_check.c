/* index_check.c - reads every index file and looks for every document. */
#include "retrieve/index/index_check.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "retrieve/index/course_index.h"

enum { ARENA_BYTES_MAX = 256 * 1024 * 1024 };

static void close_dir(DIR **d)
{
    if (*d)
        closedir(*d);
}

static void free_path(char **path)
{
    free(*path);
}

/* A file that is gone was merged into another one meanwhile. */
static enum footnote_rc check_file(struct index_check *c, struct arena *a,
                                   const struct sha256 *course,
                                   const char *path, struct segment_list *list,
                                   struct footnote_err *err)
{
    struct segment *s = NULL;
    enum footnote_rc rc = segment_load(path, course, &s, err);

    if (rc == FOOTNOTE_NOTFOUND)
        return FOOTNOTE_OK;
    c->files++;
    if (rc == FOOTNOTE_OK) {
        c->bytes += (int64_t)s->bytes;
        return segment_list_add(list, s, err);
    }
    if (rc != FOOTNOTE_DAMAGED)
        return rc;
    c->damaged++;
    if (!c->first_damaged.p)
        c->first_damaged = arena_str(a, str_c(path));
    if (c->remove && unlink(path) == 0)
        c->removed++;
    return arena_rc(a, err);
}

/* What segment_save() writes before it has a name. */
static bool is_unfinished(const char *name)
{
    size_t n = strlen(name);

    return n > 4 && strcmp(name + n - 4, ".new") == 0;
}

static enum footnote_rc check_files(struct index_check *c, struct arena *a,
                                    const struct sha256 *course,
                                    struct segment_list *list,
                                    struct footnote_err *err)
{
    AUTO(free_path) char *folder = course_index_folder(c->folder, course);
    AUTO(close_dir) DIR *dir = folder ? opendir(folder) : NULL;
    const struct dirent *e;

    if (!folder)
        return err_set(err, FOOTNOTE_NOMEM, "looking at an index");
    while (dir && (e = readdir(dir))) {
        char path[PATH_MAX];

        if (index_file_path(folder, e->d_name, path))
            TRY(check_file(c, a, course, path, list, err));
        if (!is_unfinished(e->d_name))
            continue;
        c->unfinished++;
        if (c->remove)
            (void)unlinkat(dirfd(dir), e->d_name, 0);
    }
    return FOOTNOTE_OK;
}

static bool is_in(const struct segment_list *list,
                  const struct index_document *d)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct segment *s = list->items[i];
        uint32_t at = segment_document(s, d->key);

        if (at < s->documents_n && s->documents[at].version == d->version &&
            s->documents[at].digest == index_digest(&d->digest))
            return true;
    }
    return false;
}

/* A document without passages is in no index. */
static enum footnote_rc has_passages(struct index_check *c, struct arena *a,
                                     struct who who,
                                     const struct index_document *d, bool *has,
                                     struct footnote_err *err)
{
    struct document_passages first = {.document = d->key,
                                      .version = d->version};
    struct index_passages op = {
        .documents = &first, .documents_n = 1, .limit = 1};

    TRY(store_read(c->store, who, a, OP(index_passages), &op, err));
    *has = first.passages_n > 0;
    return FOOTNOTE_OK;
}

static enum footnote_rc check_course(struct index_check *c, struct arena *a,
                                     const struct index_course *course,
                                     struct footnote_err *err)
{
    AUTO(arena_free) struct arena scratch = ARENA(ARENA_BYTES_MAX);
    AUTO(segment_list_free) struct segment_list list = {.n = 0};
    struct index_documents docs = {.course = course->id};
    struct who who = {course->tenant, STR("index")};
    struct sha256 name;

    TRY(course_index_name(course->tenant, course->id, &name));
    c->goes_on(c->arg, ++c->courses);
    TRY(store_read(c->store, who, &scratch, OP(index_documents), &docs, err));
    TRY(check_files(c, a, &name, &list, err));
    for (size_t i = 0; i < docs.documents_n; i++) {
        bool lacks = !is_in(&list, &docs.documents[i]);

        if (lacks)
            TRY(has_passages(c, &scratch, who, &docs.documents[i], &lacks,
                             err));
        c->not_in_files += lacks;
        c->documents++;
    }
    return FOOTNOTE_OK;
}

enum footnote_rc index_check(struct index_check *c, struct arena *a,
                             struct footnote_err *err)
{
    AUTO(arena_free) struct arena scratch = ARENA(ARENA_BYTES_MAX);
    struct index_courses page = {.after_tenant = 0};

    do {
        arena_reset(&scratch);
        TRY(store_own_read(c->store, &scratch, OP(index_courses), &page, err));
        for (size_t i = 0; i < page.courses_n; i++)
            TRY(check_course(c, a, &page.courses[i], err));
    } while (page.courses_n == INDEX_COURSES_MAX);
    return FOOTNOTE_OK;
}
