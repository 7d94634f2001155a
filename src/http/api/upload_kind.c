/* upload_kind.c - what a document is: its kind, its types, its labels.
 *
 * The type is found by the bytes first, never by the client's claim, because
 * stored files are served again. */
#include "base/utf8.h"
#include "http/api/upload.h"
#include "http/shape/names.h"
#include "ingest/format/formats.h"
#include "store/document/document.h"

static bool impossible(struct request *r, struct str where, const char *why)
{
    reply_problem(r, &(struct problem){.status = 422,
                                       .code = STR("impossible"),
                                       .text = str_c(why),
                                       .where = where});
    return false;
}

static bool unsupported(struct request *r, struct str where, const char *why)
{
    struct str text = arena_printf(&r->arena, "%s", why);
    char *first = (char *)(uintptr_t)text.p;

    if (first && *first >= 'a' && *first <= 'z')
        *first = (char)(*first - 32);
    reply_problem(r, &(struct problem){.status = 415,
                                       .code = STR("unsupported_type"),
                                       .text = text,
                                       .where = where});
    return false;
}

/* ---- Labels ------------------------------------------------------------- */

static int64_t read_digits(struct str s, size_t at, size_t n)
{
    int64_t v = 0;

    for (size_t i = at; i < at + n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return -1;
        v = v * 10 + (s.p[i] - '0');
    }
    return v;
}

bool upload_is_date(struct str s)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t year, month, day;
    bool leap;

    if (s.n != 10 || s.p[4] != '-' || s.p[7] != '-')
        return false;
    year = read_digits(s, 0, 4);
    month = read_digits(s, 5, 2);
    day = read_digits(s, 8, 2);
    leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return year > 0 && month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] + (month == 2 && leap);
}

bool upload_is_url(struct str s)
{
    struct str rest;
    size_t end = 0;

    if (str_starts(s, STR("https://")))
        rest = str_skip(s, 8);
    else if (str_starts(s, STR("http://")))
        rest = str_skip(s, 7);
    else
        return false;
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= 0x20 || s.p[i] == 0x7f ||
            strchr("\"<>\\^`{|}", s.p[i]))
            return false;
    while (end < rest.n && !strchr("/?#", rest.p[end]))
        end++;
    return end > 0 && *rest.p != ':' && s.n <= SOURCE_LABEL_BYTES_MAX &&
           str_find((struct str){rest.p, end}, '@') == end;
}

static bool check_texts(struct request *r, const struct upload_fields *f)
{
    const struct {
        struct str text, where;
    } texts[] = {{f->id, STR("/id")},
                 {f->title, STR("/title")},
                 {f->kind, STR("/kind")},
                 {f->date, STR("/date")},
                 {f->media, STR("/media")}};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].text.p && !utf8_is_name(texts[i].text)) {
            reply_invalid(r, texts[i].where,
                          "%s is UTF-8 on one line, without control "
                          "characters and marks that turn the direction of "
                          "text",
                          texts[i].where.p + 1);
            return false;
        }
    return true;
}

static bool check_labels(struct request *r, const struct upload_fields *f)
{
    if (!check_texts(r, f))
        return false;
    if (f->date.p && !upload_is_date(f->date)) {
        reply_invalid(r, STR("/date"), "date is a day as 2026-02-26");
        return false;
    }
    if (f->media.p && !upload_is_url(f->media)) {
        reply_invalid(r, STR("/media"),
                      "media is a file or an http or https address");
        return false;
    }
    return true;
}

/* ---- Kinds -------------------------------------------------------------- */

static bool choose_kind(struct request *r, struct upload *u,
                        enum extract_format f)
{
    enum document_kind *kind = &u->op.document.kind;

    *kind =
        u->replaces ? u->was.kind : format_kind(f, u->fields.date.p != NULL);
    if (!u->fields.kind.p)
        return true;
    if (!document_kind_parse(u->fields.kind, kind)) {
        reply_invalid(r, STR("/kind"),
                      "kind is slides, lecture, journal, page or text");
        return false;
    }
    if (u->replaces && *kind != u->was.kind)
        return impossible(r, STR("/kind"), "A document keeps its kind");
    return true;
}

static bool check_kind(struct request *r, const struct upload *u,
                       enum extract_format f)
{
    const struct document *d = &u->op.document;
    bool dated = d->date.p || u->replaces, titled = d->title.n || u->replaces;

    if (d->kind == DOCUMENT_SLIDES && format_of(f)->kind != DOCUMENT_SLIDES)
        return impossible(r, STR("/kind"), "Slides are a PDF or a PPTX file");
    if (d->kind == DOCUMENT_LECTURE && format_of(f)->kind != DOCUMENT_LECTURE)
        return impossible(r, STR("/kind"),
                          "A lecture is a transcript: a VTT or an SRT file");
    if (d->kind == DOCUMENT_PAGE && !u->replaces)
        return impossible(r, STR("/kind"), "A page is brought by its address");
    if (d->kind == DOCUMENT_JOURNAL && (!dated || !titled)) {
        reply_invalid(r, dated ? STR("/title") : STR("/date"),
                      "A journal entry has a date and a title");
        return false;
    }
    if (d->kind != DOCUMENT_LECTURE && (u->media.filename.p || d->media.url.p))
        return impossible(r, STR("/media"), "Only a lecture has a recording");
    return true;
}

static bool describe_media(struct request *r, struct upload *u)
{
    struct document_media *m = &u->op.document.media;
    struct str head = {u->media.head, u->media.head_n};

    m->url = u->fields.media;
    if (!u->media.filename.p)
        return true;
    m->filename = u->media.filename;
    m->media_type = recording_media_type(m->filename);
    if (m->media_type.p && format_detect(head, m->filename) == FORMAT_MEDIA)
        return true;
    return unsupported(r, STR("/media"),
                       "This is no recording that a browser can play");
}

bool upload_describe(struct request *r, struct upload *u)
{
    struct document *d = &u->op.document;
    struct str head = {u->file.head, u->file.head_n};
    enum extract_format f = format_detect(head, u->file.filename);

    if (!check_labels(r, &u->fields))
        return false;
    if (head.n == 0)
        return impossible(r, STR("/file"), "The file is empty");
    if (f == FORMAT_UNKNOWN)
        return unsupported(r, STR("/file"),
                           format_unknown_reason(head, u->file.filename));
    if (f == FORMAT_MEDIA)
        return impossible(r, STR("/file"),
                          "A recording needs its transcript: send that as "
                          "file, and the recording as media");
    if (!u->replaces)
        d->id = u->fields.id;
    d->title = u->fields.title;
    d->date = u->fields.date;
    d->filename = u->file.filename;
    d->media_type = format_of(f)->media_type;
    return describe_media(r, u) && choose_kind(r, u, f) && check_kind(r, u, f);
}
