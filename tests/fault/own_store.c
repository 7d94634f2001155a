/* own_store.c - a test's own store, files and user. */
#include "own_store.h"

#include <stdio.h>

#include "contract.h"

struct store *own_store(void)
{
    struct store *st = NULL;
    struct footnote_err err;

    CHECK_OK(store_open(test_url(), &st, &err), &err);
    return st;
}

struct objects *own_objects(void)
{
    struct objects *o = NULL;
    struct footnote_err err;
    char url[600];

    snprintf(url, sizeof(url), "files:%s/objects", test_dir());
    CHECK_OK(objects_open(str_c(url), &o, &err), &err);
    return o;
}

struct who ann(void)
{
    return (struct who){STR("default"), STR("ann")};
}
