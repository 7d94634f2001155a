/* owner.c - which store a place belongs to.
 *
 * A place that holds objects and no owner's name is nobody's: it may be a copy,
 * or the name was lost, and then the one who removes things must be told by a
 * person. */
#include "object/owner.h"
#include "object/driver.h"

enum owner { OWNER_OURS, OWNER_NOBODY, OWNER_OTHER };

/* What the place says now. */
static enum footnote_rc read_owner(struct objects *o, enum owner *out,
                                   struct footnote_err *err)
{
    AUTO(buf_free) struct buf b = BUF(OBJECTS_OWNER_BYTES_MAX);
    enum footnote_rc rc = o->driver->owner_read(o, &b, err);

    *out = OWNER_NOBODY;
    if (rc == FOOTNOTE_NOTFOUND)
        return FOOTNOTE_OK;
    *out = OWNER_OTHER;
    if (rc == FOOTNOTE_TOOBIG) /* no owner's name is so long */
        return FOOTNOTE_OK;
    TRY(rc);
    if (str_eq(buf_str(&b), str_c(o->store)))
        *out = OWNER_OURS;
    return FOOTNOTE_OK;
}

static enum footnote_rc stop_at_first(void *arg, struct str key,
                                      int64_t changed_ms,
                                      struct footnote_err *err)
{
    (void)key;
    (void)changed_ms;
    *(bool *)arg = false;
    return err_set(err, FOOTNOTE_ENDED, "there is one");
}

static enum footnote_rc is_empty(struct objects *o, bool *out,
                                 struct footnote_err *err)
{
    enum footnote_rc rc;

    *out = true;
    rc = o->driver->each(o, stop_at_first, out, err);
    if (rc == FOOTNOTE_OK)
        rc = o->driver->each_aside(o, stop_at_first, out, err);
    return rc == FOOTNOTE_ENDED ? FOOTNOTE_OK : rc;
}

/* Somebody else may claim it at the same moment: what is read afterwards
 * counts. */
static enum footnote_rc claim(struct objects *o, enum owner *whose,
                              struct footnote_err *err)
{
    enum footnote_rc rc;
    bool empty;

    TRY(is_empty(o, &empty, err));
    if (!empty)
        return FOOTNOTE_OK;
    rc = o->driver->owner_write(o, str_c(o->store), false, err);
    if (rc != FOOTNOTE_CONFLICT)
        TRY(rc);
    return read_owner(o, whose, err);
}

static enum footnote_rc refuse(enum owner whose, enum footnote_rc rc,
                               struct footnote_err *err)
{
    return err_set(err, rc,
                   "objects: the place %s; if they are this store's alone, "
                   "run: footnote objects adopt",
                   whose == OWNER_OTHER ? "belongs to another store"
                                        : "does not say whose they are");
}

enum footnote_rc owner_claim(struct objects *o, struct footnote_err *err)
{
    enum owner whose;

    if (!o->store[0] || atomic_load(&o->claimed))
        return FOOTNOTE_OK;
    TRY(read_owner(o, &whose, err));
    if (whose == OWNER_NOBODY)
        TRY(claim(o, &whose, err));
    if (whose != OWNER_OURS)
        return refuse(whose, FOOTNOTE_READONLY, err);
    atomic_store(&o->claimed, true);
    return FOOTNOTE_OK;
}

enum footnote_rc objects_check_owner(struct objects *o,
                                     struct footnote_err *err)
{
    enum owner whose = OWNER_NOBODY;

    if (o->store[0])
        TRY(read_owner(o, &whose, err));
    if (o->store[0] && whose == OWNER_NOBODY)
        TRY(claim(o, &whose, err));
    return whose == OWNER_OURS ? FOOTNOTE_OK
                               : refuse(whose, FOOTNOTE_FOREIGN, err);
}

enum footnote_rc objects_adopt(struct objects *o, struct footnote_err *err)
{
    if (!o->store[0])
        return err_set(err, FOOTNOTE_INVALID, "objects: no store adopts them");
    return objects_give(o, str_c(o->store), err);
}

enum footnote_rc objects_give(struct objects *o, struct str store,
                              struct footnote_err *err)
{
    return o->driver->owner_write(o, store, true, err);
}
