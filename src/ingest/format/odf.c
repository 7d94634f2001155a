/* odf.c - the packaging that OpenDocument files share. */
#include "ingest/format/odf.h"
#include "ingest/text/lines.h"
#include "store/document/reason.h"

enum { SPACES_MAX = 200 };

static bool wanted(struct str name)
{
    return str_eq(name, ODF_CONTENT) || str_eq(name, STR("styles.xml")) ||
           str_eq(name, STR("meta.xml")) ||
           str_eq(name, STR("META-INF/manifest.xml"));
}

/* ---- Hidden styles ------------------------------------------------------ */

struct styles_reader {
    struct arena *a;
    struct odf_hidden *out;
    struct str name; /* of the open style */
};

static bool hides(const struct xml_tag *t)
{
    return str_eq(xml_attribute(t, "display"), STR("none")) ||
           (str_eq(t->name, STR("table-properties")) &&
            str_eq(xml_attribute(t, "display"), STR("false"))) ||
           str_eq(xml_attribute(t, "visibility"), STR("hidden"));
}

static enum footnote_rc style_start(void *arg, const struct xml_tag *t,
                                    struct footnote_err *err)
{
    struct styles_reader *s = arg;
    struct odf_hidden *out = s->out;

    if (str_eq(t->name, STR("style"))) {
        s->name = arena_str(s->a, xml_attribute(t, "name"));
    } else if (s->name.n && out->n < ODF_HIDDEN_MAX && hides(t)) {
        out->names[out->n++] = s->name;
        s->name = STR_NONE;
    }
    return arena_rc(s->a, err);
}

static enum footnote_rc read_styles(struct format_reader *r, struct odf *o,
                                    struct str part, struct footnote_err *err)
{
    static const struct xml_events events = {.start = style_start};
    struct styles_reader s = {.a = r->a, .out = &o->hidden};
    struct str bytes = zip_get(&o->zip, part);

    return bytes.n ? xml_read(bytes, &events, &s, err) : FOOTNOTE_OK;
}

bool odf_is_hidden(const struct odf *o, struct str style)
{
    for (size_t i = 0; style.n && i < o->hidden.n; i++)
        if (str_eq(o->hidden.names[i], style))
            return true;
    return false;
}

/* ---- Opening ------------------------------------------------------------ */

enum footnote_rc odf_open(struct format_reader *r, struct odf *out,
                          struct footnote_err *err)
{
    *out = (struct odf){
        .hidden = {.names = arena_many(r->a, ODF_HIDDEN_MAX, struct str)}};
    TRY(arena_rc(r->a, err));
    TRY(zip_read(r->a, r->bytes, wanted, &out->zip, err));
    struct str manifest = zip_get(&out->zip, STR("META-INF/manifest.xml"));
    if (manifest.n && memmem(manifest.p, manifest.n, "encryption-data", 15))
        return refuse(err, PASSWORD,
                      "the file is protected by a password: save it without "
                      "one and upload it again");
    if (!zip_get(&out->zip, ODF_CONTENT).n)
        return refuse(err, DAMAGED,
                      "the file has no text part: it is damaged, or no "
                      "OpenDocument file");
    TRY(office_facts(r, &out->zip, STR("meta.xml"), err));
    TRY(read_styles(r, out, STR("styles.xml"), err));
    return read_styles(r, out, ODF_CONTENT, err);
}

/* ---- Elements ----------------------------------------------------------- */

int64_t odf_number(const struct xml_tag *t, const char *name, int64_t otherwise)
{
    int64_t n;

    return str_i64(xml_attribute(t, name), &n) && n > 0 ? n : otherwise;
}

bool odf_sign(const struct xml_tag *t, struct buf *out)
{
    if (str_eq(t->name, STR("s"))) {
        int64_t n = odf_number(t, "c", 1);

        for (int64_t i = 0; i < n && i < SPACES_MAX; i++)
            buf_add_c(out, ' ');
        return true;
    }
    if (str_eq(t->name, STR("tab"))) {
        buf_add_c(out, ' ');
        return true;
    }
    if (str_eq(t->name, STR("line-break"))) {
        buf_add_c(out, '\n');
        return true;
    }
    return false;
}

bool odf_is_unread(struct str name)
{
    static const char *const unread[] = {"annotation",
                                         "tracked-changes",
                                         "note-citation",
                                         "script",
                                         "scripts",
                                         "event-listeners",
                                         "table-of-content",
                                         "illustration-index",
                                         "table-index",
                                         "object-index",
                                         "user-index",
                                         "alphabetical-index",
                                         "bibliography-index",
                                         "hidden-text",
                                         "hidden-paragraph",
                                         "forms",
                                         "title",
                                         "desc",
                                         "sequence-decls",
                                         "variable-decls",
                                         "binary-data"};

    for (size_t i = 0; i < sizeof(unread) / sizeof(unread[0]); i++)
        if (str_eq(name, str_c(unread[i])))
            return true;
    return false;
}
