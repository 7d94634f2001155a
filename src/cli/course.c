/* course.c - a course by what people call it: its id, or else its title. */
#include "store/session/course.h"
#include "cli/cli.h"
#include "store/store.h"

enum footnote_rc cli_course(struct store *st, struct who who, struct arena *a,
                            struct str name, struct str *id,
                            struct footnote_err *err)
{
    struct course_get get = {.id = name};
    struct course_list list = {.limit = 0};
    enum footnote_rc rc = store_read(st, who, a, OP(course_get), &get, err);

    *id = get.course.id;
    if (rc != FOOTNOTE_NOTFOUND)
        return rc;
    TRY(store_read(st, who, a, OP(course_list), &list, err));
    for (size_t i = 0; i < list.courses_n; i++)
        if (str_eq(list.courses[i].title, name)) {
            *id = list.courses[i].id;
            return FOOTNOTE_OK;
        }
    return err_set(err, FOOTNOTE_NOTFOUND, "course: %.*s is not there",
                   name.n < 100 ? (int)name.n : 100, name.p);
}
