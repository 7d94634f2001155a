/* s3_list.c - lists the objects of a bucket, a thousand at a time.
 *
 * The XML comes from a stranger: it is read without a network and without
 * entities of its own.  An answer that is no list is refused, so that the error
 * page of a proxy is not taken for an empty bucket. */
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "object/s3.h"

static void free_doc(xmlDoc **doc)
{
    if (*doc)
        xmlFreeDoc(*doc);
}

static void free_text(xmlChar **text)
{
    xmlFree(*text);
}

static bool is_named(const xmlNode *n, const char *name)
{
    return n->type == XML_ELEMENT_NODE &&
           strcmp((const char *)n->name, name) == 0;
}

/* The text of the first child of that name; NULL when there is none. */
static xmlChar *text_of(const xmlNode *parent, const char *name)
{
    for (xmlNode *n = parent->children; n; n = n->next)
        if (is_named(n, name))
            return xmlNodeGetContent(n);
    return NULL;
}

static struct str view(const xmlChar *text)
{
    return str_c((const char *)text);
}

/* The number of two digits at `at`; -1 when there are none. */
static int64_t two_digits(struct str s, size_t at)
{
    int64_t v;

    return s.n >= at + 2 && str_i64((struct str){s.p + at, 2}, &v) ? v : -1;
}

/* 2026-02-26T20:15:00.000Z in milliseconds.  A time that cannot be read is the
 * far future, so that the object is not taken for old. */
static int64_t time_of(struct str s)
{
    static const size_t places[] = {0, 2, 5, 8, 11, 14, 17};
    int64_t part[7], year, month, days;

    for (size_t i = 0; i < 7; i++) {
        part[i] = two_digits(s, places[i]);
        if (part[i] < 0)
            return INT64_MAX;
    }
    /* Years begin in March, so that the leap day is their last. */
    month = part[2];
    year = part[0] * 100 + part[1] - (month <= 2);
    days = year * 365 + year / 4 - year / 100 + year / 400 +
           (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + part[3] - 1 -
           719468;
    return (((days * 24 + part[4]) * 60 + part[5]) * 60 + part[6]) * 1000;
}

struct each_object {
    const struct s3 *s;
    object_each_fn *fn;
    void *arg;
};

/* Tells of an object, unless the key is none of ours. */
static enum footnote_rc report_object(void *arg, struct str k,
                                      int64_t changed_ms,
                                      struct footnote_err *err)
{
    const struct each_object *e = arg;
    const struct s3 *s = e->s;
    size_t shard = s->prefix.n + 3;

    if (!str_starts(k, s->prefix) || k.n != shard + OBJECT_KEY_BYTES ||
        k.p[shard - 1] != '/' || memcmp(k.p + s->prefix.n, k.p + shard, 2) != 0)
        return FOOTNOTE_OK;
    return e->fn(e->arg, str_skip(k, shard), changed_ms, err);
}

static enum footnote_rc report_item(const xmlNode *item, object_each_fn *fn,
                                    void *arg, struct footnote_err *err)
{
    AUTO(free_text) xmlChar *key = text_of(item, "Key");
    AUTO(free_text) xmlChar *changed = text_of(item, "LastModified");

    return key ? fn(arg, view(key), time_of(view(changed)), err) : FOOTNOTE_OK;
}

/* *next is the token of the next page, in `a`; absent: this was the last. */
static enum footnote_rc read_page(const struct buf *text, object_each_fn *fn,
                                  void *arg, struct arena *a, struct str *next,
                                  struct footnote_err *err)
{
    AUTO(free_doc)
    xmlDoc *doc = xmlReadMemory(
        text->n ? text->p : "", (int)text->n, "list", NULL,
        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    AUTO(free_text) xmlChar *token = NULL;

    *next = STR_NONE;
    if (!root || !is_named(root, "ListBucketResult"))
        return err_set(err, FOOTNOTE_INTERNAL,
                       "objects: what the bucket answers is no list; is "
                       "--s3-endpoint a server for S3?");
    for (const xmlNode *n = root->children; n; n = n->next)
        if (is_named(n, "Contents"))
            TRY(report_item(n, fn, arg, err));
    token = text_of(root, "NextContinuationToken");
    if (token && token[0])
        *next = arena_str(a, view(token));
    return arena_rc(a, err);
}

enum footnote_rc s3_list(struct s3 *s, struct str begin, object_each_fn *fn,
                         void *arg, struct footnote_err *err)
{
    AUTO(buf_free) struct buf text = BUF(S3_TEXT_BYTES_MAX);
    AUTO(arena_free) struct arena a = ARENA(S3_TEXT_BYTES_MAX);
    struct str next = STR_NONE;

    do {
        struct s3_call c = {.method = "GET", .text = &text};

        sigv4_add(&c.query, STR("list-type"), STR("2"));
        sigv4_add(&c.query, STR("prefix"), begin);
        if (next.p)
            sigv4_add(&c.query, STR("continuation-token"), next);
        TRY(s3_run(s, &c, err));
        TRY(read_page(&text, fn, arg, &a, &next, err));
    } while (next.p);
    return FOOTNOTE_OK;
}

enum footnote_rc s3_each(struct objects *o, object_each_fn *fn, void *arg,
                         struct footnote_err *err)
{
    struct s3 *s = (struct s3 *)o;
    struct each_object e = {s, fn, arg};

    return s3_list(s, s->prefix, report_object, &e, err);
}

/* The same of the mark of an object that is set aside: PREFIX/trash/KEY. */
static enum footnote_rc report_mark(void *arg, struct str k, int64_t changed_ms,
                                    struct footnote_err *err)
{
    const struct each_object *e = arg;
    size_t below = e->s->prefix.n + strlen(S3_ASIDE);

    if (k.n != below + OBJECT_KEY_BYTES)
        return FOOTNOTE_OK;
    return e->fn(e->arg, str_skip(k, below), changed_ms, err);
}

enum footnote_rc s3_each_aside(struct objects *o, object_each_fn *fn, void *arg,
                               struct footnote_err *err)
{
    AUTO(buf_free) struct buf begin = BUF(S3_KEY_BYTES_MAX);
    struct s3 *s = (struct s3 *)o;
    struct each_object e = {s, fn, arg};

    buf_add(&begin, s->prefix);
    buf_add(&begin, STR(S3_ASIDE));
    TRY(buf_rc(&begin, err));
    return s3_list(s, buf_str(&begin), report_mark, &e, err);
}
