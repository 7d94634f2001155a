/* epub.c - EPUB: the chapters of a book, in the order of its spine.
 *
 * A chapter is what the book's own table of contents calls one; its title is
 * the locator of its passages.  Chapters are web pages. */
#include "ingest/format/html.h"
#include "ingest/format/journal.h"
#include "ingest/format/office.h"
#include "ingest/text/clean.h"
#include "ingest/text/lines.h"

#include "base/utf8.h"
#include "store/document/reason.h"
#include <stdio.h>
#include <stdlib.h>

enum {
    ITEMS_MAX = ZIP_MEMBERS_MAX,
    LABEL_BYTES_MAX = 1024,
    CHAPTER_BYTES_MAX = 180, /* of a locator; a longer title is cut */
};
_Static_assert((int)CHAPTER_BYTES_MAX < (int)SOURCE_ID_BYTES_MAX, "it fits");

struct item { /* of the manifest */
    struct str id, file;
    struct str label; /* in the table of contents; absent: not there */
    bool nav;         /* it is that table */
};

struct book {
    struct format_reader *r;
    struct zip zip;
    struct str folder; /* of the package, with its "/" or empty */
    struct item *items;
    size_t items_n;
    size_t *spine; /* items, in order */
    size_t spine_n;
    struct str ncx; /* id of the table of EPUB 2 */
    struct buf text;
    struct clean clean;
    struct str href; /* of the entry that is open */
    bool in_toc, in_metadata;
};

/* ---- The package -------------------------------------------------------- */

/* "ch%201.xhtml#top" is "ch 1.xhtml". */
static struct str file_of(struct book *b, struct str folder, struct str href)
{
    struct buf name = BUF(STORE_ID_BYTES_MAX);

    href.n = str_find(href, '#');
    for (size_t i = 0; i < href.n; i++) {
        char hex[3] = {0}, *end;

        if (href.p[i] == '%' && i + 2 < href.n) {
            memcpy(hex, href.p + i + 1, 2);
            long c = strtol(hex, &end, 16);
            if (end == hex + 2 && c > 0) {
                buf_add_c(&name, (char)c);
                i += 2;
                continue;
            }
        }
        buf_add_c(&name, href.p[i]);
    }
    struct str out = name.broken || !name.n
                         ? STR("")
                         : office_resolve(b->r->a, folder, buf_str(&name));
    buf_free(&name);
    return out;
}

static struct item *item_by_id(struct book *b, struct str id)
{
    for (size_t i = 0; id.n && i < b->items_n; i++)
        if (str_eq(b->items[i].id, id))
            return &b->items[i];
    return NULL;
}

static struct item *item_by_file(struct book *b, struct str file)
{
    for (size_t i = 0; file.n && i < b->items_n; i++)
        if (str_eq(b->items[i].file, file))
            return &b->items[i];
    return NULL;
}

static enum footnote_rc add_item(struct book *b, const struct xml_tag *t,
                                 struct footnote_err *err)
{
    struct str properties = xml_attribute(t, "properties");

    if (b->items_n == ITEMS_MAX)
        return refuse(err, TOO_MANY_PARTS, "the book has more than %d files",
                      ITEMS_MAX);
    b->items[b->items_n++] = (struct item){
        .id = arena_str(b->r->a, xml_attribute(t, "id")),
        .file = file_of(b, b->folder, xml_attribute(t, "href")),
        .nav = properties.n && memmem(properties.p, properties.n, "nav", 3)};
    return arena_rc(b->r->a, err);
}

static enum footnote_rc package_start(void *arg, const struct xml_tag *t,
                                      struct footnote_err *err)
{
    struct book *b = arg;

    buf_reset(&b->text);
    if (str_eq(t->name, STR("metadata"))) {
        b->in_metadata = true;
    } else if (str_eq(t->name, STR("item"))) {
        return add_item(b, t, err);
    } else if (str_eq(t->name, STR("spine"))) {
        b->ncx = arena_str(b->r->a, xml_attribute(t, "toc"));
    } else if (str_eq(t->name, STR("itemref")) && b->spine_n < ITEMS_MAX) {
        const struct item *i = item_by_id(b, xml_attribute(t, "idref"));
        if (i)
            b->spine[b->spine_n++] = (size_t)(i - b->items);
    }
    return FOOTNOTE_OK;
}

static void keep_once(struct book *b, struct str *fact, struct str text)
{
    if (!fact->p)
        *fact = arena_str(b->r->a, text);
}

