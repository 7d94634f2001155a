/* office.c - the packaging that all office files share. */
#include "ingest/format/office.h"
#include "ingest/format/journal.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"
#include "store/document/reason.h"
#include <assert.h>

/* ---- Links -------------------------------------------------------------- */

struct links_reader {
    struct arena *a;
    struct str folder; /* of the part, with its "/" or empty */
    struct office_links *out;
    size_t room;
};

struct str office_resolve(struct arena *a, struct str folder, struct str target)
{
    if (target.n && *target.p == '/')
        return arena_str(a, str_skip(target, 1));
    while (str_starts(target, STR("../"))) {
        target = str_skip(target, 3);
        if (folder.n)
            folder.n--; /* its "/" */
        while (folder.n && folder.p[folder.n - 1] != '/')
            folder.n--;
    }
    if (str_starts(target, STR("./")))
        target = str_skip(target, 2);
    if (folder.n + target.n > STORE_ID_BYTES_MAX)
        return STR("");
    return arena_printf(a, "%.*s%.*s", STR_ARG(folder), STR_ARG(target));
}

/* Begins small: there are many parts, and most have a handful of links. */
static enum footnote_rc make_room(struct links_reader *r,
                                  struct footnote_err *err)
{
    size_t n = r->out->n;
    struct office_link *more;

    if (n < r->room)
        return FOOTNOTE_OK;
    r->room = n ? 2 * n : 8;
    more = arena_many(r->a, r->room, struct office_link);
    if (!more)
        return arena_rc(r->a, err);
    if (n)
        memcpy(more, r->out->items, n * sizeof(*more));
    r->out->items = more;
    return FOOTNOTE_OK;
}

static enum footnote_rc link_start(void *arg, const struct xml_tag *t,
                                   struct footnote_err *err)
{
    struct links_reader *r = arg;

    if (!str_eq(t->name, STR("Relationship")) ||
        str_eq(xml_attribute(t, "TargetMode"), STR("External")))
        return FOOTNOTE_OK;
    if (r->out->n == OFFICE_LINKS_MAX)
        return refuse(err, TOO_MANY_PARTS, "it has more than %d links",
                      OFFICE_LINKS_MAX);
    TRY(make_room(r, err));
    assert(r->out->n < r->room);
    r->out->items[r->out->n++] = (struct office_link){
        arena_str(r->a, xml_attribute(t, "Id")),
        arena_str(r->a, lines_basename(xml_attribute(t, "Type"))),
        office_resolve(r->a, r->folder, xml_attribute(t, "Target"))};
    return arena_rc(r->a, err);
}

enum footnote_rc office_links(struct arena *a, const struct zip *z,
                              struct str part, struct office_links *out,
                              struct footnote_err *err)
{
    static const struct xml_events events = {.start = link_start};
    struct str name = lines_basename(part);
    struct links_reader r = {
        .a = a, .folder = {part.p, part.n - name.n}, .out = out};
    struct str path = arena_printf(a, "%.*s_rels/%.*s.rels", STR_ARG(r.folder),
                                   STR_ARG(name));

    *out = (struct office_links){NULL, 0};
    TRY(arena_rc(a, err));
    struct str bytes = zip_get(z, path);
    return bytes.p ? xml_read(bytes, &events, &r, err) : FOOTNOTE_OK;
}

struct str office_by_id(const struct office_links *l, struct str id)
{
    for (size_t i = 0; i < l->n; i++) {
        if (str_eq(l->items[i].id, id))
            return l->items[i].target;
    }
    return STR_NONE;
}

struct str office_by_type(const struct office_links *l, struct str type)
{
    for (size_t i = 0; i < l->n; i++) {
        if (str_eq(l->items[i].type, type))
            return l->items[i].target;
    }
    return STR_NONE;
}

enum footnote_rc office_main(struct arena *a, const struct zip *z,
                             struct str fallback, struct str *out,
                             struct footnote_err *err)
{
    struct office_links links;

    TRY(office_links(a, z, STR(""), &links, err));
    *out = office_by_type(&links, STR("officeDocument"));
    if (!zip_get(z, *out).p)
        *out = fallback;
    if (!zip_get(z, *out).p)
        return refuse(err, DAMAGED,
                      "the file has no text part: it is damaged, or no "
                      "office document");
    return FOOTNOTE_OK;
}

/* ---- Facts -------------------------------------------------------------- */

struct facts_reader {
    struct format_reader *r;
    struct buf text;
    struct clean clean;
};

static enum footnote_rc fact_start(void *arg, const struct xml_tag *t,
                                   struct footnote_err *err)
{
    struct facts_reader *f = arg;

    (void)t, (void)err;
    buf_reset(&f->text);
    return FOOTNOTE_OK;
}

static enum footnote_rc fact_end(void *arg, struct str name,
                                 struct footnote_err *err)
{
    struct facts_reader *f = arg;
    struct extract_facts *facts = f->r->facts;
    struct str text = lines_trim(buf_str(&f->text));
    char day[11];
    size_t n;

    (void)err;
    if (text.n == 0)
        return FOOTNOTE_OK;
    if (str_eq(name, STR("title")))
        facts->title = arena_str(f->r->a, text);
    else if (str_eq(name, STR("language")))
        facts->language = arena_str(f->r->a, text);
    else if ((str_eq(name, STR("created")) ||
              str_eq(name, STR("creation-date"))) &&
             journal_date(text, day, &n))
        facts->date = arena_str(f->r->a, str_c(day));
    buf_reset(&f->text);
    return FOOTNOTE_OK;
}

static enum footnote_rc fact_text(void *arg, struct str s,
                                  struct footnote_err *err)
{
    struct facts_reader *f = arg;

    (void)err;
    clean_add(&f->clean, &f->text, s);
    return FOOTNOTE_OK;
}

enum footnote_rc office_facts(struct format_reader *r, const struct zip *z,
                              struct str part, struct footnote_err *err)
{
    static const struct xml_events events = {fact_start, fact_end, fact_text};
    struct str bytes = zip_get(z, part);
    struct facts_reader f = {.r = r, .text = BUF(STORE_TITLE_BYTES_MAX)};
    enum footnote_rc rc;

    if (!bytes.p)
        return FOOTNOTE_OK;
    rc = xml_read(bytes, &events, &f, err);
    buf_free(&f.text);
    /* A document without readable facts can still be read. */
    return rc == FOOTNOTE_NOMEM ? rc : arena_rc(r->a, err);
}