static enum footnote_rc package_end(void *arg, struct str name,
                                    struct footnote_err *err)
{
    struct book *b = arg;
    char day[11];
    size_t n;

    (void)err;
    lines_squeeze(&b->text);
    struct str text = buf_str(&b->text);
    if (str_eq(name, STR("metadata")))
        b->in_metadata = false;
    if (!b->in_metadata || text.n == 0)
        return FOOTNOTE_OK;
    if (str_eq(name, STR("title")))
        keep_once(b, &b->r->facts->title, text);
    else if (str_eq(name, STR("language")))
        keep_once(b, &b->r->facts->language, text);
    else if (str_eq(name, STR("date")) && journal_date(text, day, &n))
        keep_once(b, &b->r->facts->date, str_c(day));
    return FOOTNOTE_OK;
}

static enum footnote_rc on_text(void *arg, struct str s,
                                struct footnote_err *err)
{
    struct book *b = arg;

    (void)err;
    if (b->text.n < LABEL_BYTES_MAX)
        clean_add(&b->clean, &b->text, s);
    return FOOTNOTE_OK;
}

/* ---- The table of contents ---------------------------------------------- */

/* The first entry of a file names the chapter. */
static void name_chapter(struct book *b, struct str folder)
{
    struct item *i = item_by_file(b, file_of(b, folder, b->href));

    lines_squeeze(&b->text);
    struct str label = buf_str(&b->text);
    if (label.n > CHAPTER_BYTES_MAX)
        label.n = utf8_whole((struct str){label.p, CHAPTER_BYTES_MAX});
    if (i && !i->label.p && label.n)
        i->label = arena_str(b->r->a, label);
    b->href = STR_NONE;
}

struct table { /* one of them, while it is read */
    struct book *b;
    struct str folder;
};

static enum footnote_rc table_start(void *arg, const struct xml_tag *t,
                                    struct footnote_err *err)
{
    struct table *x = arg;
    struct book *b = x->b;

    (void)err;
    if (str_eq(t->name, STR("nav"))) {
        b->in_toc = str_eq(xml_attribute(t, "type"), STR("toc"));
    } else if (str_eq(t->name, STR("a")) && b->in_toc) {
        b->href = arena_str(b->r->a, xml_attribute(t, "href"));
        buf_reset(&b->text);
    } else if (str_eq(t->name, STR("navLabel"))) {
        buf_reset(&b->text);
    } else if (str_eq(t->name, STR("content"))) { /* behind its label */
        b->href = xml_attribute(t, "src");
        name_chapter(b, x->folder);
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc table_end(void *arg, struct str name,
                                  struct footnote_err *err)
{
    struct table *x = arg;

    (void)err;
    if (str_eq(name, STR("a")) && x->b->href.p)
        name_chapter(x->b, x->folder);
    return FOOTNOTE_OK;
}

static enum footnote_rc table_text(void *arg, struct str s,
                                   struct footnote_err *err)
{
    struct table *x = arg;

    return on_text(x->b, s, err);
}

/* A book with a broken table of contents can still be read. */
static enum footnote_rc read_table(struct book *b, const struct item *item,
                                   struct footnote_err *err)
{
    static const struct xml_events events = {table_start, table_end,
                                             table_text};
    struct str name = lines_basename(item->file);
    struct table x = {b, {item->file.p, item->file.n - name.n}};
    struct str bytes = zip_get(&b->zip, item->file);

    if (bytes.n == 0)
        return FOOTNOTE_OK;
    enum footnote_rc rc =
        xml_read(xml_without_doctype(b->r->a, bytes), &events, &x, err);
    b->href = STR_NONE;
    return rc == FOOTNOTE_NOMEM ? rc : arena_rc(b->r->a, err);
}

static enum footnote_rc read_tables(struct book *b, struct footnote_err *err)
{
    const struct item *ncx = item_by_id(b, b->ncx);

    for (size_t i = 0; i < b->items_n; i++)
        if (b->items[i].nav)
            TRY(read_table(b, &b->items[i], err));
    return ncx ? read_table(b, ncx, err) : FOOTNOTE_OK;
}

/* ---- Opening ------------------------------------------------------------ */

static bool ends_in(struct str name, const char *const *endings)
{
    struct str extension = lines_extension(name);

    for (; *endings; endings++)
        if (lines_same(extension, str_c(*endings)))
            return true;
    return false;
}

static const char *const pages[] = {"xhtml", "html", "htm", "xml", NULL};

static bool wanted(struct str name)
{
    static const char *const tables[] = {"opf", "ncx", NULL};

    return ends_in(name, pages) || ends_in(name, tables);
}

struct first_path { /* of the package */
    struct arena *a;
    struct str path;
};

static enum footnote_rc container_start(void *arg, const struct xml_tag *t,
                                        struct footnote_err *err)
{
    struct first_path *p = arg;

    (void)err;
    if (str_eq(t->name, STR("rootfile")) && !p->path.p)
        p->path = arena_str(p->a, xml_attribute(t, "full-path"));
    return FOOTNOTE_OK;
}

/* Fonts may be scrambled; pages that are can be read by one program only. */
static enum footnote_rc protected_start(void *arg, const struct xml_tag *t,
                                        struct footnote_err *err)
{
    (void)arg;
    if (str_eq(t->name, STR("CipherReference")) &&
        ends_in(xml_attribute(t, "URI"), pages))
        return refuse(err, ENCRYPTED,
                      "the book is protected, so that only its shop's program "
                      "can open it; upload a copy without protection");
    return FOOTNOTE_OK;
}

static enum footnote_rc find_package(struct book *b, struct str *path,
                                     struct footnote_err *err)
{
    static const struct xml_events container = {.start = container_start};
    static const struct xml_events protection = {.start = protected_start};
    struct first_path first = {.a = b->r->a};
    struct str bytes = zip_get(&b->zip, STR("META-INF/encryption.xml"));

    if (bytes.n)
        TRY(xml_read(bytes, &protection, b, err));
    bytes = zip_get(&b->zip, STR("META-INF/container.xml"));
    if (bytes.n)
        TRY(xml_read(bytes, &container, &first, err));
    TRY(arena_rc(b->r->a, err));
    *path = first.path;
    if (!zip_get(&b->zip, *path).n)
        return refuse(err, DAMAGED,
                      "the book does not say which parts it has: it is "
                      "damaged, or no EPUB");
    return FOOTNOTE_OK;
}

static enum footnote_rc open_book(struct book *b, struct footnote_err *err)
{
    static const struct xml_events events = {package_start, package_end,
                                             on_text};
    struct arena *a = b->r->a;
    struct str path;

    TRY(zip_read(a, b->r->bytes, wanted, &b->zip, err));
    b->items = arena_many(a, ITEMS_MAX, struct item);
    b->spine = arena_many(a, ITEMS_MAX, size_t);
    TRY(arena_rc(a, err));
    TRY(find_package(b, &path, err));
    struct str name = lines_basename(path);
    b->folder = (struct str){path.p, path.n - name.n};
    struct str package = xml_without_doctype(a, zip_get(&b->zip, path));
    TRY(xml_read(package, &events, b, err));
    TRY(buf_rc(&b->text, err));
    if (b->spine_n == 0)
        return refuse(err, NO_TEXT, "the book has no chapters");
    return read_tables(b, err);
}

/* ---- Chapters ----------------------------------------------------------- */

/* A file that the table of contents does not name goes on with the chapter
 * before it. */
static enum footnote_rc begin_chapter(struct book *b, const struct item *item,
                                      struct footnote_err *err)
{
    if (!item->label.p)
        return FOOTNOTE_OK;
    TRY(chunk_heading(&b->r->chunker, 1, item->label, err));
    b->r->chunker.locator = item->label;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_chapters(struct book *b, struct footnote_err *err)
{
    size_t missing = 0;

    for (size_t i = 0; i < b->spine_n; i++) {
        const struct item *item = &b->items[b->spine[i]];
        struct str bytes = zip_get(&b->zip, item->file);

        missing += bytes.p == NULL;
        if (bytes.n && !item->nav) {
            TRY(begin_chapter(b, item, err));
            TRY(html_part(b->r, bytes, err));
        }
        TRY(read_progress(b->r, (i + 1) * b->r->bytes.n / b->spine_n,
                          b->r->bytes.n, err));
    }
    if (missing)
        snprintf(b->r->facts->warning, sizeof(b->r->facts->warning),
                 "%zu of %zu files of the book are missing in it", missing,
                 b->spine_n);
    return FOOTNOTE_OK;
}

enum footnote_rc read_epub(struct format_reader *r, struct footnote_err *err)
{
    struct book b = {.r = r, .text = BUF(ZIP_UNPACKED_MAX)};
    enum footnote_rc rc = open_book(&b, err);

    if (rc == FOOTNOTE_OK)
        rc = read_chapters(&b, err);
    buf_free(&b.text);
    return rc;
}
